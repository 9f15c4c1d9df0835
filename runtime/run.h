/* run.h - runs the program as a child, and stands in for it.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_RUN_H
#define REGMON_RUN_H

#include <stdint.h>
#include <sys/types.h>

struct collector;

struct ended {
    pid_t process;
    int status; /* as of waitpid */
};

/* Runs a program, and returns when it has ended.  Meanwhile this process passes on the signals that
   it gets, except SNAPSHOT_SIGNAL, and stops when the program stops.  All signals are blocked
   afterwards. */
struct ended run_program(char *const *words, int snapshot_signal,
                         const struct collector *collector);

/* Ends this process as the program has ended: by the same signal, or with the status that it
 * returns. */
int run_end(int status);

/* Executes a program in place of this process.  SINCE: as of the collector; 0: it
   is a program of the run of another regmon. */
_Noreturn void run_execute(char *const *words, int64_t since);

#endif
