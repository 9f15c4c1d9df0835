/* per_file_tables.h - the figures of each profile as tables (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_PER_FILE_TABLES_H
#define REGPROF_TABLES_PER_FILE_TABLES_H

#include "base/message.h"
#include "model/model.h"

/* Columns of the table of profiles to sort by, the first decides.  */
enum { MOST_SORT_COLUMNS = 8 };
struct per_file_sort {
    size_t count; /* 0: the order in which they were read */
    unsigned columns[MOST_SORT_COLUMNS];
    bool is_reversed[MOST_SORT_COLUMNS];
};

/* Reads LIST, names of columns separated by commas, each after a hyphen if its order is reversed.
   False if a name is unknown, which is then at *UNKNOWN with *LENGTH bytes, or if there are too
   many.  */
bool per_file_sort_parse(struct per_file_sort *sort, const char *list, const char **unknown,
                         size_t *length);
/* The names that it knows; fills NAMES.  */
const char *per_file_column_names(struct name_list *names);

struct per_file_rules {
    struct per_file_sort sort;
    size_t most_ends;      /* profiles to show at each end of the order; 0 = all */
    size_t most_functions; /* functions to show; 0 = all */
};

/* Makes the tables of the figures, after functions have their labels.  */
void per_file_tables(struct profile *profile, const struct per_file_rules *rules);

#endif
