/* fatal_signals.h - a message if the stack cannot grow or a file was truncated.

   Any other fault is a mistake of this program and ends it by its signal.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_FATAL_SIGNALS_H
#define REGPROF_PROGRAM_FATAL_SIGNALS_H

struct fatal_signals;

/* Installs the handlers, for this process and those that it forks; dies if memory is exhausted.
   After that, a stack that cannot grow, or a mapped file that was truncated, ends the program with
   a message and status 1.  */
struct fatal_signals *fatal_signals_begin(void);

/* Restores the former handlers and frees SIGNALS.  */
void fatal_signals_end(struct fatal_signals *signals);

#endif
