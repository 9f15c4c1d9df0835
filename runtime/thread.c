/* thread.c - counts calls that the entry point did not find, and begins a thread at its first one.
 * SPDX-License-Identifier: MIT */
#include "thread.h"

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
    table = table_of_thread(tid);
    if (!table)
        return NULL;
    regmon_thread.first = table;
    __atomic_store_n(&regmon_thread.table, table_largest(table), __ATOMIC_RELEASE);
    signal_stack_provide(table->signal_stack);
    clock_start(table, tid);
    return table_largest(table);
}

struct table *thread_table(void)
{
    struct table *table = __atomic_load_n(&regmon_thread.table, __ATOMIC_RELAXED);

    return table->mask ? table : begin_thread();
}

void regmon_count(uintptr_t from, uintptr_t self)
{
    struct table *table = thread_table();

    if (table)
        table_add(table, from, self, 1);
}
