/* short_names.h - C++ names without parameters and template arguments.

   `std::vector<int, std::allocator<int> >::push_back(int const&)' becomes
   `std::vector<...>::push_back'.  Names that would become equal keep their parameters and, if that
   is not enough, everything.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_SHORT_NAMES_H
#define REGPROF_BASE_SHORT_NAMES_H

#include <regex.h>
#include <stdbool.h>

#include "base/hash.h"

/* The names among which the short ones must differ.  Zeroed = none.  */
struct short_names {
    struct string_map whole;                  /* each name once */
    struct string_map bare, with_parameters;  /* short forms ... */
    uint32_t *bare_counts, *parameter_counts; /* number of names that have the short form */
    size_t bare_capacity, parameter_capacity;
};

void short_names_add(struct short_names *names, const char *name);

/* The short form of NAME, which has been added; NAME itself or in ARENA.  */
const char *short_names_of(struct short_names *names, struct arena *arena, const char *name);

void short_names_free(struct short_names *names);

/* NAME, itself or in ARENA, without the version of a symbol (`@@GLIBC_2.14'), without the type of
   the result, without the insides of template
   brackets unless KEPT has KEEP_ARGUMENTS, and without what begins with its parameters unless it
   has KEEP_PARAMETERS.  NO_BRACKETS leaves out template brackets, too.  */
enum kept_parts { KEEP_NOTHING = 0, KEEP_PARAMETERS = 1, KEEP_ARGUMENTS = 2, NO_BRACKETS = 4 };
const char *shorten_name(struct arena *arena, const char *name, unsigned kept);

/* Where ` [libc.so.6]' begins in NAME, which functions of other objects have behind their names;
   NULL: it has no object.  ` [clone .cold]' is none.  */
const char *name_object(const char *name);

/* Whether EXPRESSION matches NAME, with its object or without, or `FILE:NAME' unless FILE is NULL.
 */
bool name_matches(const regex_t *expression, const char *name, const char *file);

/* Whether EXPRESSION matches NAME so, or one of its short forms, with `<...>' or without.  */
bool name_form_matches(const regex_t *expression, const char *name, const char *file);

/* The last part of NAME, of *SIZE bytes, without template arguments and parameters.  */
const char *last_word(const char *name, size_t *size);

/* Where a name may be divided, and its last part.  */
struct divisions {
    const char *fitting;  /* the first division whose rest is short enough; NULL: none */
    const char *last;     /* what is behind the last one */
    const char *word_end; /* of `last' without template arguments and parameters */
};

/* Finds the divisions of NAME outside of brackets and of the names of operators.  A rest has at
   most MOST characters with its separator, of which NAME has more.  */
struct divisions name_divide(const char *name, size_t most);

#endif
