/* table_formats.c - formats of a struct table: tsv, csv, markdown, benchmark.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/out.h"
#include "export/exporters.h"
#include "report/table_text.h"

/* ---- Comma-separated (RFC 4180) and tab-separated values ---- */

/* These formats have a line of column names, then a line for each row.  */

/* Texts of a format: those with one of the characters of NEEDS_QUOTES are in quotes; those that
   begin with one of NEEDS_MARK, with an apostrophe.  */
struct text_rules {
    const char *separator, *end, *needs_quotes, *needs_mark;
};

static void write_text_cell(struct out *out, const struct text_rules *rules, const char *text)
{
    const char *quote = strpbrk(text, rules->needs_quotes) != NULL ? "\"" : "";
    out_text(out, quote);
    if (text[0] != '\0' && strchr(rules->needs_mark, text[0]) != NULL)
        out_char(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == *quote)
            out_char(out, '"');
        out_char(out, *text);
    }
    out_text(out, quote);
}

/* Writes a cell as machines read it: a number as a decimal that reads back as the same double, and
   nothing for an empty cell or a number that is not finite.  */
static void write_cell(struct out *out, const struct text_rules *rules,
                       const struct table_column *column, const struct cell *cell)
{
    char text[32];
    switch (cell->kind) {
    case CELL_TEXT:
        write_text_cell(out, rules, cell->text);
        break;
    case CELL_NUMBER:
        if (isfinite(cell->number))
            out_exact(out, cell->number);
        break;
    case CELL_COUNT:
        snprintf(text, sizeof text, column->unit == UNIT_ADDRESS ? "0x%llx" : "%llu",
                 (unsigned long long)cell->count);
        out_text(out, text);
        break;
    case CELL_EMPTY:
        break;
    }
}

static void write_lines(const struct table *table, struct out *out, const struct text_rules *rules)
{
    struct cell cells[MOST_COLUMNS];
    for (size_t c = 0; c < table->column_count; c++) {
        out_text(out, c > 0 ? rules->separator : "");
        out_text(out, table->columns[c]->name);
    }
    out_text(out, rules->end);
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++) {
            out_text(out, c > 0 ? rules->separator : "");
            write_cell(out, rules, table->columns[c], &cells[c]);
        }
        out_text(out, rules->end);
    }
}

/* Spreadsheets take a text that begins with one of these characters for a formula, even in quotes;
   an apostrophe before it makes it a text.  */
void export_csv(const struct table *table, struct out *out)
{
    static const struct text_rules rules = {",", "\r\n", ",\"\r\n", "=+-@"};
    write_lines(table, out, &rules);
}

/* Uses no quotes: texts hold no tab or newline, since their control characters are escaped.  */
void export_tsv(const struct table *table, struct out *out)
{
    static const struct text_rules rules = {"\t", "\n", "", ""};
    write_lines(table, out, &rules);
}

/* ---- GitHub-flavoured Markdown ---- */

/* Writes TEXT outside of tables so that no character of it is markup; some are only where a line
   begins.  */
static void write_text(struct out *out, const char *text)
{
    const char *plain = ",;:.%()?";
    for (; *text != '\0'; text++) {
        if (ispunct((unsigned char)*text) && strchr(plain, *text) == NULL)
            out_char(out, '\\');
        out_char(out, *text);
        plain = ",;:.%()?->+=";
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

/* ---- Benchmark ----

   A list of figures for github-action-benchmark: of each row the figure that matters most, its
   error, and the other cells as text.  */

/* The columns that become the name, the value and the error of a figure.  */
struct parts {
    size_t name, value, error; /* column_count: none */
};

static size_t find_column(const struct table *table, const struct table_column *column)
{
    size_t c = 0;
    while (c < table->column_count && table->columns[c] != column)
        c++;
    return c;
}

/* Whether the column NAME has the errors of the column VALUE of the table of functions.  */
static bool is_error_of(const char *name, const char *value)
{
    return (strcmp(value, "self") == 0 && strcmp(name, "error") == 0) ||
           (strcmp(value, "total") == 0 && strcmp(name, "total-error") == 0);
}

/* The name: the column `name', else the last column of text.  Value and error: as the table says,
   else the first time and the column of its errors.  */
static struct parts parts_of(const struct table *table)
{
    size_t count = table->column_count;
    struct parts parts = {count, find_column(table, table->value),
                          find_column(table, table->value_error)};
    for (size_t c = 0; c < count; c++) {
        bool has_name = parts.name < count && strcmp(table->columns[parts.name]->name, "name") == 0;
        if (table->columns[c]->is_text && !has_name)
            parts.name = c;
        if (table->columns[c]->unit == UNIT_TIME && parts.value == count)
            parts.value = c;
    }
    for (size_t c = 0; c < count && table->value == NULL && parts.value < count; c++)
        if (is_error_of(table->columns[c]->name, table->columns[parts.value]->name))
            parts.error = c;
    return parts;
}

/* `before: 1.20; p: 0.0400'.  */
static void write_extra(struct out *out, const struct table *table, const struct cell *cells,
                        const struct parts *parts)
{
    char cell_text[CELL_TEXT_SIZE], text[1000] = "";
    size_t used = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        if (c == parts->name || c == parts->value || c == parts->error ||
            cells[c].kind == CELL_EMPTY || cells[c].is_repeated || used >= sizeof text)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %.200s",
                                 used > 0 ? "; " : "", table->columns[c]->name,
                                 table_cell_text(table, c, &cells[c], cell_text));
    }
    json_write_string_member(out, "extra", text);
}

static void write_entry(struct out *out, const struct table *table, const struct cell *cells,
                        const struct parts *parts)
{
    char cell_text[CELL_TEXT_SIZE], range[CELL_TEXT_SIZE + 8];
    bool has_name = parts->name < table->column_count && cells[parts->name].kind == CELL_TEXT;
    out_text(out, "{\"name\":");
    json_write_string(out, has_name ? cells[parts->name].text : "");
    json_write_string_member(out, "unit", table->time_unit != NULL ? table->time_unit : "seconds");
    json_write_number_member(out, "value", cells[parts->value].number);
    if (parts->error < table->column_count && cells[parts->error].kind == CELL_NUMBER) {
        snprintf(range, sizeof range, "± %s",
                 table_cell_text(table, parts->error, &cells[parts->error], cell_text));
        json_write_string_member(out, "range", range);
    }
    write_extra(out, table, cells, parts);
    out_char(out, '}');
}

void export_benchmark(const struct table *table, struct out *out)
{
    struct cell cells[MOST_COLUMNS];
    const struct parts parts = parts_of(table);
    bool is_first = true;
    out_char(out, '[');
    for (size_t row = 0; row < table->row_count && parts.value < table->column_count; row++) {
        table->fill(table->context, row, cells);
        if (cells[parts.value].kind != CELL_NUMBER || !isfinite(cells[parts.value].number))
            continue;
        out_text(out, is_first ? "\n" : ",\n");
        write_entry(out, table, cells, &parts);
        is_first = false;
    }
    out_text(out, "\n]\n");
}
