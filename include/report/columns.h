/* columns.h - what reports share: tables of columns, headings, units of time, phrases.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_COLUMNS_H
#define REGPROF_REPORT_COLUMNS_H

#include <stdio.h>

#include "base/out.h"
#include "model/model.h"
#include "report/report.h"

/* ---- Columns ---- */

/* A table is laid out by an array of columns: heading lines are the columns' heading pieces put
   together, rows are the columns' cells.  A heading piece is a picture: a run of `#' is room for
   the time's dimension, a run of `@' for the unit of a time per call; both are right-aligned in
   their room, and cut to it.  */
enum { HEADING_LINES = 3 };

struct column {
    const char *heading[HEADING_LINES]; /* NULL = no such line */
    int width;    /* of a row's cell, without the blank before it; negative: left-aligned */
    int decimals; /* of a cell with a fraction: 1 or 2 */
};

/* ---- Units ---- */

/* Times are held in ticks and printed in units of the profile's dimension, which is seconds mostly.
   A profile that does not say how many ticks a unit has gets its times in ticks.  */
struct time_unit {
    double rate;            /* ticks per unit, never 0 */
    bool is_ticks;          /* the profile has no rate */
    char dimension[64];     /* "seconds", control characters made visible */
    char abbreviation[8];   /* "s", likewise */
    double per_call_factor; /* what the per-call columns multiply units with: 1000 for ms */
    char per_call[16];      /* heading of those columns: "ms/call" */
};

/* ---- The sheet: where a report is printed ---- */

struct sheet {
    struct out out;
    const struct profile *profile;
    const struct style *style;
    const struct column *columns; /* the table's layout; NULL for reports without one */
    struct time_unit unit;        /* with per-call columns in thousandths at first */
};

/* FILE as for `out_begin'.  PROFILE and STYLE may be NULL for text and numbers only.  */
void columns_begin(struct sheet *sheet, const struct profile *profile, const struct style *style,
                   FILE *file);
void columns_end(struct sheet *sheet);

/* Sets the unit of the per-call columns.  */
void columns_set_prefix(struct sheet *sheet, const struct si_prefix *prefix);

/* ---- Tables ---- */

/* The heading of the COUNT columns.  */
void columns_heading(struct sheet *sheet, size_t count);

/* A blank and a cell in column COLUMN: a time given in ticks, a fraction, a count, nothing.  */
void column_time(struct sheet *sheet, int column, double ticks);
void column_fixed(struct sheet *sheet, int column, double value);
void column_count(struct sheet *sheet, int column, uint64_t value);
void column_blank(struct sheet *sheet, int column);

/* The columns FIRST to LAST, both included: their width in bytes; and as blanks.  */
size_t columns_width(const struct sheet *sheet, int first, int last);
void columns_blank(struct sheet *sheet, int first, int last);

/* PART of TOTAL in percent, both in ticks; of one tick if TOTAL is not above 0.  (A flat profile
   may have times and a total below 0: what filters leave out is taken off the total, and may be
   more than was added where bins do not end where symbols do.)  */
double percent_of(double part, double total);

/* ---- Phrases ---- */

/* An explanation (blurbs.h) in the user's language, with empty lines between its parts, after
   BEFORE and followed by AFTER.  */
void columns_blurb(struct sheet *sheet, const char *before, const char *const *parts,
                   const char *after);

/* "granularity: each sample hit covers 4 byte(s) for 0.50% of 2.00 seconds" and an empty line;
   TOTAL is in ticks.  Without time the sentence ends in "no time FATE".  */
void columns_granularity(struct sheet *sheet, double total, const char *dimension,
                         const char *fate);

#endif
