/* actions.c - the action of the signal by which clocks take samples, as the program sets and sees
   it. SPDX-License-Identifier: MIT

   regmon_state.shown has what the program has set, while the kernel has the library's handler. */
#include "actions.h"

#include <errno.h>
#include <ucontext.h>

#include "state.h"

#define IGNORE ((sys_handler *)1) /* SIG_IGN */

static const uint64_t all_signals = ~(uint64_t)0;

/* Whether the process may change what is remembered: a child of vfork has the memory of its parent,
   but signals of its own. */
static bool may_remember(void)
{
    return regmon_state.is_prepared &&
           (regmon_process.pid == 0 || regmon_process.pid == sys_getpid());
}

static void remember(const struct sys_sigaction *action)
{
    struct sys_sigaction *shown = &regmon_state.shown;

    __atomic_store_n(&shown->handler, action->handler, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->flags, action->flags | SYS_SA_RESTORER, __ATOMIC_RELAXED);
    __atomic_store_n(&shown->mask, action->mask, __ATOMIC_RELAXED);
}

/* With all signals blocked while the handler runs, so that none of the program's begins on top of
   it.  Programs that switch stacks, as Go's do, need the alternate stack. */
static long install(void)
{
    const unsigned long on_stack = regmon_state.has_small_stacks ? 0 : SA_ONSTACK;
    const struct sys_sigaction action = {regmon_state.sample, SA_SIGINFO | SA_RESTART | on_stack,
                                         all_signals};

    return sys_sigaction(SAMPLE_SIGNAL, &action, NULL);
}

static long install_plain(sys_handler *handler)
{
    const struct sys_sigaction action = {handler, 0, 0};

    return sys_sigaction(SAMPLE_SIGNAL, &action, NULL);
}

bool actions_begin(void)
{
    struct sys_sigaction now = {NULL, 0, 0};

    if (sys_sigaction(SAMPLE_SIGNAL, NULL, &now) != 0)
        return false;
    remember(&now);
    return install() == 0;
}

bool actions_are_ours(void)
{
    struct sys_sigaction now = {NULL, 0, 0};

    return regmon_state.is_sampling && sys_sigaction(SAMPLE_SIGNAL, NULL, &now) == 0 &&
           now.handler == regmon_state.sample;
}

long actions_change(const struct sys_sigaction *new_action, struct sys_sigaction *old_action)
{
    const bool is_hidden = actions_are_ours();
    struct sys_sigaction now = regmon_state.shown;
    long error = is_hidden ? 0 : sys_sigaction(SAMPLE_SIGNAL, NULL, &now);

    if (!error && new_action && is_hidden && may_remember())
        remember(new_action);
    else if (!error && new_action)
        error = sys_sigaction(SAMPLE_SIGNAL, new_action, NULL);
    if (!error && old_action)
        *old_action = now;
    return error;
}

void actions_leave_alternate_stacks(void)
{
    if (regmon_state.has_small_stacks || !may_remember())
        return;
    regmon_state.has_small_stacks = true;
    if (actions_are_ours())
        (void)install();
}

void actions_end(void)
{
    if (actions_are_ours())
        (void)install_plain(IGNORE);
}

/* ---- Signals that no clock has sent ---- */

static void send_again(siginfo_t *info)
{
    (void)SYS4(__NR_rt_tgsigqueueinfo, sys_getpid(), sys_gettid(), SAMPLE_SIGNAL, info);
}

static void call_handler(const struct sys_sigaction *action, siginfo_t *info, ucontext_t *context)
{
    uint64_t mask = action->mask | *(const uint64_t *)&context->uc_sigmask;

    if (action->flags & SA_RESETHAND)
        __atomic_store_n(&regmon_state.shown.handler, ACTIONS_DEFAULT, __ATOMIC_RELAXED);
    if (!(action->flags & SA_NODEFER))
        mask |= SAMPLE_BIT;
    (void)sys_sigmask(SIG_SETMASK, &mask, NULL);
    action->handler(SAMPLE_SIGNAL, info, context);
}

/* A thread for which the program has blocked the signal keeps it pending, and takes no samples
   until the program has unblocked it. */
void actions_pass_on(siginfo_t *info, void *data)
{
    const struct sys_sigaction shown = regmon_state.shown;
    ucontext_t *context = data;

    if (regmon_thread.blocks_sample) {
        *(uint64_t *)&context->uc_sigmask |= SAMPLE_BIT;
        send_again(info);
    } else if (shown.handler == ACTIONS_DEFAULT) {
        (void)install_plain(ACTIONS_DEFAULT);
        send_again(info);
    } else if (shown.handler != IGNORE)
        call_handler(&shown, info, context);
}

/* ---- Masks ---- */

/* A child of vfork has a mask of its own, and the memory of its parent, which waits. */
bool *actions_blocks(void)
{
    struct regmon_thread *thread = &regmon_thread;
    int pid;

    if (may_remember())
        return &thread->blocks_sample;
    pid = sys_getpid();
    if (thread->child != pid) {
        thread->child = pid;
        thread->child_blocks = thread->blocks_sample;
    }
    return &thread->child_blocks;
}

/* ---- exec ---- */

static void set_blocked(int how)
{
    const uint64_t bit = SAMPLE_BIT;

    if (*actions_blocks())
        (void)sys_sigmask(how, &bit, NULL);
}

void actions_before_exec(void)
{
    if (!regmon_state.is_sampling)
        return;
    set_blocked(SIG_BLOCK);
    if (regmon_state.shown.handler == IGNORE && actions_are_ours())
        (void)install_plain(IGNORE);
}

void actions_after_exec(void)
{
    struct sys_sigaction now = {NULL, 0, 0};

    if (!regmon_state.is_sampling)
        return;
    set_blocked(SIG_UNBLOCK);
    if (regmon_state.shown.handler == IGNORE && sys_sigaction(SAMPLE_SIGNAL, NULL, &now) == 0 &&
        now.handler == IGNORE)
        (void)install();
}
