/* make_top.h - the table of functions, source lines, files or objects (--top), and its columns.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_MAKE_TOP_H
#define REGPROF_TABLES_MAKE_TOP_H

#include <regex.h>

#include "base/message.h"
#include "model/model.h"

/* ---- The columns of the table of functions: one row of a table defines each ---- */

/* Reads LIST, names separated by commas, a `-' before those to be reversed if MAY_REVERSE.  Sets
 *UNKNOWN to the start of a name that there is not, of *LENGTH bytes, and returns false.  */
bool top_columns_parse(struct top_columns *columns, const char *list, bool may_reverse,
                       const char **unknown, size_t *length);

/* Every name; fills NAMES.  */
const char *top_columns_names(struct name_list *names);

/* Whether one of COLUMNS is called NAME.  */
bool top_columns_have(const struct top_columns *columns, const char *name);

/* Compares two rows by their cells in COLUMNS, of which the first that differs decides: numbers
   descend and texts ascend, or the reverse; empty cells come last in both cases.  */
int top_columns_compare(const struct profile *profile, const struct top_columns *columns,
                        const struct top_row *a, const struct top_row *b);

/* ---- Builds the table of functions, source lines or files (--top) ---- */

/* Manual, Reading the
 * table.  */

struct top_rules {
    enum top_group by;
    enum name_style names;
    size_t limit;     /* rows to show; 0 = all */
    double min_share; /* percent: rows with less, own or inclusive, are not shown; 0 or less: all
                         are */
    bool has_zeros;   /* rows without time and calls as well */
    const regex_t *focus, *hide; /* or NULL */
    struct top_columns columns;  /* to show */
    struct top_columns
        sort; /* to sort by, the first decides; by default self, total, calls, name */
};

/* Builds profile->top from the results of the analysis and the labels.  */
void top_build(struct profile *profile, const struct top_rules *rules);

#endif
