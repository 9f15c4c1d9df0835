/* actions.c - actions of signals, as the program sets and sees them.
   SPDX-License-Identifier: MIT

   What the program has set is in regmon_state.shown if the kernel has something else: a handler of
   the library, in place of the default action; or `relay', in place of a handler with SA_ONSTACK,
   which the kernel would run on the library's alternate stack where the thread has none of its own,
   or with SA_RESETHAND, which the kernel would replace by its own default action.
 */
#include "actions.h"

#include <ucontext.h>

#include "signal_stack.h"
#include "state.h"
#include "table.h"

#define IGNORE ((sys_handler *)1) /* SIG_IGN */

/* entry_*.S */
void regmon_call_on(void *top, void (*function)(void *data), void *data);

/* `relay' is called for handlers with one of these. */
#define RELAYED ((unsigned long)(SA_ONSTACK | SA_RESETHAND))

static const uint64_t all_signals = ~(uint64_t)0;

static bool is_handler(sys_handler *handler)
{
    return handler != ACTIONS_DEFAULT && handler != IGNORE;
}

/* ---- The lock ---- */

/* Whether the process may change what is remembered: a child of vfork has the memory of its parent,
   but signals of its own. */
static bool may_remember(void)
{
    const struct process *process = regmon_state.process;

    return process && (process->pid == 0 || process->pid == sys_getpid());
}

static void lock(uint64_t *mask)
{
    const struct timespec millisecond = {0, 1000000};
    int *holder = &regmon_state.process->actions;

    (void)sys_sigmask(SIG_BLOCK, &all_signals, mask);
    while (__atomic_exchange_n(holder, 1, __ATOMIC_ACQUIRE))
        (void)SYS2(__NR_nanosleep, &millisecond, NULL);
}

static void unlock(const uint64_t *mask)
{
    __atomic_store_n(&regmon_state.process->actions, 0, __ATOMIC_RELEASE);
    (void)sys_sigmask(SIG_SETMASK, mask, NULL);
}

/* ---- What the kernel has ---- */

static void relay(int number, siginfo_t *info, void *context);

static bool is_ours(int number, sys_handler *handler)
{
    return handler && (handler == relay || handler == regmon_state.own[number]);
}

/* In the kernel, with all signals blocked while the handler runs. */
static long install(int number, sys_handler *handler, unsigned long flags)
{
    const struct sys_sigaction action = {handler, flags | SA_SIGINFO, all_signals};

    return sys_sigaction(number, &action, NULL);
}

/* Only these ask for the alternate stack, because the program's may be too small: SIGSEGV, since
   the thread's stack may have overflowed, and SIGPROF where the thread has a stack of parts. */
static long install_own(int number)
{
    const bool is_elsewhere =
        number == SIGSEGV || (number == SIGPROF && regmon_state.has_split_stacks);

    return install(number, regmon_state.own[number], SA_RESTART | (is_elsewhere ? SA_ONSTACK : 0));
}

static void remember(int number, const struct sys_sigaction *action)
{
    struct sys_sigaction *shown = &regmon_state.shown[number];

    __atomic_store_n(&shown->handler, action->handler, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->flags, action->flags, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->mask, action->mask, __ATOMIC_RELAXED);
}

/* Other threads get signals meanwhile: a handler is remembered while the kernel has `relay'. */
static long set(int number, const struct sys_sigaction *action)
{
    struct sys_sigaction plain = *action;
    long error;

    plain.flags |= SYS_SA_RESTORER; /* as the C library shows it */
    if (may_remember()) {
        if (action->handler == ACTIONS_DEFAULT && regmon_state.own[number]) {
            error = install_own(number);
            if (!error)
                remember(number, &plain);
            return error;
        }
        if (is_handler(action->handler) && action->flags & RELAYED) {
            remember(number, &plain);
            return install(number, relay, action->flags & ~(unsigned long)SA_RESETHAND);
        }
    }
    return sys_sigaction(number, &plain, NULL);
}

long actions_change(int number, const struct sys_sigaction *new_action,
                    struct sys_sigaction *old_action)
{
    const bool has_lock = may_remember();
    struct sys_sigaction now = {NULL, 0, 0};
    uint64_t mask;
    long error;

    if (has_lock)
        lock(&mask);
    error = sys_sigaction(number, NULL, &now);
    if (!error && is_ours(number, now.handler))
        now = regmon_state.shown[number];
    if (!error && new_action)
        error = set(number, new_action);
    if (has_lock)
        unlock(&mask);
    if (!error && old_action)
        *old_action = now;
    return error;
}

/* ---- The beginning ---- */

bool actions_own(int number, sys_handler *handler, bool is_now)
{
    struct sys_sigaction now = {NULL, 0, 0};

    if (sys_sigaction(number, NULL, &now) != 0 || (is_now && now.handler != ACTIONS_DEFAULT))
        return false;
    regmon_state.own[number] = handler;
    if (now.handler != ACTIONS_DEFAULT)
        return false;
    remember(number, &now);
    return install_own(number) == 0;
}

void actions_leave_split_stacks(void)
{
    struct sys_sigaction now = {NULL, 0, 0};

    regmon_state.has_split_stacks = true;
    if (regmon_state.own[SIGPROF] && sys_sigaction(SIGPROF, NULL, &now) == 0 &&
        now.handler == regmon_state.own[SIGPROF])
        (void)install_own(SIGPROF);
}

void actions_adopt(void)
{
    struct sys_sigaction now = {NULL, 0, 0};

    for (int i = 1; i < SYS_SIGNALS; i++)
        if (sys_sigaction(i, NULL, &now) == 0 && is_handler(now.handler) && now.flags & RELAYED &&
            !is_ours(i, now.handler))
            (void)set(i, &now);
}

/* ---- Handlers of the program that the kernel does not call itself ---- */

/* Where the interrupted code may lose nothing: below its stack, and below what leaf functions use
   there. */
static void *below_interrupted(const ucontext_t *context)
{
    return (void *)((context_register(context, REGISTER_SP) - RED_ZONE) & ~(uintptr_t)15);
}

static bool is_on_our_stack(void)
{
    const char *stack = regmon_thread.signal_stack;
    const char *here = __builtin_frame_address(0);

    return stack && here >= stack && here < stack + SIGNAL_STACK_BYTES;
}

/* A call of the program's handler. */
struct call {
    sys_handler *handler;
    int number;
    siginfo_t *info;
    void *context;
    uint64_t mask;
};

static void call_handler(const struct call *call)
{
    (void)sys_sigmask(SIG_SETMASK, &call->mask, NULL);
    call->handler(call->number, call->info, call->context);
}

/* On the thread's own stack.  The kernel's record of the signal is on ours, which no other signal
   may use until the handler returns. */
static void call_on_own_stack(void *data)
{
    const stack_t none = {.ss_flags = SS_DISABLE};

    (void)SYS2(__NR_sigaltstack, &none, NULL);
    call_handler(data);
}

/* Calls the program's handler, with the signals blocked that it expects.  If another thread has set
   the default action since the signal arrived, it is raised again, for the handler that is now in
   the kernel. */
static void relay(int number, siginfo_t *info, void *context)
{
    const struct sys_sigaction as_usual = {ACTIONS_DEFAULT, 0, 0};
    const struct sys_sigaction *shown = &regmon_state.shown[number];
    const unsigned long flags = __atomic_load_n(&shown->flags, __ATOMIC_RELAXED);
    struct call call = {__atomic_load_n(&shown->handler, __ATOMIC_RELAXED), number, info, context,
                        __atomic_load_n(&shown->mask, __ATOMIC_RELAXED)};

    if (!is_handler(call.handler)) {
        if (!sys_is_fault(number, info))
            (void)SYS3(__NR_tgkill, sys_getpid(), sys_gettid(), number);
        return;
    }
    call.mask |= *(const uint64_t *)&((const ucontext_t *)context)->uc_sigmask;
    if (!(flags & SA_NODEFER))
        call.mask |= (uint64_t)1 << (number - 1);
    if (flags & SA_RESETHAND)
        (void)actions_change(number, &as_usual, NULL);
    if (!is_on_our_stack()) {
        call_handler(&call);
        return;
    }
    regmon_call_on(below_interrupted(context), call_on_own_stack, &call);
    (void)sys_sigmask(SIG_SETMASK, &all_signals, NULL);
    signal_stack_provide(regmon_thread.signal_stack);
}
