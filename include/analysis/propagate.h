/* propagate.h - passes the time of callees on to their callers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_PROPAGATE_H
#define REGPROF_ANALYSIS_PROPAGATE_H

#include "model/model.h"
#include "model/times.h"

/* Fills TIMES with samples, and sets the nodes' print flags, fractions and own times.  TIME is
   the own time by symbol id, at RATE samples per unit.  Requires the lists of callers of ARCS.
   Callers are visited before callees for flags and fractions, callees before callers for time; the
   order of additions is part of the result.  Free with times_free.  */
void propagate(struct times *times, struct graph *graph, const struct arc_table *arcs,
               const double *time, double rate, const struct filters *filters);

#endif
