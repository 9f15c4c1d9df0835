/* top_columns.h - the columns of the table of functions: one row of a table defines each.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_TOP_COLUMNS_H
#define REGPROF_TABLES_TOP_COLUMNS_H

#include "base/message.h"
#include "model/model.h"

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

#endif
