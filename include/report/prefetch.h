/* prefetch.h - asking for memory in time.

   In a large graph nearly every line is about a function that no cache has seen for long.  A
   printer that walks a list says where it is; what the lines after this one need is on its way
   then.  Has no effect but on speed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_PREFETCH_H
#define REGPROF_REPORT_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

#include "report/graph_labels.h"

/* The line of NODES[i] comes next, of node ids up to NODES[end - 1].  */
void prefetch_nodes(const struct profile *profile, const uint32_t *nodes, size_t i, size_t end);

/* The line of SYMBOLS[i] comes next, of symbol ids up to SYMBOLS[end - 1], with its raw name.  */
void prefetch_names(const struct profile *profile, const uint32_t *symbols, size_t i, size_t end);

/* The call graph's entry number I comes next; OF are the references by node id.  */
void prefetch_entry(const struct profile *profile, const struct graph_label *of, size_t i);

/* In such an entry, the line of the arc ROW[i] comes next, of arc ids up to ROW[end - 1].  */
void prefetch_arcs(const struct arc_table *table, const struct graph_label *of, const uint32_t *row,
                   uint32_t i, uint32_t end);

#endif
