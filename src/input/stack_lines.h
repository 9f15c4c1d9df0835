/* stack_lines.h - pieces of the lines of files of call stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_STACK_LINES_H
#define REGPROF_INPUT_STACK_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* These read from *AT up to END, and move *AT behind what they have read.  */

/* Digits of BASE; false if there are none, or if the number has more than 64 bits.  */
bool stack_line_digits(const char **at, const char *end, int base, uint64_t *number);

/* All of it: a name, which may be escaped (stack_file.h).  The caller frees it.  */
char *stack_line_name(const char **at, const char *end);

#endif
