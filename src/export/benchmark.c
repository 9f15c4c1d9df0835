/* benchmark.c - a table as the list of figures that github-action-benchmark reads: of each row the
   figure that matters most, its error, and the other cells as text.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "base/json_write.h"
#include "export/formats.h"
#include "report/table_text.h"

/* The columns of a table that have parts of their own.  */
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

/* The last column of text, unless one is called `name'; the first time, and the column `error',
   unless the table says which.  */
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
        if (table->value == NULL && strcmp(table->columns[c]->name, "error") == 0)
            parts.error = c;
    }
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
            cells[c].kind == CELL_EMPTY || used >= sizeof text)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %.200s",
                                 used > 0 ? "; " : "", table->columns[c]->name,
                                 table_cell_text(table, c, &cells[c], cell_text));
    }
    json_write_string_member(out, "extra", text);
}

static void write_row(struct out *out, const struct table *table, const struct cell *cells,
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
        write_row(out, table, cells, &parts);
        is_first = false;
    }
    out_text(out, "\n]\n");
}
