/* hash.c - open addressing hash maps with seeded hashes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"

/* ---- Hashing ---- */

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

static uint64_t hash_string(uint64_t key, const char *s)
{
    uint64_t h = 0xCBF29CE484222325u ^ key;
    for (; *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001B3u;
    return hash_pair(key, h, 0);
}

/* ---- Slots: open addressing with linear probing ----

   A slot has the number of an element and its tag, the upper half of its hash.  Elements are
   compared only if their tags are equal.  The highest bits of a tag select the slot where a search
   begins.  Therefore elements keep their order when the slots are doubled, which reads and writes
   memory in ascending order:

       tags, hexadecimal   1...   5...   6...   D...
       with 2 bits         | 1     | 5     | 6     | D     |      the search for 6 begins at 5
       with 3 bits         | 1 |   | 5 | 6 |   |   | D |   |  */

static size_t first_slot(const struct hash_index *index, uint32_t tag)
{
    return tag >> (32 - index->bits);
}

static size_t next_slot(const struct hash_index *index, size_t at)
{
    return (at + 1) & (((size_t)1 << index->bits) - 1);
}

/* Doubles the slots.  */
static void widen(struct hash_index *index)
{
    enum { LEAST_BITS = 6 };
    struct hash_slot *old = index->slots;
    size_t old_count = old == NULL ? 0 : (size_t)1 << index->bits;
    index->bits = old == NULL ? LEAST_BITS : index->bits + 1;
    index->slots = mem_array((size_t)1 << index->bits, sizeof *index->slots);
    for (size_t i = 0; i < old_count; i++) {
        size_t at = first_slot(index, old[i].tag);
        if (old[i].number == 0)
            continue;
        while (index->slots[at].number != 0)
            at = next_slot(index, at);
        index->slots[at] = old[i];
    }
    free(old);
}

/* Makes sure that INDEX has a slot for another number.  At most three quarters of the slots are
   used.  */
static void prepare(struct hash_index *index)
{
    enum { MOST_BITS = 32 }; /* as many as tags have */
    if (index->key == 0)
        index->key = draw_key();
    if (index->slots == NULL || (index->used >> (index->bits - 2) >= 3 && index->bits < MOST_BITS))
        widen(index);
}

/* A search for an element with the tag TAG, at the slot AT.  */
struct search {
    uint32_t tag;
    size_t at;
};

static struct search begin_search(const struct hash_index *index, uint64_t hash)
{
    uint32_t tag = (uint32_t)(hash >> 32);
    return (struct search){tag, first_slot(index, tag)};
}

/* Moves to the first slot, from the present one on, that is empty or has the tag of the search.
   False if it is empty.  */
static bool find_tag(const struct hash_index *index, struct search *search)
{
    while (index->slots[search->at].number != 0 && index->slots[search->at].tag != search->tag)
        search->at = next_slot(index, search->at);
    return index->slots[search->at].number != 0;
}

static uint32_t number_at(const struct hash_index *index, const struct search *search)
{
    return index->slots[search->at].number - 1;
}

/* The number of the next element after COUNT elements.  */
static uint32_t next_number(size_t count, const char *too_many)
{
    if (count >= UINT32_MAX - 1)
        die(too_many, (unsigned long)UINT32_MAX - 1);
    return (uint32_t)count;
}

/* Stores the next number, which is COUNT, in the empty slot that SEARCH has found.  */
static void insert(struct hash_index *index, const struct search *search, size_t count,
                   const char *too_many)
{
    index->slots[search->at] = (struct hash_slot){next_number(count, too_many) + 1, search->tag};
    index->used++;
}

static void free_slots(struct hash_index *index)
{
    free(index->slots);
    *index = (struct hash_index){0};
}

/* ---- Pair map ---- */

static bool is_pair(const struct pair_map *map, size_t number, uint64_t a, uint64_t b)
{
    return map->pairs[number].a == a && map->pairs[number].b == b;
}

static uint32_t append(struct pair_map *map, uint64_t a, uint64_t b)
{
    uint32_t number = next_number(map->count, MSG_TOO_MANY_ARCS);
    map->pairs = mem_grow(map->pairs, &map->capacity, map->count + 1, sizeof *map->pairs);
    map->pairs[number] = (struct pair){a, b};
    map->count++;
    return number;
}

uint32_t pair_map_number(struct pair_map *map, uint64_t a, uint64_t b)
{
    if (map->next < map->count && is_pair(map, map->next, a, b))
        return map->next++;
    prepare(&map->index);
    struct search search = begin_search(&map->index, hash_pair(map->index.key, a, b));
    for (; find_tag(&map->index, &search); search.at = next_slot(&map->index, search.at)) {
        uint32_t number = number_at(&map->index, &search);
        if (is_pair(map, number, a, b)) {
            map->next = number + 1;
            return number;
        }
    }
    insert(&map->index, &search, map->count, MSG_TOO_MANY_ARCS);
    return append(map, a, b);
}

uint32_t pair_map_node(struct pair_map *map, uint64_t a, uint64_t b)
{
    uint32_t below = (uint32_t)a; /* where the first node below the one above may be */
    if (below < map->count && is_pair(map, below, a, b))
        return below;
    return below == map->count ? append(map, a, b) : pair_map_number(map, a, b);
}

void pair_map_close(struct pair_map *map)
{
    free_slots(&map->index);
}

void pair_map_free(struct pair_map *map)
{
    free_slots(&map->index);
    free(map->pairs);
    *map = (struct pair_map){0};
}

/* ---- Sums of pairs ---- */

uint32_t pair_sums_node(struct pair_sums *sums, uint64_t a, uint64_t b)
{
    size_t known = sums->map.count, capacity = sums->map.capacity;
    uint32_t number = pair_map_node(&sums->map, a, b);
    if (sums->map.capacity != capacity)
        sums->sums = mem_resize(sums->sums, sums->map.capacity, sizeof *sums->sums);
    if (number == known)
        sums->sums[number] = 0;
    return number;
}

void pair_sums_scale(struct pair_sums *sums, double times, double per)
{
    for (size_t i = 0; i < sums->map.count && times != per; i++)
        sums->sums[i] = sums->sums[i] * times / per;
}

void pair_sums_free(struct pair_sums *sums)
{
    pair_map_free(&sums->map);
    free(sums->sums);
    sums->sums = NULL;
}

/* ---- Counts of pairs ---- */

void pair_counts_prefetch(const struct pair_counts *counts, uint32_t a, uint32_t b)
{
    const struct hash_index *index = &counts->index;
    if (index->slots != NULL)
        PREFETCH(&index->slots[begin_search(index, hash_pair(index->key, a, b)).at]);
}

void pair_counts_add(struct pair_counts *counts, uint32_t a, uint32_t b, uint64_t count)
{
    prepare(&counts->index);
    struct search search = begin_search(&counts->index, hash_pair(counts->index.key, a, b));
    for (; find_tag(&counts->index, &search); search.at = next_slot(&counts->index, search.at)) {
        struct pair_count *pair = &counts->pairs[number_at(&counts->index, &search)];
        if (pair->a == a && pair->b == b) {
            pair->count = sum_u64(pair->count, count);
            return;
        }
    }
    insert(&counts->index, &search, counts->count, MSG_TOO_MANY_ARCS);
    counts->pairs =
        mem_grow(counts->pairs, &counts->capacity, counts->count + 1, sizeof *counts->pairs);
    counts->pairs[counts->count++] = (struct pair_count){a, b, count};
}

void pair_counts_close(struct pair_counts *counts)
{
    free_slots(&counts->index);
}

void pair_counts_free(struct pair_counts *counts)
{
    free_slots(&counts->index);
    free(counts->pairs);
    *counts = (struct pair_counts){0};
}

/* ---- Strings ---- */

uint32_t string_map_number(struct string_map *map, const char *s)
{
    prepare(&map->index);
    struct search search = begin_search(&map->index, hash_string(map->index.key, s));
    for (; find_tag(&map->index, &search); search.at = next_slot(&map->index, search.at))
        if (strcmp(map->strings[number_at(&map->index, &search)], s) == 0)
            return number_at(&map->index, &search);
    insert(&map->index, &search, map->count, MSG_TOO_MANY_NAMES);
    map->strings = mem_grow(map->strings, &map->capacity, map->count + 1, sizeof *map->strings);
    map->strings[map->count] = arena_copy(&map->arena, s, strlen(s));
    return (uint32_t)map->count++;
}

void string_map_free(struct string_map *map)
{
    free_slots(&map->index);
    free(map->strings);
    arena_free(&map->arena);
    *map = (struct string_map){0};
}
