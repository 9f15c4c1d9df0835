/* signals HOW [NUMBER]: signals meet those of the library.  Ends with 0 if they do no harm.
   Samples are taken by signals like those of a thread's clock. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
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

/* What the kernel blocks, not what the library says. */
static void block_by_kernel(int how, const sigset_t *set)
{
    syscall(SYS_rt_sigprocmask, how, set, NULL, 8);
}

/* The kernel takes the signal of the smaller number first: the handler of samples has not begun
   when the other one arrives. */
static int arrive_together(void)
{
    sigset_t both;

    signal(SIGRTMIN, handle_large);
    sigemptyset(&both);
    sigaddset(&both, SIGSTKFLT);
    sigaddset(&both, SIGRTMIN);
    block_by_kernel(SIG_BLOCK, &both);
    take_sample();
    raise(SIGRTMIN);
    block_by_kernel(SIG_UNBLOCK, &both);
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
    siginfo_t info = {.si_signo = SIGSTKFLT, .si_code = SI_TIMER};
    const long pid = getpid(), tid = syscall(SYS_gettid);

#ifdef __x86_64__
    register siginfo_t *r10 __asm__("r10") = &info;
    long result = SYS_rt_tgsigqueueinfo;

    __asm__ volatile(
        "sub $128, %%rsp; push %%rbp; mov %5, %%rbp; syscall; pop %%rbp; add $128, %%rsp"
        : "+a"(result)
        : "D"(pid), "S"(tid), "d"((long)SIGSTKFLT), "r"(r10), "r"(unreadable)
        : "rcx", "r11", "memory");
#else
    register long x8 __asm__("x8") = SYS_rt_tgsigqueueinfo;
    register long x0 __asm__("x0") = pid;
    register long x1 __asm__("x1") = tid;
    register long x2 __asm__("x2") = SIGSTKFLT;
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

static int is_changed(const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (from[i] != MARK)
            return 1;
    return 0;
}

static int is_intact(void)
{
    return !is_changed(marked, MARKED);
}

/* An alternate stack of the program's, with so many bytes more than the kernel needs, or as few as
   it accepts. */
static void set_stack(long more)
{
    stack.ss_size = getauxval(AT_MINSIGSTKSZ) + (size_t)more;
    if (stack.ss_size < MINSIGSTKSZ)
        stack.ss_size = MINSIGSTKSZ;
    marked = mmap(NULL, MARKED + stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                  -1, 0);
    memset(marked, MARK, MARKED);
    stack.ss_sp = marked + MARKED;
    if (sigaltstack(&stack, NULL))
        exit(11);
}

/* On the alternate stack; leaves ROOM bytes below the kernel's record of SIGSTKFLT. */
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

/* A handler on an alternate stack that has room: samples are taken there, and only there.  Which
   bytes of it the kernel leaves as they are depends on the processor and on the registers in use.
 */
static int take_on_stack(void)
{
    char *low;

    set_stack(MARKED);
    low = stack.ss_sp;
    memset(low, MARK, stack.ss_size);
    take_sample();
    return !is_intact() || !is_changed(low, stack.ss_size) ? 1 : low[0] != MARK;
}

/* The kernel has no handler but that of samples, and no alternate stack. */
static int find_none(void)
{
    unsigned long action[20];

    for (int i = 1; i <= 64; i++)
        if (i != SIGSTKFLT && !syscall(SYS_rt_sigaction, i, NULL, action, 8) &&
            action[0] > 1) /* not ignored */
            return i;
    return syscall(SYS_sigaltstack, NULL, &stack) || stack.ss_flags != SS_DISABLE ? 99 : 0;
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

/* What all functions report is what was set, and the program's handler is called. */
static int ask_of(int n)
{
    const struct sigaction once = {.sa_handler = handle_other,
                                   .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_NODEFER)};
    struct sigaction old;

    if (!is_default(n) || signal(n, handle) != SIG_DFL || signal(n, SIG_IGN) != handle ||
        raise(n) || handled || signal(n, SIG_DFL) != SIG_IGN)
        return n;
    if (sigaction(n, &once, &old) || old.sa_handler != SIG_DFL || sigaction(n, NULL, &old) ||
        old.sa_handler != handle_other || flags_of(&old) != once.sa_flags)
        return n;
    raise(n);
    if (handled != -n || signal(n, handle) != SIG_DFL || kill(getpid(), n) || handled ||
        pthread_kill(pthread_self(), n) || handled != n)
        return n;
    if (signal(n, SIG_DFL) != handle)
        return n;
    handled = 0;
    return 0;
}

static int ask(void)
{
    return ask_of(SIGSTKFLT) || ask_of(SIGPROF) || ask_of(SIGTERM) ||
           sigaction(65, NULL, NULL) != -1 || errno != EINVAL || signal(SIGKILL, handle) != SIG_ERR;
}

static volatile siginfo_t told;

static void note_info(int number, siginfo_t *info, void *context)
{
    handled += number == SIGSTKFLT && context;
    told = *info;
}

/* A signal that somebody sends, while samples are taken. */
static int send_ours(void)
{
    const struct sigaction with_info = {.sa_sigaction = note_info, .sa_flags = SA_SIGINFO};
    const union sigval value = {.sival_int = 7};

    sigaction(SIGSTKFLT, &with_info, NULL);
    for (int i = 1; i <= 3; i++) {
        take_sample();
        if (sigqueue(getpid(), SIGSTKFLT, value) || handled != i || told.si_value.sival_int != 7 ||
            told.si_pid != getpid())
            return 1;
    }
    return 0;
}

/* It waits while the program blocks it. */
static int send_blocked(void)
{
    sigset_t one;

    sigemptyset(&one);
    sigaddset(&one, SIGSTKFLT);
    signal(SIGSTKFLT, handle);
    sigprocmask(SIG_BLOCK, &one, NULL);
    take_sample();
    raise(SIGSTKFLT);
    if (handled || sigpending(&one) || !sigismember(&one, SIGSTKFLT))
        return 1;
    sigemptyset(&one);
    sigprocmask(SIG_SETMASK, &one, NULL);
    take_sample();
    return handled != SIGSTKFLT;
}

/* What a child of vfork sets is its own. */
static int set_in_vfork(void)
{
    int status;
    pid_t child;

    signal(SIGSTKFLT, handle);
    child = vfork();
    if (!child)
        _exit(signal(SIGSTKFLT, SIG_DFL) != handle || signal(SIGSTKFLT, handle_other) != SIG_DFL ||
              signal(SIGSTKFLT, SIG_IGN) != handle_other);
    waitpid(child, &status, 0);
    if (status || raise(SIGSTKFLT) || handled != SIGSTKFLT)
        return 1;
    take_sample();
    return handled != SIGSTKFLT;
}

/* Ends as the child does. */
static int wait_for(pid_t child)
{
    int status;

    if (waitpid(child, &status, 0) != child)
        return 127;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
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

static int is_blocked(int number)
{
    sigset_t now;

    return !pthread_sigmask(SIG_SETMASK, NULL, &now) && sigismember(&now, number);
}

/* In a thread that has inherited a mask of all signals, or has it as attribute; then in one that
   sets it.  Only where the library is preloaded, a thread sees that it has inherited
   it. */
static void *take_blocked(void *result)
{
    sigset_t all;

    leaf(1);
    if ((!is_blocked(SIGSTKFLT) && getenv("LD_PRELOAD")) || !is_blocked(SIGTERM))
        return NULL;
    take_sample();
    sigfillset(&all);
    if (sigprocmask(SIG_UNBLOCK, &all, NULL) || is_blocked(SIGSTKFLT) || is_blocked(SIGTERM) ||
        pthread_sigmask(SIG_BLOCK, &all, NULL) || !is_blocked(SIGSTKFLT) || !is_blocked(SIGTERM))
        return NULL;
    take_sample();
    return result;
}

static int block_all(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;

    sigfillset(&all);
    pthread_attr_init(&attributes);
#ifdef __GLIBC__
    pthread_attr_setsigmask_np(&attributes, &all);
#else
    block_by_kernel(SIG_BLOCK, &all);
#endif
    for (int i = 0; i < 2; i++) {
        void *result = NULL;

        if (pthread_create(&thread, i ? NULL : &attributes, take_blocked, &all))
            return 1;
        pthread_join(thread, &result);
        if (!result)
            return 2 + i;
        pthread_sigmask(SIG_BLOCK, &all, NULL);
        if (pthread_sigmask(99, &all, NULL) != EINVAL || !is_blocked(SIGSTKFLT))
            return 4;
    }
    take_sample();
    return 0;
}

/* SIGPROF is the program's: it is blocked like any other signal, and a wait gets it. */
static int block_one(void)
{
    sigset_t set, pending;
    int number = 0;

    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    sigprocmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGPROF);
    if (sigpending(&pending) || !sigismember(&pending, SIGPROF) || sigwait(&set, &number) ||
        number != SIGPROF)
        return 1;
    signal(SIGPROF, handle);
    raise(SIGPROF);
    return handled || sigprocmask(SIG_UNBLOCK, &set, NULL) || handled != SIGPROF;
}

/* ---- Waits ---- */

static volatile int waiter, is_over;

static void send_sample(int tid)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_code = SI_TIMER;
    syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, SIGSTKFLT, &info);
}

/* Sends signals like those of a clock, and another one at last. */
static void *disturb(void *unused)
{
    for (int i = 0; i < 100; i++) {
        send_sample(waiter);
        usleep(100);
    }
    kill(getpid(), SIGUSR2);
    return unused;
}

static int wait_in(const char *how, const sigset_t *all)
{
    struct signalfd_siginfo read_info;
    const struct timespec long_time = {100, 0};
    siginfo_t info;
    int number = 0, fd;

    if (!strcmp(how, "sigwait"))
        return sigwait(all, &number) ? -1 : number;
    while (!strcmp(how, "sigwaitinfo"))
        if ((number = sigwaitinfo(all, &info)) >= 0 || errno != EINTR)
            return number;
    while (!strcmp(how, "sigtimedwait"))
        if ((number = sigtimedwait(all, &info, &long_time)) >= 0 || errno != EINTR)
            return number;
    fd = signalfd(-1, all, 0);
    return read(fd, &read_info, sizeof read_info) < 0 ? -1 : (int)read_info.ssi_signo;
}

/* A wait for all signals gets none of a clock. */
static int wait_for_all(const char *how)
{
    pthread_t thread;
    sigset_t all;
    int number;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    waiter = (int)syscall(SYS_gettid);
    pthread_create(&thread, NULL, disturb, NULL);
    number = wait_in(how, &all);
    pthread_join(thread, NULL);
    return number == SIGUSR2 ? 0 : number;
}

static void *wait_for_ever(void *unused)
{
    sigset_t all;
    int number;

    sigfillset(&all);
    is_over = 1;
    sigwait(&all, &number);
    return unused;
}

static int cancel_wait(void)
{
    void *result = NULL;
    pthread_t thread;

    pthread_create(&thread, NULL, wait_for_ever, NULL);
    while (!is_over)
        usleep(1000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    return result != PTHREAD_CANCELED;
}

/* ---- exec ---- */

/* The program that is executed inherits what this one has set.  After an exec that fails, samples
   are taken. */
static int exec_with(const char *how)
{
    sigset_t one;

    sigemptyset(&one);
    sigaddset(&one, SIGSTKFLT);
    if (strstr(how, "block"))
        sigprocmask(SIG_BLOCK, &one, NULL);
    if (strstr(how, "ignore"))
        signal(SIGSTKFLT, SIG_IGN);
    if (strstr(how, "handle"))
        signal(SIGSTKFLT, handle);
    if (strstr(how, "vfork") && vfork())
        return wait(NULL) < 0 || is_blocked(SIGSTKFLT) != (strstr(how, "block") != NULL);
    if (strstr(how, "restore"))
        sigprocmask(SIG_UNBLOCK, &one, NULL);
    if (strstr(how, "fails")) {
        execl("/nonexistent", "nothing", NULL);
        take_sample();
        return is_blocked(SIGSTKFLT) != (strstr(how, "block") != NULL);
    }
    execlp("grep", "grep", "^Sig[BI]", "/proc/self/status", NULL);
    return 1;
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
    if (!strcmp(how, "no-frame"))
        return take_in_thread();
    if (!strcmp(how, "within"))
        return take_within();
    if (!strcmp(how, "ask"))
        return ask();
    if (!strcmp(how, "none"))
        return find_none();
    if (!strcmp(how, "on-stack"))
        return take_on_stack();
    if (!strcmp(how, "send"))
        return send_ours();
    if (!strcmp(how, "send-blocked"))
        return send_blocked();
    if (!strcmp(how, "send-default"))
        return raise(SIGSTKFLT);
    if (!strncmp(how, "sig", 3))
        return wait_for_all(how);
    if (!strcmp(how, "cancel"))
        return cancel_wait();
    if (!strncmp(how, "exec", 4))
        return exec_with(how);
    if (!strcmp(how, "ask-vfork"))
        return set_in_vfork();
    if (!strcmp(how, "fork-vfork"))
        return vfork_in_child();
    if (!strcmp(how, "block"))
        return block_all();
    if (!strcmp(how, "block-one"))
        return block_one();
    if (!strcmp(how, "reset"))
        return reset_in_child();
    return 99;
}
