/* utf8.h - text of unknown encoding as UTF-8.

   Bytes that are not UTF-8 are taken as Latin-1, so that different texts stay different.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_UTF8_H
#define REGPROF_BASE_UTF8_H

#include "base/memory.h"

/* Reads the character at *S, which ends with a NUL, and steps over it.  */
uint32_t utf8_next(const unsigned char **s);

/* Writes a character to TO, at most four bytes; returns their number.  */
size_t utf8_put(char *to, uint32_t code);

/* TEXT itself if it is UTF-8, else a copy in ARENA that is; bytes that would be control characters
   become `\x80'.  */
const char *arena_utf8(struct arena *arena, const char *text);

#endif
