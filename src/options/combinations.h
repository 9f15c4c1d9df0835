/* combinations.h - which options require, exclude or imply others.

   To add a rule, add a row to the table in combinations.c.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_COMBINATIONS_H
#define REGPROF_OPTIONS_COMBINATIONS_H

#include "options/options.h"

/* A fact that rules are about: an option was given, or given with certain arguments.  */
enum fact {
    FACT_NONE, /* ends lists */
    FACT_SUM,
    FACT_ARC_SPECS,   /* -k, or -q or -Q with a slash */
    FACT_ENTRY_SPECS, /* what selects entries of the call graph */
    FACT_TIME_SPECS,  /* what selects time in it */
    FACT_LINE,
    FACT_FUNCTION_ORDERING,
    FACT_FILE_ORDERING,
    FACT_SOURCE,
    FACT_SEPARATE_FILES,
    FACT_REPORTS,      /* any except --top and --per-file */
    FACT_MORE_REPORTS, /* any except --top, --per-file and annotated sources */
    FACT_TOP,
    FACT_PER_FILE,
    FACT_COLUMNS,
    FACT_NO_TIMES,    /* --columns has no time */
    FACT_TOTAL_ERROR, /* a column of --stacks is to be printed or sorted by */
    FACT_BOUNDS,      /* a column that only estimated times have is */
    FACT_SORT,
    FACT_BY,
    FACT_BY_FUNCTION,
    FACT_BY_LINE,
    FACT_BY_FILE,
    FACT_BY_OBJECT,
    FACT_MIN_SHARE,
    FACT_SELECTION, /* which rows, by name */
    FACT_NAMES,
    FACT_STACKS,
    FACT_STACKS_FILE, /* --stacks names a file */
    FACT_NO_STACKS,
    FACT_FILES_FROM,
    FACT_NULL,
    FACT_SUM_PRINTED, /* the sum is written on standard output */
    FACT_STRICT,
    FACT_DEBUG,
    FACT_BASE,
    FACT_SIDES, /* what a comparison is made of, or judged by */
    FACT_FAIL_ABOVE,
    FACT_FAIL_CALLS,
    FACT_FAIL_SCOPE,
    FACT_FAIL_INCONCLUSIVE,
    FACT_ALLOW,
    /* --format is one that ... */
    FACT_TABLE_FORMAT,    /* has a table */
    FACT_ROWS_FORMAT,     /* has one table, for programs */
    FACT_WHOLE_FORMAT,    /* shows the whole profile */
    FACT_PAGE_FORMAT,     /* is a page */
    FACT_LINES_FORMAT,    /* has lines beside functions */
    FACT_VIEW_FORMAT,     /* can select functions and their names */
    FACT_SHARES_FORMAT,   /* can leave out small shares */
    FACT_STACKS_FORMAT,   /* has stacks, of functions or lines */
    FACT_TIMES,           /* reports with inclusive times are named, or printed by default */
    FACT_INPUTS_FORMAT,   /* shows each profile by itself */
    FACT_FIGURES_FORMAT,  /* needs a time */
    FACT_ONE_SIDE_FORMAT, /* has no comparison */
    FACT_CODE_FORMAT,     /* can have the code of functions */
    FACT_ORDER_FORMAT,    /* is an order for linkers */
    FACT_TREE,
    FACT_PROGRAM,
    FACT_THREAD,
    FACT_CALLERS, /* a tree up from a function */
    FACT_CALLEES, /* a tree down from one */
    FACT_DEPTH,
    FACT_CODE,
    FACT_OPEN,
    /* Only implied.  */
    FACT_SPLIT, /* functions are split into lines */
    FACT_COUNT
};

struct facts {
    bool has[FACT_COUNT];
    enum fact causes[FACT_COUNT]; /* the fact that implied it; the fact itself if none did */
};

enum relation { REQUIRES, EXCLUDES, IMPLIES };

/* Every fact of `options' requires at least one of `others', excludes all of them, or implies all
   of them.  The row applies if a fact of `where' is there (none: always) and none of `unless'.
   Lists end in FACT_NONE.  */
struct combination {
    enum fact options[8];
    enum relation relation;
    enum fact others[16], where[4], unless[4];
};

/* All rows.  */
const struct combination *combinations(size_t *count);

/* The format of the reports: the one that is named, else that of the file's name, else that of a
   page to be opened; NULL: text.  A sum is a profile, whatever its name.  */
const struct export_format *format_of(const struct options *options);

/* What the options say and imply.  */
struct facts facts_of(const struct options *options);

/* The first rule that FACTS break, or NULL; *OPTION and *OTHER are then the facts that break it. If
   one is missing that is required, *OTHER is FACT_NONE.  */
const struct combination *combinations_broken(const struct facts *facts, enum fact *option,
                                              enum fact *other);

enum { FACT_NAME_SIZE = 200 };

/* Whether a rule keeps what FACTS say from being combined with --stacks, which is not among them.
   Then TEXT, of FACT_NAME_SIZE bytes, gets the name of the option that does.  */
bool combinations_forbid_stacks(const struct facts *facts, const struct options *options,
                                char *text);

/* False after a message if FACTS, made of OPTIONS, break a rule.  */
bool combinations_check(const struct facts *facts, const struct options *options);

/* Writes the name of FACT into TEXT: an option, or all formats that it may be: `--format=a|b'.  */
void fact_name(enum fact fact, char *text);

#endif
