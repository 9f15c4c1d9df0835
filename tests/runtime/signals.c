/* signals HOW [NUMBER]: signals meet those of the library.  Ends with 0 if they do no harm.
   Samples are taken by signals like those of a thread's clock. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sample.h"

#define LARGE (100 << 10)
#define MARK 0x5a
#define MARKED (64 << 10)

static volatile int handled, is_elsewhere;
static char *main_frame;

__attribute__((noinline)) int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

/* A handler that needs much of the stack, and expects to be on that of the program. */
static void handle_large(int number)
{
    volatile char frame[LARGE];

    (void)number;
    for (int i = LARGE - 1; i >= 0; i -= 512)
        frame[i] = 1;
    is_elsewhere = labs((char *)frame - main_frame) > 4 * LARGE;
    handled++;
}

/* The kernel takes the signal of the smaller number first: the handler of SIGPROF has not begun
   when the other one arrives. */
static int arrive_together(void)
{
    sigset_t both;

    signal(SIGRTMIN, handle_large);
    sigemptyset(&both);
    sigaddset(&both, SIGPROF);
    sigaddset(&both, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &both, NULL);
    take_sample();
    raise(SIGRTMIN);
    sigprocmask(SIG_UNBLOCK, &both, NULL);
    return handled != 1 ? 1 : is_elsewhere ? 2 : 0;
}

__attribute__((noinline)) static int take_deep(int depth)
{
    if (depth)
        return take_deep(depth - 1) + 1;
    for (int i = 0; i < 3; i++)
        take_sample();
    return 0;
}

/* A frame pointer like none of the program's: above the stack pointer, near it, and where memory
   cannot be read.  The thread's stack ends there. */
static void *take_without_frame(void *unreadable)
{
    siginfo_t info = {.si_signo = SIGPROF, .si_code = SI_TIMER};
    const long pid = getpid(), tid = syscall(SYS_gettid);

#ifdef __x86_64__
    register siginfo_t *r10 __asm__("r10") = &info;
    long result = SYS_rt_tgsigqueueinfo;

    __asm__ volatile(
        "sub $128, %%rsp; push %%rbp; mov %5, %%rbp; syscall; pop %%rbp; add $128, %%rsp"
        : "+a"(result)
        : "D"(pid), "S"(tid), "d"((long)SIGPROF), "r"(r10), "r"(unreadable)
        : "rcx", "r11", "memory");
#else
    register long x8 __asm__("x8") = SYS_rt_tgsigqueueinfo;
    register long x0 __asm__("x0") = pid;
    register long x1 __asm__("x1") = tid;
    register long x2 __asm__("x2") = SIGPROF;
    register siginfo_t *x3 __asm__("x3") = &info;
    long result;

    __asm__ volatile("mov x19, x29; mov x29, %6; svc 0; mov x29, x19; mov %0, x0"
                     : "=r"(result), "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(unreadable)
                     : "x19", "memory");
#endif
    return result ? unreadable : NULL;
}

static int take_in_thread(void)
{
    const size_t half = 256 << 10;
    char *memory = mmap(NULL, 2 * half, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *result = memory;
    pthread_attr_t attributes;
    pthread_t thread;

    mprotect(memory, half, PROT_READ | PROT_WRITE);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, memory, half) ||
        pthread_create(&thread, &attributes, take_without_frame, memory + half + 64))
        return 1;
    pthread_join(thread, &result);
    return result != NULL;
}

static char *marked;
static stack_t stack;
static long room;

static int is_intact(void)
{
    for (int i = 0; i < MARKED; i++)
        if (marked[i] != MARK)
            return 0;
    return 1;
}

/* An alternate stack of the program's, with so many bytes more than the kernel needs. */
static void set_stack(long more)
{
    stack.ss_size = getauxval(AT_MINSIGSTKSZ) + (size_t)more;
    marked = mmap(NULL, MARKED + stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                  -1, 0);
    memset(marked, MARK, MARKED);
    stack.ss_sp = marked + MARKED;
    if (sigaltstack(&stack, NULL))
        exit(11);
}

/* On the alternate stack; leaves ROOM bytes below the kernel's record of SIGPROF. */
static void handle_within(int number)
{
    char *here = __builtin_frame_address(0), *low = stack.ss_sp;
    const long record = low + stack.ss_size - here;
    volatile char *rest = __builtin_alloca((size_t)(here - low - record - room));

    rest[0] = (char)number;
    take_sample();
}

static int take_within(void)
{
    struct sigaction action = {.sa_handler = handle_within, .sa_flags = SA_ONSTACK};

    set_stack(MARKED);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    return !is_intact();
}

static int has_guard(void)
{
    int ends[2];

    if (syscall(SYS_sigaltstack, NULL, &stack) || stack.ss_flags & SS_DISABLE || pipe(ends))
        return 0;
    return write(ends[1], stack.ss_sp, 1) == 1 && write(ends[1], (char *)stack.ss_sp - 1, 1) < 0 &&
           errno == EFAULT;
}

static void handle(int number)
{
    handled += number;
}

static void handle_other(int number)
{
    handled -= number;
}

/* Without SA_RESTORER, which some C libraries show. */
static int flags_of(const struct sigaction *action)
{
    return action->sa_flags & ~0x04000000;
}

static int is_default(int number)
{
    struct sigaction now;

    return !sigaction(number, NULL, &now) && now.sa_handler == SIG_DFL && flags_of(&now) == 0;
}

/* What all functions report is what was set, for each signal that the library handles. */
static int ask(void)
{
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                                  SIGFPE,  SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
                                  SIGXCPU, SIGXFSZ, SIGIO,   SIGSYS,  SIGPROF};
    const int count = sizeof numbers / sizeof *numbers;

    for (int i = 0; i < count; i++) {
        const int n = numbers[i];
        const struct sigaction with_stack = {.sa_handler = handle_other,
                                             .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
        struct sigaction old;

        if (!is_default(n) || signal(n, handle) != SIG_DFL || signal(n, SIG_IGN) != handle ||
            sigset(n, SIG_DFL) != SIG_IGN || !is_default(n))
            return n;
        if (sigaction(n, &with_stack, &old) || old.sa_handler != SIG_DFL ||
            sigaction(n, NULL, &old) || old.sa_handler != handle_other ||
            flags_of(&old) != with_stack.sa_flags)
            return n;
        handled = 0;
        raise(n);
        if (handled != -n || signal(n, SIG_DFL) != SIG_DFL)
            return n;
        if (sigset(n, SIG_HOLD) != SIG_DFL || sigset(n, handle) != SIG_HOLD || siginterrupt(n, 0) ||
            sigaction(n, NULL, &old) || flags_of(&old) != SA_RESTART ||
            sigset(n, SIG_DFL) != handle || !is_default(n))
            return n;
    }
    return sigaction(65, NULL, NULL) != -1 || errno != EINVAL || signal(SIGKILL, handle) != SIG_ERR;
}

/* The program has no alternate stack, and its handler asks for one: it runs on the usual one.  Then
   the program sets and queries one. */
static int ask_for_stack(void)
{
    const struct sigaction with_stack = {.sa_handler = handle_large, .sa_flags = SA_ONSTACK};
    stack_t old, none = {.ss_flags = SS_DISABLE};

    if (sigaltstack(NULL, &old) || old.ss_flags != SS_DISABLE)
        return 1;
    sigaction(SIGUSR1, &with_stack, NULL);
    raise(SIGUSR1);
    raise(SIGUSR1);
    if (handled != 2 || is_elsewhere)
        return 2;
    set_stack(4 * LARGE);
    if (sigaltstack(NULL, &old) || old.ss_sp != stack.ss_sp || old.ss_flags)
        return 3;
    raise(SIGUSR1);
    if (handled != 3 || !is_elsewhere || sigaltstack(&none, &old) || old.ss_sp != stack.ss_sp ||
        sigaltstack(NULL, &old) || old.ss_flags != SS_DISABLE)
        return 4;
    raise(SIGUSR1);
    return handled != 4 || is_elsewhere ? 5 : 0;
}

/* What a child of vfork sets is its own. */
static int set_in_vfork(void)
{
    const struct sigaction with_stack = {.sa_handler = handle_large, .sa_flags = SA_ONSTACK};
    struct sigaction now;
    int status;
    pid_t child;

    sigaction(SIGTERM, &with_stack, NULL);
    child = vfork();
    if (!child)
        _exit(signal(SIGTERM, SIG_DFL) != handle_large || signal(SIGTERM, handle) != SIG_DFL ||
              signal(SIGINT, SIG_DFL) != SIG_DFL);
    waitpid(child, &status, 0);
    if (status || sigaction(SIGTERM, NULL, &now) || now.sa_handler != handle_large ||
        !is_default(SIGINT))
        return 1;
    raise(SIGTERM);
    return handled != 1;
}

/* Ends as the child does. */
static int wait_for(pid_t child)
{
    int status;

    if (waitpid(child, &status, 0) != child)
        return 127;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A child of fork has no alternate stack either, before and after its first profiled call. */
static int ask_in_child(void)
{
    const struct sigaction with_stack = {.sa_handler = handle_large, .sa_flags = SA_ONSTACK};
    const pid_t child = fork();
    stack_t old;

    if (child)
        return wait_for(child);
    sigaction(SIGUSR1, &with_stack, NULL);
    for (int i = 1; i <= 2; i++) {
        if (sigaltstack(NULL, &old) || old.ss_flags != SS_DISABLE)
            return 1;
        raise(SIGUSR1);
        if (handled != i || is_elsewhere)
            return 2;
        leaf(1);
    }
    return 0;
}

/* The state of a child of fork is not changed by a child of vfork, whose calls are not counted. */
static int vfork_in_child(void)
{
    const pid_t child = fork();
    pid_t second;

    if (child)
        return wait_for(child);
    if (set_in_vfork())
        return 1;
    second = vfork();
    if (!second) {
        leaf(1);
        _exit(0);
    }
    return wait_for(second) ? 2 : leaf(1) - 2;
}

/* As programs end after they have cleaned up. */
static int end_by_default(void)
{
    signal(SIGTERM, handle);
    raise(SIGTERM);
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
    return 1;
}

/* The kernel refuses to set the action of SIGUSR1 from now on. */
static int refuse_usr1(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGUSR1, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof code / sizeof *code, code};

    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

/* The handler stays the program's until the kernel has the one for the default action. */
static int fail_to_reset(void)
{
    const struct sigaction with_stack = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

    sigaction(SIGUSR1, &with_stack, NULL);
    if (!refuse_usr1())
        return 77;
    if (signal(SIGUSR1, SIG_DFL) != SIG_ERR || errno != EPERM)
        return 1;
    raise(SIGUSR1);
    return handled != SIGUSR1;
}

static void handle_and_raise(int number)
{
    handled++;
    raise(number);
}

/* The handler restores the default action, which ends the program. */
static int end_by_reset(void)
{
    const struct sigaction once = {.sa_handler = handle_and_raise, .sa_flags = (int)SA_RESETHAND};

    sigaction(SIGTERM, &once, NULL);
    raise(SIGTERM);
    return handled;
}

/* Waits until a snapshot has been written, 60 seconds at most; no wait returns early. */
static int wait_for_snapshot(void)
{
    for (int i = 0; i < 60 && access("gmon.out", F_OK); i++)
        if (poll(NULL, 0, 700) || usleep(700000))
            return 1;
    return access("gmon.out", F_OK) ? 2 : 0;
}

static int is_blocked(int number)
{
    sigset_t now;

    return !pthread_sigmask(SIG_SETMASK, NULL, &now) && sigismember(&now, number);
}

/* In a thread that has inherited a mask of all signals; then in one that sets it. */
static void *take_blocked(void *result)
{
    sigset_t all;

    leaf(1);
    if (!is_blocked(SIGPROF) || !is_blocked(SIGTERM))
        return NULL;
    take_sample();
    sigfillset(&all);
    if (sigprocmask(SIG_UNBLOCK, &all, NULL) || is_blocked(SIGPROF) || is_blocked(SIGTERM) ||
        pthread_sigmask(SIG_BLOCK, &all, NULL) || !is_blocked(SIGPROF) || !is_blocked(SIGTERM))
        return NULL;
    take_sample();
    return result;
}

static int block_all(void)
{
    void *result = NULL;
    pthread_t thread;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    if (pthread_sigmask(99, &all, NULL) != EINVAL ||
        pthread_create(&thread, NULL, take_blocked, &all))
        return 1;
    pthread_join(thread, &result);
    if (!result || !is_blocked(SIGPROF))
        return 2;
    take_sample();
    return 0;
}

static void *ask_blocked(void *result)
{
    leaf(1);
    return is_blocked(SIGPROF) && syscall(SYS_tkill, syscall(SYS_gettid), SIGPROF) == 0 && !handled
               ? result
               : NULL;
}

/* SIGPROF is blocked like any other signal: it waits, in a thread that has inherited the mask, too,
   and sigwait gets it.  A handler of the program's does not run in a thread that blocks all. */
static int block_one(void)
{
    void *result = NULL;
    sigset_t set, old, pending;
    pthread_t thread;
    int number = 0;

    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    sigprocmask(SIG_BLOCK, &set, &old);
    kill(getpid(), SIGPROF);
    if (sigpending(&pending) || !sigismember(&pending, SIGPROF) || sigwait(&set, &number) ||
        number != SIGPROF)
        return 1;
    signal(SIGPROF, handle);
    raise(SIGPROF);
    if (handled || pthread_create(&thread, NULL, ask_blocked, &set))
        return 2;
    pthread_join(thread, &result);
    if (!result || handled || sigprocmask(SIG_SETMASK, &old, NULL) || handled != SIGPROF)
        return 3;
    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGPROF);
    return handled != SIGPROF || pthread_sigmask(SIG_UNBLOCK, &set, NULL) || handled != 2 * SIGPROF
               ? 4
               : 0;
}

/* A child that resets all signals, as servers do before they start others, and then works.  With
   NUMBER, it asks the kernel itself.  Ends as the child does. */
static int reset_in_child(void)
{
    const char zeros[64] = {0};
    const pid_t child = fork();

    if (child)
        return wait_for(child);
    for (int i = 1; i <= 64; i++)
        if (room)
            syscall(SYS_rt_sigaction, i, zeros, NULL, 8);
        else
            signal(i, SIG_DFL);
    leaf(1);
    while (clock() < CLOCKS_PER_SEC / 10)
        ;
    return 0;
}

int main(int count, char **words)
{
    const char *how = count > 1 ? words[1] : "";

    room = count > 2 ? atol(words[2]) : 0;
    main_frame = (char *)&how;
    leaf(1);
    if (!strcmp(how, "together"))
        return arrive_together();
    if (!strcmp(how, "small")) {
        set_stack(room);
        take_deep(200);
        return !is_intact();
    }
    if (!strcmp(how, "small-end")) {
        set_stack(room);
        kill(getpid(), SIGTERM);
    }
    if (!strcmp(how, "no-frame"))
        return take_in_thread();
    if (!strcmp(how, "within"))
        return take_within();
    if (!strcmp(how, "ask"))
        return ask();
    if (!strcmp(how, "ask-stack"))
        return ask_for_stack();
    if (!strcmp(how, "ask-vfork"))
        return set_in_vfork();
    if (!strcmp(how, "ask-fork"))
        return ask_in_child();
    if (!strcmp(how, "fork-vfork"))
        return vfork_in_child();
    if (!strcmp(how, "default"))
        return end_by_default();
    if (!strcmp(how, "default-once"))
        return end_by_reset();
    if (!strcmp(how, "default-fails"))
        return fail_to_reset();
    if (!strcmp(how, "wait"))
        return wait_for_snapshot();
    if (!strcmp(how, "block"))
        return block_all();
    if (!strcmp(how, "block-one"))
        return block_one();
    if (!strcmp(how, "reset"))
        return reset_in_child();
    if (!strcmp(how, "guard"))
        return !has_guard();
    return 99;
}
