/* text.h - operations on text: escapes, UTF-8, natural order, wildcards and edit distance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_TEXT_H
#define REGPROF_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- Escapes ---- */

/* Names from files are printed with control characters as `\xNN': they could change a terminal.  */

/* Whether CODE is a control character: C0, DEL, C1, one that ends a line, or one that changes the
   direction of what follows, with which a name can look like another one.  */
bool is_control(uint32_t code);

/* Whether S has no control characters.  */
bool is_printable(const char *s);

/* The size of the longest escaped character: a control character of two bytes.  */
enum { LONGEST_ESCAPE = 12 };

/* Writes as much of *S as fits the CAPACITY bytes at TO, with control characters escaped and
   without a NUL, and moves *S past it; returns the number of bytes written.  Stops at the end of *S
   or with less than LONGEST_ESCAPE bytes left.  */
size_t escape(char *to, size_t capacity, const char **s);

/* The size in bytes of all of S with control characters escaped.  */
size_t escaped_size(const char *s);

/* ---- UTF-8 ---- */

/* Bytes that are not UTF-8 are taken as Latin-1, so that different texts stay different.  */

/* Reads the character at *S, which ends with a NUL, and steps over it.  */
uint32_t utf8_next(const unsigned char **s);

/* Writes a character to TO, at most four bytes; returns their number.  */
size_t utf8_put(char *to, uint32_t code);

/* Writes the first LENGTH bytes of TEXT as UTF-8, and a NUL, to TO, which has room for twice LENGTH
   and the NUL.  */
void utf8_copy(char *to, const char *text, size_t length);

/* The number of characters of TEXT, which is UTF-8.  */
size_t text_width(const char *text);

/* The first byte of character NUMBER of TEXT, from 0; the NUL if it has fewer.  */
const char *text_character(const char *text, size_t number);

/* ---- Numbers ---- */

/* Writes COUNT as `6,516' to TEXT, which has GROUPED_SIZE bytes; returns TEXT.  */
enum { GROUPED_SIZE = 27 };
char *group_digits(char *text, uint64_t count);

/* ---- Natural order ---- */

/* Compares names like strcmp, except that runs of decimal digits compare by their value, of any
   size: r.2 comes before r.10.  Names that differ only in leading zeros are in the order of strcmp,
   so only equal names compare equal.  */
int compare_natural(const char *a, const char *b);

/* ---- Wildcards and edit distance ---- */

/* Whether a pattern of SIZE bytes has a wildcard.  */
bool text_has_wildcards(const char *pattern, size_t size);

/* Whether TEXT matches the pattern of SIZE bytes, in which `*' stands for any text and `?' for any
   character of UTF-8.  Takes time in proportion to the product of the sizes at most.  */
bool text_matches(const char *pattern, size_t size, const char *text);

/* The number of characters to insert, remove, replace, or swap with the next one, to make B from A;
   case is ignored.  MOST + 1 if it is larger than MOST, or if a text has more than
   TEXT_DISTANCE_LIMIT bytes.  Takes time in proportion to the size of A times MOST.  */
enum { TEXT_DISTANCE_LIMIT = 256 };
size_t text_distance(const char *a, size_t a_size, const char *b, size_t b_size, size_t most);

/* ---- Parts and lists ---- */

/* Moves *AT behind TEXT, if it begins what is up to END.  Whether it does.  */
static inline bool text_skip(const char **at, const char *end, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(end - *at) < length || memcmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

/* Whether NAME is one of the COUNT NAMES.  */
bool text_is_one_of(const char *name, const char *const *names, size_t count);

/* ---- Paths ---- */

/* The base name of a path: a pointer into it.  */
const char *path_base(const char *path);

/* The last PARTS names of a path, at least one: of `/a/b/c.c' and 2, `b/c.c'.  */
const char *path_end(const char *path, unsigned parts);

#endif
