/* read_stacks.h - reads the stacks of a run, and says below the table what they cover.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_STACKS_H
#define REGPROF_PROGRAM_READ_STACKS_H

#include "program/run.h"

/* Reads the stacks that the plan says, once: several profiles have the sum of theirs.  Files that
   nobody asked for, and that do not fit the profiles, are left out with a warning, and others with
   them.  False after a message.  */
bool read_stack_files(struct run *run);

/* Reads and measures the stacks for the reports, if there are any, and adds symbols for the other
   objects in them after the functions.  False after a message.  */
bool read_stacks(struct run *run);

/* Writes the stacks beside the sum, which has been written, if there are any.  False after a
   message.  */
bool write_stacks_of_sum(struct run *run);

/* Adds notes to a table of measured times, those of SNAPSHOT: how the time is divided among program
   and other objects, what counting took, and how many stacks are cut.  */
void stacks_note(struct table *table, struct arena *arena, const struct snapshot *snapshot,
                 const struct recorded_stacks *stacks);

#endif
