/* process.h - the beginning of the program, and of each process that fork makes.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_PROCESS_H
#define REGMON_PROCESS_H

#include <stdbool.h>

#include "sys.h"

/* Makes counting possible.  The clocks, and SAMPLE, the handler of their signal, begin with the
   first call of thread_self: the constructor's in a program that is sampled from its start, else
   that of the first profiled call.  Nothing begins in a program that REGMON_ONLY does not name.
   CHILD begins a child of fork.  ENVIRONMENT may be NULL.  May be called more than once. */
void process_prepare(char **environment, sys_handler *sample, void (*child)(void));

/* Begins counting in this process at its first profiled call. False if it cannot: in a child of
 * vfork, which has its parent's memory, and if memory is exhausted. */
bool process_begin(void);

/* Whether the process has begun to count, and is no child of vfork. */
bool process_has_begun(void);

#endif
