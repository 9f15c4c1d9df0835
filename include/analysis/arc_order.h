/* arc_order.h - the arcs of every function in the order its entry of the call graph lists them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ARC_ORDER_H
#define REGPROF_ANALYSIS_ARC_ORDER_H

#include "model/model.h"

/* Arc ids, in rows as arc_table's.  Callees stand from the heaviest arc on, callers from the
   lightest; ties in order of first appearance.  Free with free.  The rows of parents are made of
   the table's own, which are no more.  */
uint32_t *arc_order_children(const struct arc_table *arcs, const struct graph *graph);
uint32_t *arc_order_parents(struct arc_table *arcs, const struct graph *graph);

#endif
