/* signals HOW [NUMBER]: signals meet those of the library.  Ends with 0 if they do no harm.
   Samples are taken by signals like those of a thread's clock. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static void take_sample(void)
{
    siginfo_t info;

    memset(&info, 0, sizeof info);
    info.si_signo = SIGPROF;
    info.si_code = SI_TIMER;
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGPROF, &info))
        exit(10);
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

/* A child that resets all signals, as servers do before they start others, and then works.  With
   NUMBER, it asks the kernel itself.  Ends as the child does. */
static int reset_in_child(void)
{
    const char zeros[64] = {0};
    int status;
    pid_t child = fork();

    if (child) {
        waitpid(child, &status, 0);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
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
    if (!strcmp(how, "within"))
        return take_within();
    if (!strcmp(how, "reset"))
        return reset_in_child();
    if (!strcmp(how, "guard"))
        return !has_guard();
    return 99;
}
