/* cluster_calls.h - orders functions so that those that call each other stand together.

   Call-chain clustering, "C3" (G. Ottoni, B. Maher, Optimizing function placement for large-scale
   data-center applications, CGO 2017): each function, the hottest first, is placed with all that
   follows it behind its most frequent caller and what follows that, unless both together are larger
   than a page.  Then the groups are sorted by heat per byte.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_CLUSTER_CALLS_H
#define REGPROF_ANALYSIS_CLUSTER_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "model/placement.h"

enum { CLUSTER_PAGE = 4096 }; /* bytes */

struct cluster_function {
    uint64_t size; /* bytes, at least 1 */
    double samples;
    uint64_t calls; /* decides where samples do not */
    unsigned part;  /* functions of two parts are not placed together; part 0 comes first */
};

/* The numbers of COUNT functions in the order in which to place them.  Of equals, the lower number
   comes first.  Free with free.  */
uint32_t *cluster_calls(const struct cluster_function *functions, size_t count,
                        const struct placed_arc *arcs, size_t arc_count);

#endif
