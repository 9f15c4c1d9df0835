/* thread.c - counts calls that the entry point did not find, and begins a thread at its first one.
 * SPDX-License-Identifier: MIT */
#include "thread.h"

#include "actions.h"
#include "clock.h"
#include "process.h"
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

/* Parts of such a stack have no room for the kernel's record of a signal. */
static void leave_split_stacks(void)
{
    if (regmon_state.has_split_stacks || !is_on_split_stack())
        return;
    regmon_state.has_split_stacks = true;
    actions_end();
}

void regmon_count(uintptr_t from, uintptr_t self)
{
    struct table *table;

    leave_split_stacks();
    table = thread_table();
    if (table)
        table_add(table, from, self, 1);
    else if (is_refused())
        __atomic_fetch_add(&regmon_state.process->lost, 1, __ATOMIC_RELAXED);
}
