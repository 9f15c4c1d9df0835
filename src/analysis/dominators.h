/* dominators.h - immediate dominators in a flow graph without cycles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_DOMINATORS_H
#define REGPROF_ANALYSIS_DOMINATORS_H

#include "base/id_lists.h"
#include "model/model.h"

/* A directed graph in compressed sparse rows.  Every edge leads to a higher number, so the graph
   has no cycles.  An edge may be listed more than once.  Node 0 is the root.  */
struct flow_graph {
    size_t count;          /* nodes, the root included; at most NO_ID */
    struct id_lists edges; /* by node: the nodes that its edges lead to */
};

/* The immediate dominator of each node: the last node before it that is on all paths from the root
   to it.  NO_ID for the root and for nodes that the root does not lead to.  An immediate dominator
   has a lower number than its node.  Free with free.

   One pass over the edges, each of which takes at most logarithmic time, without recursion; 12
   bytes of scratch memory per node.  */
uint32_t *dominators_find(const struct flow_graph *graph);

#endif
