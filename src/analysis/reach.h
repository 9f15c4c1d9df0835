/* reach.h - sums of weights over all that nodes of a graph lead to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_REACH_H
#define REGPROF_ANALYSIS_REACH_H

#include "analysis/dominators.h"

/* Sets sums[i], for each of the COUNT different nodes[i], none of them the root, to the sum of
   WEIGHT (by node) over all nodes that nodes[i] leads to, itself included, each once.  All weights
   together do not exceed UINT64_MAX; sums are exact, so the order of additions does not matter.

   No method is known that finds all such sums of a large graph in less than quadratic time.  The
   time here is that of (nodes + edges) x (the smaller of COUNT and the number of nodes with a
   weight) / 512 steps, each on one cache line.  It stays below LIMIT steps, or that of one pass
   over the graph, which is enough for 512 nodes: if there are more than LIMIT allows, only the
   first ones in the list get their sums.  Returns how many did. Memory: 65 bytes per node.  */
size_t reach_sums(const struct flow_graph *graph, const uint64_t *weight, const uint32_t *nodes,
                  size_t count, uint64_t limit, uint64_t *sums);

#endif
