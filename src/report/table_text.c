/* table_text.c - prints tables with aligned columns; cuts text to the width of a terminal.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/table_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- Cut texts ---- */

static const char dots[] = "...";
enum { DOTS = sizeof dots - 1 };

void out_cut(struct out *out, const char *text, size_t width)
{
    size_t length = text_width(text);
    if (length <= width) {
        out_text(out, text);
        return;
    }
    size_t kept = width - DOTS;
    const char *end = text_character(text, (kept + 1) / 2);
    out_bytes(out, text, (size_t)(end - text));
    out_bytes(out, dots, DOTS);
    out_text(out, text_character(text, length - kept / 2));
}

/* ---- Several names ---- */

void cut_names_add(struct cut_names *names, const char *before, const char *name)
{
    names->before[names->count] = before;
    names->names[names->count++] = name;
}

void cut_names_fit(const struct cut_names *names, size_t width, size_t widths[MOST_CUT_NAMES])
{
    size_t used = 0;
    for (size_t i = 0; i < names->count; i++) {
        widths[i] = text_width(names->names[i]);
        used += text_width(names->before[i]) + widths[i];
    }
    for (; used > width; used--) {
        size_t widest = 0;
        for (size_t i = 1; i < names->count; i++)
            if (widths[i] > widths[widest])
                widest = i;
        if (widths[widest] <= LEAST_CUT)
            return;
        widths[widest]--;
    }
}

enum { GAP = 2 }; /* blanks between columns */

/* ---- Texts of cells ---- */

void table_heading(const struct table *table, size_t column, char text[CELL_TEXT_SIZE])
{
    const struct table_column *c = table->columns[column];
    const char *slash = strchr(c->name, '/');
    if (c->unit == UNIT_PER_CALL && slash != NULL)
        snprintf(text, CELL_TEXT_SIZE, "%.*s %s%s", (int)(slash - c->name), c->name,
                 table->per_call_unit, slash);
    else
        snprintf(text, CELL_TEXT_SIZE, "%s", c->name);
}

/* Writes NUMBER with DECIMALS and MARK; what is rounded to zero has no sign.  */
static void number_text(char text[CELL_TEXT_SIZE], double number, int decimals, const char *mark)
{
    snprintf(text, CELL_TEXT_SIZE, "%.*f", decimals, number);
    bool is_zero = text[0] == '-' && text[1 + strspn(text + 1, "0.")] == '\0';
    snprintf(text, CELL_TEXT_SIZE, "%.*f%s", decimals, is_zero ? 0 : number, mark);
}

const char *table_cell_text(const struct table *table, size_t column, const struct cell *cell,
                            char text[CELL_TEXT_SIZE])
{
    const struct table_column *c = table->columns[column];
    int decimals = c->unit == UNIT_TIME ? table->time_decimals : c->decimals;
    double factor = c->unit == UNIT_PER_CALL ? table->per_call_factor : 1;
    const char *mark = cell->is_doubtful ? "?" : "";
    text[0] = '\0';
    if (cell->is_repeated)
        return text;
    switch (cell->kind) {
    case CELL_TEXT:
        return cell->text;
    case CELL_NUMBER:
        number_text(text, factor * cell->number, decimals, mark);
        break;
    case CELL_COUNT:
        snprintf(text, CELL_TEXT_SIZE, c->unit == UNIT_ADDRESS ? "0x%llx%s" : "%llu%s",
                 (unsigned long long)cell->count, mark);
        break;
    case CELL_EMPTY:
        break;
    }
    return text;
}

/* ---- Layout ---- */

/* The places of the columns, in characters.  */
struct layout {
    size_t width; /* of the terminal; 0 = no limit */
    size_t widths[MOST_COLUMNS];
    bool has_marks[MOST_COLUMNS]; /* some cells end in a mark; a blank follows the others */
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(struct layout *layout, const struct table *table)
{
    struct cell cells[MOST_COLUMNS];
    char text[CELL_TEXT_SIZE];
    size_t unmarked[MOST_COLUMNS] = {0}; /* widths of the cells without a mark */
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++) {
            size_t *width = cells[c].is_doubtful ? &layout->widths[c] : &unmarked[c];
            *width = larger(*width, text_width(table_cell_text(table, c, &cells[c], text)));
            layout->has_marks[c] |= cells[c].is_doubtful;
        }
    }
    for (size_t c = 0; c < table->column_count; c++) {
        table_heading(table, c, text);
        layout->widths[c] = larger(layout->widths[c], unmarked[c] + layout->has_marks[c]);
        layout->widths[c] = larger(layout->widths[c], text_width(text));
    }
}

static size_t line_width(const struct layout *layout, const struct table *table)
{
    size_t width = GAP * (table->column_count - 1);
    for (size_t c = 0; c < table->column_count; c++)
        width += layout->widths[c];
    return width;
}

/* Narrows columns of text, the widest first, until a line fits.  Numbers are not cut.  */
static void fit(struct layout *layout, const struct table *table)
{
    for (size_t width = line_width(layout, table); width > layout->width; width--) {
        size_t widest = table->column_count;
        for (size_t c = 0; c < table->column_count; c++)
            if (table->columns[c]->is_text && layout->widths[c] > LEAST_CUT &&
                (widest == table->column_count || layout->widths[c] > layout->widths[widest]))
                widest = c;
        if (widest == table->column_count)
            return;
        layout->widths[widest]--;
    }
}

/* ---- Lines ---- */

/* TEXT in column C; nothing follows texts in the last column.  */
static void print_cell(struct out *out, const struct table *table, const struct layout *layout,
                       size_t c, const char *text)
{
    size_t length = text_width(text), width = layout->widths[c];
    size_t blanks = width > length ? width - length : 0;
    bool is_last = c + 1 == table->column_count;
    if (table->columns[c]->is_text) {
        out_cut(out, text, width);
        out_blanks(out, is_last ? 0 : blanks);
        return;
    }
    bool has_blank = layout->has_marks[c] && blanks > 0 && (length == 0 || text[length - 1] != '?');
    out_blanks(out, blanks - has_blank);
    out_text(out, text);
    out_blanks(out, has_blank && !is_last);
}

/* Prints no newline.  */
static void print_line(struct out *out, const struct table *table, const struct layout *layout,
                       const char *const *texts)
{
    for (size_t c = 0; c < table->column_count; c++) {
        out_blanks(out, c > 0 ? GAP : 0);
        print_cell(out, table, layout, c, texts[c]);
    }
}

static void print_headings(struct out *out, const struct table *table, const struct layout *layout)
{
    char texts[MOST_COLUMNS][CELL_TEXT_SIZE];
    const char *line[MOST_COLUMNS];
    for (size_t c = 0; c < table->column_count; c++) {
        table_heading(table, c, texts[c]);
        line[c] = texts[c];
    }
    print_line(out, table, layout, line);
    out_char(out, '\n');
}

/* What switches the colours of a tone on; empty: none.  */
static const char *const colours[] = {
    [TONE_PLAIN] = "",       [TONE_HOT] = "\33[1;31m", [TONE_WARM] = "\33[33m",
    [TONE_FAINT] = "\33[2m", [TONE_WORSE] = "\33[31m", [TONE_BETTER] = "\33[32m",
};
static const char colours_off[] = "\33[0m";

static void print_rows(struct out *out, const struct table *table, const struct layout *layout,
                       bool has_colour)
{
    struct cell cells[MOST_COLUMNS];
    char texts[MOST_COLUMNS][CELL_TEXT_SIZE];
    const char *line[MOST_COLUMNS];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++)
            line[c] = table_cell_text(table, c, &cells[c], texts[c]);
        const char *colour =
            has_colour && table->tone != NULL ? colours[table->tone(table->context, row)] : "";
        out_text(out, colour);
        print_line(out, table, layout, line);
        out_text(out, colour[0] != '\0' ? colours_off : "");
        out_char(out, '\n');
    }
}

/* TEXT in lines of at most WIDTH characters, divided at blanks; 0 = one line.  */
static void print_wrapped(struct out *out, const char *text, size_t width)
{
    for (size_t used = 0; *text != '\0';) {
        size_t length = strcspn(text, " ");
        if (used > 0 && width > 0 && used + 1 + length > width) {
            out_char(out, '\n');
            used = 0;
        }
        out_blanks(out, used > 0);
        out_bytes(out, text, length);
        used += (used > 0) + length;
        text += length + (text[length] == ' ');
    }
    out_char(out, '\n');
}

void table_print_text(const struct table *table, struct out *out, const struct style *style)
{
    size_t width = style->terminal_width;
    struct layout layout = {.width = width};
    measure(&layout, table);
    if (width > 0)
        fit(&layout, table);
    if (table->title != NULL) {
        print_wrapped(out, table->title, width);
        out_char(out, '\n');
    }
    print_headings(out, table, &layout);
    print_rows(out, table, &layout, style->has_colour);
    for (size_t i = 0; i < table->note_count; i++) {
        out_text(out, i == 0 ? "\n" : "");
        print_wrapped(out, table->notes[i], width);
    }
}
