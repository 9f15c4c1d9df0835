/* confined.h - filters of system calls, and the stack of a thread, which can be read without one.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_CONFINED_H
#define REGMON_CONFINED_H

#include <stdbool.h>

/* At the beginning of the program: asks whether it has a filter already. */
void confined_ask(void);

/* Whether a thread may begin a clock: the program has set no filter, which may kill it for that. */
bool confined_lets_begin(void);

/* Notes where the stack of this thread is. */
void confined_note_stack(int tid);

#endif
