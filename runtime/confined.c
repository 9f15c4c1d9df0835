/* confined.c - filters of system calls (seccomp), and the stack of a thread, which can be read
   without one. SPDX-License-Identifier: MIT

   A filter that the program sets may end it for a system call that it does not make itself.  Under
   one, the handler of samples makes no system call, and no clock is started.  A filter that was
   there at the start, as containers have it, lets the calls of usual programs through, but perhaps
   not process_vm_readv.

   Filters are seen where programs set them: by the functions prctl and syscall of the C library. */
#include "confined.h"

#include <stdint.h>
#include <sys/syscall.h>

#include "actions.h"
#include "export.h"
#include "state.h"
#include "sys.h"
#include "table.h"

#define SET_NAME 15
#define GET_SECCOMP 21 /* of prctl */
#define SET_SECCOMP 22
#define STRICT_BY_PRCTL 1 /* its modes; without a filter, programs ask what there is */
#define STRICT_BY_SECCOMP 0
#define FILTER_BY_SECCOMP 1

/* Declared with the arguments that the kernel takes, so that the compiler makes a jump of the call
   of the next function: syscall may return on another stack, or, as a child of vfork, let the
   caller write over this frame.  The C library's headers declare them otherwise.  On s390x, where
   gcc makes no such jump, the machine's entry does.  On POWER nothing can: the next function may
   change the register that points to the table of the caller's globals, which is restored after the
   call. */
REGMON_EXPORT long confined_prctl(int option, unsigned long a, unsigned long b, unsigned long c,
                                  unsigned long d) __asm__("prctl");
#ifdef ENTRY_OF_SYSCALL
__asm__(ENTRY_OF_SYSCALL);
void *confined_target(long number);
static long confined_syscall(long number, long a, long b, long c, long d, long e, long f);
#else
REGMON_EXPORT long confined_syscall(long number, long a, long b, long c, long d, long e,
                                    long f) __asm__("syscall");
#endif

/* A kernel without filters knows no such option. */
static bool has_filter(void)
{
    const long mode = SYS5(__NR_prctl, GET_SECCOMP, 0, 0, 0, 0);

    return mode != 0 && mode != -EINVAL;
}

void confined_ask(void)
{
    if (regmon_state.filter == FILTER_NONE && has_filter())
        regmon_state.filter = FILTER_INHERITED;
}

/* A filter that was set behind the back of both functions is seen when the next thread begins. */
bool confined_lets_begin(void)
{
    if (regmon_state.filter == FILTER_NONE && has_filter())
        regmon_state.filter = FILTER_OWN;
    return regmon_state.filter != FILTER_OWN;
}

/* What is counted under the filter has its memory before.  A child of vfork has its parent's. */
static void begin_filter(void)
{
    if (regmon_process.pid != sys_getpid())
        return;
    regmon_state.filter = FILTER_OWN;
    pool_fix(&regmon_process.pool);
}

/* The kernel has refused it. */
static void end_filter(enum regmon_filter before)
{
    if (regmon_process.pid != sys_getpid())
        return;
    regmon_state.filter = before;
    regmon_process.pool.is_fixed = before == FILTER_OWN;
}

/* A program that asks the kernel to forget all handlers does not take that of the clocks away. */
static long change_action(const uint64_t *new_words, uint64_t *old_words)
{
    struct sys_sigaction new_action = {NULL, 0, 0}, old_action = {NULL, 0, 0};
    long error;

    if (new_words)
        new_action = (struct sys_sigaction){(sys_handler *)new_words[0], new_words[1],
                                            new_words[SYS_ACTION_MASK]};
    error = actions_change(new_words ? &new_action : NULL, &old_action);
    if (!error && old_words) {
        old_words[0] = (uintptr_t)old_action.handler;
        old_words[1] = old_action.flags;
        old_words[SYS_ACTION_MASK] = old_action.mask;
    }
    return error;
}

long confined_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    const bool is_filter = option == SET_SECCOMP && (a == STRICT_BY_PRCTL || b);
    const enum regmon_filter before = regmon_state.filter;
    long result;

    if (is_filter)
        begin_filter();
    result = regmon_state.next.prctl ? regmon_state.next.prctl(option, a, b, c, d)
                                     : sys_result(SYS5(__NR_prctl, option, a, b, c, d));
    if (is_filter && result < 0)
        end_filter(before);
    if (option == SET_NAME && result == 0 && regmon_process.pid == sys_getpid())
        table_rename(sys_gettid(), (const char *)a);
    return result;
}

static long set_filter(long a, long b, long c)
{
    const enum regmon_filter before = regmon_state.filter;
    long result;

    begin_filter();
    result = SYS3(__NR_seccomp, a, b, c);
    if (result < 0)
        end_filter(before);
    return sys_result(result);
}

long confined_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (number == __NR_seccomp && (a == STRICT_BY_SECCOMP || (a == FILTER_BY_SECCOMP && c)))
        return set_filter(a, b, c);
    if (number == __NR_rt_sigaction && a == SAMPLE_SIGNAL && regmon_state.is_sampling)
        return sys_result(change_action((const uint64_t *)b, (uint64_t *)c));
    return regmon_state.next.syscall ? regmon_state.next.syscall(number, a, b, c, d, e, f)
                                     : sys_result(SYS6(number, a, b, c, d, e, f));
}

#ifdef ENTRY_OF_SYSCALL
/* The function that the entry jumps to. */
void *confined_target(long number)
{
    const bool is_next = number != __NR_seccomp && number != __NR_rt_sigaction;

    return is_next && regmon_state.next.syscall ? (void *)regmon_state.next.syscall
                                                : (void *)confined_syscall;
}
#endif

/* ---- Stacks ---- */

#define PAGE_OF_STACK ((uintptr_t)MACHINE_PAGE)
/* The kernel leaves more below the stack of the program. */
#define MAIN_REACH ((uintptr_t)64 << 20)
#define THREAD_REACH ((uintptr_t)64 << 10)

/* Less than the smallest stack, whose size includes a guard and thread-local storage. */
static uintptr_t reach_of_thread(void)
{
    const size_t least = __atomic_load_n(&regmon_state.least_stack, __ATOMIC_RELAXED);

    return least ? least / 4 * 3 : THREAD_REACH;
}

/* The stack of the program ends below its environment; those of threads, below their
   thread-local storage.  Where that is not near, only this page is certain. */
void confined_note_stack(int tid)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const bool is_main = tid == regmon_process.pid;
    const uintptr_t reach = is_main ? MAIN_REACH : reach_of_thread();
    const uintptr_t end = is_main ? (uintptr_t)regmon_state.environment : (uintptr_t)&regmon_thread;
    const uintptr_t page = here & ~(PAGE_OF_STACK - 1);
    struct range *stack = &regmon_thread.stack;

    stack->low = page;
    stack->high = page + PAGE_OF_STACK;
    if (end > here && end - here < reach) {
        stack->low = end - reach;
        stack->high = end & ~(sizeof end - 1);
    }
}
