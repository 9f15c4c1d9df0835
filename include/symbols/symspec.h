/* symspec.h - symbol specifications on the command line, and the sets they name.

   `file:function', `file:line', `file:', `:function', `:line'; without a colon a dot means a file,
   a leading digit a line, anything else a function.  Two of them with a `/' between name arcs.
   Manual, Symspecs.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_SYMBOLS_SYMSPEC_H
#define REGPROF_SYMBOLS_SYMSPEC_H

#include "model/model.h"
#include "symbols/spec_match.h"

/* The sets that options name.  */
enum symspec_target {
    SPEC_INCLUDE_FLAT,
    SPEC_EXCLUDE_FLAT,
    SPEC_INCLUDE_GRAPH,
    SPEC_EXCLUDE_GRAPH,
    SPEC_INCLUDE_TIME,
    SPEC_EXCLUDE_TIME,
    SPEC_INCLUDE_COUNTS,
    SPEC_EXCLUDE_COUNTS,
    SPEC_INCLUDE_ANNOTATE,
    SPEC_EXCLUDE_ANNOTATE,
    SPEC_INCLUDE_ARCS,
    SPEC_EXCLUDE_ARCS,
    SPEC_TREE,
    SPEC_CODE
};

/* Whether an option that GNU gprof lacks has the specs: they accept ends of names.  */
static inline bool is_own_target(enum symspec_target target)
{
    return target == SPEC_TREE || target == SPEC_CODE;
}

struct symspec {
    enum symspec_target target;
    int option;       /* id of the option that has it: its letter, if it has one */
    const char *text; /* as on the command line */
};

/* Specs in command-line order; zeroed = none.  */
struct symspecs {
    struct symspec *specs;
    size_t count, capacity;
};

void symspecs_add(struct symspecs *specs, enum symspec_target target, int option, const char *text);
void symspecs_free(struct symspecs *specs);
bool symspecs_have(const struct symspecs *specs, enum symspec_target target);

/* Whether the files and lines of the symbols are needed to resolve any spec.  */
bool symspecs_need_source(const struct symspecs *specs);

/* The option of the first spec of calls; 0: there is none.  */
int symspecs_arc_option(const struct symspecs *specs);

/* What specs are compared with.  */
struct symspec_context {
    const struct symtab *symtab;
    const struct files *files;
    const struct demangler *demangler; /* NULL: names are printed raw */
};

/* Specs, or sides of pairs, that match nothing, in command-line order.  Zeroed = none.  */
struct symspec_misses {
    struct symspec_miss {
        enum symspec_target target;
        int option;
        const char *text; /* the part that matches nothing: SIZE bytes of a spec */
        size_t size;
        enum { SPEC_NOT_FOUND, SPEC_NOT_A_PAIR, SPEC_HAS_SLASH, SPEC_NO_FILES } reason;
        const char *nearest[SPEC_NEAREST]; /* similar names */
        size_t nearest_count;
    } * misses;
    size_t count, capacity;
    struct arena arena;
};

void symspec_misses_free(struct symspec_misses *misses);

/* Resolves all specs against the symbols, lists those that match nothing in MISSES, and excludes
   the profiling functions (mcount and others) from flat profile, graph and time.  FILTERS and
   MISSES are zeroed before.  */
void symspecs_resolve(const struct symspecs *specs, const struct symspec_context *context,
                      struct filters *filters, struct symspec_misses *misses);
void filters_free(struct filters *filters);

#endif
