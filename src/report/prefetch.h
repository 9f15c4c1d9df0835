/* prefetch.h - prefetches what the next entries of the call graph need.

   In a large program the function that a line is about is rarely in a cache.  The printer says
   which line comes next, and the memory for the lines after it is prefetched.  This affects only
   the speed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_PREFETCH_H
#define REGPROF_REPORT_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

#include "report/graph_labels.h"

/* The entry number I of the call graph is printed next; OF are the labels by node id.  */
void prefetch_entry(const struct profile *profile, const struct graph_label *of, size_t i);

/* In such an entry, the line of the arc ROW[i] is printed next; the entry's arc ids are those
   before ROW[end].  */
void prefetch_arcs(const struct arc_table *table, const struct graph_label *of, const uint32_t *row,
                   uint32_t i, uint32_t end);

#endif
