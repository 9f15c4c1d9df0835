/* held HOW: the kernel holds a system call of one thread until another one has let it go on, so
   that what happens meanwhile is certain.  Linked without -pg, so that counting begins at the first
   profiled call. Ends with 0, with 77 if the kernel cannot do it, or by SIGALRM if threads wait for
   ever. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "regmon.h"

#define PLAIN __attribute__((no_instrument_function))

#define TEN(x) x x x x x x x x x x
#define MANY 10000 /* calls by each of these, from as many places */

extern int regmon_snapshot(void) __attribute__((weak));

__attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void call_many(void)
{
    TEN(TEN(TEN(TEN(leaf();))))
}

__attribute__((noinline)) static void call_many_others(void)
{
    TEN(TEN(TEN(TEN(leaf();))))
}

static volatile int listener;
static pthread_t held;
static volatile int waiter;
static volatile int has_called; /* the thread that began has returned from its call */

/* The calls NUMBER of this thread are not done, but get the action; flags and result are those of
 * seccomp. */
PLAIN static int filter(unsigned number, unsigned action, unsigned flags)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof *code, code};
    int result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

    if (!result)
        result = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (result < 0)
        _exit(77);
    return result;
}

PLAIN static void hold(unsigned number)
{
    listener = filter(number, SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

PLAIN static unsigned long long next_held(void)
{
    struct seccomp_notif held_call;

    memset(&held_call, 0, sizeof held_call);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &held_call))
        _exit(77);
    return held_call.id;
}

PLAIN static void let_go(unsigned long long id)
{
    struct seccomp_notif_resp response = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};

    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Until the thread sleeps in the kernel, as /proc says. */
PLAIN static void await_sleep(int tid)
{
    char path[64], line[256], *state;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    for (;;) {
        FILE *file = fopen(path, "r");

        if (!file || !fgets(line, sizeof line, file) || !(state = strrchr(line, ')')))
            _exit(3);
        fclose(file);
        if (state[2] == 'S')
            return;
        usleep(1000);
    }
}

/* ---- A thread waits for the one that begins ---- */

/* Waits in the kernel, and does not keep a processor busy. */
PLAIN static void *call_once(void *unused)
{
    filter(SYS_sched_yield, SECCOMP_RET_KILL_PROCESS, 0);
    waiter = (int)syscall(SYS_gettid);
    leaf();
    return unused;
}

PLAIN static void *begin(void *number)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    hold((unsigned)(size_t)number);
    leaf();
    has_called = 1;
    for (;;)
        pause();
}

/* A thread begins counting, and is held in the middle of it; it is cancelled, or another one waits
 * for it. */
PLAIN static int wait_for_beginner(int is_cancelled)
{
    pthread_t other;
    unsigned long long id;

    listener = -1;
    pthread_create(&held, NULL, begin, (void *)(size_t)SYS_rt_sigaction);
    while (listener < 0)
        usleep(1000);
    id = next_held();
    if (is_cancelled) {
        pthread_cancel(held);
        let_go(id);
        let_go(next_held()); /* it asks for the action first, then sets it */
        pthread_join(held, NULL);
        leaf();
        return 0;
    }
    pthread_create(&other, NULL, call_once, NULL);
    while (!waiter)
        usleep(1000);
    await_sleep(waiter);
    let_go(id);
    let_go(next_held());
    pthread_join(other, NULL);
    while (!has_called) /* the other one may go on before this one's call is counted */
        usleep(1000);
    pthread_cancel(held);
    pthread_join(held, NULL);
    return 0;
}

/* ---- Arcs appear while a file is written ---- */

PLAIN static void *call_while_held(void *unused)
{
    unsigned long long id;

    while (listener < 0)
        usleep(1000);
    id = next_held();
    call_many();
    let_go(id);
    id = next_held();
    call_many_others();
    let_go(id);
    for (;;)
        let_go(next_held());
    return unused;
}

/* The writer allocates memory when it begins, and again before it reads the tables. */
PLAIN static int write_meanwhile(void)
{
    pthread_t other;

    if (!regmon_snapshot)
        return 77;
    listener = -1;
    pthread_create(&other, NULL, call_while_held, NULL);
    leaf();
    hold(SYS_mmap);
    if (regmon_snapshot())
        return 1;
    return (int)syscall(SYS_exit_group, 0); /* without another file */
}

PLAIN int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";

    alarm(100);
    if (!strcmp(how, "wait"))
        return wait_for_beginner(0);
    if (!strcmp(how, "cancel"))
        return wait_for_beginner(1);
    if (!strcmp(how, "write"))
        return write_meanwhile();
    return 99;
}
