/* read_stacks.h - reads the call stacks that were recorded with profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_READ_STACKS_H
#define REGPROF_PROGRAM_READ_STACKS_H

#include "program/request.h"

/* Reads the stacks that REQUEST says, once: several profiles have the sum of theirs.  Files that
   nobody asked for, and that do not fit the profiles, are left out with a warning, and others with
   them.  False after a message.  */
bool read_stack_files(const struct request *request, struct analysis *analysis);

/* Reads and measures the stacks for the reports, if there are any, and adds symbols for the other
   objects in them after the functions.  False after a message.  */
bool read_stacks(const struct request *request, struct analysis *analysis);

/* Reads and measures the stacks beside the profile of reports that do not use them; each object has
   one name.  False if there are several profiles, --no-stacks is given, or no stacks fit; a message
   says if they are damaged.  Else free them with recorded_stacks_free.  */
bool read_unused_stacks(const struct request *request, struct analysis *analysis);

/* What to call the stacks of REQUEST where people read of them; ARENA may own it.  */
const char *read_stacks_name(const struct request *request, struct arena *arena);

#endif
