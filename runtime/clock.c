/* clock.c - clocks that send SIGPROF: of each thread, of the process, and for snapshots at
   intervals. SPDX-License-Identifier: MIT

   A clock of each thread measures its CPU time.  The kernel looks at such clocks only when it
   ticks, 100 to 1,000 times a second, and reports how often the clock has expired meanwhile: a
   signal counts for as many samples. */
#include "clock.h"

#include <errno.h>
#include <sys/time.h>

#include "memory.h"
#include "perf_clock.h"
#include "signal_stack.h"
#include "state.h"
#include "sys.h"
#include "table.h"
#include "text.h"

#define SECOND 1000000000u
#define KERNEL_CLOCK_PROCESS_CPUTIME 2
#define KERNEL_CLOCK_THREAD_CPUTIME 3
#define KERNEL_SIGEV_THREAD_ID 4

struct sys_sigevent {
    void *value;
    int number;
    int notify;
    int tid;
    int unused[11];
};

/* Whether SIGPROF arrives at this library.  A child may have reset its signals: then a clock would
   end it. */
static bool is_handled(void)
{
    struct sys_sigaction now = {NULL, 0, 0};

    return regmon_state.is_sampling && sys_sigaction(SIGPROF, NULL, &now) == 0 &&
           now.handler == regmon_state.handlers->sample;
}

/* ---- Weights ---- */

static uint64_t read_clock(int clock)
{
    struct timespec now = {0, 0};

    (void)SYS2(__NR_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

uint64_t clock_of_thread(void)
{
    return read_clock(KERNEL_CLOCK_THREAD_CPUTIME);
}

uint64_t clock_of_process(void)
{
    return read_clock(KERNEL_CLOCK_PROCESS_CPUTIME);
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

/* Periods that the perf clock has not seen, since it leaves out the kernel: of system calls, at the
   ticks of the thread's other clock that come when one returns. */
static uint64_t periods_in_kernel(struct regmon_thread *thread, uintptr_t pc)
{
    const uint64_t period = SECOND / regmon_state.config.hz;
    uint64_t periods, now;

    if (!is_after_system_call(pc))
        return 0;
    now = clock_of_thread();
    periods = now > thread->counted ? (now - thread->counted) / period : 0;
    thread->counted += periods * period;
    return periods;
}

uint64_t clock_weight(const siginfo_t *info, uintptr_t pc)
{
    const bool has_perf = regmon_thread.table->perf_clock != NULL;

    if (info->si_code == SI_TIMER)
        return has_perf ? periods_in_kernel(&regmon_thread, pc) : 1 + (uint64_t)info->si_overrun;
    if (info->si_code != POLL_IN || !has_perf)
        return info->si_code == SI_KERNEL;
    regmon_thread.counted += SECOND / regmon_state.config.hz;
    return 1;
}

/* ---- Clocks of threads ---- */

static void say_once(int *is_said, const char *what, long error)
{
    if (!__atomic_exchange_n(is_said, 1, __ATOMIC_RELAXED))
        message(what, NULL, error);
}

/* The first sample comes after a part of a period that differs from thread to thread, so that
   threads shorter than a period have their share of samples, too. */
static uint64_t first_period(uint64_t period)
{
    const uint64_t number = __atomic_fetch_add(&regmon_state.process->threads, 1, __ATOMIC_RELAXED);
    const uint32_t part = (uint32_t)(number * 2654435769u); /* 2^32 over the golden ratio */

    return number ? 1 + (period - 1) * (part >> 16) / 65536 : period;
}

/* Returns a negative error number, or 0. */
static long start_thread_clock(struct table *table, int tid)
{
    const uint64_t period = SECOND / regmon_state.config.hz;
    const uint64_t first = first_period(period);
    struct sys_sigevent event = {.number = SIGPROF, .notify = KERNEL_SIGEV_THREAD_ID, .tid = tid};
    struct itimerspec times = {.it_interval = {(time_t)(period / SECOND), (long)(period % SECOND)},
                               .it_value = {(time_t)(first / SECOND), (long)(first % SECOND)}};
    long error = SYS3(__NR_timer_create, KERNEL_CLOCK_THREAD_CPUTIME, &event, &table->timer);

    if (error < 0)
        return error;
    table->has_timer = 1;
    return SYS4(__NR_timer_settime, table->timer, 0, &times, NULL);
}

/* With the other clock beside it, for the time in the kernel. */
static bool start_perf_clock(struct table *table, int tid)
{
    long error = 0;

    regmon_thread.counted = clock_of_thread();
    table->perf_clock = perf_clock_open(tid, SECOND / regmon_state.config.hz, &error);
    if (!table->perf_clock) {
        if (regmon_state.config.has_clock) /* else nobody asked for it */
            say_once(&regmon_state.has_perf_failed, "no perf clock; clocks of threads are used",
                     error);
        return false;
    }
    (void)start_thread_clock(table, tid);
    return true;
}

static void set_process_clock(unsigned hz)
{
    const long microseconds = hz ? 1000000 / (long)hz : 0;
    const struct timeval period = {microseconds / 1000000, microseconds % 1000000};
    const struct itimerval times = {period, period};

    (void)SYS3(__NR_setitimer, ITIMER_PROF, &times, NULL);
}

static void start_process_clock(void)
{
    if (!__atomic_exchange_n(&regmon_state.process->has_clock, 1, __ATOMIC_RELAXED))
        set_process_clock(regmon_state.config.hz);
}

/* Each timer takes a signal of those that may be pending (ulimit -i).  If the first thread gets
   none, the clock of the process, which takes none, serves all. */
static void start_any_clock(struct table *table, int tid)
{
    const bool is_first = regmon_state.process->threads == 0;
    const long error = start_thread_clock(table, tid);

    if (error && is_first) {
        say_once(&regmon_state.has_timers_failed,
                 "no clocks of threads; the clock of the process is used", error);
        start_process_clock();
    } else if (error)
        say_once(&regmon_state.has_timers_failed, "some threads are not sampled: no timer", error);
}

/* The clock of a thread that has ended. */
static void stop_clock(struct table *table)
{
    if (table->has_timer)
        (void)SYS1(__NR_timer_delete, table->timer);
    if (table->perf_clock)
        perf_clock_close(table->perf_clock);
    table->has_timer = 0;
    table->perf_clock = NULL;
}

void clock_start(struct table *table, int tid)
{
    const struct config *config = &regmon_state.config;

    if (!config->hz || !is_handled() ||
        __atomic_exchange_n(&regmon_thread.sampled, tid, __ATOMIC_RELAXED) == tid)
        return;
    stop_clock(table);
    if (config->clock == CLOCK_OF_PROCESS)
        start_process_clock();
    else if (!regmon_state.process->has_clock &&
             (config->clock == CLOCK_OF_THREAD || regmon_state.has_perf_failed ||
              !start_perf_clock(table, tid)))
        start_any_clock(table, tid);
}

/* ---- Snapshots at intervals ---- */

/* entry_*.S */
long regmon_start_thread(long flags, void *top, void (*function)(void), void *tls);

#define THREAD_FLAGS                                                                               \
    (0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000 | 0x80000) /* of clone: VM, FS, FILES,      \
                                                                     SIGHAND, THREAD, SYSVSEM,     \
                                                                     SETTLS */
#define TLS_BYTES ((size_t)64 << 10)

/* The thread is none of the C library's.  Its thread-local storage is empty. */
void clock_start_interval(void)
{
    const uint64_t all = ~(uint64_t)0;
    char *memory;
    uint64_t mask;
    long error = -ENOMEM;

    if (!regmon_state.config.interval)
        return;
    memory = sys_reserve(SIGNAL_STACK_GUARD + SIGNAL_STACK_BYTES + TLS_BYTES);
    if (memory)
        error = SYS3(__NR_mprotect, memory + SIGNAL_STACK_GUARD, SIGNAL_STACK_BYTES + TLS_BYTES,
                     PROT_READ | PROT_WRITE);
    if (error >= 0) {
        char *top = memory + SIGNAL_STACK_GUARD + SIGNAL_STACK_BYTES;

        (void)sys_sigmask(SIG_BLOCK, &all, &mask);
        error = regmon_start_thread(THREAD_FLAGS, top, regmon_state.handlers->interval,
                                    top + TLS_BYTES / 2);
        (void)sys_sigmask(SIG_SETMASK, &mask, NULL);
    }
    if (error < 0)
        message("no snapshots at intervals: no thread", NULL, error);
}

/* ---- exec ---- */

/* The kernel ends clocks of threads at exec, and removes their signals. */
void clock_pause(void)
{
    const uint64_t set = (uint64_t)1 << (SIGPROF - 1);
    const struct timespec now = {0, 0};
    struct table *table = regmon_thread.table;

    if (regmon_state.process->has_clock)
        set_process_clock(0);
    else if (table->perf_clock) {
        stop_clock(table);
        regmon_thread.is_paused = true;
    } else
        return;
    while (SYS4(__NR_rt_sigtimedwait, &set, NULL, &now, SYS_SIGSET_BYTES) > 0)
        ;
}

void clock_resume(void)
{
    regmon_state.process->is_ending = 0;
    if (!is_handled())
        return;
    if (regmon_state.process->has_clock)
        set_process_clock(regmon_state.config.hz);
    else if (regmon_thread.is_paused)
        (void)start_perf_clock(regmon_thread.table, regmon_thread.sampled);
    regmon_thread.is_paused = false;
}
