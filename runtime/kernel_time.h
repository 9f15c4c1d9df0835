/* kernel_time.h - shares out the time that a thread spends in the kernel.
   SPDX-License-Identifier: MIT

   The perf clock has no samples in the kernel.  A timer of the thread sends a signal at each tick
   of the kernel, when the program goes on: behind its system call, or at the instruction that had
   no page of memory.  A tick that has found the thread in the kernel stands for all the time
   between two ticks, and this place gets it.

   Ticks are few: of 100, by chance, some more or fewer are in the kernel.  But how much time is
   missing in all is known, which is the CPU time less a period for each sample.  So the place gets
   an eighth of the difference, too, once the thread has had some ticks.  Example: a tick each 4 ms,
   10 ms are missing: the place gets 4 + (10 - 4) / 8 = 4.75 ms, which are 4 samples at 1,000 Hz;
   0.75 ms of them wait for the next place, and 5.25 ms are still missing.

   Nothing here reads a clock: tests/unit/test_kernel_time.c draws times, and compares. */
#ifndef REGMON_KERNEL_TIME_H
#define REGMON_KERNEL_TIME_H

#include <stdint.h>

/* Of a thread, in nanoseconds. */
struct kernel_time {
    unsigned ticks;
    int64_t missing; /* CPU time that no place has; below 0: they have more than there was */
    int64_t rest;    /* of what places have, less than a period: it is in no sample so far */
};

/* What is known at a tick about the time since the one before, or since the thread's start.  The
   kernel counts a tick as a whole for the mode that it finds, some kernels the true times. */
struct kernel_tick {
    uint64_t elapsed; /* CPU time */
    uint64_t all;     /* the same, as the kernel counts ticks */
    uint64_t user;    /* of that, in the program's own code */
};

/* A thread begins with a PART of a period, of 2^32, that was drawn: else, threads that are shorter
   than a period would never have a sample. */
static inline void kernel_time_begin(struct kernel_time *t, uint32_t part, uint64_t period)
{
    *t = (struct kernel_time){.rest = (int64_t)(period * (part >> 16) >> 16)};
}

/* A sample was taken in the program's own code. */
static inline void kernel_time_sample(struct kernel_time *t, uint64_t period)
{
    t->missing -= (int64_t)period;
}

/* Ticks after which the difference of both counts says more than chance. */
#define KERNEL_TIME_ENOUGH 8

/* Returns the samples of the place where the program goes on.

   After its last tick, a thread runs on for half the time between two, on average, and before its
   first one as long.  The first one counts for both. */
static inline uint64_t kernel_time_tick(struct kernel_time *t, struct kernel_tick tick,
                                        uint64_t period)
{
    const int64_t inside = tick.all > tick.user ? (int64_t)(tick.all - tick.user) : 0;
    int64_t given = inside;
    uint64_t samples;

    t->missing += (int64_t)(t->ticks == 0 && tick.elapsed < tick.all ? tick.all : tick.elapsed);
    if (t->ticks < KERNEL_TIME_ENOUGH)
        t->ticks++;
    else
        given += (t->missing - inside) / KERNEL_TIME_ENOUGH;
    if (!inside || given <= 0)
        return 0;
    t->missing -= given;
    t->rest += given;
    samples = (uint64_t)t->rest / period;
    t->rest -= (int64_t)(samples * period);
    return samples;
}

#endif
