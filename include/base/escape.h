/* escape.h - writes control characters as `\xNN', because they could change a terminal.

   Names from files are printed in this form.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_ESCAPE_H
#define REGPROF_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether S has no control characters.  */
bool is_printable(const char *s);

/* The size of the longest escaped character: a control character of two bytes.  */
enum { LONGEST_ESCAPE = 8 };

/* Writes as much of *S as fits the CAPACITY bytes at TO, with control characters escaped and
   without a NUL, and moves *S past it; returns the number of bytes written.  Stops at the end of *S
   or with less than LONGEST_ESCAPE bytes left.  */
size_t escape(char *to, size_t capacity, const char **s);

/* The size in bytes of all of S with control characters escaped.  */
size_t escaped_size(const char *s);

#endif
