/* actions.h - actions of signals, as the program sets and sees them.
   SPDX-License-Identifier: MIT

   The library handles signals that the program leaves at their default action.  The program does
   not see that: it is told what it has set, and what it sets is remembered. */
#ifndef REGMON_ACTIONS_H
#define REGMON_ACTIONS_H

#include <stdbool.h>

#include "sys.h"

#define ACTIONS_DEFAULT ((sys_handler *)NULL) /* SIG_DFL, in place of a handler */

/* At the beginning: makes HANDLER that of the signal whenever the program leaves the default action
   there.  If IS_NOW, only if it does so already.  Returns whether it does. */
bool actions_own(int number, sys_handler *handler, bool is_now);

/* At the beginning: sees to it that handlers that the program has installed do not run on a stack
   of this library. */
void actions_adopt(void);

/* The program is compiled with -fsplit-stack: a part of its stack has no room for a sample. */
void actions_leave_split_stacks(void);

/* What sigaction does: NEW and OLD may be NULL.  Returns 0, or a negative error number.  The
   restorer in NEW does not matter. */
long actions_change(int number, const struct sys_sigaction *new_action,
                    struct sys_sigaction *old_action);

#endif
