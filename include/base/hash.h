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
        uint32_t tag;    /* upper half of its hash: rules out most other pairs */
    } * slots;           /* open addressing */
    size_t slot_mask;
    uint64_t key; /* drawn with the first slots; 0 = not yet */
};

/* The number of the pair (A, B), which is added if it is new.  At most 2^32 - 2 pairs.  */
uint32_t pair_map_number(struct pair_map *map, uint64_t a, uint64_t b);
/* Removes all pairs.  Keeps memory for up to MOST of them.  */
void pair_map_clear(struct pair_map *map, size_t most);
/* Frees all but the pairs: no more can be added or found.  */
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

/* The number of S, which is added if it is new.  */
uint32_t string_map_number(struct string_map *map, const char *s);
void string_map_free(struct string_map *map);

#endif
