/* make_top.h - builds the table of functions, source lines or files (--top).  Manual, Reading the
 * table.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_MAKE_TOP_H
#define REGPROF_TABLES_MAKE_TOP_H

#include <regex.h>

#include "model/model.h"
#include "tables/top_columns.h"

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
