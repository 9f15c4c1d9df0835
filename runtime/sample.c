/* sample.c - the handler of SIGPROF.
   SPDX-License-Identifier: MIT

   A sample is an entry of the thread's arc table with a marker as caller.  SIGPROF also serves for
   snapshots at intervals: the value of the signal tells them apart. */
#include "sample.h"

#include <ucontext.h>

#include "clock.h"
#include "snapshot.h"
#include "stack.h"
#include "state.h"
#include "table.h"
#include "thread.h"

static uintptr_t interrupted_at(void *context)
{
    const ucontext_t *at = context;
#if defined __x86_64__
    return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)at->uc_mcontext.pc;
#endif
}

static void add_stack(const void *context, uint64_t weight)
{
    uintptr_t frames[MOST_FRAMES];
    const size_t count = stack_walk(context, frames);

    table_add_stack(regmon_thread.first, frames, count, weight);
}

void sample_handle(int number, siginfo_t *info, void *context)
{
    struct table *table;
    uint64_t weight;

    (void)number;
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &regmon_state) {
        (void)snapshot_write(SNAPSHOT_OF_SIGNAL);
        return;
    }
    weight = clock_weight(info);
    if (!weight || !regmon_state.counting)
        return;
    table = thread_table();
    if (!table)
        return;
    table_add(table, SAMPLE, interrupted_at(context), weight);
    if (regmon_state.config.has_stacks)
        add_stack(context, weight);
}
