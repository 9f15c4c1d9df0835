/* hash.c - open addressing hash maps with seeded hashes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"

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

/* The upper half of a hash; the lower half selects the slot.  */
static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

/* Prefetches the slot of a pair that will be looked up soon.  */
static void prefetch_slot(const struct pair_map *map, uint64_t a, uint64_t b)
{
    if (map->slots != NULL)
        PREFETCH(&map->slots[(size_t)hash_pair(map->key, a, b) & map->slot_mask]);
}

/* Doubles the slots, of which at most three quarters are used.  */
static void double_slots(struct pair_map *map)
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
            prefetch_slot(map, map->pairs[i + AHEAD].a, map->pairs[i + AHEAD].b);
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
        double_slots(map);
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
    map->pairs = mem_grow(map->pairs, &map->capacity, map->count + 1, sizeof *map->pairs);
    map->pairs[map->count] = (struct pair){a, b};
    map->slots[at] = (struct pair_slot){(uint32_t)++map->count, tag_of(hash)};
    return (uint32_t)map->count - 1;
}

void pair_map_clear(struct pair_map *map, size_t max)
{
    size_t slots = map->slots == NULL ? 0 : map->slot_mask + 1;
    map->count = 0;
    if (slots / 8 > max)
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

static void double_string_slots(struct string_map *map)
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
        double_string_slots(map);
    size_t at = hash_string(map->key, s) & map->slot_mask;
    for (; map->slots[at] != 0; at = (at + 1) & map->slot_mask)
        if (strcmp(map->strings[map->slots[at] - 1], s) == 0)
            return map->slots[at] - 1;
    if (map->count >= UINT32_MAX - 1)
        die(MSG_TOO_MANY_NAMES, (unsigned long)UINT32_MAX - 1);
    map->strings = mem_grow(map->strings, &map->capacity, map->count + 1, sizeof *map->strings);
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
