/* escape.h - writes control characters as `\xNN', because they could change a terminal.

   Names from files are printed in this form.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_ESCAPE_H
#define REGPROF_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether S has no control characters.  */
bool is_printable(const char *s);

/* Writes S with its control characters escaped to TO, without a NUL; returns the number of bytes
   written, which is `escaped_size' and at most four times the size of S.  */
size_t escape(char *to, const char *s);
size_t escaped_size(const char *s);

#endif
