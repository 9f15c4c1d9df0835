/* ends.h - ends of the program by quick_exit and by a signal.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_ENDS_H
#define REGMON_ENDS_H

#include <signal.h>

/* Registers what quick_exit calls. */
void ends_prepare(void);

/* The handler of signals that end the program: writes the files, then raises the signal again
   without a handler. */
void ends_handle(int number, siginfo_t *info, void *context);

/* The handler of REGMON_SIGNAL: writes a snapshot. */
void ends_handle_snapshot(int number, siginfo_t *info, void *context);

#endif
