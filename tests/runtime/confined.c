/* confined HOW: goes where less is possible than at its start, and calls leaf 1,000 times; its
   children, 10 times. Ends with 0, or with 77 if it may not go there. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
    SYS_clock_gettime,
    SYS_close,
    SYS_exit_group,
    SYS_fstat,
    SYS_futex,
    SYS_getpid,
    SYS_gettid,
    SYS_madvise,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_nanosleep,
    SYS_newfstatat,
    SYS_prlimit64,
    SYS_process_vm_readv,
    SYS_read,
    SYS_renameat2,
    SYS_rt_sigaction,
    SYS_rt_sigpending,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_tgkill,
    SYS_timer_settime,
    SYS_unlinkat,
    SYS_write,
    SYS_openat,
    SYS_timer_create,
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

/* Other calls than the program's and so many of the library's get the action.  Then a thread
   begins, works and ends. */
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
    return pthread_create(&thread, NULL, call_many, NULL) || pthread_join(thread, NULL);
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

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";
    int result = 99;

    if (!strcmp(how, "chroot"))
        result = chroot(".") ? 77 : 0;
    if (!strcmp(how, "refused"))
        result = be_filtered(SECCOMP_RET_ERRNO | EPERM, 0);
    if (!strcmp(how, "unwritten"))
        result = be_filtered(SECCOMP_RET_ERRNO | EPERM, LENGTH(of_library) - 2);
    if (!strcmp(how, "killed"))
        result = be_filtered(SECCOMP_RET_KILL_PROCESS, LENGTH(of_library));
    if (!strcmp(how, "stay"))
        result = 0;
    if (!strcmp(how, "namesakes"))
        result = have_namesakes();
    call(1000);
    return result;
}
