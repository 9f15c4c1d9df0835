/* reach.h - what can only be reached through a node of a graph, and what a node leads to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_REACH_H
#define REGPROF_ANALYSIS_REACH_H

#include "base/sort.h"
#include "model/model.h"

/* ---- Dominators ---- */

/* A directed graph in compressed sparse rows.  An edge may be listed more than once.  Node 0 is the
   root.  */
struct flow_graph {
    size_t count;          /* nodes, the root included; at most NO_ID */
    struct id_lists edges; /* by node: the nodes that its edges lead to */
};

/* The immediate dominator of a node is the last node before it that is on all paths from the root
   to it.  */
struct dominators {
    uint32_t *of;    /* by node; NO_ID for the root and for nodes that the root does not lead to */
    uint32_t *order; /* the nodes that the root leads to, each after its dominator */
    size_t count;    /* of these */
};

/* Takes at most logarithmic time per edge, without recursion; 8 bytes of scratch memory per edge
   and 48 per node.  */
struct dominators dominators_find(const struct flow_graph *graph);
void dominators_free(struct dominators *dominators);

/* ---- Sums of weights ---- */

/* In a graph each edge of which leads to a higher number, and which so has no cycles, sets sums[i],
   for each of the COUNT different nodes[i], none of them the root, to the sum of WEIGHT (by node)
   over all nodes that nodes[i] leads to, itself included, each once.  All weights together do not
   exceed UINT64_MAX; sums are exact, so the order of additions does not matter.

   No method is known that finds all such sums of a large graph in less than quadratic time.  The
   time here is that of (nodes + edges) x (the smaller of COUNT and the number of nodes with a
   weight) / 512 steps, each on one cache line.  It stays below LIMIT steps, or that of one pass
   over the graph, which is enough for 512 nodes: if there are more than LIMIT allows, only the
   first ones in the list get their sums.  Returns how many did. Memory: 65 bytes per node.  */
size_t reach_sums(const struct flow_graph *graph, const uint64_t *weight, const uint32_t *nodes,
                  size_t count, uint64_t limit, uint64_t *sums);

#endif
