/* actions.h - the action of the signal by which clocks take samples, as the program sets and sees
   it. SPDX-License-Identifier: MIT

   The library handles SAMPLE_SIGNAL, which programs hardly use.  The program does not see that: it
   is told what it has set.  What it sets is remembered, and done when somebody else sends the
   signal. */
#ifndef REGMON_ACTIONS_H
#define REGMON_ACTIONS_H

#include <stdbool.h>

#include "sys.h"

#define ACTIONS_DEFAULT ((sys_handler *)NULL) /* SIG_DFL, in place of a handler */

/* At the beginning: installs the handler.  False if the kernel refuses. */
bool actions_begin(void);

/* Whether the signal arrives at the library.  A program may have set another handler by a system
   call, and a child of fork may have reset its signals so: then a clock would end it. */
bool actions_are_ours(void);

/* What sigaction does for the signal: NEW and OLD may be NULL.  Returns 0, or a negative error
   number.  The restorer in NEW does not matter. */
long actions_change(const struct sys_sigaction *new_action, struct sys_sigaction *old_action);

/* The handler does not use alternate stacks any more: the program has one that is too small. */
void actions_leave_alternate_stacks(void);

/* Signals of clocks are ignored from now on. */
void actions_end(void);

/* In the handler: the signal was not sent by a clock.  Does what the program has set. */
void actions_pass_on(siginfo_t *info, void *context);

/* Whether the program has blocked the signal for this thread; writable. */
bool *actions_blocks(void);

/* Before exec, action and mask of the signal become those that the program has set, which the new
   program inherits.  actions_after_exec is for an exec that failed. */
void actions_before_exec(void);
void actions_after_exec(void);

#endif
