/* table.h - a table of typed cells: what every renderer (text, TSV, CSV, Markdown, JSON) walks.

   Cells hold values, not text: times in units of the profile (seconds, mostly), shares in percent.
   The renderer decides how they look.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_TABLE_H
#define REGPROF_MODEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cell_kind {
    CELL_EMPTY, /* not known, or without meaning in this row */
    CELL_COUNT,
    CELL_NUMBER,
    CELL_TEXT
};

struct cell {
    enum cell_kind kind;
    bool is_doubtful; /* a number that rests on too little: text formats print a `?' after it */
    union {
        uint64_t count;
        double number;
        const char *text; /* valid until the next row is filled; control characters escaped */
    };
};

/* What the numbers of a column are, which decides how people see them.  */
enum column_unit {
    UNIT_NONE,
    UNIT_PERCENT,
    UNIT_TIME,     /* in the profile's unit, seconds mostly */
    UNIT_PER_CALL, /* time for each call, which people see in the table's per-call unit */
    UNIT_ADDRESS
};

struct table_column {
    const char *name; /* `self%': what users call it, and its heading */
    enum column_unit unit;
    int decimals; /* of numbers, as people see them */
    bool is_text; /* left-aligned; cut if the line is too long for a terminal */
};

enum { MOST_COLUMNS = 32, MOST_NOTES = 8 };

struct table {
    const char *title; /* a line above the table, or NULL */
    const struct table_column *columns[MOST_COLUMNS];
    size_t column_count;
    size_t row_count;
    int time_decimals;      /* of times, as people see them */
    double per_call_factor; /* times per call are multiplied by it for people: 1000 for ms */
    char per_call_unit[8];  /* unit of times per call for people: "ms" */
    const char *time_unit;  /* of times: "seconds" */
    /* The columns with the figure that matters most and its error; NULL: none.  */
    const struct table_column *value, *value_error;
    const char *notes[MOST_NOTES]; /* lines below the table */
    size_t note_count;
    /* Fills CELLS, one for each column, with those of ROW.  */
    void (*fill)(const void *context, size_t row, struct cell *cells);
    const void *context;
};

#endif
