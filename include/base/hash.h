/* hash.h - hash maps that number distinct pairs and strings 0, 1, 2, ... in order of first
   appearance, and such that add up what pairs have.

   Hashes are seeded with a random key, so crafted input cannot force collisions.  Start with a
   zeroed struct.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_HASH_H
#define REGPROF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* Finds numbers by hash; only for src/base/hash.c.  */
struct hash_index {
    struct hash_slot {
        uint32_t number; /* plus 1; 0 = empty */
        uint32_t tag;    /* upper half of the hash */
    } * slots;           /* 2^bits; NULL until the first number */
    unsigned bits;
    size_t used;  /* slots */
    uint64_t key; /* random, never 0; 0 until the first number */
};

struct pair_map {
    struct pair {
        uint64_t a, b;
    } * pairs; /* by number */
    size_t count, capacity;
    uint32_t next; /* number after the one returned last: often that of the next pair, because all
                      profiles of a program have their arcs in much the same order */
    struct hash_index index;
};

/* The number of the pair (A, B), which is added if it is new.  At most 2^32 - 2 pairs.  */
uint32_t pair_map_number(struct pair_map *map, uint64_t a, uint64_t b);
/* Like pair_map_number, for a map with the nodes of a tree, which is only used in this way: the
   lower half of A is the number of the node above plus 1, or 0 for none.  A node that is added
   right after the one above it is found there, and needs no slot; in a tree of many deep branches
   these are most.  */
uint32_t pair_map_node(struct pair_map *map, uint64_t a, uint64_t b);
/* Frees everything except the pairs; nothing can be added any more.  */
void pair_map_close(struct pair_map *map);
void pair_map_free(struct pair_map *map);

/* Numbers added up by nodes of a tree.  */
struct pair_sums {
    struct pair_map map; /* as pair_map_node has them */
    double *sums;        /* by node; 0 at first */
};

/* Like pair_map_node.  */
uint32_t pair_sums_node(struct pair_sums *sums, uint64_t a, uint64_t b);
/* Makes TIMES of PER.  (Whole numbers remain whole where a factor, the quotient of both, would be
   rounded.)  */
void pair_sums_scale(struct pair_sums *sums, double times, double per);
void pair_sums_free(struct pair_sums *sums);

/* Counts added up by pairs of ids.  */
struct pair_counts {
    struct pair_count {
        uint32_t a, b;
        uint64_t count;
    } * pairs; /* in order of first appearance */
    size_t count, capacity;
    struct hash_index index;
};

/* Adds COUNT to that of the pair (A, B).  At most 2^32 - 2 pairs.  */
void pair_counts_add(struct pair_counts *counts, uint32_t a, uint32_t b, uint64_t count);
/* Prefetches the memory where `pair_counts_add' searches for the pair (A, B).  */
void pair_counts_prefetch(const struct pair_counts *counts, uint32_t a, uint32_t b);
/* Frees everything except the pairs; nothing can be added any more.  */
void pair_counts_close(struct pair_counts *counts);
void pair_counts_free(struct pair_counts *counts);

struct string_map {
    const char **strings; /* by number; copies that the map owns */
    size_t count, capacity;
    struct hash_index index;
    struct arena arena;
};

/* The number of S, which is added if it is new.  */
uint32_t string_map_number(struct string_map *map, const char *s);
void string_map_free(struct string_map *map);

#endif
