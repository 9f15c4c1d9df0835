/* make_top.h - the table of functions, source lines, files or objects (--top), and its columns.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_MAKE_TOP_H
#define REGPROF_TABLES_MAKE_TOP_H

#include <regex.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/snapshot.h"
#include "model/style.h"
#include "model/table.h"

/* What a row stands for.  */
enum top_group {
    TOP_FUNCTIONS,
    TOP_LINES,
    TOP_FILES,
    TOP_OBJECTS,
    TOP_THREADS,
    TOP_PROGRAMS,
    TOP_PROCESSES
};
/* From TOP_OBJECTS on, only recorded stacks know what a row is; from TOP_PROGRAMS on, only the
   record of a run.  */

/* All columns of the table.  */
extern const struct column_set top_columns;

/* To sort the table by inclusive time.  */
extern const struct column_list top_by_total;

struct top_rules {
    enum top_group by;
    enum name_style names;
    bool tells_apart; /* functions of one name have their file or address behind it */
    size_t limit;     /* rows to show; 0 = all */
    double min_share; /* percent: rows with less, own or inclusive, are not shown; 0 or less: all
                         are */
    bool has_zeros;   /* rows without time and calls as well */
    const regex_t *focus, *hide; /* or NULL */
    struct column_list columns;  /* to show */
    struct column_list kept;     /* shown however narrow the terminal is, if the table has them */
    struct column_list
        sort; /* to sort by, the first decides; by default self, total, calls, name */
};

struct top_row {
    uint32_t id;    /* of the first function of the group */
    uint32_t count; /* functions in the group */
    uint32_t file;  /* its number in `files'; NO_ID: not known */
    double self;    /* samples, of all of them */
    double total;   /* samples, callees included; NaN for groups, but for measured lines */
    uint64_t calls; /* as in the flat profile */
    double before;  /* own samples of the rows before this one */
};

struct top {
    const struct snapshot *snapshot;
    enum top_group by;
    struct column_list columns;
    struct top_row *rows; /* those that are shown, in order */
    size_t row_count;
    bool is_unmatched;   /* there are rows, and `focus' matches none */
    size_t hidden_count; /* rows that the rules leave out */
    double shown;        /* own samples of the shown rows */
    double hidden;       /* own samples of the other rows */
    const char **names;  /* by function id, of the rows' functions; as --names says */
    const char **raws;   /* by function id: names as in the image; NULL unless a column has them */
    uint32_t *callers;   /* by function id: others that called it; NULL like `raws' */
    uint32_t *callees;   /* by function id: others that it called; NULL like `raws' */
    struct string_map files;  /* paths */
    const char **file_labels; /* by number of `files': the path, escaped */
    struct table table;
    struct arena arena; /* owns the names */
};

/* Whether the table needs the arcs of the snapshot.  */
bool top_needs_arcs(const struct top_rules *rules);

/* Builds the table of the functions of SNAPSHOT, which must outlive it; TOP stays where it is.
   Bounds of functions must be known before if rows are sorted by them, else when cells are filled.
   From TOP_OBJECTS on, functions are objects, threads, programs or processes.  */
void top_build(struct top *top, const struct snapshot *snapshot, const struct top_rules *rules);
void top_free(struct top *top);

#endif
