/* create.c - a new thread inherits the signals that the program has blocked.  Only in the shared
   library: a static program has no next function. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>

#include "export.h"
#include "state.h"
#include "sys.h"

/* The thread finds the signal of clocks blocked, and unblocks it when it begins. */
REGMON_EXPORT int pthread_create(pthread_t *restrict thread,
                                 const pthread_attr_t *restrict attributes,
                                 void *(*function)(void *argument), void *restrict argument)
{
    const uint64_t bit = SAMPLE_BIT;
    const bool is_blocked = regmon_thread.blocks_sample;
    int error;

    if (!regmon_state.next.pthread_create)
        return EAGAIN;
    if (is_blocked)
        (void)sys_sigmask(SIG_BLOCK, &bit, NULL);
    error = regmon_state.next.pthread_create(thread, attributes, function, argument);
    if (is_blocked)
        (void)sys_sigmask(SIG_UNBLOCK, &bit, NULL);
    return error;
}
