/* cycles.h - depth-first numbering of the call graph, and the cycles it finds.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_CYCLES_H
#define REGPROF_ANALYSIS_CYCLES_H

#include "model/model.h"

/* Builds GRAPH, which is empty before: one node per symbol and one per cycle, with cycle numbers,
   member lists, topological numbers, calls and self calls.  Linear, without recursion.
 */
void cycles_find(struct graph *graph, const struct symtab *symtab, const struct arc_table *arcs);

void graph_free(struct graph *graph);

/* Numbers COUNT nodes, of which I calls CALLEES[START[I]] up to, not including, the one at
   START[I + 1]: 1, 2, ..., those that call each other, directly or not, alike, and all others above
   what they call.  Returns the numbers by node; free with free.  */
uint32_t *cycles_number(size_t count, const uint32_t *start, const uint32_t *callees);

#endif
