#include "config.h"

#include "base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "i18n.h"
#include "messages.h"

/* ---- Control characters ---- */

/* Length of the UTF-8 sequence at S, which is well-formed as far as its length goes; else 1.  */
static size_t sequence_at(const char *s)
{
    unsigned char first = (unsigned char)s[0];
    if (first < 0xC2)
        return 1;
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2, i = 1;
    while (i < length && ((unsigned char)s[i] & 0xC0) == 0x80)
        i++;
    return i == length && first < 0xF8 ? length : 1;
}

/* Length of the control character at S in bytes (C0, DEL, or C1 in UTF-8 or in an encoding of eight
   bits), or 0.  */
static size_t control_at(const char *s)
{
    unsigned char first = (unsigned char)s[0], second = (unsigned char)(first ? s[1] : 0);
    if (first == 0xC2 && second >= 0x80 && second < 0xA0)
        return 2;
    return first < 0x20 || first == 0x7F || (first >= 0x80 && first < 0xA0);
}

/* Writes a byte as `\xNN' to TO, without a NUL; returns how many characters that is.  */
static size_t put_hexadecimal(char *to, char byte)
{
    static const char digits[] = "0123456789abcdef";
    to[0] = '\\';
    to[1] = 'x';
    to[2] = digits[(unsigned char)byte >> 4];
    to[3] = digits[(unsigned char)byte & 15];
    return 4;
}

/* Copies S to TO, which has room for four times its bytes, and makes control characters visible;
   returns how many characters that is.  */
static size_t put_visible(char *to, const char *s)
{
    char *start = to;
    while (*s != '\0') {
        size_t bytes = control_at(s), length = bytes == 0 ? sequence_at(s) : 0;
        for (; length > 0; length--)
            *to++ = *s++;
        for (; bytes > 0; bytes--)
            to += put_hexadecimal(to, *s++);
    }
    return (size_t)(to - start);
}

/* ---- Messages ---- */

/* Onto standard error, past `stderr', which a library's words may be caught from.  */
static void write_all(const char *line, size_t size)
{
    while (size > 0) {
        ssize_t got = write(STDERR_FILENO, line, size);
        if (got < 0 && errno != EINTR)
            return;
        line += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
}

/* Says it in one line, whatever is in it, and at once, so that lines of several processes do not
   mix.  Takes no memory, but for a translation, and does without that: none may be what there is
   to say.  */
PRINTF_LIKE(2, 0) static void say(const char *before, const char *format, va_list args)
{
    enum { LONGEST = 10000 }; /* two paths as long as can be, and some words */
    static const char name[] = "gprof: ", cut[] = "...";
    char text[LONGEST], line[sizeof name + 4 * LONGEST + 1];
    int length = snprintf(text, sizeof text, "%s", before);
    int more = vsnprintf(text + length, sizeof text - (size_t)length, _(format), args);
    if (length + more >= LONGEST)
        strcpy(text + LONGEST - sizeof cut, cut);
    memcpy(line, name, sizeof name - 1);
    size_t size = sizeof name - 1;
    size += put_visible(line + size, text);
    line[size++] = '\n';
    fflush(stdout);
    write_all(line, size);
}

void warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(_("warning: "), format, args);
    va_end(args);
}

bool problem(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return false;
}

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    exit(EXIT_FAILURE);
}

void bug_at(const char *file, int line, const char *what)
{
    fprintf(stderr, "gprof: %s:%d: internal error: %s\n", file, line, what);
    abort();
}

/* ---- Memory ---- */

static _Noreturn void die_of_memory(size_t n, size_t size)
{
    die(MSG_NO_MEMORY, n, size);
}

/* Asks for large pages under memory that is used all over: in a graph of millions of arcs a third
   of the time goes to finding pages.  From the page on that has the heap's note of its size: a
   mapping of which a part is advised otherwise is two for the kernel, which then cannot make it
   larger, and realloc copies.  */
static void *use_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE = 2 * 1024 * 1024, PAGE = 4096 };
    if (p != NULL && bytes >= 2 * (size_t)LARGE) {
        size_t before = (uintptr_t)p % PAGE;
        (void)madvise((char *)p - before, before + bytes, MADV_HUGEPAGE);
    }
#endif
    return p;
}

void *mem_array(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (p == NULL)
        die_of_memory(n, size);
    return use_large_pages(p, n * size);
}

char *mem_copy(const char *p, size_t n)
{
    if (n == SIZE_MAX)
        die_of_memory(n, 1);
    char *copy = malloc(n + 1);
    if (copy == NULL)
        die_of_memory(n + 1, 1);
    if (n > 0)
        memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

void *mem_grow(void *base, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return base;
    size_t room = *capacity + *capacity / 2;
    if (room < need)
        room = need;
    if (room < 16)
        room = 16;
    if (room > SIZE_MAX / 2 / size)
        die_of_memory(room, size);
    void *p = realloc(base, room * size);
    if (p == NULL)
        die_of_memory(room, size);
    *capacity = room;
    return use_large_pages(p, room * size);
}

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

enum { CHUNK_BYTES = 64 * 1024 - 64 };

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t align = _Alignof(max_align_t);
    struct arena_chunk *chunk = arena->chunks;
    if (size > SIZE_MAX / 2)
        die_of_memory(size, 1);
    size = (size + align - 1) & ~(align - 1);
    if (chunk == NULL || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + room);
        if (chunk == NULL)
            die_of_memory(room, 1);
        chunk->used = 0;
        chunk->size = room;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *p = chunk->bytes + chunk->used;
    chunk->used += size;
    return p;
}

char *arena_copy(struct arena *arena, const char *p, size_t n)
{
    char *copy = arena_alloc(arena, n + 1);
    memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

void arena_free(struct arena *arena)
{
    while (arena->chunks != NULL) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}

/* ---- Sorting ---- */

/* Merges the sorted first HALF of IDS with the sorted rest.  */
static void merge_halves(uint32_t *ids, size_t half, size_t n, uint32_t *scratch,
                         compare_ids *compare, const void *context)
{
    memcpy(scratch, ids, half * sizeof *ids);
    size_t left = 0, right = half, out = 0;
    while (left < half && right < n) {
        if (compare(context, scratch[left], ids[right]) <= 0)
            ids[out++] = scratch[left++];
        else
            ids[out++] = ids[right++];
    }
    memcpy(ids + out, scratch + left, (half - left) * sizeof *ids);
}

static void sort_few(uint32_t *ids, size_t n, compare_ids *compare, const void *context)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t id = ids[i];
        size_t at = i;
        for (; at > 0 && compare(context, ids[at - 1], id) > 0; at--)
            ids[at] = ids[at - 1];
        ids[at] = id;
    }
}

void sort_ids(uint32_t *ids, size_t n, uint32_t *scratch, compare_ids *compare, const void *context)
{
    enum { FEW = 8 };
    if (n <= FEW) {
        sort_few(ids, n, compare, context);
        return;
    }
    size_t half = n / 2;
    sort_ids(ids, half, scratch, compare, context);
    sort_ids(ids + half, n - half, scratch, compare, context);
    if (compare(context, ids[half - 1], ids[half]) > 0) /* else they are in order already */
        merge_halves(ids, half, n, scratch, compare, context);
}

static void merge_down(uint32_t *ids, size_t n, uint32_t *scratch, compare_ids *compare,
                       const void *context)
{
    if (n < 2)
        return;
    merge_down(ids, n / 2, scratch, compare, context);
    merge_down(ids + n / 2, n - n / 2, scratch, compare, context);
    merge_halves(ids, n / 2, n, scratch, compare, context);
}

void sort_ids_by_merging(uint32_t *ids, size_t n, compare_ids *compare, const void *context)
{
    uint32_t *scratch = mem_array(n, sizeof *scratch);
    merge_down(ids, n, scratch, compare, context);
    free(scratch);
}

void sort_ids_alone(uint32_t *ids, size_t n, compare_ids *compare, const void *context)
{
    uint32_t *scratch = mem_array(n, sizeof *scratch);
    sort_ids(ids, n, scratch, compare, context);
    free(scratch);
}

struct keyed_id {
    uint64_t key;
    uint32_t id;
};

/* Distributes FROM over TO by the byte of the keys at SHIFT; STARTS says where each value's go.  */
static void distribute(const struct keyed_id *from, struct keyed_id *to, size_t n, unsigned shift,
                       size_t starts[256])
{
    for (size_t i = 0; i < n; i++)
        to[starts[from[i].key >> shift & 255]++] = from[i];
}

/* Turns counts of byte values into where they start; false if there is but one value.  */
static bool make_starts(size_t counts[256], size_t n)
{
    size_t start = 0;
    for (size_t value = 0; value < 256; value++) {
        size_t count = counts[value];
        if (count == n)
            return false;
        counts[value] = start;
        start += count;
    }
    return true;
}

/* Sorts by keys, byte for byte from the lowest (a radix sort); SPARE has room for as many.  Returns
   which of the two has them in the end.  */
static struct keyed_id *sort_keys(struct keyed_id *keyed, struct keyed_id *spare, size_t n)
{
    static const unsigned bytes = sizeof keyed->key;
    size_t counts[sizeof keyed->key][256] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (unsigned byte = 0; byte < bytes; byte++)
            counts[byte][keyed[i].key >> 8 * byte & 255]++;
    for (unsigned byte = 0; byte < bytes; byte++) {
        if (!make_starts(counts[byte], n))
            continue;
        distribute(keyed, spare, n, 8 * byte, counts[byte]);
        struct keyed_id *sorted = spare;
        spare = keyed;
        keyed = sorted;
    }
    return keyed;
}

/* How ids are to be sorted by keys, and room for it.  */
struct key_sorting {
    key_of_id *key;
    compare_ids *compare;
    const void *context;
    unsigned levels;
    struct keyed_id *keyed; /* room for twice as many as there are */
    uint32_t *scratch;
};

static void sort_level(const struct key_sorting *by, uint32_t *ids, size_t n, unsigned level)
{
    enum { FEW = 128 };
    if (n <= FEW || level == by->levels) {
        sort_ids(ids, n, by->scratch, by->compare, by->context);
        return;
    }
    for (size_t i = 0; i < n; i++)
        by->keyed[i] = (struct keyed_id){by->key(by->context, ids[i], level), ids[i]};
    const struct keyed_id *sorted = sort_keys(by->keyed, by->keyed + n, n);
    size_t *ends = mem_array(n, sizeof *ends), count = 0;
    for (size_t i = 0; i < n; i++) {
        ids[i] = sorted[i].id;
        if (i + 1 == n || sorted[i + 1].key != sorted[i].key)
            ends[count++] = i + 1;
    }
    for (size_t run = 0, first = 0; run < count; first = ends[run++])
        if (ends[run] > first + 1)
            sort_level(by, ids + first, ends[run] - first, level + 1);
    free(ends);
}

void sort_ids_by_key(uint32_t *ids, size_t n, key_of_id *key, unsigned levels, compare_ids *compare,
                     const void *context)
{
    struct key_sorting by = {key, compare, context, levels, NULL, NULL};
    by.keyed = mem_array(2 * n, sizeof *by.keyed);
    by.scratch = mem_array(n, sizeof *by.scratch);
    sort_level(&by, ids, n, 0);
    free(by.keyed);
    free(by.scratch);
}

void sort_ids_by_number(uint32_t *ids, size_t n, number_of_id *number, const void *context)
{
    struct keyed_id *keyed = mem_array(2 * n, sizeof *keyed);
    for (size_t i = 0; i < n; i++)
        keyed[i] = (struct keyed_id){number(context, ids[i]), ids[i]};
    const struct keyed_id *sorted = sort_keys(keyed, keyed + n, n);
    for (size_t i = 0; i < n; i++)
        ids[i] = sorted[i].id;
    free(keyed);
}

void sort_numbers(uint64_t *numbers, size_t n)
{
    size_t counts[sizeof *numbers][256] = {{0}};
    uint64_t *spare = mem_array(n, sizeof *spare), *from = numbers, *to = spare;
    for (size_t i = 0; i < n; i++)
        for (unsigned byte = 0; byte < sizeof *numbers; byte++)
            counts[byte][numbers[i] >> 8 * byte & 255]++;
    for (unsigned byte = 0; byte < sizeof *numbers; byte++) {
        if (!make_starts(counts[byte], n))
            continue;
        for (size_t i = 0; i < n; i++)
            to[counts[byte][from[i] >> 8 * byte & 255]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != numbers)
        memcpy(numbers, from, n * sizeof *numbers);
    free(spare);
}

uint64_t key_descending(double number)
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits;
    number += 0.0; /* there is but one zero */
    memcpy(&bits, &number, sizeof bits);
    return (bits & sign) != 0 ? bits : ~(bits | sign);
}

uint64_t key_of_text(const char *text)
{
    uint64_t key = 0;
    for (int shift = 56; shift >= 0 && *text != '\0'; shift -= 8)
        key |= (uint64_t)(unsigned char)*text++ << shift;
    return key;
}

uint32_t *ids_upto(size_t n)
{
    uint32_t *ids = mem_array(n, sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = (uint32_t)i;
    return ids;
}

/* ---- Pair map ---- */

static uint64_t hash_pair(uint64_t a, uint64_t b)
{
    uint64_t h = a * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    h = (h + b) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 29;
    h *= 0x94D049BB133111EBu;
    return h ^ (h >> 32);
}

/* Of a hash, the lower half says where a pair belongs, the upper tells it from most others.  */
static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

void pair_map_expect(const struct pair_map *map, uint64_t a, uint64_t b)
{
    if (map->slots != NULL)
        PREFETCH(&map->slots[(size_t)hash_pair(a, b) & map->slot_mask]);
}

/* Doubles the slots, which are kept at most three quarters full.  */
static void widen(struct pair_map *map)
{
    enum { AHEAD = 16 };
    size_t slots = map->slots == NULL ? 64 : (map->slot_mask + 1) * 2;
    free(map->slots);
    map->slots = mem_array(slots, sizeof *map->slots);
    map->slot_mask = slots - 1;
    for (size_t i = 0; i < map->count; i++) {
        if (i + AHEAD < map->count)
            pair_map_expect(map, map->pairs[i + AHEAD].a, map->pairs[i + AHEAD].b);
        uint64_t hash = hash_pair(map->pairs[i].a, map->pairs[i].b);
        size_t at = (size_t)hash & map->slot_mask;
        while (map->slots[at].number != 0)
            at = (at + 1) & map->slot_mask;
        map->slots[at] = (struct pair_slot){(uint32_t)i + 1, tag_of(hash)};
    }
}

uint32_t pair_map_number(struct pair_map *map, uint64_t a, uint64_t b)
{
    if (map->slots == NULL || map->count / 3 * 4 >= map->slot_mask)
        widen(map);
    uint64_t hash = hash_pair(a, b);
    size_t at = (size_t)hash & map->slot_mask;
    for (; map->slots[at].number != 0; at = (at + 1) & map->slot_mask) {
        if (map->slots[at].tag != tag_of(hash))
            continue;
        const struct pair *pair = &map->pairs[map->slots[at].number - 1];
        if (pair->a == a && pair->b == b)
            return map->slots[at].number - 1;
    }
    if (map->count >= UINT32_MAX - 1)
        die(MSG_TOO_MANY_ARCS, (unsigned long)UINT32_MAX - 1);
    map->pairs = mem_grow(map->pairs, &map->room, map->count + 1, sizeof *map->pairs);
    map->pairs[map->count] = (struct pair){a, b};
    map->slots[at] = (struct pair_slot){(uint32_t)++map->count, tag_of(hash)};
    return (uint32_t)map->count - 1;
}

void pair_map_close(struct pair_map *map)
{
    free(map->slots);
    map->slots = NULL;
}

void pair_map_free(struct pair_map *map)
{
    pair_map_close(map);
    free(map->pairs);
    *map = (struct pair_map){0};
}

/* ---- Strings ---- */

static size_t hash_string(const char *s)
{
    uint64_t h = 0xCBF29CE484222325u;
    for (; *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001B3u;
    return (size_t)hash_pair(h, 0);
}

static void widen_strings(struct string_map *map)
{
    size_t slots = map->slots == NULL ? 64 : (map->slot_mask + 1) * 2;
    free(map->slots);
    map->slots = mem_array(slots, sizeof *map->slots);
    map->slot_mask = slots - 1;
    for (size_t i = 0; i < map->count; i++) {
        size_t at = hash_string(map->strings[i]) & map->slot_mask;
        while (map->slots[at] != 0)
            at = (at + 1) & map->slot_mask;
        map->slots[at] = (uint32_t)i + 1;
    }
}

uint32_t string_map_number(struct string_map *map, const char *s)
{
    if (map->slots == NULL || map->count * 2 > map->slot_mask)
        widen_strings(map);
    size_t at = hash_string(s) & map->slot_mask;
    for (; map->slots[at] != 0; at = (at + 1) & map->slot_mask)
        if (strcmp(map->strings[map->slots[at] - 1], s) == 0)
            return map->slots[at] - 1;
    if (map->count >= UINT32_MAX - 1)
        die(MSG_TOO_MANY_NAMES, (unsigned long)UINT32_MAX - 1);
    map->strings = mem_grow(map->strings, &map->room, map->count + 1, sizeof *map->strings);
    map->strings[map->count] = arena_copy(&map->arena, s, strlen(s));
    map->slots[at] = (uint32_t)++map->count;
    return (uint32_t)map->count - 1;
}

void string_map_free(struct string_map *map)
{
    free(map->strings);
    free(map->slots);
    arena_free(&map->arena);
    *map = (struct string_map){0};
}

bool is_visible(const char *s)
{
    while (*s != '\0' && control_at(s) == 0)
        s += sequence_at(s);
    return *s == '\0';
}

const char *arena_visible(struct arena *arena, const char *s)
{
    if (is_visible(s))
        return arena_copy(arena, s, strlen(s));
    size_t size = strlen(s), controls = 0;
    for (size_t i = 0; i < size; i++)
        controls += control_at(s + i);
    char *visible = arena_alloc(arena, size + 3 * controls + 1);
    visible[put_visible(visible, s)] = '\0';
    return visible;
}
