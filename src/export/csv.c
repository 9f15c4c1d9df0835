/* csv.c - tables as comma-separated (RFC 4180) and as tab-separated values.

   A line of column names, then a line for each row.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "export/formats.h"

static void write_quoted(struct out *out, const char *text)
{
    out_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            out_char(out, '"');
        out_char(out, *text);
    }
    out_char(out, '"');
}

/* Texts with one of the characters of NEEDS_QUOTES are in quotes.  */
static void write_lines(const struct table *table, struct out *out, const char *separator,
                        const char *end, const char *needs_quotes)
{
    struct cell cells[MOST_COLUMNS];
    for (size_t c = 0; c < table->column_count; c++) {
        out_text(out, c > 0 ? separator : "");
        out_text(out, table->columns[c]->name);
    }
    out_text(out, end);
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++) {
            out_text(out, c > 0 ? separator : "");
            if (cells[c].kind == CELL_TEXT && strpbrk(cells[c].text, needs_quotes) != NULL)
                write_quoted(out, cells[c].text);
            else
                export_cell(out, table->columns[c], &cells[c]);
        }
        out_text(out, end);
    }
}

void export_csv(const struct table *table, struct out *out)
{
    write_lines(table, out, ",", "\r\n", ",\"\r\n");
}

/* Without quotes: texts hold no tab or newline, since their control characters are escaped.  */
void export_tsv(const struct table *table, struct out *out)
{
    write_lines(table, out, "\t", "\n", "");
}
