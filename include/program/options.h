/* options.h - the command line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_OPTIONS_H
#define REGPROF_PROGRAM_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/symspec.h"
#include "input/gmon.h"
#include "input/source_files.h"
#include "program/trace.h"
#include "report/report.h"

struct options {
    const char *image;           /* path */
    const char *const *profiles; /* paths; "-" is standard input */
    size_t profile_count;
    unsigned reports_on;    /* reports asked for: or-ed report_kind */
    unsigned reports_named; /* reports some option spoke of */
    struct symspecs specs;
    struct search_path source_path; /* -I, GPROF_PATH */
    struct style style;
    struct trace trace; /* -d */
    enum gmon_format format;
    bool is_summing;          /* -s */
    const char *sum_path;     /* -o: where the sum goes; "-" is standard output */
    const char *list;         /* --files-from: path of a list of profiles, or NULL */
    bool is_null_separated;   /* --null: its paths end in NUL */
    bool skip_bad;            /* --skip-bad */
    bool is_quiet;            /* --quiet: no progress line */
    unsigned jobs;            /* --jobs: processes; 0 = as many as processors */
    bool no_static;           /* -a */
    bool functions_only;      /* -D */
    bool has_static_calls;    /* -c */
    const char *object_map;   /* -R: path, or NULL */
    const char *symbol_table; /* -S: path, or NULL */
    bool is_demangled;
    int demangling_style; /* see image_find_demangling_style */
    char **arguments;     /* with @files expanded; see options_free */
};

enum options_status { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* Reads the command line.  OPTIONS_DONE: --help or --version has been answered on standard output.
   OPTIONS_BAD: what is wrong has been said.  */
enum options_status options_parse(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* The reports to print, once it is known what the profiles hold: those asked for; if none, flat
   profile and call graph where there is data for them, else execution counts, without any that was
   mentioned. */
unsigned options_kinds(const struct options *options, const struct profile *profile);

#endif
