/* prefetch.h - prefetches what the next lines of a report need.

   In a large program the function that a line is about is rarely in a cache.  The printer says
   which line comes next, and the memory for the lines after it is prefetched.  This affects only
   the speed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_PREFETCH_H
#define REGPROF_REPORT_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

#include "report/graph_labels.h"

/* How many lines ahead prefetch_node and prefetch_label are to be called.  */
enum { NODES_AHEAD = 16, LABELS_AHEAD = 8 };

/* The label of the node ID is printed NODES_AHEAD lines later, with its index.  */
void prefetch_node(const struct profile *profile, uint32_t id);

/* The same, LABELS_AHEAD lines later.  */
void prefetch_label(const struct profile *profile, uint32_t id);

/* The entry number I of the call graph is printed next; OF are the labels by node id.  */
void prefetch_entry(const struct profile *profile, const struct graph_label *of, size_t i);

/* In such an entry, the line of the arc ROW[i] is printed next; the entry's arc ids are those
   before ROW[end].  */
void prefetch_arcs(const struct arc_table *table, const struct graph_label *of, const uint32_t *row,
                   uint32_t i, uint32_t end);

#endif
