/* csv.c - tables as comma-separated values (RFC 4180): CRLF, texts in quotes where needed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "export/formats.h"

static void write_text(struct out *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        out_text(out, text);
        return;
    }
    out_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            out_char(out, '"');
        out_char(out, *text);
    }
    out_char(out, '"');
}

static void write_cell(struct out *out, const struct table_column *column, const struct cell *cell)
{
    if (cell->kind == CELL_TEXT)
        write_text(out, cell->text);
    else
        export_cell(out, column, cell);
}

void export_csv(const struct table *table, struct out *out)
{
    struct cell cells[MOST_COLUMNS];
    for (size_t c = 0; c < table->column_count; c++) {
        out_text(out, c > 0 ? "," : "");
        write_text(out, table->columns[c]->name);
    }
    out_text(out, "\r\n");
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++) {
            out_text(out, c > 0 ? "," : "");
            write_cell(out, table->columns[c], &cells[c]);
        }
        out_text(out, "\r\n");
    }
}
