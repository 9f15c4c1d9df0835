/* option_rows.h - one row for each option.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_OPTION_ROWS_H
#define REGPROF_OPTIONS_OPTION_ROWS_H

#include <getopt.h>

#include "options/options.h"

/* ---- The table ---- */

/* The help and getopt's tables are made from the rows.  To add an option, add a row in
   option_rows.c.  */

/* Values as in getopt_long; each is also the number of colons after the letter in its string.  */
enum argument { NONE = no_argument, REQUIRED = required_argument, OPTIONAL = optional_argument };

/* Ids of options without a letter: GNU gprof's, then our own.  */
enum {
    OPT_DEMANGLE = 256,
    OPT_NO_DEMANGLE,
    OPT_INLINE_FILE_NAMES,
    OPT_FIRST_OWN,
    OPT_FILES_FROM = OPT_FIRST_OWN,
    OPT_NULL,
    OPT_FROM,
    OPT_EVENT,
    OPT_VALUE,
    OPT_PROGRAM,
    OPT_THREAD,
    OPT_EXACT,
    OPT_NO_RECURSE,
    OPT_SKIP_BAD,
    OPT_FORCE,
    OPT_OBJECTS,
    OPT_PER_FILE,
    OPT_STACKS,
    OPT_NO_STACKS,
    OPT_FOLD_LIBRARIES,
    OPT_CALLERS,
    OPT_CALLEES,
    OPT_TREE,
    OPT_DEPTH,
    OPT_CODE,
    OPT_ASM,
    OPT_DISASSEMBLER_OPTIONS,
    OPT_QUIET,
    OPT_STRICT,
    OPT_SOURCE_MAP,
    OPT_SLIDE,
    OPT_EXPLAIN,
    OPT_TOP,
    OPT_COLUMNS,
    OPT_SORT,
    OPT_BY,
    OPT_MIN_SHARE,
    OPT_FOCUS,
    OPT_HIDE,
    OPT_NAMES,
    OPT_FORMAT,
    OPT_OPEN,
    OPT_BASE,
    OPT_BASE_PROFILE,
    OPT_BASE_RUNS,
    OPT_FAIL_ABOVE,
    OPT_FAIL_CALLS,
    OPT_FAIL_SCOPE,
    OPT_FAIL_INCONCLUSIVE,
    OPT_ONE_RUN,
    OPT_ALPHA,
    OPT_COLOR,
    OPT_ALLOW,
    OPT_END
};

/* ---- Groups ---- */

/* What an option is about, as bits of a set.  */
#define GROUP(n) ((uint64_t)1 << (n))
#define GROUP_IMAGE GROUP(0)   /* an executable that counts, and its profiles */
#define GROUP_FOREIGN GROUP(1) /* profiles of other profilers */

/* ---- Rows ---- */

struct option_row;

/* Applies an option; ARGUMENT is NULL if none was given.  False after a message.  */
typedef bool option_action(struct options *options, const struct option_row *row,
                           const char *argument);

struct option_row {
    int id;                /* the letter, or an OPT_ id; 0 for a heading of the help */
    const char *long_name; /* NULL: letter only */
    enum argument argument;
    const char *argument_name;
    const char *help;         /* of the option, or the heading; NULL: that of the row before,
                                 which has the same argument, and a long name only if this has one */
    option_action *action;    /* NULL for -h and -v */
    size_t target;            /* offset in struct options of the member it sets */
    unsigned value;           /* a bit of report_kind, or the lowest number allowed */
    enum symspec_target spec; /* what a SPEC selects */
    uint64_t group;           /* or-ed groups; 0: goes with everything */
};

enum { MAX_OPTIONS = 100 };

/* All rows, headings included, in the order of the help.  */
const struct option_row *option_rows(size_t *count);

/* Whether GNU gprof has the option as well.  */
bool option_row_is_gnu(const struct option_row *row);

/* The row with this id, or NULL.  */
const struct option_row *option_row_find(int id);

/* Writes the long name of ROW or, if it has none, its letter into the SIZE bytes at TEXT.  */
void option_row_name(const struct option_row *row, char *text, size_t size);

/* Whether an option of one of GROUPS is given; TEXT, of SIZE bytes, gets the name of the first.  */
bool option_row_given(const struct options *options, uint64_t groups, char *text, size_t size);

/* The first row that switches one of REPORTS (or-ed report_kind) on, or NULL.  */
const struct option_row *option_row_of_report(unsigned reports);

#endif
