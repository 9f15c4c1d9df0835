/* hash.h - hash maps that number distinct pairs and strings 0, 1, 2, ... in order of first
   appearance.

   Hashes are seeded with a random key, so crafted input cannot force collisions.  Start with a
   zeroed struct.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_HASH_H
#define REGPROF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct pair_map {
    struct pair {
        uint64_t a, b;
    } * pairs;       /* by number */
    size_t count;    /* pairs numbered so far */
    size_t capacity; /* of `pairs' */
    struct pair_slot {
        uint32_t number; /* of the pair, plus 1; 0 = empty */
        uint32_t tag;    /* upper half of its hash: differs for most other pairs */
    } * slots;           /* open addressing */
    size_t slot_mask;
    uint64_t key; /* random; 0 until the first slots are allocated */
};

/* The number of the pair (A, B), which is added if it is new.  Dies if there are more than 2^32 - 2
   pairs.  */
uint32_t pair_map_number(struct pair_map *map, uint64_t a, uint64_t b);
/* Removes all pairs, and frees the slots if there are many more than MAX pairs need.  */
void pair_map_clear(struct pair_map *map, size_t max);
/* Frees everything except the pairs.  No pair can be added or found afterwards.  */
void pair_map_close(struct pair_map *map);
void pair_map_free(struct pair_map *map);

struct string_map {
    const char **strings; /* by number; copies that the map owns */
    size_t count, capacity;
    uint32_t *slots; /* open addressing: number + 1, 0 = empty */
    size_t slot_mask;
    uint64_t key; /* as in struct pair_map */
    struct arena arena;
};

/* The number of S, which is copied and added if it is new.  Dies if there are more than 2^32 - 2
   strings.  */
uint32_t string_map_number(struct string_map *map, const char *s);
void string_map_free(struct string_map *map);

#endif
