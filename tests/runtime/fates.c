/* fates HOW: calls leaf 1,000 times, then ends, or goes on, in a way after which no program can
   write a file.  What it has called by then is in the profile. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))
#define TEN(x) x x x x x x x x x x

__attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("");
}

/* From as many places: the table of the thread has to grow for them. */
PLAIN __attribute__((noinline)) static void call_from_1000_places(void)
{
    TEN(TEN(TEN(leaf();)))
}

PLAIN static void set_limit(int resource, rlim_t most)
{
    const struct rlimit limit = {most, most};

    setrlimit(resource, &limit);
}

/* ---- Signals ---- */

PLAIN static void *fault(void *unused)
{
    *(volatile int *)8 = 1;
    return unused;
}

PLAIN static void block_all_and_fault(void)
{
    pthread_t thread;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&thread, NULL, fault, NULL);
    pthread_join(thread, NULL);
}

PLAIN static void return_at_once(int number)
{
    (void)number;
}

static sigjmp_buf before;

PLAIN static void jump(int number)
{
    (void)number;
    siglongjmp(before, 1);
}

PLAIN __attribute__((noinline)) static int overflow(volatile char *above)
{
    volatile char room[4096];

    room[0] = above ? above[0] : 0;
    return overflow(room) + room[0];
}

PLAIN static void jump_and_overflow(void)
{
    signal(SIGUSR1, jump);
    if (!sigsetjmp(before, 1))
        raise(SIGUSR1);
    overflow(NULL);
}

/* ---- Filters of system calls ---- */

PLAIN static void confine_strictly(void)
{
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
        _exit(77);
    call_from_1000_places();
    syscall(SYS_exit, 0);
}

/* Every other system call raises SIGSYS, but that by which the handler of a sample returns. */
PLAIN static void confine_by_filter(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof *code, code};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(77);
    call_from_1000_places();
    _exit(0);
}

/* ---- Processes ---- */

/* Each child ends as no other program sees it. */
PLAIN static void make_children(void)
{
    for (int i = 0; i < 5; i++)
        if (!fork()) {
            for (int k = 0; k <= i; k++)
                leaf();
            raise(SIGKILL);
        }
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    exit(0);
}

PLAIN static void become_daemon(void)
{
    if (daemon(0, 0))
        _exit(1);
    for (int i = 0; i < 77; i++)
        leaf();
    raise(SIGKILL);
}

extern char **environ;

/* Servers write their title over their environment; then they fork. */
PLAIN static void overwrite_environment(void)
{
    for (char **entry = environ; *entry; entry++)
        memset(*entry, 0, strlen(*entry));
    make_children();
}

PLAIN static void enter_root(void)
{
    if (mkdir("root", 0700) || chroot("root") || chdir("/"))
        _exit(77);
    raise(SIGKILL);
}

PLAIN static void use_all_descriptors(void)
{
    set_limit(RLIMIT_NOFILE, 20);
    while (dup(0) >= 0)
        ;
    exit(0);
}

PLAIN static void close_all(void)
{
    for (int i = 0; i < 1024; i++)
        close(i);
    exit(0);
}

PLAIN static void limit_memory(void)
{
    if (mlockall(MCL_CURRENT))
        _exit(77);
    set_limit(RLIMIT_AS, (rlim_t)1 << 20);
    call_from_1000_places();
    exit(0);
}

/* ---- While it lives ---- */

/* Tells that it has called, and waits to be ended. */
PLAIN static void wait_for_end(void)
{
    if (write(STDOUT_FILENO, "called\n", 7) != 7)
        _exit(1);
    for (;;)
        pause();
}

/* Each thread counts in MINE, too, until the process is killed. */
static volatile unsigned long *mine;

__attribute__((noinline)) void counted(size_t thread)
{
    mine[thread * 16]++;
}

PLAIN static void *count_on(void *thread)
{
    for (;;)
        counted((size_t)thread);
    return NULL;
}

PLAIN static void count_in_threads(void)
{
    const int fd = open("counted", O_RDWR | O_CREAT, 0600);
    pthread_t thread;

    if (fd < 0 || ftruncate(fd, 4096))
        _exit(1);
    mine = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    for (size_t i = 0; i < 3; i++)
        pthread_create(&thread, NULL, count_on, (void *)i);
    while (!mine[0] || !mine[16] || !mine[32])
        usleep(1000);
    wait_for_end();
}

/* In a control group with a limit, but for what goes into swap. */
PLAIN static void exhaust_memory(void)
{
    for (int i = 0; i < 512; i++)
        memset(malloc(1 << 20), 1, 1 << 20);
    _exit(77);
}

static const struct fate {
    const char *name;
    void (*function)(void);
} fates[] = {
    {"blocked", block_all_and_fault},
    {"jump", jump_and_overflow},
    {"strict", confine_strictly},
    {"filter", confine_by_filter},
    {"children", make_children},
    {"title", overwrite_environment},
    {"daemon", become_daemon},
    {"root", enter_root},
    {"descriptors", use_all_descriptors},
    {"closed", close_all},
    {"memory", limit_memory},
    {"wait", wait_for_end},
    {"storm", count_in_threads},
    {"exhausted", exhaust_memory},
};

PLAIN int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";

    for (int i = 0; i < 1000; i++)
        leaf();
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++)
        if (!strcmp(how, fates[i].name))
            fates[i].function();
    if (!strcmp(how, "kill"))
        raise(SIGKILL);
    if (!strcmp(how, "group"))
        kill(0, SIGKILL);
    if (!strcmp(how, "time")) {
        set_limit(RLIMIT_CPU, 1);
        for (;;)
            ;
    }
    if (!strcmp(how, "abort")) {
        signal(SIGABRT, return_at_once);
        abort();
    }
    if (!strcmp(how, "heap")) {
        char *volatile block = malloc(2000);

        free(block);
        memset(block - 16, 1, 32);
        free(block);
    }
    if (!strcmp(how, "exit_group"))
        syscall(SYS_exit_group, 9);
    return 0;
}
