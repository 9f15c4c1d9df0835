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

/* What an option asks for or is about, as bits of a set.  The first 16 are the reports (enum
   report_kind), the next 8 what a format can show (EXPORT_SHOWN ...).  */
#define GROUP_REPORTS ((uint64_t)0xFFFF)
#define GROUP_OF_FORMAT(traits) ((uint64_t)((traits)&0xFFU) << 16)
#define GROUP(n) ((uint64_t)1 << (24 + (n)))

/* Of the rows of options.  */
#define GROUP_IMAGE GROUP(0)   /* needs an executable that counts, and its profiles */
#define GROUP_FOREIGN GROUP(1) /* needs profiles of other profilers */
#define GROUP_SUM GROUP(2)
#define GROUP_COLUMNS GROUP(3)
#define GROUP_SORT GROUP(4)
#define GROUP_BY GROUP(5)
#define GROUP_SHARE GROUP(6)
#define GROUP_SELECTION GROUP(7) /* which rows, by name */
#define GROUP_NAMES GROUP(8)     /* how names are written */
#define GROUP_DEPTH GROUP(9)
#define GROUP_CALLEES GROUP(10)
#define GROUP_OPEN GROUP(11)
#define GROUP_STACKS GROUP(12)
#define GROUP_NO_STACKS GROUP(13)
#define GROUP_LINES GROUP(14)    /* -l */
#define GROUP_ENTRIES GROUP(15)  /* which entries of the call graph */
#define GROUP_TIMES GROUP(16)    /* which time in it */
#define GROUP_SEPARATE GROUP(17) /* each source in a file of its own */
#define GROUP_STRICT GROUP(18)
#define GROUP_COMPARING GROUP(19) /* how a comparison is made and judged */

/* Of arguments, and what is implied.  */
#define GROUP_ARCS GROUP(20)        /* -k, or -q or -Q with a slash */
#define GROUP_CALLERS GROUP(21)     /* a tree up from a function */
#define GROUP_NO_TIMES GROUP(22)    /* --columns has no time */
#define GROUP_TOTAL_ERROR GROUP(23) /* a column that only measured times have */
#define GROUP_BOUNDS GROUP(24)      /* a column that only estimated times have */
#define GROUP_BY_FUNCTION GROUP(25) /* --by names functions, or what only stacks know */
#define GROUP_BY_LINE GROUP(26)
#define GROUP_BY_TABLE GROUP(27)  /* --by names what is no frame of stacks */
#define GROUP_BY_STACKS GROUP(28) /* --by names what only stacks know */
#define GROUP_STACKS_FILE GROUP(29)
#define GROUP_SUM_PRINTED GROUP(30) /* the sum is written on standard output */
#define GROUP_DEBUG GROUP(31)
#define GROUP_SPLIT GROUP(32) /* functions are split into lines */

/* Of the format, beside what it can show.  REPORT_SNAPSHOT: it shows the whole profile.  */
#define GROUP_TABLE GROUP(33)    /* it has a table */
#define GROUP_ROWS GROUP(34)     /* one table, for programs */
#define GROUP_PAGE GROUP(35)     /* it is a page */
#define GROUP_ONE_SIDE GROUP(36) /* it shows the whole profile, but no comparison */
#define GROUP_TEXT GROUP(37)     /* it is named and is text */

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
    option_action *action;    /* NULL: there is nothing to set */
    size_t target;            /* offset in struct options of the member it sets */
    unsigned value;           /* the lowest number allowed */
    enum symspec_target spec; /* what a SPEC selects */
    uint64_t group;           /* or-ed groups, and reports; 0: goes with everything */
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

#endif
