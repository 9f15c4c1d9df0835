/* create.c - new threads: they inherit the signals that the program has blocked, and the sizes of
   their stacks and their names are noted.  Only in the shared library: a static program has no next
   function. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>

#include "export.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "thread.h"

/* ---- Sizes of stacks ---- */

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

/* ---- Threads of a program that is sampled from its start ---- */

/* What a thread calls.  The program may call pthread_create where it allocates memory itself. */
static struct start {
    void *(*function)(void *argument);
    void *argument;
    int is_taken;
} starts[256];

static struct start *take_start(void *(*function)(void *argument), void *argument)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!__atomic_exchange_n(&starts[i].is_taken, 1, __ATOMIC_ACQUIRE)) {
            starts[i].function = function;
            starts[i].argument = argument;
            return &starts[i];
        }
    return NULL; /* so many are about to start: this one is sampled from its first call */
}

static void *begin_thread(void *data)
{
    struct start *start = data;
    void *(*const function)(void *argument) = start->function;
    void *argument = start->argument;

    __atomic_store_n(&start->is_taken, 0, __ATOMIC_RELEASE);
    (void)thread_self();
    return function(argument);
}

/* ---- pthread_create ---- */

/* The thread finds the signal of clocks blocked, and unblocks it when it begins. */
REGMON_EXPORT int pthread_create(pthread_t *restrict thread,
                                 const pthread_attr_t *restrict attributes,
                                 void *(*function)(void *argument), void *restrict argument)
{
    const uint64_t bit = SAMPLE_BIT;
    const bool is_blocked = regmon_thread.blocks_sample;
    struct start *start;
    int error;

    if (!regmon_state.next.pthread_create)
        return EAGAIN;
    note_size(attributes);
    if (is_blocked)
        (void)sys_sigmask(SIG_BLOCK, &bit, NULL);
    start = regmon_state.is_below ? take_start(function, argument) : NULL;
    error = regmon_state.next.pthread_create(thread, attributes, start ? begin_thread : function,
                                             start ? start : argument);
    if (error && start)
        __atomic_store_n(&start->is_taken, 0, __ATOMIC_RELEASE);
    if (is_blocked)
        (void)sys_sigmask(SIG_UNBLOCK, &bit, NULL);
    return error;
}

/* ---- Names ---- */

/* The number of a thread.  A handle (pthread_t) tells less: it may have been that of a thread that
   has ended, but is not gone.  The kernel names a clock of a thread by its number. */
static int number_of(pthread_t thread)
{
    int clock = 0;

    return regmon_state.next.pthread_getcpuclockid &&
                   !regmon_state.next.pthread_getcpuclockid((unsigned long)thread, &clock)
               ? ~(clock >> 3)
               : 0;
}

REGMON_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    const int error = regmon_state.next.pthread_setname_np
                          ? regmon_state.next.pthread_setname_np((unsigned long)thread, name)
                          : ENOSYS;

    if (!error)
        table_rename(number_of(thread), name);
    return error;
}
