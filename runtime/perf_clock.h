/* perf_clock.h - a clock of the kernel's performance counters, which is not bound to its ticks.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_PERF_CLOCK_H
#define REGMON_PERF_CLOCK_H

#include <stdint.h>

/* Makes a clock of the CPU time of the thread TID, which is the current one.  It sends SIGPROF to
   it every PERIOD nanoseconds.  Returns the memory that keeps the clock going; or NULL and a
   negative error number in *error. */
void *perf_clock_open(int tid, uint64_t period, long *error);
void perf_clock_close(void *clock);

#endif
