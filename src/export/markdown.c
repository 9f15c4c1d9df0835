/* markdown.c - tables as GitHub-flavoured Markdown, for pull requests and job summaries.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <ctype.h>
#include <string.h>

#include "export/formats.h"
#include "report/table_text.h"

/* Writes TEXT outside of tables so that no character of it is markup.  */
static void write_text(struct out *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (ispunct((unsigned char)*text) && strchr(",;:.%()?", *text) == NULL)
            out_char(out, '\\');
        out_char(out, *text);
    }
}

/* TEXT with a character reference for each punctuation character.  */
static void write_references(struct out *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (ispunct((unsigned char)*text)) {
            out_text(out, "&#");
            out_count(out, (unsigned char)*text, 0);
            out_char(out, ';');
        } else
            out_char(out, *text);
}

/* Writes a text of a cell: as code, in which only bars need an escape, or, if backticks or
   backslashes make that ambiguous, with character references.  */
static void write_code(struct out *out, const char *text)
{
    if (strpbrk(text, "`\\") != NULL) {
        write_references(out, text);
        return;
    }
    out_char(out, '`');
    for (; *text != '\0'; text++) {
        if (*text == '|')
            out_char(out, '\\');
        out_char(out, *text);
    }
    out_char(out, '`');
}

static void write_headings(struct out *out, const struct table *table)
{
    char text[CELL_TEXT_SIZE];
    for (size_t c = 0; c < table->column_count; c++) {
        table_heading(table, c, text);
        out_text(out, "| ");
        out_text(out, text);
        out_char(out, ' ');
    }
    out_text(out, "|\n");
    for (size_t c = 0; c < table->column_count; c++)
        out_text(out, table->columns[c]->is_text ? "|:---" : "|---:");
    out_text(out, "|\n");
}

static void write_row(struct out *out, const struct table *table, size_t row)
{
    struct cell cells[MOST_COLUMNS];
    char text[CELL_TEXT_SIZE];
    table->fill(table->context, row, cells);
    for (size_t c = 0; c < table->column_count; c++) {
        out_text(out, "| ");
        if (cells[c].kind == CELL_TEXT)
            write_code(out, cells[c].text);
        else
            out_text(out, table_cell_text(table, c, &cells[c], text));
        out_char(out, ' ');
    }
    out_text(out, "|\n");
}

void export_markdown(const struct table *table, struct out *out)
{
    if (table->title != NULL) {
        write_text(out, table->title);
        out_text(out, "\n\n");
    }
    write_headings(out, table);
    for (size_t row = 0; row < table->row_count; row++)
        write_row(out, table, row);
    for (size_t i = 0; i < table->note_count; i++) {
        out_char(out, '\n');
        write_text(out, table->notes[i]);
        out_char(out, '\n');
    }
}
