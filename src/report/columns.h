/* columns.h - tables of columns, headings, units of time, phrases, and printed names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_COLUMNS_H
#define REGPROF_REPORT_COLUMNS_H

#include <stdio.h>

#include "base/out.h"
#include "model/model.h"
#include "report/printers.h"
#include "report/table_text.h"

/* ---- Columns ---- */

/* An array of columns describes a table.  A heading line consists of the heading pieces of all
   columns, a row of their cells.  In a heading piece, a run of `#' is replaced by the dimension of
   times, and a run of `@' by the unit of times per call; both are right-aligned and cut to the
   length of the run.  */
enum { HEADING_LINES = 3 };

struct column {
    const char *heading[HEADING_LINES]; /* NULL = no such line */
    int width;    /* of a row's cell, without the blank before it; negative: left-aligned */
    int decimals; /* of a cell with a fraction: 1 or 2 */
};

/* ---- Units ---- */

/* Times are counted in ticks and printed in units of the profile's dimension, which is usually
   seconds.  If the profile has no rate (ticks per unit), times are printed in ticks.  */
struct time_unit {
    double rate;            /* ticks per unit, never 0 */
    bool is_ticks;          /* the profile has no rate */
    char dimension[64];     /* "seconds", with control characters escaped */
    char abbreviation[8];   /* "s", with control characters escaped */
    double per_call_factor; /* times per call are multiplied by it: 1000 for ms */
    char per_call[16];      /* heading of columns of times per call: "ms/call" */
};

/* ---- Sheets ---- */

/* The state of printing a report.  */
struct sheet {
    struct out out;
    const struct profile *profile;
    const struct style *style;
    const struct column *columns; /* the table's layout; NULL for reports without one */
    struct time_unit unit;        /* times per call in thousandths until columns_set_prefix */
};

/* Starts to print on FILE, which may be NULL: see out_begin.  PROFILE and STYLE may be NULL if only
   text and numbers are printed.  */
void columns_begin(struct sheet *sheet, const struct profile *profile, const struct style *style,
                   FILE *file);
void columns_end(struct sheet *sheet);

/* Sets the unit of times per call.  */
void columns_set_prefix(struct sheet *sheet, const struct si_prefix *prefix);

/* ---- Tables ---- */

/* Prints the heading lines of the COUNT columns.  */
void columns_heading(struct sheet *sheet, size_t count);

/* Print a blank and the cell of column COLUMN: a time, given in ticks; a number with decimals; a
   count; blanks.  */
void column_time(struct sheet *sheet, int column, double ticks);
void column_fixed(struct sheet *sheet, int column, double value);
void column_count(struct sheet *sheet, int column, uint64_t value);
void column_blank(struct sheet *sheet, int column);

/* The width in bytes of the columns from FIRST to LAST inclusive, with the blanks before them;
   prints as many blanks.  */
size_t columns_width(const struct sheet *sheet, int first, int last);
void columns_blank(struct sheet *sheet, int first, int last);

/* PART of TOTAL in percent, both in ticks; PART of one tick if TOTAL is not above 0.  (Times and
   totals of a flat profile can be negative: time excluded by filters is subtracted from the total,
   and can exceed the time that was added if bins and symbols have different bounds.)  */
double percent_of(double part, double total);

/* ---- Phrases ---- */

/* Prints BEFORE, an explanation (blurbs.h) in the user's language with empty lines between its
   parts, and AFTER.  */
void columns_blurb(struct sheet *sheet, const char *before, const char *const *parts,
                   const char *after);

/* Prints "total: 2.00 seconds" and an empty line.  */
void columns_total(struct sheet *sheet, double total, const char *dimension);

/* Prints "granularity: each sample hit covers 4 byte(s) for 0.50% of 2.00 seconds" and an empty
   line.  TOTAL is in ticks; if it is not above 0, the sentence ends in "no time FATE".  Where
   nothing was sampled, as columns_total.  */
void columns_granularity(struct sheet *sheet, double total, const char *dimension,
                         const char *fate);

/* ---- Names ---- */

/* Prints the label of a symbol, with its source position if the style selects that: `f
   (file.c:3)'.  */
void label_print(struct sheet *sheet, uint32_t symbol);

/* The first names of all rows of a table whose last column has several: of short ones that are too
   long for a terminal, the end, and different texts for different names.  */
struct label_names {
    struct narrow_name *firsts; /* by row */
    struct arena arena;         /* has the texts */
};

/* Makes the names of TABLE, which are in the last of COUNT columns as OF_ROW says of its cells.
   Free with label_names_free.  */
void label_names_make(struct label_names *names, const struct sheet *sheet, int count,
                      const struct table *table,
                      struct cut_names (*of_row)(const struct cell *cells));
void label_names_free(struct label_names *names);

/* Prints NAMES in the last of COUNT columns, so that they fit on a terminal, with the position of
   SYMBOL, unless it is NULL, after the first (for which there may be too little space), then END,
   and ends the row.  */
void label_print_names(struct sheet *sheet, int count, const struct cut_names *names,
                       const struct symbol *symbol, const char *end);

/* Prints the base name of a file, or its path if the style selects that.  */
void label_print_file(struct sheet *sheet, uint32_t file);

/* Prints NODE with its cycle and its index in the call graph: `f <cycle 2> [7]', `<cycle 2 as a
   whole> [5]'.  */
void label_print_node(struct sheet *sheet, uint32_t node);

/* The size of an index in brackets, with a NUL.  */
enum { INDEX_SIZE = 16 };

/* Writes the index of NODE in the call graph to TEXT: `[7]', or `(7)' if NODE has no entry.  */
void label_index(char text[INDEX_SIZE], const struct node *node);

/* Prefetch what the label of node ID needs, which is printed with its index NODES_AHEAD lines
   later, then LABELS_AHEAD lines later.  They affect only the speed.  */
enum { NODES_AHEAD = 16, LABELS_AHEAD = 8 };
void label_prefetch_node(const struct profile *profile, uint32_t id);
void label_prefetch(const struct profile *profile, uint32_t id);

#endif
