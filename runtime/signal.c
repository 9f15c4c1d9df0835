/* signal.c - the functions of the C library for actions of signals, which hide those of this
   library. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>

#include "actions.h"
#include "export.h"
#include "process.h"
#include "signal_stack.h"
#include "state.h"
#include "sys.h"
#include "table.h"

#define SIGPROF_BIT ((uint64_t)1 << (SIGPROF - 1))

/* Of musl's static library: sem_wait and others end with EINTR only where it is 1. */
extern volatile int __eintr_valid_flag;
#pragma weak __eintr_valid_flag

const char *gnu_get_libc_version(void);
#pragma weak gnu_get_libc_version

typedef void handler_function(int number);

REGMON_EXPORT handler_function *bsd_signal(int number, handler_function *handler);
REGMON_EXPORT handler_function *ssignal(int number, handler_function *handler);
REGMON_EXPORT handler_function *sysv_signal(int number, handler_function *handler);
REGMON_EXPORT handler_function *__sysv_signal(int number, handler_function *handler);

static int result_of(long error)
{
    if (error)
        errno = (int)-error;
    return error ? -1 : 0;
}

/* Whether the C library keeps the signal to itself. */
static bool is_reserved(int number)
{
#ifdef __GLIBC__
    return number == 32 || number == 33;
#else
    return number >= 32 && number <= 34;
#endif
}

static int change(int number, const struct sys_sigaction *new_action,
                  struct sys_sigaction *old_action)
{
    if (number < 1 || number >= SYS_SIGNALS || is_reserved(number))
        return result_of(-EINVAL);
    return result_of(actions_change(number, new_action, old_action));
}

/* musl notes that a handler without SA_RESTART has been set.  Its shared library does so in its own
   sigaction only, also for a signal that the kernel then refuses to handle. */
static void note_interrupting(const struct sigaction *action)
{
    const int error = errno;

    if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN ||
        action->sa_flags & SA_RESTART)
        return;
    if (&__eintr_valid_flag)
        __eintr_valid_flag = 1;
    else if (!gnu_get_libc_version && regmon_state.next.sigaction)
        (void)regmon_state.next.sigaction(SIGKILL, action, NULL);
    errno = error;
}

REGMON_EXPORT int sigaction(int number, const struct sigaction *restrict new_action,
                            struct sigaction *restrict old_action)
{
    struct sys_sigaction wanted = {NULL, 0, 0}, old = {NULL, 0, 0};

    if (!regmon_state.has_begun && regmon_state.next.sigaction)
        return regmon_state.next.sigaction(number, new_action, old_action);
    if (new_action) {
        wanted.handler = (sys_handler *)new_action->sa_sigaction;
        wanted.flags = (unsigned long)(unsigned)new_action->sa_flags;
        wanted.mask = *(const uint64_t *)&new_action->sa_mask;
    }
    if (change(number, new_action ? &wanted : NULL, &old) != 0)
        return -1;
    if (new_action)
        note_interrupting(new_action);
    if (old_action) {
        sigset_t none = {{0}};

        old_action->sa_mask = none;
        *(uint64_t *)&old_action->sa_mask = old.mask;
        old_action->sa_sigaction = old.handler;
        old_action->sa_flags = (int)old.flags;
    }
    return 0;
}

/* ---- Older functions ---- */

static handler_function *set_handler(int number, handler_function *handler, int flags,
                                     bool is_masked)
{
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = flags}, old;

    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    if (is_masked && number > 0 && number < SYS_SIGNALS)
        *(uint64_t *)&wanted.sa_mask = (uint64_t)1 << (number - 1);
    return sigaction(number, &wanted, &old) ? SIG_ERR : old.sa_handler;
}

static handler_function *set_as_bsd(int number, handler_function *handler)
{
    const uint64_t interrupting = __atomic_load_n(&regmon_state.interrupting, __ATOMIC_RELAXED);
    const bool interrupts = number > 0 && number < SYS_SIGNALS && interrupting >> (number - 1) & 1;

    return set_handler(number, handler, interrupts ? 0 : SA_RESTART, true);
}

static handler_function *set_as_sysv(int number, handler_function *handler)
{
    return set_handler(number, handler, (int)(SA_RESETHAND | SA_NODEFER), false);
}

REGMON_EXPORT handler_function *signal(int number, handler_function *handler)
{
    return set_as_bsd(number, handler);
}

REGMON_EXPORT handler_function *bsd_signal(int number, handler_function *handler)
{
    return set_as_bsd(number, handler);
}

REGMON_EXPORT handler_function *ssignal(int number, handler_function *handler)
{
    return set_as_bsd(number, handler);
}

REGMON_EXPORT handler_function *sysv_signal(int number, handler_function *handler)
{
    return set_as_sysv(number, handler);
}

REGMON_EXPORT handler_function *__sysv_signal(int number, handler_function *handler)
{
    return set_as_sysv(number, handler);
}

/* Tells `signal', too, whether system calls go on after the handler. */
REGMON_EXPORT int siginterrupt(int number, int interrupts)
{
    struct sigaction action;
    uint64_t bit;

    if (sigaction(number, NULL, &action) != 0)
        return -1;
    bit = (uint64_t)1 << (number - 1);
    if (interrupts) {
        __atomic_fetch_or(&regmon_state.interrupting, bit, __ATOMIC_RELAXED);
        action.sa_flags &= ~SA_RESTART;
    } else {
        __atomic_fetch_and(&regmon_state.interrupting, ~bit, __ATOMIC_RELAXED);
        action.sa_flags |= SA_RESTART;
    }
    return sigaction(number, &action, NULL);
}

REGMON_EXPORT int sigignore(int number)
{
    return set_handler(number, SIG_IGN, 0, false) == SIG_ERR ? -1 : 0;
}

/* Blocks the signal (SIG_HOLD), or sets its action and unblocks it.  Returns what was before. */
REGMON_EXPORT handler_function *sigset(int number, handler_function *handler)
{
    struct sigaction now;
    uint64_t bit, before = 0;

    if (sigaction(number, NULL, &now) != 0)
        return SIG_ERR;
    bit = (uint64_t)1 << (number - 1);
    if (handler != SIG_HOLD && set_handler(number, handler, 0, false) == SIG_ERR)
        return SIG_ERR;
    (void)sys_sigmask(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &bit, &before);
    return before & bit ? SIG_HOLD : now.sa_handler;
}

/* ---- Masks ---- */

/* Signals of the set that the program may block.  If it blocks all, as threads do that leave
   signals to others, SIGPROF stays open for the library's samples. */
static uint64_t blockable(uint64_t set)
{
#ifdef __GLIBC__
    const uint64_t reserved = (uint64_t)3 << 31;
#else
    const uint64_t reserved = (uint64_t)7 << 31;
#endif
    set &= ~reserved;
    return sys_blocks_all(set) && process_takes_samples() ? set & ~SIGPROF_BIT : set;
}

/* Returns a negative error number, or 0. */
static long change_mask(int how, const sigset_t *set, sigset_t *old_set)
{
    const uint64_t wanted = set ? *(const uint64_t *)set : 0;
    const uint64_t real = how == SIG_UNBLOCK ? wanted : blockable(wanted);
    const bool was_hidden = regmon_thread.blocks_sigprof;
    uint64_t old = 0;
    long error;

    error = sys_sigmask(how, set ? &real : NULL, &old);
    if (!error && set && how == SIG_SETMASK)
        regmon_thread.blocks_sigprof = (wanted & ~real & SIGPROF_BIT) != 0;
    else if (!error && set && wanted & SIGPROF_BIT)
        regmon_thread.blocks_sigprof = !(real & SIGPROF_BIT);
    if (!error && old_set) {
        const sigset_t none = {{0}};

        *old_set = none;
        *(uint64_t *)old_set = old | (was_hidden ? SIGPROF_BIT : 0);
    }
    return error;
}

REGMON_EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old_set)
{
    if (!regmon_state.is_sampling && regmon_state.next.pthread_sigmask)
        return regmon_state.next.pthread_sigmask(how, set, old_set);
    return (int)-change_mask(how, set, old_set);
}

REGMON_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old_set)
{
    if (!regmon_state.is_sampling && regmon_state.next.sigprocmask)
        return regmon_state.next.sigprocmask(how, set, old_set);
    return result_of(change_mask(how, set, old_set));
}

/* ---- Alternate stacks ---- */

/* The program does not see ours, and cannot be without one. */
REGMON_EXPORT int sigaltstack(const stack_t *restrict new_stack, stack_t *restrict old_stack)
{
    void *ours = regmon_thread.signal_stack;
    const stack_t none = {.ss_flags = SS_DISABLE};
    const bool ends = new_stack && new_stack->ss_flags & SS_DISABLE;
    stack_t now = {0};
    long error = SYS2(__NR_sigaltstack, NULL, &now);
    const bool has_ours = !error && ours && !(now.ss_flags & SS_DISABLE) && now.ss_sp == ours;

    if (!error && new_stack && !(has_ours && ends))
        error = SYS2(__NR_sigaltstack, new_stack, NULL);
    if (!error && ends)
        signal_stack_provide(ours);
    if (!error && old_stack)
        *old_stack = has_ours ? none : now;
    return result_of(error);
}
