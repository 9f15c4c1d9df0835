/* arc_order.h - the arcs of every function in the order its entry of the call graph lists them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ARC_ORDER_H
#define REGPROF_ANALYSIS_ARC_ORDER_H

#include "model/model.h"

/* Arc ids in lists as arc_table's: callees from the heaviest arc down, callers from the lightest
   up; ties in order of first appearance.  Free with free.  The callers' ids are those of the table,
   sorted in place and removed from it.  */
uint32_t *arc_order_callees(const struct arc_table *arcs, const struct graph *graph);
uint32_t *arc_order_callers(struct arc_table *arcs, const struct graph *graph);

#endif
