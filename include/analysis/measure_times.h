/* measure_times.h - times of the call graph from recorded stacks, in place of estimated ones.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_MEASURE_TIMES_H
#define REGPROF_ANALYSIS_MEASURE_TIMES_H

#include "analysis/arcs.h"
#include "model/model.h"
#include "model/recorded_stacks.h"
#include "model/times.h"

/* STACKS are measured (stacks/measure_stacks.h).  The table of symbols has the other objects after
   the functions that they were named from, in the same order.  */

/* Adds the arcs of all calls in STACKS, with no calls counted.  Where one other object alone called
   a function, it made the calls from outside that were counted.  */
void measure_arcs(struct arc_builder *arcs, const struct recorded_stacks *stacks);

/* Fills TIMES in place of propagate, which was applied to GRAPH, and dissolves the cycles. OUTSIDE:
   the symbol for callers outside of the image, or NO_ID; it has the time of stacks that begin with
   a function that it called.  */
void measure_times(struct times *times, struct graph *graph, const struct arc_table *arcs,
                   struct recorded_stacks *stacks, uint32_t outside);

/* The line of TIMES, which are differences of sums of up to MOST samples, all of the profile:
   samples that end in the callee, and the others.  */
struct line_times measured_line(const struct measured_times *times, double most);

#endif
