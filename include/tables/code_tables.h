/* code_tables.h - a table for each function of a code view (--code).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_CODE_TABLES_H
#define REGPROF_TABLES_CODE_TABLES_H

#include "base/memory.h"
#include "model/code_view.h"
#include "model/snapshot.h"
#include "model/table.h"

struct code_table {
    struct table table;
    const struct code_tables *all;
    const struct code_function *function;
};

/* Zeroed = none; see code_tables_free.  */
struct code_tables {
    struct code_table *tables; /* by function of the view */
    const struct table **list; /* the same */
    size_t count;
    const struct code_view *view;
    const char *
        *texts; /* by row of the view: line number, or file and line, or address; and text */
    struct arena arena; /* owns the texts */
};

/* Makes the tables of VIEW, whose times are those of SNAPSHOT; it must outlive TABLES.  File names
   are paths if HAS_PATHS.  */
void code_tables_build(struct code_tables *tables, const struct code_view *view,
                       const struct snapshot *snapshot, bool has_paths);
/* Adds a line below the last table.  */
void code_tables_add_note(struct code_tables *tables, const char *text);
void code_tables_free(struct code_tables *tables);

#endif
