/* stated_times.h - inclusive times and calls that a profile states, in place of stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_STATED_TIMES_H
#define REGPROF_PROGRAM_STATED_TIMES_H

#include "model/foreign.h"
#include "model/model.h"

/* Puts what FOREIGN states into STACKS->measured, which has own times: measured from stacks of one
   frame each.  */
void take_stated_times(struct recorded_stacks *stacks, const struct symtab *symtab,
                       const struct foreign *foreign);

#endif
