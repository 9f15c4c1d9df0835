/* columns.h - the looks that reports share: columns, headings, numbers, names, units.

   A printer writes on a sheet, which collects text and hands it to the stream in large pieces.
   Errors of the stream stay in the stream.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_COLUMNS_H
#define REGPROF_REPORT_COLUMNS_H

#include <stdio.h>
#include <string.h>

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

/* ---- The sheet ---- */

struct sheet {
    const struct profile *profile;
    const struct style *style;
    const struct column *columns; /* the table's layout; NULL for reports without one */
    struct time_unit unit;        /* with per-call columns in thousandths at first */
    FILE *out;
    uint64_t flushed; /* bytes handed to `out' */
    size_t used;      /* bytes waiting in `text' */
    char text[65536];
};

/* PROFILE and STYLE may be NULL for what is text and numbers only; OUT for what is to stay in the
   sheet: what does not fit it is lost.  */
void format_begin(struct sheet *sheet, const struct profile *profile, const struct style *style,
                  FILE *out);
void format_end(struct sheet *sheet);

/* Turns the per-call columns to the SI prefix (tera to atto) that shows LARGEST, a time per call in
   ticks, as at least 1 and below 1000; to tera when there is no such prefix.  */
void format_choose_prefix(struct sheet *sheet, double largest);

/* How many bytes were written since `format_begin'.  */
uint64_t format_position(const struct sheet *sheet);

/* ---- Text ---- */

void format_char(struct sheet *sheet, char c);
void format_much(struct sheet *sheet, const char *p, size_t n); /* what does not fit the sheet */
static inline void format_bytes(struct sheet *sheet, const char *p, size_t n)
{
    if (n > sizeof sheet->text - sheet->used) {
        format_much(sheet, p, n);
        return;
    }
    memcpy(sheet->text + sheet->used, p, n);
    sheet->used += n;
}
/* The same; ROOM bytes at P may be read, N of which count.  Fast where ROOM is a constant.  */
static inline void format_bytes_of(struct sheet *sheet, const char *p, size_t n, size_t capacity)
{
    if (capacity > sizeof sheet->text - sheet->used) {
        format_much(sheet, p, n);
        return;
    }
    memcpy(sheet->text + sheet->used, p, capacity);
    sheet->used += n;
}
void format_text(struct sheet *sheet, const char *text);

/* An explanation (report/blurbs.h) in the user's language, with empty lines between its parts, and
   what sets it apart from the table: an empty line before, or a form feed after it.  */
void format_blurb(struct sheet *sheet, const char *before, const char *const *parts,
                  const char *after);

void format_blanks(struct sheet *sheet, size_t n);

/* TEXT with its control characters made visible.  */
void format_escaped(struct sheet *sheet, const char *text);

/* TEXT, cut and padded to WIDTH bytes.  */
void format_left(struct sheet *sheet, const char *text, size_t width);
void format_right(struct sheet *sheet, const char *text, size_t width);

/* ---- Numbers.  What does not fit its width is not cut. ---- */

/* Right-aligned in WIDTH bytes, or left-aligned in -WIDTH.  */
void format_count(struct sheet *sheet, uint64_t value, int width);

/* Right-aligned in WIDTH, with 1 or 2 DECIMALS: to the letter what printf gives for
   `%WIDTH.DECIMALSf', in a fraction of its time, which would be most of the time of a large report.
 */
void format_fixed(struct sheet *sheet, double value, int width, int decimals);

/* ---- Tables ---- */

/* The heading of the COUNT columns.  */
void format_heading(struct sheet *sheet, size_t count);

/* A blank and a cell in column COLUMN: a time given in ticks, a fraction, a count, nothing.  */
void format_cell_time(struct sheet *sheet, int column, double ticks);
void format_cell_fixed(struct sheet *sheet, int column, double value);
void format_cell_count(struct sheet *sheet, int column, uint64_t value);
void format_cell_blank(struct sheet *sheet, int column);

/* The columns FIRST to LAST, both included: how many bytes they take; and without anything in them.
 */
size_t format_cells_width(const struct sheet *sheet, int first, int last);
void format_cells_blank(struct sheet *sheet, int first, int last);

/* PART of TOTAL in percent, both in ticks; of one tick if there is no time.  (A flat profile may
   have times and a total below 0: what filters leave out is taken off the total, and may be more
   than was added where bins do not end where symbols do.)  */
double format_percent(double part, double total);

/* ---- Phrases ---- */

/* "granularity: each sample hit covers 4 byte(s) for 0.50% of 2.00 seconds" and an empty line;
   TOTAL is in ticks.  Without time the sentence ends in "no time FATE".  */
void format_granularity(struct sheet *sheet, double total, const char *dimension, const char *fate);

/* A symbol's name as it is shown.  */
const char *format_symbol_label(const struct symbol *symbol);

/* A symbol's name, with the place in the source that the style asks for: `f (file.c:3)'.  */
void format_label(struct sheet *sheet, uint32_t symbol);

/* The name of a file: its base name, or the path if the style asks for it.  */
void format_file(struct sheet *sheet, uint32_t file);

/* The name of NODE as the call graph refers to it: `f <cycle 2> [7]', `<cycle 2 as a whole> [5]'.
 */
void format_reference(struct sheet *sheet, uint32_t node);

/* Room for an index in brackets.  */
enum { INDEX_ROOM = 16 };

/* NODE's index in the call graph: `[7]', or `(7)' if it has no entry there.  */
void format_index(char text[INDEX_ROOM], const struct node *node);

#endif
