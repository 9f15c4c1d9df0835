/* make_top.h - the table of functions, source lines, files or objects (--top), and its columns.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_MAKE_TOP_H
#define REGPROF_TABLES_MAKE_TOP_H

#include <regex.h>

#include "model/model.h"

/* Its columns.  */
extern const struct column_set top_columns;

struct top_rules {
    enum top_group by;
    enum name_style names;
    size_t limit;     /* rows to show; 0 = all */
    double min_share; /* percent: rows with less, own or inclusive, are not shown; 0 or less: all
                         are */
    bool has_zeros;   /* rows without time and calls as well */
    const regex_t *focus, *hide; /* or NULL */
    struct column_list columns;  /* to show */
    struct column_list
        sort; /* to sort by, the first decides; by default self, total, calls, name */
};

/* Builds profile->top from the results of the analysis and the labels.  */
void top_build(struct profile *profile, const struct top_rules *rules);

#endif
