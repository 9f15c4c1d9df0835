/* clock.h - clocks of threads, which send the signal that takes samples.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_CLOCK_H
#define REGMON_CLOCK_H

#include <signal.h>
#include <stdint.h>

struct thread;

/* Starts the clock of this thread; THREAD is its record.  Not in the handler of samples. */
void clock_start(struct thread *thread, int tid);

/* A clock of the kernel, in nanoseconds. */
uint64_t clock_read(int clock);

/* CPU time in nanoseconds. */
uint64_t clock_of_process(void);

/* Percent of CPU time, in nanoseconds, that so many samples, HZ per second, do not account for.  0
   if that is at most 5 %, 0.1 s or two periods, as it may be because the last period of a thread is
   not over. */
static inline unsigned clock_percent_missing(uint64_t cpu_time, uint64_t samples, unsigned hz)
{
    const uint64_t period = 1000000000 / hz, seen = samples * period;
    const uint64_t missing = cpu_time > seen ? cpu_time - seen : 0;

    return missing > 100000000 && missing > 2 * period && missing > cpu_time / 20
               ? (unsigned)(missing * 100 / cpu_time)
               : 0;
}

/* The number of samples that a signal counts for, which has interrupted CONTEXT (ucontext_t). */
uint64_t clock_weight(const siginfo_t *info, const void *context);

/* Starts the perf clock of a thread that began without one, at the first signal of its other clock.
 */
void clock_settle(void);

/* Before exec: stops the perf clock of this thread, and removes a signal of it that waits to be
   delivered, because it would end the new program.  clock_resume is for an exec that failed. */
void clock_pause(void);
void clock_resume(void);

#endif
