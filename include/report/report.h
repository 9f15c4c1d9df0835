/* report.h - the reports, and the order they are printed in.

   A report gets a finished profile and a style and writes text.  It never sorts, computes,
   allocates into or frees what it prints: the final lists are part of the profile.  A new report is
   a file print_NAME.c, a row in report.c, a test and an entry in the manual.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_REPORT_H
#define REGPROF_REPORT_REPORT_H

#include <stdio.h>

#include "model/model.h"
#include "model/style.h"

/* The reports a user can ask for, as bits of a set.  */
enum report_kind {
    REPORT_INFO = 1,
    REPORT_FLAT = 2,
    REPORT_GRAPH = 4, /* call graph and function index */
    REPORT_COUNTS = 8,
    REPORT_SOURCE = 16,
    REPORT_FUNCTION_ORDER = 32,
    REPORT_FILE_ORDER = 64,
    REPORT_PER_FILE = 128
};

/* What a report needs, as bits of a set: the profiles must have the first two, the stages of a run
   provide the others.  */
enum report_need {
    NEEDS_HISTOGRAM = 1,
    NEEDS_ARCS = 2,
    NEEDS_CALLERS = 4,            /* who calls whom, and not only how often each is called */
    NEEDS_GRAPH = 8,              /* times, cycles, the lists of flat profile and call graph */
    NEEDS_LABELS = 16,            /* names as they are printed, of the listed functions */
    NEEDS_STATIC_POSITIONS = 32,  /* source positions of the static ones among them */
    NEEDS_COUNTS = 64,            /* the list of execution counts, with all source positions */
    NEEDS_ANNOTATION = 128,       /* executions by source line, and the sources */
    NEEDS_FUNCTION_ORDER = 256,   /* the suggested order of functions */
    NEEDS_OBJECT_ORDER = 512,     /* the suggested order of object files */
    NEEDS_PROFILE_FIGURES = 1024, /* figures of each profile */
    NEEDS_EVERYTHING = 0xFFFF
};

struct report {
    enum report_kind kind;
    const char *name; /* for traces and messages */
    unsigned needs;   /* or-ed report_need */
    bool is_bare;     /* for programs to read: no form feed before it */
    void (*print)(const struct profile *profile, const struct style *style, FILE *out);
    /* Whether anything is printed here; NULL: always.  */
    bool (*has_output)(const struct profile *profile, const struct style *style);
};

/* What the reports of the set KINDS (or-ed report_kind) need together.  */
unsigned reports_needs(unsigned kinds);

/* Whether the files of PROFILE have what the set NEEDS names of NEEDS_HISTOGRAM and NEEDS_ARCS:
   records, or a format that always has them.  */
bool profile_has(const struct profile *profile, unsigned needs);

/* The same for the reports of the set KINDS; a message says what is missing.  */
bool reports_are_possible(unsigned kinds, const struct profile *profile);

/* Prints the reports of the set KINDS (or-ed report_kind) in their order.  Errors of OUT stay in
   OUT.  */
void reports_print(unsigned kinds, const struct profile *profile, const struct style *style,
                   FILE *out);

#endif
