/* spec_match.h - finds the symbols that a spec matches, or else similar names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_SYMBOLS_SPEC_MATCH_H
#define REGPROF_SYMBOLS_SPEC_MATCH_H

#include "symbols/symbolize.h"

/* ---- Matching ---- */

/* A spec (one side of a pair) is compared with raw names.  If none matches, it is compared with
   printed names (symbols/symbolize.h); if it may be an end, then with the ends of names, from a
   separator of their parts on.  If none matches and it has a `*' or `?', these are wildcards.  */

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

/* The symbols that the spec matches, by symbol id; NULL if there are none.  Free with free.  */
bool *spec_match(struct spec_names *names, const char *text, size_t size, bool may_be_end);

/* Whether the spec names a file or a line.  */
bool spec_has_position(const char *text, size_t size);

/* ---- What a spec that matches nothing may have meant ---- */

enum { SPEC_NEAREST = 5 };

/* Lists in NEAREST, the best first, up to SPEC_NEAREST names of functions and files that differ
   from the spec of SIZE bytes by few typing errors or contain it; returns their number.  The names
   are copied to ARENA.  Takes linear time in the number of names: of each, at most
   TEXT_DISTANCE_LIMIT bytes are compared.  */
size_t spec_nearest(struct spec_names *names, const char *text, size_t size, struct arena *arena,
                    const char *nearest[SPEC_NEAREST]);

#endif
