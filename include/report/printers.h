/* printers.h - the reports, one per file: what each needs, and the function that prints it.

   A report receives a finished profile and a style, and prints text.  It does not sort, compute,
   allocate into or free what it prints: the final lists are part of the profile.  To add a report,
   add a file print_NAME.c, a row in report.c, a test and an entry in the manual.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_PRINTERS_H
#define REGPROF_REPORT_PRINTERS_H

#include <stdio.h>

#include "model/model.h"
#include "model/style.h"

/* The reports that options select, as bits of a set.  */
enum report_kind {
    REPORT_INFO = 1,
    REPORT_FLAT = 2,
    REPORT_GRAPH = 4, /* call graph and function index */
    REPORT_COUNTS = 8,
    REPORT_SOURCE = 16,
    REPORT_FUNCTION_ORDER = 32,
    REPORT_FILE_ORDER = 64,
    REPORT_PER_FILE = 128,
    REPORT_TOP = 256,
    REPORT_SNAPSHOT = 512, /* everything, for another program; only formats show it */
    REPORT_COMPARISON = 1024,
    REPORT_TREE = 2048,
    REPORT_CODE = 4096
};

/* What a report needs, as bits of a set: the profiles must have the first two, the stages of a run
   provide the others.  */
enum report_need {
    NEEDS_HISTOGRAM = 1,
    NEEDS_ARCS = 2,
    NEEDS_CALLERS = 4,            /* arcs by caller and callee, not only the calls of each callee */
    NEEDS_GRAPH = 8,              /* times, cycles, the list of the flat profile */
    NEEDS_LABELS = 16,            /* labels of the listed functions */
    NEEDS_STATIC_POSITIONS = 32,  /* source positions of the listed functions that are static */
    NEEDS_COUNTS = 64,            /* the list of execution counts, with all source positions */
    NEEDS_ANNOTATION = 128,       /* executions by source line, and the sources */
    NEEDS_FUNCTION_ORDER = 256,   /* the suggested order of functions */
    NEEDS_OBJECT_ORDER = 512,     /* the suggested order of object files */
    NEEDS_PROFILE_FIGURES = 1024, /* figures of each profile */
    NEEDS_TOP = 2048,             /* the table of functions */
    NEEDS_POSITIONS = 4096,       /* source positions of all listed functions */
    NEEDS_ENTRIES = 8192,         /* the order of the entries of the call graph, and its index */
    NEEDS_TREE = 16384,           /* the tree of calls */
    NEEDS_CODE = 32768,           /* source lines and instructions of some functions */
    NEEDS_ENTRY_LINES = 65536     /* the order of the lines in each entry of the call graph */
};

struct report {
    enum report_kind kind;
    const char *name; /* for traces and messages */
    unsigned needs;   /* or-ed report_need */
    bool is_bare;     /* input for other programs: no form feed before it */
    /* NULL: the report is a table that is no part of the profile.  */
    void (*print)(const struct profile *profile, const struct style *style, FILE *out);
    /* Whether `print' prints anything; NULL: always.  */
    bool (*has_output)(const struct profile *profile, const struct style *style);
};

/* The numbers of records of each profile (-i).  */
extern const struct report report_info;
/* The samples and calls of each profile (--per-file).  */
extern const struct report report_per_file;
/* The flat profile (-p).  */
extern const struct report report_flat;
/* The call graph (-q), and the function index after it.  */
extern const struct report report_graph, report_index;
/* The table of functions, lines or files (--top).  */
extern const struct report report_top;
/* The tree of calls (--tree).  */
extern const struct report report_tree;
/* Source and machine code with time (--code).  */
extern const struct report report_code;
/* Execution counts of functions and basic blocks (-C).  */
extern const struct report report_counts;
/* Annotated sources (-A).  */
extern const struct report report_sources;
/* Suggested orders for the linker (-r, -R).  */
extern const struct report report_function_order, report_file_order;

/* Prints one annotated source, number SOURCE of profile->annotation, to a file of its own (-y).  */
void print_source(const struct profile *profile, const struct style *style, size_t source,
                  FILE *out);

/* Sets TEXTS to what limits the times that STACKS measured, a sentence each: what counting took,
   how many stacks lack their outermost frames, or perhaps callers of leaf functions, and which
   samples are left out, or were not taken; the last one says most.  Returns how many.  */
enum { MOST_LIMITS = 6, LIMIT_SIZE = 300 };
size_t report_limits(const struct recorded_stacks *stacks, char texts[MOST_LIMITS][LIMIT_SIZE]);

/* ---- All reports ---- */

/* The union of the needs (or-ed report_need) of the reports KINDS (or-ed report_kind).  */
unsigned reports_needs(unsigned kinds);

/* Whether the files of PROFILE have the records that the reports KINDS need; false after a
   message.  */
bool reports_are_possible(unsigned kinds, const struct profile *profile);

/* The tables that are no part of the profile: of functions, of the tree of calls, of the code of
   functions.  NULL, or 0, unless they are printed.  */
struct report_tables {
    const struct table *top, *tree;
    const struct table *const *code; /* one for each function */
    size_t code_count;
};

/* Prints the reports KINDS (or-ed report_kind) in the order of the table.  Check ferror(OUT)
   afterwards.  */
void reports_print(unsigned kinds, const struct profile *profile,
                   const struct report_tables *tables, const struct style *style, FILE *out);

#endif
