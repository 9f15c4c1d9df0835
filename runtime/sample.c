/* sample.c - the handler of SIGPROF.
   SPDX-License-Identifier: MIT

   A sample is an entry of the thread's arc table with a marker as caller. */
#include "sample.h"

#include <ucontext.h>

#include "clock.h"
#include "signal_stack.h"
#include "stack.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "thread.h"

/* The frames are not on the stack, which may be small, and is the program's. */
static void add_stack(struct table *table, const void *context, uint64_t weight)
{
    struct stack_space *space = table->stack_space;

    if (!space)
        space = table->stack_space = sys_map(sizeof *space);
    if (space)
        table_add_stack(table, space->frames, stack_walk(space, context), weight);
    else
        __atomic_fetch_add(&regmon_state.process->without_stack, weight, __ATOMIC_RELAXED);
}

static void add_sample(const void *context, uint64_t weight)
{
    struct table *table = __atomic_load_n(&regmon_thread.table, __ATOMIC_RELAXED);

    if (!signal_stack_has(context, table->mask ? NEED_OF_SAMPLE : NEED_OF_HANDLER)) {
        __atomic_fetch_add(&regmon_state.process->crowded, weight, __ATOMIC_RELAXED);
        return;
    }
    table = thread_table();
    if (!table)
        return;
    table_add(table, SAMPLE, context_pc(context), weight);
    if (regmon_state.config.has_stacks)
        add_stack(table, context, weight);
}

void sample_handle(int number, siginfo_t *info, void *context)
{
    uint64_t weight;

    (void)number;
    weight = clock_weight(info, context_pc(context));
    __atomic_fetch_add(&regmon_state.process->weighed, weight, __ATOMIC_RELAXED);
    if (weight && regmon_state.counting)
        add_sample(context, weight);
}
