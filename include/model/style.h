/* style.h - how reports look, as the options choose.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_STYLE_H
#define REGPROF_MODEL_STYLE_H

#include <stdbool.h>
#include <stdint.h>

/* Of the names of functions.  */
enum name_style { NAMES_FULL, NAMES_SHORT, NAMES_RAW };

struct style {
    enum name_style names;   /* in tables; of short ones that are too long, the end is kept */
    bool is_brief;           /* -b: no explanations */
    bool explains;           /* below tables: --explain, or not -b and not on a terminal */
    bool is_traditional;     /* -T: the layout of BSD gprof */
    bool has_zeros;          /* -z: functions without calls and time as well */
    bool inline_file_names;  /* --inline-file-names */
    bool print_path;         /* -L: paths instead of base names of files */
    unsigned width;          /* -w: function index, columns */
    unsigned terminal_width; /* columns of the terminal that is printed to; 0 = none */
    bool is_utf8;            /* the user's locale has characters beyond ASCII, in UTF-8 */
    bool has_colour;         /* rows of tables have colours (--color) */
    bool has_all_lines;      /* -x: source, lines inside of basic blocks */
    bool has_separate_files; /* -y: source, a file for each file */
    unsigned table_length;   /* -t: source, rows of the table of lines */
    uint64_t min_count;      /* -m: source, fewer executions are shown as ##### */
};

/* The sign before an error.  */
static inline const char *style_plus_minus(const struct style *style)
{
    return style->is_utf8 || style->terminal_width == 0 ? "±" : "+-";
}

#endif
