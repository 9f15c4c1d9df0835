/* terminal.h - whether standard output is a terminal, and how wide it is.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_TERMINAL_H
#define REGPROF_OPTIONS_TERMINAL_H

#include <stdbool.h>

/* Whether standard output is a terminal.  */
bool is_terminal(void);

/* Columns of the terminal that standard output is: as $COLUMNS says, else as the terminal itself
   says.  0 if it is not a terminal or if neither says so.  */
unsigned terminal_width(void);

#endif
