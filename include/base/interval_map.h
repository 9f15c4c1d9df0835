/* interval_map.h - which of many ranges an address belongs to, however they overlap.  */

#ifndef REGPROF_BASE_INTERVAL_MAP_H
#define REGPROF_BASE_INTERVAL_MAP_H

#include "model/model.h"

struct interval {
    vma low, high; /* [low, high); empty if high is not above low */
};

/* The ranges cut into spans that do not overlap.  A zeroed struct has none.  */
struct interval_map {
    struct span {
        vma start;      /* up to the next one's */
        uint32_t owner; /* number of the range, or NO_ID */
    } * spans;
    size_t count;
    size_t last; /* where the next look-up begins: who asks for one address asks for the next */
};

/* Cuts the COUNT ranges: what several cover belongs to the one with the highest number.  Takes time
   in proportion to COUNT and its logarithm.  What was in SPANS is freed.  */
void interval_map_build(struct interval_map *spans, const struct interval *ranges, size_t count);

/* The number of the range that ADDR belongs to, or NO_ID.  */
uint32_t interval_map_find(struct interval_map *spans, vma addr);

void interval_map_free(struct interval_map *spans);

#endif
