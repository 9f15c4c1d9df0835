/* ends.c - the ways a program ends: return, exit, quick_exit, _exit, and by a signal.
   SPDX-License-Identifier: MIT */
#include "ends.h"

#include <stdlib.h>
#include <unistd.h>

#include "export.h"
#include "snapshot.h"
#include "state.h"
#include "sys.h"
#include "text.h"

/* Not of these: signals that a handler cannot catch, or that do not end a program. */
static const unsigned char ending[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP,   SIGABRT,
                                       SIGBUS,  SIGFPE,  SIGUSR1, SIGSEGV, SIGUSR2,   SIGPIPE,
                                       SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGSYS};

static void write_at_end(void)
{
    (void)snapshot_write(SNAPSHOT_OF_END);
}

void ends_prepare(void)
{
    (void)at_quick_exit(write_at_end);
}

/* ---- Calls ---- */

REGMON_EXPORT _Noreturn void _exit(int status)
{
    write_at_end();
    for (;;)
        (void)SYS1(__NR_exit_group, status);
}

REGMON_EXPORT _Noreturn void _Exit(int status)
{
    _exit(status);
}

/* ---- Signals ---- */

/* Whether the instruction that caused the signal will do so again. */
static bool is_fault(int number, const siginfo_t *info)
{
    return info->si_code > 0 && info->si_code != SI_KERNEL &&
           (number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE);
}

/* The signal ends the program as it would have done without us: in its own way, at its own place.
 */
static void handle_end(int number, siginfo_t *info, void *context)
{
    const struct sys_sigaction as_usual = {NULL, 0, NULL, 0};

    (void)context;
    write_at_end();
    (void)sys_sigaction(number, &as_usual, NULL);
    if (!is_fault(number, info))
        (void)SYS3(__NR_tgkill, sys_getpid(), sys_gettid(), number);
}

static void handle_snapshot(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    (void)snapshot_write(SNAPSHOT_OF_SIGNAL);
}

void ends_install_handlers(void)
{
    const int wanted = regmon_state.config.snapshot_signal;

    if (wanted && !sys_handle(wanted, handle_snapshot))
        message("no snapshots by signal: the program uses it itself", NULL, 0);
    for (size_t i = 0; i < sizeof ending; i++)
        if (ending[i] != wanted)
            (void)sys_handle(ending[i], handle_end);
}
