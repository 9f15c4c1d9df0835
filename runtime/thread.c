/* thread.c - counts calls that the entry point did not find, and begins a thread at its first one.
 * SPDX-License-Identifier: MIT */
#include "thread.h"

#include "actions.h"
#include "clock.h"
#include "process.h"
#include "signal_stack.h"
#include "state.h"
#include "sys.h"
#include "table.h"

_Alignas(struct table) char regmon_no_table[TABLE_SLOTS + GROUP_SIZE];

_Thread_local struct regmon_thread regmon_thread
    __attribute__((tls_model("initial-exec"))) = {.table = NO_TABLE};

/* A signal handler may come in between and do the same: then the thread has two tables. */
static struct table *begin_thread(void)
{
    const int tid = sys_gettid();
    struct table *table;

    if (!process_begin())
        return NULL;
    table = tid > 0 ? table_of_thread(tid) : NULL;
    if (!table) {
        regmon_thread.refused = regmon_state.process->pid;
        return NULL;
    }
    __atomic_store_n(&regmon_thread.table, table, __ATOMIC_RELEASE);
    if (!regmon_thread.signal_stack)
        regmon_thread.signal_stack = table->signal_stack;
    signal_stack_provide(regmon_thread.signal_stack);
    clock_start(table, tid);
    return table;
}

/* Not in a child of fork, which has memory of its own. */
static bool is_refused(void)
{
    return regmon_thread.refused && regmon_thread.refused == regmon_state.process->pid;
}

struct table *thread_table(void)
{
    struct table *table = __atomic_load_n(&regmon_thread.table, __ATOMIC_RELAXED);

    if (table->mask)
        return table;
    return is_refused() ? NULL : begin_thread();
}

/* Not in a handler of the library, which SIGPROF must not interrupt.  The thread may have inherited
   a mask that blocks all signals, SIGPROF too, unless the library has left that out.  It is sampled
   nevertheless, and the program sees SIGPROF as blocked. */
static void open_sigprof(void)
{
    const uint64_t sigprof = (uint64_t)1 << (SIGPROF - 1);
    uint64_t now = 0;

    (void)sys_sigmask(SIG_BLOCK, NULL, &now);
    if (!sys_blocks_all(now) || !process_takes_samples())
        return;
    (void)sys_sigmask(SIG_UNBLOCK, &sigprof, NULL);
    regmon_thread.blocks_sigprof = true;
}

struct table *thread_begin(void)
{
    const bool is_new = !regmon_thread.table->mask;
    struct table *table = thread_table();

    if (is_new && table)
        open_sigprof();
    return table;
}

const char *gnu_get_libc_version(void);
#pragma weak gnu_get_libc_version

/* Whether the thread runs code compiled with -fsplit-stack.  gcc keeps the end of the stack's part
   in a word of glibc's header of threads, which is 0 before. */
static bool is_on_split_stack(void)
{
    uintptr_t end = 0;

#if defined __x86_64__
    if (gnu_get_libc_version)
        __asm__("mov %%fs:0x70, %0" : "=r"(end));
#endif
    return end != 0;
}

void regmon_count(uintptr_t from, uintptr_t self)
{
    struct table *table = thread_begin();

    if (!regmon_state.has_split_stacks && is_on_split_stack())
        actions_leave_split_stacks();
    if (table)
        table_add(table, from, self, 1);
    else if (is_refused())
        __atomic_fetch_add(&regmon_state.process->lost, 1, __ATOMIC_RELAXED);
}
