/* next.h - the functions that this library's have taken the place of.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_NEXT_H
#define REGMON_NEXT_H

#include "state.h"

/* Finds those in regmon_state.next, which stay NULL in a static program. */
void next_find(void);

/* Calls VISIT for all objects that are in memory. */
void next_iterate_objects(object_visitor *visit, void *data);

#endif
