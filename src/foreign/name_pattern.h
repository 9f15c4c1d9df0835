/* name_pattern.h - regular expressions of names that a file brings, and nobody has looked at.

   A pattern matches whole names.  Those are refused that could take more than time and memory in
   proportion to their size: repetitions by number or of more than one character, references
   back.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_NAME_PATTERN_H
#define REGPROF_FOREIGN_NAME_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* A compiled pattern keeps what it learns of each byte that it sees, so it is compiled anew after
   some.  Zeroed = none, which matches nothing; free with name_pattern_free.  */
struct name_pattern {
    char *whole; /* NULL: there is none */
    regex_t compiled;
    size_t seen; /* bytes, since it was compiled */
};

/* Makes PATTERN of TEXT, an extended regular expression.  False if it is refused.  */
bool name_pattern_make(struct name_pattern *pattern, const char *text);

/* Whether PATTERN matches TEXT, which is not too long.  */
bool name_pattern_matches(struct name_pattern *pattern, const char *text);

void name_pattern_free(struct name_pattern *pattern);

#endif
