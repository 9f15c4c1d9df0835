/* json_write.h - writes JSON values.

   Everything that is written can be read and written again without a change.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_JSON_WRITE_H
#define REGPROF_BASE_JSON_WRITE_H

#include "base/out.h"

/* TEXT in quotes; null for NULL.  Bytes that are not UTF-8 are taken as Latin-1, so that different
   names stay different; control characters are escaped.  */
void json_write_string(struct out *out, const char *text);

/* The same without `<', for JSON inside of an HTML element.  */
void json_write_string_in_page(struct out *out, const char *text);

/* The same for the SIZE bytes at TEXT, which may have NULs, and which a NUL follows.  */
void json_write_text_in_page(struct out *out, const char *text, size_t size);

/* NUMBER, of which a reader gets the same double; null if it is not finite.  */
void json_write_number(struct out *out, double number);

/* Counts above 2^63 - 1, which many readers cannot hold, are written as that number.  */
void json_write_count(struct out *out, uint64_t count);

/* Members of an object that are not its first: `,"NAME":', and the value.  */
void json_write_member(struct out *out, const char *name); /* only what is before the value */
void json_write_string_member(struct out *out, const char *name, const char *text);
void json_write_number_member(struct out *out, const char *name, double number);
void json_write_count_member(struct out *out, const char *name, uint64_t count);

#endif
