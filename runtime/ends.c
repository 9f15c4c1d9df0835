/* ends.c - ends of the program by quick_exit and by a signal.
   SPDX-License-Identifier: MIT */
#include "ends.h"

#include <stdlib.h>

#include "signal_stack.h"
#include "snapshot.h"
#include "sys.h"

static void write_at_end(void)
{
    (void)snapshot_write(SNAPSHOT_OF_END);
}

void ends_prepare(void)
{
    (void)at_quick_exit(write_at_end);
}

/* The signal then ends the program with its default action, so that exit status and core file are
 * those of the signal.
 */
void ends_handle(int number, siginfo_t *info, void *context)
{
    const struct sys_sigaction as_usual = {NULL, 0, 0};

    if (signal_stack_has(context, NEED_OF_HANDLER))
        write_at_end();
    (void)sys_sigaction(number, &as_usual, NULL);
    if (!sys_is_fault(number, info))
        (void)SYS3(__NR_tgkill, sys_getpid(), sys_gettid(), number);
}

void ends_handle_snapshot(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (signal_stack_has(context, NEED_OF_HANDLER))
        (void)snapshot_write(SNAPSHOT_OF_SIGNAL);
}
