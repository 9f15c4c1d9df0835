/* signal.c - functions of the C library for signals, without the one by which clocks take samples.
   SPDX-License-Identifier: MIT

   The program sees this signal as it has set and blocked it, but the kernel does not block it, and
   no wait of the program gets it.  Static programs have no next function: the kernel is asked. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/signalfd.h>

#include "actions.h"
#include "export.h"
#include "sample.h"
#include "state.h"
#include "sys.h"

/* Of musl's static library: sem_wait and others end with EINTR only where it is 1. */
extern volatile int __eintr_valid_flag;
#pragma weak __eintr_valid_flag

#ifdef __GLIBC__
#define RESERVED ((uint64_t)3 << 31) /* signals that the C library keeps to itself */
#else
#define RESERVED ((uint64_t)7 << 31)
#endif

typedef void handler_function(int number);

REGMON_EXPORT handler_function *__sysv_signal(int number, handler_function *handler);

static uint64_t bits_of(const sigset_t *set)
{
    return *(const uint64_t *)set;
}

static sigset_t set_of(uint64_t bits)
{
    sigset_t set = {{0}};

    *(uint64_t *)&set = bits;
    return set;
}

static bool is_hidden(int number)
{
    return number == SAMPLE_SIGNAL && regmon_state.is_sampling;
}

/* ---- Actions ---- */

static long change_action(int number, const struct sys_sigaction *new_action,
                          struct sys_sigaction *old_action)
{
    if (is_hidden(number))
        return actions_change(new_action, old_action);
    if (number < 1 || number >= SYS_SIGNALS || RESERVED >> (number - 1) & 1)
        return -EINVAL;
    if (&__eintr_valid_flag && new_action && !(new_action->flags & SA_RESTART))
        __eintr_valid_flag = 1;
    return sys_sigaction(number, new_action, old_action);
}

REGMON_EXPORT int sigaction(int number, const struct sigaction *restrict new_action,
                            struct sigaction *restrict old_action)
{
    struct sys_sigaction wanted = {NULL, 0, 0}, old = {NULL, 0, 0};
    long error;

    if (!is_hidden(number) && regmon_state.next.sigaction)
        return regmon_state.next.sigaction(number, new_action, old_action);
    if (new_action) {
        wanted.handler = (sys_handler *)new_action->sa_sigaction;
        wanted.flags = (unsigned long)(unsigned)new_action->sa_flags;
        wanted.mask = bits_of(&new_action->sa_mask);
    }
    error = change_action(number, new_action ? &wanted : NULL, &old);
    if (!error && old_action) {
        old_action->sa_mask = set_of(old.mask);
        old_action->sa_sigaction = old.handler;
        old_action->sa_flags = (int)old.flags;
    }
    return (int)sys_result(error);
}

typedef handler_function *signal_function(int number, handler_function *handler);

static handler_function *set_handler(signal_function *next, int number, handler_function *handler,
                                     int flags)
{
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = flags}, old;

    if (!is_hidden(number) && next)
        return next(number, handler);
    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    if (flags & SA_RESTART && number > 0 && number < SYS_SIGNALS)
        wanted.sa_mask = set_of((uint64_t)1 << (number - 1));
    return sigaction(number, &wanted, &old) ? SIG_ERR : old.sa_handler;
}

REGMON_EXPORT handler_function *signal(int number, handler_function *handler)
{
    return set_handler(regmon_state.next.signal, number, handler, SA_RESTART);
}

/* What `signal' is with -std=c99.  Weak, because the C library's object has another function, too.
 */
__attribute__((weak)) handler_function *__sysv_signal(int number, handler_function *handler)
{
    return set_handler(regmon_state.next.sysv_signal, number, handler,
                       (int)(SA_RESETHAND | SA_NODEFER));
}

/* ---- Masks ---- */

typedef int mask_function(int how, const sigset_t *restrict set, sigset_t *restrict old_set);

/* Returns a negative error number, or 0. */
static int ask_for_mask(int how, const sigset_t *restrict set, sigset_t *restrict old_set)
{
    const uint64_t wanted = set ? bits_of(set) & ~RESERVED : 0;
    uint64_t old = 0;
    const long error = sys_sigmask(how, set ? &wanted : NULL, &old);

    if (!error && old_set)
        *old_set = set_of(old);
    return (int)error;
}

static int change_mask(mask_function *next, int how, const sigset_t *set, sigset_t *old_set)
{
    const bool has_signal = set && bits_of(set) & SAMPLE_BIT;
    bool *blocks, was_blocked;
    sigset_t real;
    int error;

    if (!regmon_state.is_sampling)
        return next(how, set, old_set);
    blocks = actions_blocks();
    was_blocked = *blocks;
    if (set)
        real = *set;
    if (has_signal && how != SIG_UNBLOCK)
        *(uint64_t *)&real &= ~SAMPLE_BIT;
    if (set && (has_signal || how == SIG_SETMASK)) /* first: a signal that waits comes at once */
        *blocks = has_signal && how != SIG_UNBLOCK;
    error = next(how, set ? &real : NULL, old_set);
    if (error)
        *blocks = was_blocked;
    else if (old_set && was_blocked)
        *(uint64_t *)old_set |= SAMPLE_BIT;
    return error;
}

REGMON_EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old_set)
{
    mask_function *next = regmon_state.next.pthread_sigmask;

    return next ? change_mask(next, how, set, old_set)
                : -change_mask(ask_for_mask, how, set, old_set);
}

REGMON_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old_set)
{
    mask_function *next = regmon_state.next.sigprocmask;

    return next ? change_mask(next, how, set, old_set)
                : (int)sys_result(change_mask(ask_for_mask, how, set, old_set));
}

/* ---- Waits ---- */

static sigset_t without_sample(const sigset_t *set)
{
    sigset_t real = *set;

    if (regmon_state.is_sampling)
        *(uint64_t *)&real &= ~SAMPLE_BIT;
    return real;
}

#ifdef __GLIBC__
#if !__GLIBC_PREREQ(2, 34)
#pragma weak pthread_setcanceltype /* of another library: a program without threads has none */
#define HAS_CANCEL (pthread_setcanceltype != NULL)
#endif
#endif
#ifndef HAS_CANCEL
#define HAS_CANCEL 1
#endif

/* Waits in the kernel, where the thread may be cancelled. */
static int ask_for_signal(uint64_t set, siginfo_t *info, const struct timespec *timeout)
{
    int type = 0;
    long result;

    if (HAS_CANCEL)
        (void)pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    result = SYS4(__NR_rt_sigtimedwait, &set, info, timeout, SYS_SIGSET_BYTES);
    if (HAS_CANCEL)
        (void)pthread_setcanceltype(type, NULL);
    return (int)sys_result(result);
}

REGMON_EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                               const struct timespec *restrict timeout)
{
    const sigset_t real = without_sample(set);

    return regmon_state.next.sigtimedwait
               ? regmon_state.next.sigtimedwait(&real, info, timeout)
               : ask_for_signal(bits_of(&real) & ~RESERVED, info, timeout);
}

REGMON_EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return sigtimedwait(set, info, NULL);
}

REGMON_EXPORT int sigwait(const sigset_t *restrict set, int *restrict number)
{
    const int error_before = errno;
    int found;

    do
        found = sigtimedwait(set, NULL, NULL);
    while (found < 0 && errno == EINTR);
    if (found < 0)
        return errno;
    errno = error_before;
    *number = found;
    return 0;
}

REGMON_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
    const sigset_t real = without_sample(set);

    return regmon_state.next.signalfd
               ? regmon_state.next.signalfd(fd, &real, flags)
               : (int)sys_result(SYS4(__NR_signalfd4, fd, &real, SYS_SIGSET_BYTES, flags));
}

/* ---- Alternate stacks ---- */

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif
#define ENOUGH 8192 /* which leaves room for handlers of the program that a sample interrupts */

static bool is_too_small(const stack_t *stack)
{
    return !(stack->ss_flags & SS_DISABLE) &&
           (stack->ss_size < ENOUGH || stack->ss_size < getauxval(AT_MINSIGSTKSZ) + NEED_OF_SAMPLE);
}

REGMON_EXPORT int sigaltstack(const stack_t *restrict new_stack, stack_t *restrict old_stack)
{
    if (new_stack && is_too_small(new_stack))
        actions_leave_alternate_stacks();
    return regmon_state.next.sigaltstack
               ? regmon_state.next.sigaltstack(new_stack, old_stack)
               : (int)sys_result(SYS2(__NR_sigaltstack, new_stack, old_stack));
}
