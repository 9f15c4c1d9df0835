/* interval_map.h - which of many ranges an address belongs to, however they overlap.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_INTERVAL_MAP_H
#define REGPROF_BASE_INTERVAL_MAP_H

#include <stddef.h>
#include <stdint.h>

#define NO_INTERVAL UINT32_MAX

struct interval {
    uint64_t low, high; /* [low, high); empty if high is not above low */
};

/* The ranges cut into spans that do not overlap.  A zeroed struct has none.  */
struct interval_map {
    struct span {
        uint64_t start; /* up to the next one's */
        uint32_t owner; /* number of the range, or NO_INTERVAL */
    } * spans;
    size_t count;
    size_t last; /* where the next look-up begins: who asks for one address asks for the next */
};

/* Cuts the COUNT ranges: what several cover belongs to the one with the highest number.  Takes time
   in proportion to COUNT and its logarithm.  What was in SPANS is freed.  */
void interval_map_build(struct interval_map *spans, const struct interval *ranges, size_t count);

/* The number of the range that ADDR belongs to, or NO_INTERVAL.  */
uint32_t interval_map_find(struct interval_map *spans, uint64_t addr);

void interval_map_free(struct interval_map *spans);

#endif
