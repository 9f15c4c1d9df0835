/* fatal_signals.c - handles SIGSEGV and SIGBUS on a stack of their own.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/fatal_signals.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

/* SIGSEGV: the stack cannot grow, because of `ulimit -s' or (the stack counts as memory) of
   `ulimit -v'.  Some systems raise SIGBUS for this.  SIGBUS: this program and libdw map large files
   into memory, and the page that was read is now behind the end of its file.  */
static const int fatal[] = {SIGSEGV, SIGBUS};

/* `bytes' is the stack of the handler.  The handler finds this struct by the address of that stack,
   so no variable at file scope is needed.  */
struct fatal_signals {
    uintptr_t stack; /* the stack of main is mapped from this address upwards */
    struct sigaction former_actions[ARRAY_LENGTH(fatal)];
    stack_t former_stack;
    _Alignas(max_align_t) char bytes[];
};

enum {
    HANDLER_STACK = 64 * 1024,   /* bytes: a translated message and the saved registers */
    LARGEST_FRAME = 1024 * 1024, /* bytes: a function can touch its frame at any address */
    LARGEST_STACK = 1 << 30,     /* bytes, if there is no limit */
};

/* A fault at most this many bytes below the mapped part of the stack is a fault of the stack.  */
static uintptr_t stack_reach(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > LARGEST_STACK)
        return LARGEST_STACK;
    return (uintptr_t)limit.rlim_cur + LARGEST_FRAME;
}

static bool is_in_stack(const struct fatal_signals *signals, const siginfo_t *info)
{
    uintptr_t addr = (uintptr_t)info->si_addr;
    bool is_fault = info->si_code > 0; /* not sent by another process */
    return is_fault && addr < signals->stack && signals->stack - addr < stack_reach();
}

/* Ends the program with a message if the stack or a file is the cause.  For any other fault,
   restores the former action; the fault is raised again when this returns.  */
static void handle(int number, siginfo_t *info, void *context)
{
    stack_t own;
    (void)context;
    sigaltstack(NULL, &own);
    struct fatal_signals *signals =
        (void *)((char *)own.ss_sp - offsetof(struct fatal_signals, bytes));
    bool is_stack = is_in_stack(signals, info);
    if (is_stack || number == SIGBUS) {
        if (is_stack)
            problem_in_handler(MSG_NO_STACK);
        else
            problem(MSG_FILE_SHRANK);
        _exit(EXIT_FAILURE);
    }
    sigaction(SIGSEGV, &signals->former_actions[0], NULL);
    if (info->si_code <= 0)
        raise(number); /* a signal of another process is not raised again by itself */
}

struct fatal_signals *fatal_signals_begin(void)
{
    struct fatal_signals *signals = mem_uninitialised(1, sizeof *signals + HANDLER_STACK);
    stack_t own = {.ss_sp = signals->bytes, .ss_size = HANDLER_STACK};
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    signals->stack = (uintptr_t)&own;
    sigaltstack(&own, &signals->former_stack);
    for (size_t i = 0; i < ARRAY_LENGTH(fatal); i++)
        sigaction(fatal[i], &action, &signals->former_actions[i]);
    return signals;
}

void fatal_signals_end(struct fatal_signals *signals)
{
    for (size_t i = 0; i < ARRAY_LENGTH(fatal); i++)
        sigaction(fatal[i], &signals->former_actions[i], NULL);
    sigaltstack(&signals->former_stack, NULL);
    free(signals);
}
