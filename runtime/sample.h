/* sample.h - where the program spends its CPU time.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_SAMPLE_H
#define REGMON_SAMPLE_H

#include <stdbool.h>

struct table;

/* Installs the handler of SIGPROF.  False if the program has one. */
bool sample_install_handler(void);

/* Begins to sample this thread; TABLE is the thread's first one. */
void sample_thread(struct table *table, int tid);

/* Has a snapshot written every REGMON_INTERVAL seconds. */
void sample_start_interval(void);

/* Before exec: stops the clock of the whole process, which would go on in the new program, and
   removes a signal that waits to be delivered.  sample_resume is for an exec that failed. */
void sample_pause(void);
void sample_resume(void);

#endif
