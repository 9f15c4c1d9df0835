/* help.h - prints the help and the version.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_HELP_H
#define REGPROF_OPTIONS_HELP_H

#include <stdio.h>

/* Prints the options, made from their rows.  */
void help_print(FILE *out);

/* Prints version and licence on standard output.  */
void help_print_version(void);

#endif
