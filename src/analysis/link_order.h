/* link_order.h - suggests link orders: functions that call each other often become neighbours.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_LINK_ORDER_H
#define REGPROF_ANALYSIS_LINK_ORDER_H

#include "model/model.h"

/* Orders the functions: an array of all COUNT symbol ids, each once; the target of indirect calls
   is among them only if it was called.  Free with free.  */
uint32_t *link_order_functions(const struct symtab *symtab, const struct arc_table *arcs,
                               size_t *count);

/* Orders the functions that represent an object file (symbol.is_object): an array of their COUNT
   ids, each once.  Free with free.  */
uint32_t *link_order_objects(const struct symtab *symtab, const struct arc_table *arcs,
                             size_t *count);

#endif
