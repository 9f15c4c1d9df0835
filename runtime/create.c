/* create.c - new threads: they inherit the signals that the program has blocked, and the sizes of
   their stacks and their names are noted.  Only in the shared library: a static program has no next
   function. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>

#include "export.h"
#include "state.h"
#include "sys.h"
#include "table.h"

/* A stack has at least as many bytes as the smallest one that was asked for. */
static void note_size(const pthread_attr_t *attributes)
{
    size_t size = 0, least = __atomic_load_n(&regmon_state.least_stack, __ATOMIC_RELAXED);
    pthread_attr_t usual;

    if (attributes)
        (void)pthread_attr_getstacksize(attributes, &size);
    else if (pthread_attr_init(&usual) == 0) {
        (void)pthread_attr_getstacksize(&usual, &size);
        (void)pthread_attr_destroy(&usual);
    }
    while (size && (!least || size < least) &&
           !__atomic_compare_exchange_n(&regmon_state.least_stack, &least, size, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

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
    note_size(attributes);
    if (is_blocked)
        (void)sys_sigmask(SIG_BLOCK, &bit, NULL);
    error = regmon_state.next.pthread_create(thread, attributes, function, argument);
    if (is_blocked)
        (void)sys_sigmask(SIG_UNBLOCK, &bit, NULL);
    return error;
}

REGMON_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    const int error = regmon_state.next.pthread_setname_np
                          ? regmon_state.next.pthread_setname_np((unsigned long)thread, name)
                          : ENOSYS;

    if (!error)
        table_rename((uintptr_t)thread, name);
    return error;
}
