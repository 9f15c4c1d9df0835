/* report.h - the reports, and the order they are printed in.

   A report gets a finished profile and a style and writes text.  It never sorts, computes,
   allocates into or frees what it prints: sorted views are part of the profile.  A new report is a
   file `print_NAME.c', a row in report/report.c, a test and an entry in the manual.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_REPORT_H
#define REGPROF_REPORT_REPORT_H

#include <stdio.h>

#include "model/model.h"

/* How reports look.  Where a member belongs to one report, that is said.  */
struct style {
    bool is_brief;           /* -b: no explanations */
    bool is_traditional;     /* -T: the layout of BSD gprof */
    bool has_zeros;          /* -z: functions without calls and time as well */
    bool has_lines;          /* -l: symbols are source lines */
    bool inline_file_names;  /* --inline-file-names */
    bool print_path;         /* -L: paths instead of base names of files */
    unsigned width;          /* -w: function index, columns */
    bool has_all_lines;      /* -x: source, lines inside of basic blocks */
    bool has_separate_files; /* -y: source, a file for each file */
    unsigned table_length;   /* -t: source, rows of the table of lines */
    uint64_t min_count;      /* -m: source, fewer executions are shown as ##### */
    unsigned address_digits; /* 8 or 16: hexadecimal digits of an address in the image */
};

/* The kinds of report, as bits of a choice.  */
enum report_kind {
    REPORT_INFO = 1,
    REPORT_FLAT = 2,
    REPORT_GRAPH = 4, /* call graph and function index */
    REPORT_COUNTS = 8,
    REPORT_SOURCE = 16,
    REPORT_FUNCTION_ORDER = 32,
    REPORT_FILE_ORDER = 64,
    REPORT_PER_FILE = 128,
    REPORTS_WITHOUT_ARCS = REPORT_INFO | REPORT_COUNTS | REPORT_SOURCE, /* with calls alone */
    REPORTS_WITHOUT_GRAPH =
        REPORTS_WITHOUT_ARCS | REPORT_FUNCTION_ORDER | REPORT_FILE_ORDER /* nor times */
};

/* What a report cannot do without.  */
enum report_need { NEEDS_NOTHING = 0, NEEDS_HISTOGRAM = 1, NEEDS_ARCS = 2 };

struct report {
    const char *name; /* for traces and messages */
    enum report_kind kind;
    enum report_need needs;
    void (*print)(const struct profile *profile, const struct style *style, FILE *out);
};

/* Whether the profile files have what NEED names: records, or a format that has it anyway.  */
bool report_has(const struct profile *profile, enum report_need need);

/* Whether PROFILE has what the reports of the set KINDS (or-ed report_kind) cannot do without; says
   what is missing if not.  */
bool reports_are_possible(unsigned kinds, const struct profile *profile);

/* Prints the reports of the set KINDS (or-ed report_kind) in their order.  Errors of OUT are left
   in OUT, to be looked at once at the end.  */
void reports_print(unsigned kinds, const struct profile *profile, const struct style *style,
                   FILE *out);

#endif
