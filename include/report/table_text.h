/* table_text.h - a table as text with aligned columns, for people.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_TABLE_TEXT_H
#define REGPROF_REPORT_TABLE_TEXT_H

#include "base/out.h"
#include "model/table.h"

/* The longest text of a number or heading, with a NUL.  */
enum { CELL_TEXT_SIZE = 64 };

/* A cell as people see it; `text' for numbers.  Returns TEXT, or the cell's own text.  */
const char *table_cell_text(const struct table *table, size_t column, const struct cell *cell,
                            char text[CELL_TEXT_SIZE]);

/* The heading of a column as people see it: its name, with the unit of times per call.  */
void table_heading(const struct table *table, size_t column, char text[CELL_TEXT_SIZE]);

/* Prints title, headings, rows and notes.  Texts are cut in the middle so that no line is longer
   than WIDTH columns; 0 = no limit.  */
void table_print_text(const struct table *table, struct out *out, size_t width);

#endif
