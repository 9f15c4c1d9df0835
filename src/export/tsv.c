/* tsv.c - tables as tab-separated values: a line of column names, then a line for each row.

   Texts hold no tab or newline, since their control characters are escaped.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/formats.h"

void export_tsv(const struct table *table, struct out *out)
{
    struct cell cells[MOST_COLUMNS];
    for (size_t c = 0; c < table->column_count; c++) {
        out_text(out, c > 0 ? "\t" : "");
        out_text(out, table->columns[c]->name);
    }
    out_char(out, '\n');
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++) {
            out_text(out, c > 0 ? "\t" : "");
            export_cell(out, table->columns[c], &cells[c]);
        }
        out_char(out, '\n');
    }
}
