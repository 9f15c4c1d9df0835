/* text_match.h - compares texts: wildcards, and how many typing errors are between two words.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_TEXT_MATCH_H
#define REGPROF_BASE_TEXT_MATCH_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
