/* interval_map.h - finds the range that an address belongs to, among ranges that may overlap.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_INTERVAL_MAP_H
#define REGPROF_BASE_INTERVAL_MAP_H

#include <stddef.h>
#include <stdint.h>

#define NO_INTERVAL UINT32_MAX

struct interval {
    uint64_t low, high; /* [low, high); empty if high is not above low */
};

/* The ranges, divided into spans that do not overlap.  Zeroed = empty.  */
struct interval_map {
    struct span {
        uint64_t start; /* the span ends where the next one starts */
        uint32_t owner; /* number of the range, or NO_INTERVAL */
    } * spans;
    size_t count;
    size_t last; /* the span of the previous look-up: most look-ups are for ascending addresses */
    size_t searches; /* look-ups in other spans than the last one and the next; for tests */
};

/* Builds MAP, whose previous contents are freed, from COUNT ranges, numbered by their indexes.  An
   address in several ranges belongs to the one with the highest number.  Takes O(COUNT log COUNT)
   time.  */
void interval_map_build(struct interval_map *map, const struct interval *ranges, size_t count);

/* The number of the range that ADDR belongs to, or NO_INTERVAL.  */
uint32_t interval_map_find(struct interval_map *map, uint64_t addr);

void interval_map_free(struct interval_map *map);

#endif
