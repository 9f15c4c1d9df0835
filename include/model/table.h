/* table.h - a table of typed cells: what every renderer (text, TSV, CSV, Markdown, JSON) walks.

   Cells hold values, not text: times in units of the profile (seconds, mostly), shares in percent.
   The renderer decides how they look.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_TABLE_H
#define REGPROF_MODEL_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

enum cell_kind {
    CELL_EMPTY, /* not known, or without meaning in this row */
    CELL_COUNT,
    CELL_NUMBER,
    CELL_TEXT
};

struct cell {
    enum cell_kind kind;
    bool is_doubtful; /* a number that rests on too little: text formats print a `?' after it */
    bool is_shared;   /* a count that is of other rows, too: text formats print a `*' after it */
    bool is_repeated; /* people see the same number in another cell: text formats leave it blank */
    uint32_t indent;  /* bytes before a name: TREE_LEVEL characters for each level of a tree */
    union {
        uint64_t count;
        double number;
        const char *text; /* valid until the next row is filled; control characters escaped */
    };
};

static inline struct cell empty_cell(void)
{
    return (struct cell){.kind = CELL_EMPTY};
}

/* Empty if NUMBER is not finite: it is not known.  */
static inline struct cell number_cell(double number)
{
    return isfinite(number) ? (struct cell){.kind = CELL_NUMBER, .number = number} : empty_cell();
}

static inline struct cell count_cell(uint64_t count)
{
    return (struct cell){.kind = CELL_COUNT, .count = count};
}

/* Empty if TEXT is NULL.  */
static inline struct cell text_cell(const char *text)
{
    return text != NULL ? (struct cell){.kind = CELL_TEXT, .text = text} : empty_cell();
}

/* What the numbers of a column are, which decides how people see them.  */
enum column_unit {
    UNIT_NONE,
    UNIT_PERCENT,
    UNIT_TIME,     /* in the profile's unit, seconds mostly */
    UNIT_PER_CALL, /* time for each call, which people see in the table's per-call unit */
    UNIT_ADDRESS,
    UNIT_NAME, /* text: the name of a function */
    UNIT_CODE  /* text: a line of a program, which is cut at its end */
};

struct table_column {
    const char *name; /* `self%': what users call it, and its heading */
    enum column_unit unit;
    int decimals; /* of numbers, as people see them */
    bool is_text; /* left-aligned; cut if the line is too long for a terminal */
};

enum { MOST_COLUMNS = 32, MOST_NOTES = 12, TREE_LEVEL = 3 };

/* How a column gives way to names where a line of a terminal has too little room for both.  */
struct column_step {
    const char *name;   /* of the column: it is left out ... */
    const char *behind; /* ... or its figures are shown behind those of this column, whose error
                           they are; or NULL */
};

/* Columns that a user names: to show, or to sort by, where the first decides.  */
struct column_list {
    const struct table_column *columns[MOST_COLUMNS];
    bool is_reversed[MOST_COLUMNS];
    size_t count;
};

/* How a row stands out on a terminal.  */
enum table_tone { TONE_PLAIN, TONE_HOT, TONE_WARM, TONE_FAINT, TONE_WORSE, TONE_BETTER };

/* The tone of a row with this share of all time, in percent.  */
enum table_tone tone_of_share(double percent);

struct name_list;

/* All columns that there are of one kind of table: COUNT objects of SIZE bytes at FIRST, each a
   struct table_column or a struct that begins with one.  */
struct column_set {
    const void *first;
    size_t count, size;
};

/* Reads TEXT, names of columns of SET separated by commas, a `-' before those to be reversed if
   MAY_REVERSE.  If a name is unknown, or there are too many, sets *UNKNOWN to its start and *LENGTH
   to its bytes, and returns false.  */
bool column_list_parse(struct column_list *list, const struct column_set *set, const char *text,
                       bool may_reverse, const char **unknown, size_t *length);

/* Whether one of the columns of LIST is called NAME.  */
bool column_list_has(const struct column_list *list, const char *name);

/* Removes the column NAME, if LIST has it.  */
void column_list_remove(struct column_list *list, const char *name);

/* The names of all columns of SET; fills NAMES.  */
const char *column_names(const struct column_set *set, struct name_list *names);

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
    /* Columns that give way, in this order, but for those that the user names.  */
    const struct column_step *steps;
    size_t step_count;
    size_t whole_steps; /* the first steps: taken until names are whole, others for their room */
    struct column_list kept;       /* those */
    const char *notes[MOST_NOTES]; /* lines below the table */
    size_t note_count;
    /* Fills CELLS, one for each column, with those of ROW.  */
    void (*fill)(const void *context, size_t row, struct cell *cells);
    /* The tone of ROW; NULL: all are plain.  */
    enum table_tone (*tone)(const void *context, size_t row);
    const void *context;
};

/* The number of the column called NAME; that of all columns if there is none.  */
size_t table_find_column(const struct table *table, const char *name);
static inline bool table_has_column(const struct table *table, const char *name)
{
    return table_find_column(table, name) < table->column_count;
}

/* The decimals of times with which one of RATE samples per unit shows.  */
int table_time_decimals(double rate);

/* Copies TEXT into ARENA, as the last note of TABLE; more than MOST_NOTES are left out.  */
void table_add_note(struct table *table, struct arena *arena, const char *text);

#endif
