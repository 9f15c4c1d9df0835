/* spec_match.h - the symbols that a spec (one side of a pair) matches.

   A spec is compared with raw names.  If that finds nothing, with names as they are printed
   (printed_names.h); if that finds nothing and it has a `*' or `?', these are wildcards.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_SPEC_MATCH_H
#define REGPROF_ANALYSIS_SPEC_MATCH_H

#include "analysis/printed_names.h"

/* What specs are compared with.  Set the first three; zero the rest.  */
struct spec_names {
    const struct symtab *symtab;
    const struct files *files;
    const struct demangler *demangler; /* NULL: names are printed raw */
    struct printed_names printed;      /* computed when a spec matches no raw name */
};

void spec_names_free(struct spec_names *names);

/* The parts of a spec.  An absent part matches everything.  */
struct spec_parts {
    const char *file; /* base name; NULL: any */
    size_t file_size;
    const char *function; /* NULL: any */
    size_t function_size;
    unsigned long line; /* 0: any */
};

/* The spec of SIZE bytes, by the rules of the manual (Symspecs).  */
struct spec_parts spec_parse(const char *text, size_t size);

/* The same read in another way: as FILE:NAME, divided at the first colon that is not part of `::',
   or, if IS_WHOLE, all of it as a name.  Printed names may have colons and dots.  */
struct spec_parts spec_parse_printed(const char *text, size_t size, bool is_whole);

/* The symbols that the spec matches, by symbol id; NULL if there are none.  Free with free.  */
bool *spec_match(struct spec_names *names, const char *text, size_t size);

/* Whether the spec names a file or a line.  */
bool spec_has_position(const char *text, size_t size);

/* Whether a file with this base name has symbols.  */
bool spec_knows_file(const struct spec_names *names, const char *file, size_t size);

#endif
