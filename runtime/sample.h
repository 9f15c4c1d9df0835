/* sample.h - the handler of the signal by which clocks take samples.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_SAMPLE_H
#define REGMON_SAMPLE_H

#include <signal.h>

/* Bytes of stack that it takes below the kernel's record of the signal.  tests/runtime_signals.py
   compares them with what the compiler says. */
#define NEED_OF_SAMPLE 1024

/* Adds a sample of the interrupted thread. */
void sample_handle(int number, siginfo_t *info, void *context);

#endif
