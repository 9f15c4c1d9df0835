/* propagate.h - passes the time of callees on to their callers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_PROPAGATE_H
#define REGPROF_ANALYSIS_PROPAGATE_H

#include "model/model.h"

/* Sets the nodes' print flags, fractions and times, the arcs' times and the graph's total, all in
   ticks.  TIME is the own time by symbol id.  Requires the lists of callers of ARCS.  Callers are
   visited before callees for flags and fractions, callees before callers for time; the order of
   additions is part of the result.  */
void propagate(struct graph *graph, struct arc_table *arcs, const double *time,
               const struct filters *filters);

#endif
