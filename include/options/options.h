/* options.h - what the command line says, and nothing else: plan.h has what follows from it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_OPTIONS_OPTIONS_H
#define REGPROF_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/compare.h"
#include "compare/gate.h"
#include "export/formats.h"
#include "foreign/foreign.h"
#include "input/gmon.h"
#include "input/source_files.h"
#include "model/style.h"
#include "report/printers.h"
#include "symbols/symspec.h"
#include "tables/make_top.h"

/* Arguments of an option that may be repeated; the list is owned, the texts are not.  */
struct text_list {
    const char **texts;
    size_t count, capacity;
};

/* Which files are read, and how.  */
struct input_options {
    const char *image;           /* path */
    const char *const *profiles; /* paths; "-" is standard input */
    const char *const *operands; /* IMAGE and PROFILEs, those that were given */
    size_t operand_count;
    size_t profile_count;
    struct foreign_rules foreign; /* --from, --value, --program, --thread */
    char *thread;                 /* of --thread, as a label: `thread=NAME'; or NULL; owned */
    const char *list;             /* --files-from: path of a list of profiles, or NULL */
    bool is_null_separated;       /* --null: paths in the list end in NUL */
    /* The argument of --objects: files and directories, separated by colons; or NULL.  */
    const char *object_places;
    const char *stacks;      /* --stacks: path of call stacks; empty: beside profiles; or NULL */
    bool has_no_stacks;      /* --no-stacks: call stacks are ignored */
    bool has_slide;          /* --slide is given */
    uint64_t slide;          /* --slide: how much higher addresses of profiles are; modulo 2^64 */
    bool skip_bad;           /* --skip-bad */
    bool is_forced;          /* --force: profiles of another executable are used, too */
    bool recurses;           /* not --no-recurse: reads directories in directories */
    bool is_quiet;           /* --quiet: no progress line, no notes */
    enum gmon_format format; /* -O: of profiles, and of the sum */
};

/* The table of functions, and the options that select functions in other formats.  */
struct top_options {
    bool has_limit; /* it is given */
    size_t limit;   /* --top, rows; 0 = all */
    enum top_group by;
    const char *by_name; /* --by: how it is called, or NULL */
    enum name_style names;
    double min_share;           /* percent; below 0: not given */
    unsigned depth;             /* --depth, of the tree of calls; 0 = all */
    bool is_down;               /* --callees: the tree of calls goes down from functions */
    const char *focus, *hide;   /* regular expressions, or NULL */
    const char *columns, *sort; /* --columns, --sort: columns of a table, or NULL */
};

/* What the analysis counts, and for which symbols.  */
struct analysis_options {
    bool no_static;           /* -a */
    bool functions_only;      /* -D */
    bool has_static_calls;    /* -c */
    const char *object_map;   /* -R: path, or NULL */
    const char *symbol_table; /* -S: path, or NULL */
    struct symspecs specs;
    struct search_path source_path; /* -I, GPROF_PATH */
    struct source_map source_map;   /* --source-map */
    bool is_demangled;
    const char *demangling; /* --demangle: the style, or NULL */
    int demangling_style;   /* see image_find_demangling_style */
};

/* Source and machine code with time (--code).  */
struct code_options {
    size_t limit;                     /* functions; 0: not given */
    bool has_instructions;            /* --asm: of all functions, not only where no line is known */
    const char *disassembler_options; /* or NULL */
};

/* How and where the reports are written.  */
struct output_options {
    const struct export_format *format; /* --format; NULL: text */
    const char *path; /* -o: of the sum or, without one, of the reports; or NULL */
    bool opens;       /* --open: a browser shows the page */
    enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour; /* --color */
};

/* The comparison with a base, and its gate.  */
struct compare_options {
    const char *base;           /* --base: path of a snapshot or an executable; or NULL */
    struct text_list profiles;  /* --base-profile: paths */
    struct compare_rules rules; /* --base-runs, --alpha */
    struct gate_rules gate;     /* --fail-above, --fail-calls, --fail-scope */
    struct text_list allowed;   /* --allow: regular expressions */
    bool fails_inconclusive;    /* --fail-inconclusive */
};

/* The stages that are traced.  The argument of -d is a sum of these.  */
enum trace_stage {
    TRACE_NUMBERING = 2,
    TRACE_CYCLES = 4,
    TRACE_TALLY = 16,
    TRACE_SORTING = 32,
    TRACE_RECORDS = 64,
    TRACE_SYMBOLS = 128,
    TRACE_STATIC_CALLS = 256,
    TRACE_LOOKUPS = 512,
    TRACE_PROPAGATION = 1024,
    TRACE_BLOCKS = 2048,
    TRACE_SPECS = 4096,
    TRACE_ANNOTATION = 8192,
    TRACE_ALL = 0x3FF6
};

struct trace {
    unsigned stages; /* or-ed trace_stage */
    FILE *out;
};

/* The ids of options (option_rows.h) are less.  */
enum { MOST_OPTION_IDS = 320, OPTION_NAME_SIZE = 24 };

/* Writes the name of an option, with its dashes: the long one, if it has one.  */
void option_name(int id, char text[OPTION_NAME_SIZE]);

struct options {
    bool given[MOST_OPTION_IDS]; /* by id */
    struct input_options inputs;
    struct analysis_options analysis;
    struct top_options top;
    struct code_options code;
    struct output_options output;
    struct compare_options compare;
    unsigned reports_on;    /* reports asked for: or-ed report_kind */
    unsigned reports_named; /* reports that an option switched on or off */
    struct style style;     /* without the width of the terminal */
    struct trace trace;     /* -d */
    bool is_strict;         /* --strict: warnings are errors */
    char **arguments;       /* with @files expanded; see parse_options.h */
};

#endif
