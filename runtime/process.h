/* process.h - the beginning of the program, and of each process that fork makes.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_PROCESS_H
#define REGMON_PROCESS_H

#include <stdbool.h>

/* Makes counting possible.  Nothing else changes before the first profiled call.  ENVIRONMENT may
   be NULL.  May be called more than once. */
void process_prepare(char **environment);

/* Whether this process counts, which its first profiled call begins; false in a child of vfork,
   which has its parent's memory, and without memory. */
bool process_begin(void);

/* Whether it has begun, and the memory is its own. */
bool process_has_begun(void);

#endif
