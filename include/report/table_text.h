/* table_text.h - prints tables with aligned columns; cuts text to the width of a terminal.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_TABLE_TEXT_H
#define REGPROF_REPORT_TABLE_TEXT_H

#include "base/out.h"
#include "model/style.h"
#include "model/table.h"

/* ---- Cut texts ---- */

enum { LEAST_CUT = 10 }; /* characters: less would say nothing */

/* What stands for the part that is left out.  */
const char *cut_dots(const struct style *style);

/* Prints TEXT in at most WIDTH characters, LEAST_CUT at least: its beginning and its end with DOTS
   between them.  */
void out_cut(struct out *out, const char *text, size_t width, const char *dots);

/* Names in one line, with texts before and between them that are not cut.  Start with a zeroed
   struct.  */
enum { MOST_CUT_NAMES = 3 };
struct cut_names {
    size_t count;
    const char *before[MOST_CUT_NAMES], *names[MOST_CUT_NAMES];
};

void cut_names_add(struct cut_names *names, const char *before, const char *name);

/* Chooses widths for the names so that the line fits into WIDTH characters, if it can with
   LEAST_CUT characters for each: narrows the widest.  */
void cut_names_fit(const struct cut_names *names, size_t width, size_t widths[MOST_CUT_NAMES]);

/* ---- Tables as text ---- */

/* The longest text of a number or heading, with a NUL.  */
enum { CELL_TEXT_SIZE = 64 };

/* A cell as people see it; `text' for numbers.  Returns TEXT, or the cell's own text.  */
const char *table_cell_text(const struct table *table, size_t column, const struct cell *cell,
                            char text[CELL_TEXT_SIZE]);

/* The heading of a column as people see it: its name, with the unit of times per call.  */
void table_heading(const struct table *table, size_t column, char text[CELL_TEXT_SIZE]);

/* Prints title, headings, rows and notes, no line wider than the terminal of STYLE: first columns
   give way, so that names have 32 characters of 80, then names are cut if STYLE says so (see
   narrow_names), and other texts in the middle. Rows have colours if STYLE says so.  */
void table_print_text(const struct table *table, struct out *out, const struct style *style);

#endif
