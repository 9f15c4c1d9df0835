/* confined HOW: goes where less is possible than at its start, and calls leaf 1,000 times; its
   children, 10 times. Ends with 0, or with 77 if it may not go there. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perf_clocks.h"
#include "sample.h"

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static void call(int n)
{
    while (n-- > 0)
        leaf(n);
}

/* System calls of the library once a filter is set: regmon.1 lists them. */
static const int of_library[] = {
    SYS_clock_gettime, SYS_close,           SYS_exit_group,    SYS_fstat,          SYS_futex,
    SYS_getpid,        SYS_gettid,          SYS_madvise,       SYS_mmap,           SYS_mprotect,
    SYS_munmap,        SYS_nanosleep,       SYS_newfstatat,    SYS_prlimit64,      SYS_read,
    SYS_renameat2,     SYS_rt_sigaction,    SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigreturn,
    SYS_unlinkat,      SYS_rt_sigtimedwait, SYS_tgkill,        SYS_write,          SYS_openat,
};

/* What this program and the C library need. */
static const int of_program[] = {
    SYS_brk,       SYS_clone,          SYS_clone3,       SYS_exit,     SYS_exit_group,
    SYS_futex,     SYS_madvise,        SYS_mmap,         SYS_mprotect, SYS_munmap,
    SYS_getrandom, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rseq,     SYS_set_robust_list,
    SYS_write,     SYS_rt_sigaction,
};

static struct sock_filter code[3 + 2 * 64];

static void allow(const int *calls, size_t count, unsigned short *used)
{
    for (size_t i = 0; i < count; i++) {
        code[(*used)++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1);
        code[(*used)++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
}

#define LENGTH(list) (sizeof(list) / sizeof *(list))
#define FOUR(x) x x x x

/* So many arcs that the table grows. */
static void *call_many(void *unused)
{
    FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(leaf(1);))))))
    return unused;
}

/* Other calls than the program's and so many of the library's get the action.  Then two threads
   begin, work and end, one after the other. */
static int be_filtered(unsigned action, size_t of_others)
{
    struct sock_fprog filter = {0, code};
    pthread_t thread;

    code[filter.len++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    allow(of_program, LENGTH(of_program), &filter.len);
    allow(of_library, of_others, &filter.len);
    code[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
        return 77;
    for (int i = 0; i < 2; i++) /* the second one takes over the table and the clock of the first */
        if (pthread_create(&thread, NULL, call_many, NULL) || pthread_join(thread, NULL))
            return 1;
    return 0;
}

static volatile int trapped;

static void count_trap(int number)
{
    trapped += number == SIGSYS;
}

/* Threads begin under a filter: they get no clock. */
static int lose_counters(void)
{
    struct sock_filter trap[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {LENGTH(trap), trap};
    pthread_t thread;

    signal(SIGSYS, count_trap);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
        return 77;
    for (int i = 0; i < 5; i++)
        if (pthread_create(&thread, NULL, call_many, NULL) || pthread_join(thread, NULL))
            return 1;
    return trapped;
}

static int samples_taken;

static int take_in_comparison(const void *a, const void *b)
{
    take_sample();
    samples_taken++;
    return *(const char *)a - *(const char *)b;
}

/* The filter ends the program if the library makes a system call: HOW it is set. */
static int take_under_filter(const char *how)
{
    static const int of_samples[] = {SYS_getpid, SYS_gettid, SYS_rt_tgsigqueueinfo};
    struct sock_fprog filter = {0, code};
    char letters[] = "sandbox";

    code[filter.len++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    allow(of_program, LENGTH(of_program) - 1, &filter.len); /* but not rt_sigaction */
    allow(of_samples, LENGTH(of_samples), &filter.len);
    code[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    take_sample(); /* the first one makes the table of stacks */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        (!strcmp(how, "sandbox") ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)
                                 : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter)))
        return 77;
    qsort(letters, strlen(letters), 1, take_in_comparison);
    for (volatile int i = 0; i < 300000000; i++) /* clocks tick meanwhile */
        ;
    syscall(SYS_exit_group, samples_taken > 0 ? 0 : 1);
    return 1;
}

static void *take_deep(void *result)
{
    volatile char frame[1 << 20];

    frame[0] = 1;
    take_sample();
    return frame[0] ? NULL : result;
}

static int take_in_thread(void)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, take_deep, NULL) || pthread_join(thread, NULL);
}

/* Executes the program itself under a filter that ends it if it copies memory. */
static int inherit_filter(char *self)
{
    struct sock_filter kill[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {LENGTH(kill), kill};

    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
        !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
        execl(self, self, "deep", NULL);
    return 77;
}

/* Two children, one after the other, each of which is process 1 of its namespace. */
static int have_namesakes(void)
{
    usleep(20000); /* clocks of file systems are behind by a tick */
    for (int i = 0; i < 2; i++) {
        int status;
        pid_t maker = fork(), child;

        if (!maker) {
            if (unshare(CLONE_NEWPID) && (unshare(CLONE_NEWUSER) || unshare(CLONE_NEWPID)))
                _exit(77);
            child = fork();
            if (!child) {
                call(10);
                _exit(0);
            }
            if (waitpid(child, &status, 0) != child || status)
                _exit(1);
            _exit(0);
        }
        if (waitpid(maker, &status, 0) != maker || status)
            return WEXITSTATUS(status);
    }
    return 0;
}

#define REFUSED 20 /* threads */

static pthread_barrier_t barrier;

__attribute__((no_instrument_function)) static void *call_after_barrier(void *unused)
{
    pthread_barrier_wait(&barrier);
    leaf(1);
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *call_ten(void *unused)
{
    call(10);
    return unused;
}

/* Threads begin while there are no addresses for their tables, and another one when there are
 * again. */
static int lack_addresses(void)
{
    pthread_t threads[REFUSED], late;
    struct rlimit usual, none;

    pthread_barrier_init(&barrier, NULL, REFUSED + 1);
    for (int i = 0; i < REFUSED; i++)
        if (pthread_create(&threads[i], NULL, call_after_barrier, NULL))
            return 77;
    getrlimit(RLIMIT_AS, &usual);
    none = usual;
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    setrlimit(RLIMIT_AS, &usual);
    for (int i = 0; i < REFUSED; i++)
        pthread_join(threads[i], NULL);
    return pthread_create(&late, NULL, call_ten, NULL) || pthread_join(late, NULL);
}

/* A thread begins where it can open no file, and so gets no perf clock; it has none after an exec
 * that fails either. */
__attribute__((no_instrument_function)) static void *exec_without_clock(void *result)
{
    char *words[] = {"nothing", NULL};
    struct rlimit usual, none;
    int before;

    getrlimit(RLIMIT_NOFILE, &usual);
    none = usual;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
    leaf(1);
    setrlimit(RLIMIT_NOFILE, &usual);
    before = count_perf_clocks();
    execv("/nonexistent", words);
    return count_perf_clocks() == before ? NULL : result;
}

static int fail_to_exec(void)
{
    pthread_t thread;
    void *result = NULL;

    return pthread_create(&thread, NULL, exec_without_clock, &thread) ||
           pthread_join(thread, &result) || result;
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    int result = 99;

    if (!strcmp(how, "chroot"))
        result = chroot(".") ? 77 : 0;
    if (!strcmp(how, "refused"))
        result = be_filtered(SECCOMP_RET_ERRNO | EPERM, 0);
    if (!strcmp(how, "unwritten"))
        result = be_filtered(SECCOMP_RET_ERRNO | EPERM, LENGTH(of_library) - 1);
    if (!strcmp(how, "killed"))
        result = be_filtered(SECCOMP_RET_KILL_PROCESS, LENGTH(of_library));
    if (!strcmp(how, "counters"))
        result = lose_counters();
    if (!strncmp(how, "sandbox", 7))
        result = take_under_filter(how);
    if (!strcmp(how, "deep"))
        result = take_in_thread();
    if (!strcmp(how, "inherited"))
        result = inherit_filter(words[0]);
    if (!strcmp(how, "stay"))
        result = 0;
    if (!strcmp(how, "addresses"))
        result = lack_addresses();
    if (!strcmp(how, "exec"))
        result = fail_to_exec();
    if (!strcmp(how, "namesakes"))
        result = have_namesakes();
    call(1000);
    if (!strcmp(how, "again"))
        execl(words[0], words[0], "stay", NULL);
    return result;
}
