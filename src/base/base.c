#include "config.h"

#include "base/base.h"

#include <errno.h>
#ifdef HAVE_MALLOPT
#include <malloc.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/messages.h"

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

void mem_begin(void)
{
#ifdef HAVE_MALLOPT
    enum { LARGE_ARRAY = 4 * 1024 * 1024 }; /* bytes */
    mallopt(M_MMAP_THRESHOLD, LARGE_ARRAY);
    mallopt(M_TRIM_THRESHOLD, LARGE_ARRAY);
#endif
}

void *mem_array(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (p == NULL)
        die_of_memory(n, size);
    return p;
}

void *mem_room(size_t n, size_t size)
{
    if (n > SIZE_MAX / 2 / size)
        die_of_memory(n, size);
    void *p = malloc(n ? n * size : 1);
    if (p == NULL)
        die_of_memory(n, size);
    return p;
}

void *mem_reorder(void *base, uint32_t *order, size_t n, size_t size)
{
    char *sorted = mem_room(n, size);
    for (size_t i = 0; i < n; i++)
        memcpy(sorted + i * size, (const char *)base + order[i] * size, size);
    free(base);
    free(order);
    return sorted;
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
    return p;
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

/* ---- Pair map ---- */

/* A random number for hashes, never 0.  */
static uint64_t draw_key(void)
{
    uint64_t key = 0;
#ifdef HAVE_GETENTROPY
    if (getentropy(&key, sizeof key) == 0)
        return key | 1;
#endif
    return (key ^ (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32 ^ (uintptr_t)&key) | 1;
}

static uint64_t hash_pair(uint64_t key, uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ key) * 0x9E3779B97F4A7C15u;
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

/* The number of the pair will be asked for: asks for memory.  */
static void expect(const struct pair_map *map, uint64_t a, uint64_t b)
{
    if (map->slots != NULL)
        PREFETCH(&map->slots[(size_t)hash_pair(map->key, a, b) & map->slot_mask]);
}

/* Doubles the slots, which are kept at most three quarters full.  */
static void widen(struct pair_map *map)
{
    enum { AHEAD = 16 };
    size_t slots = map->slots == NULL ? 64 : (map->slot_mask + 1) * 2;
    if (map->key == 0)
        map->key = draw_key();
    free(map->slots);
    map->slots = mem_array(slots, sizeof *map->slots);
    map->slot_mask = slots - 1;
    for (size_t i = 0; i < map->count; i++) {
        if (i + AHEAD < map->count)
            expect(map, map->pairs[i + AHEAD].a, map->pairs[i + AHEAD].b);
        uint64_t hash = hash_pair(map->key, map->pairs[i].a, map->pairs[i].b);
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
    uint64_t hash = hash_pair(map->key, a, b);
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

void pair_map_clear(struct pair_map *map, size_t most)
{
    size_t slots = map->slots == NULL ? 0 : map->slot_mask + 1;
    map->count = 0;
    if (slots / 8 > most)
        pair_map_close(map);
    else if (slots > 0)
        memset(map->slots, 0, slots * sizeof *map->slots);
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

static size_t hash_string(uint64_t key, const char *s)
{
    uint64_t h = 0xCBF29CE484222325u ^ key;
    for (; *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001B3u;
    return (size_t)hash_pair(key, h, 0);
}

static void widen_strings(struct string_map *map)
{
    size_t slots = map->slots == NULL ? 64 : (map->slot_mask + 1) * 2;
    if (map->key == 0)
        map->key = draw_key();
    free(map->slots);
    map->slots = mem_array(slots, sizeof *map->slots);
    map->slot_mask = slots - 1;
    for (size_t i = 0; i < map->count; i++) {
        size_t at = hash_string(map->key, map->strings[i]) & map->slot_mask;
        while (map->slots[at] != 0)
            at = (at + 1) & map->slot_mask;
        map->slots[at] = (uint32_t)i + 1;
    }
}

uint32_t string_map_number(struct string_map *map, const char *s)
{
    if (map->slots == NULL || map->count * 2 > map->slot_mask)
        widen_strings(map);
    size_t at = hash_string(map->key, s) & map->slot_mask;
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
    for (;;) {
        while (*s >= ' ' && *s <= '~') /* most names are of nothing else */
            s++;
        if (*s == '\0' || control_at(s) != 0)
            return *s == '\0';
        s += sequence_at(s);
    }
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
