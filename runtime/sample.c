/* sample.c - the handler of the signal by which clocks take samples.
   SPDX-License-Identifier: MIT

   A sample is an entry of the thread's arc table with a marker as caller. */
#include "sample.h"

#include <ucontext.h>

#include "actions.h"
#include "clock.h"
#include "stack.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "thread.h"

#define SMALLEST_PAGE ((uintptr_t)4096)

/* Whether somebody else has sent the signal.  One whose record the kernel could not keep has no
   sender. */
static bool is_foreign(const siginfo_t *info)
{
    return info->si_code == SI_TKILL || info->si_code == SI_QUEUE ||
           (info->si_code == SI_USER && info->si_pid != 0);
}

/* Whether the handler that has CONTEXT runs on the alternate stack. */
static bool is_on_alternate_stack(const ucontext_t *context)
{
    const stack_t *stack = &context->uc_stack;

    return !(stack->ss_flags & SS_DISABLE) &&
           (uintptr_t)context - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/* Whether a handler on an alternate stack has enough of it.  Those of programs are often small; the
   thread's own is not measured. */
static bool has_room(const ucontext_t *context)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const uintptr_t low = (uintptr_t)context->uc_stack.ss_sp;

    return !is_on_alternate_stack(context) || (here >= low && here - low >= NEED_OF_SAMPLE);
}

/* The frames are not on the stack, which may be small, and is the program's. */
static void add_stack(struct thread *thread, const void *context, uint64_t weight)
{
    struct stack_space *space = thread->stack_space;

    if (space)
        (void)table_add_stack(&thread->stacks, thread, space->frames, stack_walk(space, context),
                              weight);
    else
        __atomic_fetch_add(&regmon_process.pool.header->without_stack, weight, __ATOMIC_RELAXED);
}

/* The stack first: so none is missing of a sample that a reader of both finds, or that a process
   has when it is killed. */
static void add_sample(struct thread *thread, const void *context, uint64_t weight)
{
    __atomic_fetch_add(&regmon_process.pool.header->weighed, weight, __ATOMIC_RELAXED);
    __atomic_fetch_add(&regmon_process.pool.header->ticks, 1, __ATOMIC_RELAXED);
    if (!regmon_state.counting)
        return;
    if (regmon_state.config.has_stacks)
        add_stack(thread, context, weight);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    thread_add(thread, SAMPLE, context_pc(context), weight);
}

/* What is certainly there of the stack above SP: all of it or, where its size is not known, the
   page that has SP, unless the handler runs elsewhere. */
static struct range readable_above(uintptr_t sp, const ucontext_t *context)
{
    struct range range = {sp, regmon_thread.stack.high};

    if (!is_in_range(regmon_thread.stack, sp))
        range.high = is_on_alternate_stack(context) ? sp : (sp | (SMALLEST_PAGE - 1)) + 1;
    return range;
}

/* Only the memory of the thread's stack above the interrupted code is certainly there. */
void sample_handle(int number, siginfo_t *info, void *context)
{
    struct thread *thread = regmon_thread.self;
    const uintptr_t sp = context_register(context, REGISTER_SP);
    uint64_t weight;

    (void)number;
    if (is_foreign(info)) {
        actions_pass_on(info, context);
        return;
    }
    if (!thread || regmon_process.begun != BEGUN)
        return;
    if (!has_room(context)) {
        __atomic_fetch_add(&regmon_process.pool.header->crowded, 1, __ATOMIC_RELAXED);
        return;
    }
    regmon_thread.is_sampled = true;
    regmon_thread.readable = readable_above(sp, context);
    weight = clock_weight(info, context);
    if (weight) {
        add_sample(thread, context, weight);
        clock_settle();
    }
    regmon_thread.is_sampled = false;
}
