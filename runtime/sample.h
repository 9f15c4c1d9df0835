/* sample.h - the handler of SIGPROF.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_SAMPLE_H
#define REGMON_SAMPLE_H

#include <signal.h>

/* Adds a sample of the interrupted thread, or writes a snapshot. */
void sample_handle(int number, siginfo_t *info, void *context);

#endif
