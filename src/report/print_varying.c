/* print_varying.c - prints the functions whose times vary most between profiles (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/print_varying.h"
#include "report/columns.h"
#include "report/labels.h"

/* The columns are those of the profile's table, except that a function and its profiles share the
   last one.  */
enum { FUNCTION_COLUMNS = VARYING_NAME + 1 };

/* clang-format off */
static const struct column function_columns[FUNCTION_COLUMNS] = {
    [VARYING_DEVIATION] = {{" deviation"},    9, 2},
    [VARYING_LOWEST]    = {{"     minimum"}, 11, 2},
    [VARYING_MEAN]      = {{"        mean"}, 11, 2},
    [VARYING_HIGHEST]   = {{"     maximum"}, 11, 2},
    [VARYING_NAME]      = {{"  function in its maximum, minimum"}, 0, 0},
};
/* clang-format on */

static void print_row(struct sheet *sheet, const struct cell *cells, const struct symbol *symbol)
{
    struct cut_names names = {0};
    for (int column = VARYING_DEVIATION; column <= VARYING_HIGHEST; column++)
        column_fixed(sheet, column, cells[column].number);
    cut_names_add(&names, "", cells[VARYING_NAME].text);
    cut_names_add(&names, " in ", cells[VARYING_HIGHEST_IN].text);
    cut_names_add(&names, ", ", cells[VARYING_LOWEST_IN].text);
    label_print_names(sheet, FUNCTION_COLUMNS, &names, symbol, "");
}

void print_varying(struct sheet *sheet, const struct per_file *figures)
{
    const struct table *table = &figures->by_function;
    struct cell cells[VARYING_COLUMNS];
    if (table->row_count == 0)
        return;
    sheet->columns = function_columns;
    out_char(&sheet->out, '\n');
    out_text(&sheet->out, table->title);
    out_text(&sheet->out, "\n\n");
    columns_heading(sheet, FUNCTION_COLUMNS);
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        print_row(sheet, cells, &sheet->profile->symtab.symbols[figures->varying[row].symbol]);
    }
}
