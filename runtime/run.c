/* run.c - runs the program as a child, and stands in for it.
   SPDX-License-Identifier: MIT

   A signal that this process gets may have been sent to it alone: then it is passed on.  Or it was
   sent to the whole process group, by a terminal or by kill, and the program has got it, too.
   Signals do not say which.  So there is a witness: a process of the group that does nothing but
   wait, with all signals blocked.  A signal that it got as well was sent to the group. */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector.h"
#include "descriptors.h"
#include "pool.h"
#include "say.h"

/* ---- The witness ---- */

struct witness {
    pid_t process;
    int socket;
};

enum { LOOK_MS = 10 }; /* how often to see whether the witness is stopped */

static bool receive(int socket, int *value)
{
    ssize_t size;

    do
        size = read(socket, value, sizeof *value);
    while (size < 0 && errno == EINTR);
    return size == sizeof *value;
}

/* Answers for each number that it reads whether it has got this signal, until the other end is
 * closed. */
_Noreturn static void witness_serve(int socket)
{
    const struct timespec now = {0};
    sigset_t set;
    int number, has_it;

    while (receive(socket, &number)) {
        sigemptyset(&set);
        sigaddset(&set, number);
        has_it = sigtimedwait(&set, NULL, &now) == number;
        if (write(socket, &has_it, sizeof has_it) < 0)
            break;
    }
    _exit(0);
}

/* Begins with all signals blocked. */
static struct witness witness_begin(void)
{
    struct witness witness = {-1, -1};
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        say_failure(_("cannot run a program: %s"), strerror(errno));
    ends[0] = descriptor_move_up(ends[0]);
    ends[1] = descriptor_move_up(ends[1]);
    witness.process = fork();
    if (witness.process < 0 || ends[0] < 0 || ends[1] < 0)
        say_failure(_("cannot run a program: %s"), strerror(errno));
    if (!witness.process) {
        descriptors_close(0, &ends[1], 1);
        witness_serve(ends[1]);
    }
    close(ends[1]);
    witness.socket = ends[0];
    return witness;
}

static void witness_end(const struct witness *witness)
{
    close(witness->socket);
    kill(witness->process, SIGKILL);
    waitpid(witness->process, NULL, 0);
}

/* Whether the witness has got a signal since it was last asked.  SIGSTOP stops the witness, too;
   then it is continued, which *WAS_STOPPED says. */
static bool witness_ask(const struct witness *witness, int number, bool *was_stopped)
{
    struct pollfd answer = {.fd = witness->socket, .events = POLLIN};
    siginfo_t stopped = {.si_pid = 0};
    int has_it = false;

    *was_stopped = false;
    if (write(witness->socket, &number, sizeof number) != sizeof number)
        return false;
    while (poll(&answer, 1, LOOK_MS) <= 0)
        if (!waitid(P_PID, (id_t)witness->process, &stopped, WSTOPPED | WNOHANG) &&
            stopped.si_pid) {
            kill(witness->process, SIGCONT);
            *was_stopped = true;
        }
    return receive(witness->socket, &has_it) && has_it;
}

/* Whether the witness, too, got a signal that this process got. */
static bool witness_has(const struct witness *witness, int number)
{
    bool has_it, was_stopped, is_again;

    /* The kernel sends a signal to the members of a group while no process can change its group, so
       it has arrived everywhere when this returns, which fails: there is no such process. */
    setpgid(INT_MAX, 1);
    has_it = witness_ask(witness, number, &was_stopped);
    if (!was_stopped)
        return has_it;
    witness_ask(witness, SIGCONT, &is_again); /* forgets that of witness_ask */
    return has_it && number != SIGCONT;       /* one for the group had continued it */
}

/* ---- Start ---- */

/* What a process keeps when it executes a program, but its child does not get. */
struct heritage {
    sigset_t blocked;
    struct sigaction child_action; /* of SIGCHLD */
    int death_signal;
    struct itimerval timers[3]; /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
};

static void set_timers(const struct itimerval *timers, struct itimerval *former)
{
    setitimer(ITIMER_REAL, &timers[0], &former[0]);
    setitimer(ITIMER_VIRTUAL, &timers[1], &former[1]);
    setitimer(ITIMER_PROF, &timers[2], &former[2]);
}

/* Blocks all signals, and makes ended children wait to be asked for. */
static void heritage_take(struct heritage *heritage)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    const struct itimerval none[3] = {{{0, 0}, {0, 0}}};
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &heritage->blocked);
    sigaction(SIGCHLD, &usual, &heritage->child_action);
    prctl(PR_GET_PDEATHSIG, &heritage->death_signal);
    set_timers(none, heritage->timers);
}

/* In the child of PARENT. */
static void heritage_give(const struct heritage *heritage, pid_t parent)
{
    struct itimerval none[3];

    set_timers(heritage->timers, none);
    sigaction(SIGCHLD, &heritage->child_action, NULL);
    if (heritage->death_signal) {
        prctl(PR_SET_PDEATHSIG, heritage->death_signal);
        if (getppid() != parent) /* it had ended before */
            kill(getpid(), heritage->death_signal);
    }
    sigprocmask(SIG_SETMASK, &heritage->blocked, NULL);
}

void run_execute(char *const *words, int64_t since)
{
    char start[64];

    snprintf(start, sizeof start, "%d %lld", (int)getpid(), (long long)since);
    if (since && setenv(POOL_PROGRAM, start, true))
        say_failure(POOL_PROGRAM ": %s", strerror(errno));
    execvp(words[0], words);
    if (errno == ENOENT || errno == ENOTDIR) { /* the program itself has been found before */
        say(_("cannot run %s: its interpreter is not found"), words[0]);
        _exit(STATUS_NOT_FOUND);
    }
    say(_("cannot run %s: %s"), words[0], strerror(errno));
    _exit(STATUS_CANNOT_RUN);
}

/* ---- While the program runs ---- */

struct run {
    pid_t program;
    struct witness witness;
    bool has_ended; /* the program */
    int status;     /* as of waitpid */
    bool is_stopped;
    int stop_signal; /* by which this process has to stop, too; or 0 */
};

/* Notes what has happened to the program. */
static void run_look(struct run *run)
{
    int status;

    while (!run->has_ended &&
           waitpid(run->program, &status, WNOHANG | WUNTRACED | WCONTINUED) > 0) {
        run->status = status;
        run->has_ended = WIFEXITED(status) || WIFSIGNALED(status);
        run->is_stopped = WIFSTOPPED(status);
        run->stop_signal = run->is_stopped ? WSTOPSIG(status) : 0;
    }
}

/* Whether this process group has the terminal, and so somebody waits for it there. */
static bool has_terminal(void)
{
    const int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    const bool has_it = fd >= 0 && tcgetpgrp(fd) == getpgrp();

    if (fd >= 0)
        close(fd);
    return has_it;
}

/* Stops this process as the program has stopped, so that the shell notices.  Whoever stops the
   program alone by SIGSTOP will continue it alone: then this process stops only where a terminal
   would hang. */
static void run_stop(struct run *run)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    const int number = run->stop_signal;
    struct sigaction former;
    sigset_t pending, set;

    run->stop_signal = 0;
    sigpending(&pending);
    if (sigismember(&pending, SIGCONT) == 1 || (number == SIGSTOP && !has_terminal()))
        return;
    if (number == SIGSTOP) {
        kill(getpid(), number);
        return;
    }
    sigemptyset(&set);
    sigaddset(&set, number);
    sigaction(number, &usual, &former);
    kill(getpid(), number);
    sigprocmask(SIG_UNBLOCK, &set, NULL); /* stops here */
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigaction(number, &former, NULL);
}

/* Passes a signal on, unless the program has got it already or is the one that sent it. */
static void run_pass_on(const struct run *run, const siginfo_t *signal)
{
    const int number = signal->si_signo;
    const bool is_for_group = witness_has(&run->witness, number);
    const bool is_in_group = getpgid(run->program) == getpgrp();
    const bool is_of_user = signal->si_code == SI_USER || signal->si_code == SI_QUEUE;

    if (number == SIGCONT ? !run->is_stopped && is_for_group : is_for_group && is_in_group)
        return;
    if (is_of_user && signal->si_pid == run->program)
        return;
    if (signal->si_code == SI_QUEUE)
        sigqueue(run->program, number, signal->si_value);
    else
        kill(run->program, number);
}

static void run_wait(struct run *run, int snapshot_signal, const struct collector *collector)
{
    sigset_t all;
    siginfo_t signal;
    int number;

    sigfillset(&all);
    for (;;) {
        run_look(run);
        if (run->has_ended)
            return;
        if (run->stop_signal)
            run_stop(run);
        number = sigwaitinfo(&all, &signal);
        run_look(run);
        if (run->has_ended || number < 0 || (number == SIGCHLD && signal.si_code > 0))
            continue;
        if (number != snapshot_signal)
            run_pass_on(run, &signal);
        else if (collector)
            collector_snapshot(collector);
    }
}

struct ended run_program(char *const *words, int snapshot_signal, const struct collector *collector)
{
    const pid_t own = getpid();
    struct heritage heritage;
    struct run run = {.program = -1};

    heritage_take(&heritage);
    run.witness = witness_begin();
    run.program = fork();
    if (run.program < 0)
        say_failure(_("cannot run a program: %s"), strerror(errno));
    if (!run.program) {
        heritage_give(&heritage, own);
        run_execute(words, collector->since);
    }
    run_wait(&run, snapshot_signal, collector);
    witness_end(&run.witness);
    return (struct ended){run.program, run.status};
}

/* ---- End ---- */

int run_end(int status)
{
    const struct rlimit none = {0, 0};
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t set;
    int number;

    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    number = WTERMSIG(status);
    prctl(PR_SET_DUMPABLE, 0); /* the program has left its core, if any */
    setrlimit(RLIMIT_CORE, &none);
    sigaction(number, &usual, NULL);
    kill(getpid(), number);
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL); /* ends here, except the first process of a container */
    return 128 + number;
}
