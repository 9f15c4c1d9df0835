/* per_file.h - the tables of the figures of each profile (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_PER_FILE_H
#define REGPROF_TABLES_PER_FILE_H

#include "model/model.h"
#include "model/style.h"

/* The columns of the table of profiles.  */
extern const struct column_set per_file_columns;

struct per_file_rules {
    struct column_list sort; /* of the table of profiles; none: the order of reading */
    size_t most_ends;        /* profiles to show at each end of the order; 0 = all */
    size_t most_functions;   /* functions to show; 0 = all */
    enum name_style names;
};

/* Makes the tables of FIGURES, which have their names, of the functions of SYMTAB.  NAMES gets
   other names.  */
void per_file_tables(struct per_file *figures, const struct per_file_rules *rules,
                     const struct symtab *symtab, struct arena *names);

#endif
