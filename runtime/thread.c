/* thread.c - counts calls that the entry point did not find, and begins a thread at its first one.
 * SPDX-License-Identifier: MIT */
#include "thread.h"

#include "actions.h"
#include "clock.h"
#include "process.h"
#include "state.h"
#include "sys.h"
#include "table.h"

#define GET_NAME 16 /* of prctl */

_Alignas(struct table) char regmon_no_table[TABLE_SLOTS + GROUP_SIZE];

_Thread_local struct regmon_thread regmon_thread
    __attribute__((tls_model("initial-exec"))) = {.table = NO_TABLE};

/* To the entry points. */
static void show_table(const struct thread *thread)
{
    struct table *newest = thread->calls;

    __atomic_store_n(&regmon_thread.table, newest ? newest : NO_TABLE, __ATOMIC_RELEASE);
}

/* A signal handler may come in between and do the same: then the thread has two records. */
static struct thread *begin_thread(void)
{
    const int tid = sys_gettid();
    char name[THREAD_NAME_BYTES] = "";
    struct thread *thread;

    if (!process_begin())
        return NULL;
    if (regmon_state.filter != FILTER_OWN)
        (void)SYS2(__NR_prctl, GET_NAME, name);
    thread = tid > 0 ? table_thread(tid, name) : NULL;
    if (!thread) {
        regmon_thread.refused = regmon_process.pid;
        return NULL;
    }
    __atomic_store_n(&regmon_thread.self, thread, __ATOMIC_RELAXED);
    show_table(thread);
    clock_start(thread, tid);
    return thread;
}

/* Not in a child of fork, which has memory of its own. */
static bool is_refused(void)
{
    return regmon_thread.refused && regmon_thread.refused == regmon_process.pid;
}

/* In a child of fork, what the thread has is its parent's, until the process has begun. */
struct thread *thread_self(void)
{
    if (__atomic_load_n(&regmon_process.begun, __ATOMIC_RELAXED) == BEGUN && regmon_thread.self)
        return regmon_thread.self;
    return is_refused() ? NULL : begin_thread();
}

void thread_add(struct thread *thread, uintptr_t from, uintptr_t self, uint64_t n)
{
    (void)table_add(&thread->calls, thread, from, self, n);
    show_table(thread);
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
    struct thread *thread;

    if (!regmon_state.counting)
        return;
    leave_split_stacks();
    thread = thread_self();
    if (thread)
        thread_add(thread, from, self, 1);
    else if (is_refused())
        __atomic_fetch_add(&regmon_process.pool.header->lost, 1, __ATOMIC_RELAXED);
}
