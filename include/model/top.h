/* top.h - the table of functions, source lines, files or objects (--top).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_TOP_H
#define REGPROF_MODEL_TOP_H

#include "base/memory.h"
#include "model/table.h"

/* What a row stands for.  */
enum top_group { TOP_FUNCTIONS, TOP_LINES, TOP_FILES, TOP_OBJECTS };

enum name_style { NAMES_FULL, NAMES_SHORT, NAMES_RAW };

struct top_row {
    uint32_t symbol; /* the first of the group */
    uint32_t count;  /* symbols in the group */
    double self;     /* ticks, of all of them */
    double total;    /* ticks, callees included; NaN for groups */
    uint64_t calls;  /* as in the flat profile */
    double before;   /* own ticks of the rows before this one */
};

struct top {
    enum top_group by;
    struct column_list columns;
    struct top_row *rows; /* those that are shown, in order */
    size_t row_count;
    size_t hidden_count; /* rows that the rules leave out */
    double shown;        /* own ticks of the shown rows */
    double hidden;       /* own ticks of the hidden rows */
    const char **names;  /* by symbol id, of the rows' symbols; as --names says */
    const char **raws;   /* names as in the image, by symbol id; NULL unless some column has them */
    struct table table;
    struct arena arena; /* owns the names */
};

void top_free(struct top *top);

#endif
