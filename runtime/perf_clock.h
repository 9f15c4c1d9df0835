/* perf_clock.h - a clock of the kernel's performance counters, which does not depend on the timer
   tick. SPDX-License-Identifier: MIT */
#ifndef REGMON_PERF_CLOCK_H
#define REGMON_PERF_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the kernel lets this thread have one now. */
bool perf_clock_is_permitted(void);

/* Makes a clock of the CPU time of the thread TID, which is the current one.  It sends
   SAMPLE_SIGNAL to it every PERIOD nanoseconds.  Returns the mapping that holds the clock; or NULL
   and a negative error number in *error. */
void *perf_clock_open(int tid, uint64_t period, long *error);
void perf_clock_close(void *clock);

#endif
