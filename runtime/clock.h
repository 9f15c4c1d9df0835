/* clock.h - clocks that send SIGPROF: of each thread, of the process, and for snapshots at
   intervals. SPDX-License-Identifier: MIT */
#ifndef REGMON_CLOCK_H
#define REGMON_CLOCK_H

#include <signal.h>
#include <stdint.h>

struct table;

/* Starts the clock of this thread; TABLE is the thread's first one. */
void clock_start(struct table *table, int tid);

/* Starts the timer of snapshots every REGMON_INTERVAL seconds.  Its signal has &regmon_state as
   value. */
void clock_start_interval(void);

/* The number of samples that a SIGPROF counts for. */
uint64_t clock_weight(const siginfo_t *info);

/* Before exec: stops the clock of the whole process, which would go on in the new program, and
   removes a signal that waits to be delivered.  clock_resume is for an exec that failed. */
void clock_pause(void);
void clock_resume(void);

#endif
