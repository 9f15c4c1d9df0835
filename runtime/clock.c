/* clock.c - clocks of threads, which send the signal that takes samples.
   SPDX-License-Identifier: MIT

   A clock of each thread measures its CPU time.  The kernel looks at such clocks only when it
   ticks, 100 to 1,000 times a second, and reports how often the clock has expired meanwhile: a
   signal counts for as many samples. */
#include "clock.h"

#include <ucontext.h>

#include "actions.h"
#include "confined.h"
#include "kernel_time.h"
#include "memory.h"
#include "perf_clock.h"
#include "stack.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"

#define SECOND 1000000000u
#define KERNEL_CLOCK_PROCESS_CPUTIME 2
#define KERNEL_CLOCK_THREAD_CPUTIME 3
#define KERNEL_SIGEV_THREAD_ID 4
#define TICK_STEP                                                                                  \
    100000u /* nanoseconds: less than between two ticks, so that each sends a signal */

struct sys_sigevent {
    void *value;
    int number;
    int notify;
    int tid;
    int unused[11];
};

/* In nanoseconds. */
static uint64_t period_of_samples(void)
{
    return SECOND / regmon_state.config.hz;
}

/* ---- Weights ---- */

uint64_t clock_read(int clock)
{
    struct timespec now = {0, 0};

    (void)SYS2(__NR_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

uint64_t clock_of_process(void)
{
    return clock_read(KERNEL_CLOCK_PROCESS_CPUTIME);
}

/* Whether the code has just called the kernel. */
static bool is_after_system_call(uintptr_t pc)
{
    static const unsigned char call[] = SYSTEM_CALL;
    unsigned char before[sizeof call];

    if (memory_copy(before, pc - SYSTEM_CALL_BYTES, sizeof before) != sizeof before)
        return false;
    for (size_t i = 0; i < sizeof call; i++)
        if (before[i] != call[i])
            return false;
    return true;
}

/* CPU time of the current thread, by the kernel's count: in the program's code, and in all. */
#define KERNEL_CLOCK_OWN_USER (-8 | 5)
#define KERNEL_CLOCK_OWN_ALL (-8 | 4)

/* What the program's registers have, as one number. */
static uint64_t mixed_registers(const ucontext_t *context)
{
    uint64_t mixed = context_pc(context);

    for (unsigned i = 0; i < 32; i++)
        mixed = (mixed ^ context_register(context, i)) * 0x9e3779b97f4a7c15;
    return mixed;
}

/* Whether the tick has found the kernel at work for a sample: the program has not gone on since. */
static bool is_of_sample(const struct regmon_thread *thread, const ucontext_t *context)
{
    return thread->sampled_registers == mixed_registers(context) &&
           !is_after_system_call(context_pc(context));
}

static void read_tick(struct regmon_thread *thread, struct kernel_tick *tick)
{
    const uint64_t user = clock_read(KERNEL_CLOCK_OWN_USER);
    const uint64_t all = clock_read(KERNEL_CLOCK_OWN_ALL);

    tick->all = all - thread->all_time;
    tick->user = user - thread->user_time;
    thread->all_time = all;
    thread->user_time = user;
}

/* Under a filter of system calls, the kernel is not asked: a tick that comes when a system call
   returns has found the thread in it. */
static uint64_t weigh_tick(struct regmon_thread *thread, uint64_t elapsed, const void *context)
{
    struct kernel_tick tick = {elapsed, elapsed, 0};
    bool is_user = false;

    if (regmon_state.filter == FILTER_OWN)
        is_user = !is_after_system_call(context_pc(context));
    else {
        read_tick(thread, &tick);
        is_user = is_of_sample(thread, context);
    }
    if (is_user)
        tick.user = tick.all;
    return kernel_time_tick(&thread->kernel_time, tick, period_of_samples());
}

uint64_t clock_weight(const siginfo_t *info, const void *context)
{
    struct regmon_thread *thread = &regmon_thread;
    const bool has_perf = thread->self->perf_clock != NULL;
    const uint64_t expired = 1 + (uint64_t)info->si_overrun;

    if (info->si_code == SI_TIMER)
        return has_perf ? weigh_tick(thread, expired * TICK_STEP, context) : expired;
    if (info->si_code != POLL_IN || !has_perf)
        return 0;
    thread->sampled_registers = mixed_registers(context);
    kernel_time_sample(&thread->kernel_time, period_of_samples());
    return 1;
}

/* ---- Clocks of threads ---- */

/* Others than the program that regmon runs may have a reason, such as a sandbox. */
static void say_once(int *is_said, const char *what, long error)
{
    if (!__atomic_exchange_n(is_said, 1, __ATOMIC_RELAXED) && regmon_state.is_program)
        message(what, NULL, error);
}

/* Of 2^32, different for each number: the golden ratio divides a range evenly. */
static uint32_t part_of(uint64_t number)
{
    return (uint32_t)(number * 2654435769u);
}

/* The first sample comes after a part of a period that differs from thread to thread, so that
   threads shorter than a period have their share of samples, too. */
static uint64_t first_period(uint64_t period)
{
    const uint64_t number = __atomic_fetch_add(&regmon_process.threads, 1, __ATOMIC_RELAXED);

    return number ? 1 + (period - 1) * (part_of(number) >> 16) / 65536 : period;
}

static long set_timer(const struct thread *thread, uint64_t first, uint64_t period)
{
    struct itimerspec times = {.it_interval = {(time_t)(period / SECOND), (long)(period % SECOND)},
                               .it_value = {(time_t)(first / SECOND), (long)(first % SECOND)}};

    return SYS4(__NR_timer_settime, thread->timer, 0, &times, NULL);
}

/* Returns a negative error number, or 0. */
static long make_timer(struct thread *thread, int tid)
{
    struct sys_sigevent event = {
        .number = SAMPLE_SIGNAL, .notify = KERNEL_SIGEV_THREAD_ID, .tid = tid};
    const long error = SYS3(__NR_timer_create, KERNEL_CLOCK_THREAD_CPUTIME, &event, &thread->timer);

    thread->has_timer = error >= 0;
    return error < 0 ? error : 0;
}

/* A signal at each tick, from the next one on. */
static void start_ticks(const struct thread *thread)
{
    kernel_time_begin(&regmon_thread.kernel_time, part_of((uint64_t)thread->owner),
                      period_of_samples());
    read_tick(&regmon_thread, &(struct kernel_tick){0});
    (void)set_timer(thread, 1, TICK_STEP);
}

/* With the other clock beside it, for the time in the kernel. */
static bool start_perf_clock(struct thread *thread, int tid)
{
    long error = 0;

    thread->perf_clock = perf_clock_open(tid, period_of_samples(), &error);
    if (!thread->perf_clock) {
        if (regmon_state.config.has_clock) /* else nobody asked for it */
            say_once(&regmon_state.has_perf_failed, "no perf clock; clocks of threads are used",
                     error);
        return false;
    }
    if (!make_timer(thread, tid))
        start_ticks(thread);
    return true;
}

/* Each timer takes a signal of those that may be pending (ulimit -i). */
static void start_timer(struct thread *thread, int tid)
{
    const uint64_t period = period_of_samples();
    long error = make_timer(thread, tid);

    if (!error)
        error = set_timer(thread, first_period(period), period);
    if (error)
        say_once(&regmon_state.has_timers_failed, "some threads are not sampled: no timer", error);
}

/* The thread may have inherited a mask that blocks the signal, from one that the library does not
   know, or by an attribute. */
static void open_signal(void)
{
    const uint64_t bit = SAMPLE_BIT;
    uint64_t before = 0;

    (void)sys_sigmask(SIG_UNBLOCK, &bit, &before);
    if (before & SAMPLE_BIT)
        regmon_thread.blocks_sample = true;
}

/* The clock of a thread that has ended. */
static void stop_clock(struct thread *thread)
{
    if (thread->has_timer)
        (void)SYS1(__NR_timer_delete, thread->timer);
    if (thread->perf_clock)
        perf_clock_close(thread->perf_clock);
    thread->has_timer = 0;
    thread->perf_clock = NULL;
}

/* Memory that the handler has no time to get. */
static void make_space(struct thread *thread)
{
    if (regmon_state.config.has_stacks && !thread->stack_space)
        thread->stack_space = sys_map(sizeof(struct stack_space));
}

/* Whether threads tend to end before their clock expires, by what the record of one that has ended
   says.  A perf clock takes longer to open than such a thread lives. */
static bool are_short(struct thread *ended)
{
    enum { ENOUGH = 16, MOST = 64 };
    unsigned *count = &regmon_process.short_threads;
    const unsigned before = __atomic_load_n(count, __ATOMIC_RELAXED);
    unsigned now = before;

    if (ended->is_sampled)
        now = before / 2;
    else if (ended->has_timer && before < MOST)
        now = before + 1;
    ended->is_sampled = 0;
    __atomic_store_n(count, now, __ATOMIC_RELAXED);
    return now >= ENOUGH;
}

void clock_settle(void)
{
    struct thread *thread = regmon_thread.self;
    long error;

    thread->is_sampled = 1;
    if (!regmon_thread.is_brief || regmon_thread.is_paused)
        return;
    regmon_thread.is_brief = false;
    if (!confined_lets_begin())
        return;
    thread->perf_clock = perf_clock_open(thread->owner, period_of_samples(), &error);
    if (thread->perf_clock)
        start_ticks(thread);
}

void clock_start(struct thread *thread, int tid)
{
    const struct config *config = &regmon_state.config;
    bool wants_perf;

    if (!config->hz || !confined_lets_begin() || !actions_are_ours() ||
        __atomic_exchange_n(&regmon_thread.sampled, tid, __ATOMIC_RELAXED) == tid)
        return;
    wants_perf = config->clock != CLOCK_OF_THREAD && !regmon_state.has_perf_failed;
    regmon_thread.is_brief = wants_perf && are_short(thread);
    stop_clock(thread);
    make_space(thread);
    confined_note_stack(tid);
    if (!wants_perf || regmon_thread.is_brief || !start_perf_clock(thread, tid))
        start_timer(thread, tid);
    open_signal();
}

/* ---- exec ---- */

/* The kernel ends timers at exec, and removes their signals, but not those of perf clocks. */
void clock_pause(void)
{
    const uint64_t set = SAMPLE_BIT;
    const struct timespec now = {0, 0};
    struct thread *thread = regmon_thread.self;
    uint64_t mask;

    if (!thread || !thread->perf_clock) /* a child of fork may have called nothing */
        return;
    (void)sys_sigmask(SIG_BLOCK, &set, &mask);
    stop_clock(thread);
    regmon_thread.is_paused = true;
    while (SYS4(__NR_rt_sigtimedwait, &set, NULL, &now, SYS_SIGSET_BYTES) > 0)
        ;
    (void)sys_sigmask(SIG_SETMASK, &mask, NULL);
}

void clock_resume(void)
{
    if (regmon_thread.is_paused && actions_are_ours())
        (void)start_perf_clock(regmon_thread.self, regmon_thread.sampled);
    regmon_thread.is_paused = false;
}
