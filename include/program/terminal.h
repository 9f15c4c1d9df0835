/* terminal.h - the width of the terminal.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_TERMINAL_H
#define REGPROF_PROGRAM_TERMINAL_H

/* Columns of the terminal that standard output is: as $COLUMNS says, else as the terminal itself
   says.  0 if it is not a terminal or if neither says so.  */
unsigned terminal_width(void);

#endif
