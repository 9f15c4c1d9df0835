/* compare_table.h - a comparison as a table.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_COMPARE_TABLE_H
#define REGPROF_COMPARE_COMPARE_TABLE_H

#include "model/comparison.h"
#include "model/style.h"

/* All columns of the table.  */
extern const struct column_set comparison_columns;

/* What a column, or a table of few columns, is about.  */
enum compare_subject { OF_FUNCTION, OF_TIME, OF_INCLUSIVE, OF_CALLS };

struct compare_table_rules {
    size_t limit;               /* functions of each kind; 0: all */
    double min_share;           /* percent of the time of a side, of functions that are shown */
    struct column_list columns; /* none: those that the table has by itself */
    struct column_list sort;    /* none: as the rows of the comparison are */
    enum name_style names;
    bool is_for_people; /* leaves out columns that say nothing in these rows */
    /* For terminals: at most six columns, with the error beside the change.  */
    bool is_narrow;
    const char *plus_minus;       /* before this error */
    enum compare_subject subject; /* of these columns */
    bool has_calls;               /* beside times */
    bool only_changed; /* leaves out functions without a significant change in any column */
};

/* Whether COLUMNS have inclusive times, which COMPARISON has only if both sides have stacks.  */
bool compare_needs_inclusive(const struct column_list *columns);

/* Makes the table of COMPARISON: functions and the total, which is the last row.  */
void compare_table(struct comparison *comparison, const struct compare_table_rules *rules);

#endif
