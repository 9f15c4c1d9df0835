/* plan.h - what the program is to do, as it follows from the options.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_PLAN_H
#define REGPROF_OPTIONS_PLAN_H

#include <regex.h>

#include "compare/compare_table.h"
#include "options/options.h"
#include "tables/per_file.h"

/* Which call stacks measure the times of the reports.  */
enum stacks_source {
    STACKS_NONE,
    STACKS_FOUND,  /* those beside each profile, if all have some */
    STACKS_BESIDE, /* those beside each profile, which must have some */
    STACKS_FILE,   /* those of the file that is named */
};

/* What is done with call stacks.  All zero: nothing.  */
struct stacks_plan {
    enum stacks_source source;
    bool adds;      /* those beside each profile, if all have some, are added to the sum */
    char *obstacle; /* the option because of which such stacks are not used; or NULL; owned */
};

/* What can be asked of the profiles of one kind.  */
struct profile_kind {
    uint64_t refused; /* groups of options that need others */
    uint64_t unused;  /* groups that say nothing of these: their sum is a profile in a format */
    bool has_stacks;  /* they have stacks or calls themselves */
    unsigned on_page; /* reports that a page shows, too: or-ed report_kind */
};

/* What the program is asked for.  */
enum mode { MODE_REPORT, MODE_SUM, MODE_COMPARE };

struct plan {
    enum mode mode;
    const struct profile_kind *profiles;
    unsigned reports;   /* or-ed report_kind; 0: see plan_settle_reports */
    unsigned needs;     /* or-ed report_need, of these, or of the flat profile and the call graph */
    bool is_own;        /* the reports are only such as GNU gprof lacks */
    bool has_files;     /* the source files of all symbols are needed before these have names */
    bool by_line;       /* functions are split into lines */
    bool has_lines;     /* the format has lines beside functions */
    bool keeps_threads; /* which thread stacks are of is needed */
    bool has_idle;      /* functions without time and calls, too */
    bool has_stubs;     /* `puts@plt' is a function; GNU gprof calls it by the one before it */
    bool refuses_others; /* profiles that another executable wrote are errors, not warnings */
    struct stacks_plan stacks;
    bool shows_profiles; /* the format shows each profile by itself */
    /* The format of the reports; NULL: text.  */
    const struct export_format *format;
    const char
        *output_path;     /* of the reports; NULL: standard output, or, to be opened, a new file */
    const char *sum_path; /* of the sum; "-": standard output; NULL: no sum */
    struct style style;
    struct top_rules top; /* also for other formats that select functions */
    bool has_columns;     /* the user has named those of `top' */
    struct per_file_rules per_file;
    struct code_options code; /* if the reports have code */
    struct gate_rules gate;
    struct compare_table_rules compared;
    /* The options given that change what is counted or how functions are called, sorted; owned.  */
    const char **counting;
    size_t counting_count;
    struct arena arena;   /* owns their texts */
    regex_t *expressions; /* of `top' and `gate'; owned */
    size_t expression_count;
};

/* Standard output, if it is a terminal.  */
struct terminal {
    bool is_one;
    bool has_colour; /* as $TERM and $NO_COLOR say */
    bool is_utf8;    /* the locale is */
    unsigned width;  /* columns, as $COLUMNS says, else as the terminal itself says; 0: not known */
    unsigned height; /* lines; 0: not known */
};
struct terminal terminal_of_output(void);

/* Makes the plan, which depends on nothing but the arguments; OPTIONS must outlive it.  FOREIGN:
   the first profile, if it is one of another profiler; else NULL.  It is the first operand unless
   an executable stands before it.  False after a message if the options do not fit together, or an
   argument is no expression or column.  Free PLAN in either case.  */
bool plan_make(struct plan *plan, const struct options *options, const struct terminal *terminal,
               const char *foreign);
void plan_free(struct plan *plan);

/* Settles which REPORTS are printed (or-ed report_kind), after the profiles have been read, and
   what they need.  If these are none: the flat profile and the call graph, as far as PROFILE has
   data for them, else execution counts, except reports that were switched off.  False after a
   message if PROFILE has no data for some.  */
bool plan_settle_reports(const struct plan *plan, const struct options *options,
                         const struct profile *profile, unsigned *reports, unsigned *needs);

#endif
