/* print_per_file.c - prints the table of profiles (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/blurbs.h"
#include "report/columns.h"
#include "report/labels.h"
#include "report/printers.h"

/* The columns are those of the profile's tables, except that a function and its profile share the
   last one.  */
enum { FUNCTION_COLUMNS = VARYING_COLUMNS - 1 };

/* clang-format off */
static const struct column file_columns[PER_FILE_COLUMNS] = {
    [PER_FILE_SHARE]   = {{"  %", " share"},          6, 2},
    [PER_FILE_SAMPLES] = {{"", "      samples"},     12, 2}, /* decimals: of a mean */
    [PER_FILE_TIME]    = {{"", "  ##########"},      11, 2},
    [PER_FILE_CALLS]   = {{"", "            calls"}, 16, 2},
    [PER_FILE_PROFILE] = {{"", "  profile"},          0, 0},
};

static const struct column function_columns[FUNCTION_COLUMNS] = {
    [VARYING_DEVIATION] = {{" deviation"},    9, 2},
    [VARYING_LOWEST]    = {{"     minimum"}, 11, 2},
    [VARYING_MEAN]      = {{"        mean"}, 11, 2},
    [VARYING_HIGHEST]   = {{"     maximum"}, 11, 2},
    [VARYING_NAME]      = {{"  function, and where its maximum is"}, 0, 0},
};
/* clang-format on */

/* ---- Profiles ---- */

/* Prints the last column and ends the row.  */
static void print_name(struct sheet *sheet, const char *name)
{
    out_text(&sheet->out, "  ");
    out_text(&sheet->out, name);
    out_char(&sheet->out, '\n');
}

static void print_figures(struct sheet *sheet, const struct file_figures *figures)
{
    column_count(sheet, PER_FILE_SAMPLES, figures->samples);
    column_time(sheet, PER_FILE_TIME, (double)figures->samples);
    column_count(sheet, PER_FILE_CALLS, figures->calls);
}

static void print_files(struct sheet *sheet, const struct table *table)
{
    struct cell cells[PER_FILE_COLUMNS];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        out_fixed(&sheet->out, cells[PER_FILE_SHARE].number, sheet->columns[PER_FILE_SHARE].width,
                  sheet->columns[PER_FILE_SHARE].decimals);
        column_count(sheet, PER_FILE_SAMPLES, cells[PER_FILE_SAMPLES].count);
        column_fixed(sheet, PER_FILE_TIME, cells[PER_FILE_TIME].number);
        column_count(sheet, PER_FILE_CALLS, cells[PER_FILE_CALLS].count);
        print_name(sheet, cells[PER_FILE_PROFILE].text);
    }
}

/* ---- All profiles together ---- */

static void print_bound(struct sheet *sheet, const struct file_figures *figures, const char *name)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[PER_FILE_SHARE].width);
    print_figures(sheet, figures);
    print_name(sheet, name);
}

static void print_mean(struct sheet *sheet, const struct per_file *table)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[PER_FILE_SHARE].width);
    column_fixed(sheet, PER_FILE_SAMPLES, table->mean_samples);
    column_time(sheet, PER_FILE_TIME, table->mean_samples);
    column_fixed(sheet, PER_FILE_CALLS, table->mean_calls);
    print_name(sheet, "mean");
}

/* Prints HIGHEST divided by the mean of COUNT values; blank if their SUM is 0.  */
static void print_ratio(struct sheet *sheet, int column, uint64_t highest, uint64_t sum,
                        size_t count)
{
    if (sum > 0)
        column_fixed(sheet, column, (double)highest * (double)count / (double)sum);
    else
        column_blank(sheet, column);
}

static void print_imbalance(struct sheet *sheet, const struct per_file *table)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[PER_FILE_SHARE].width);
    print_ratio(sheet, PER_FILE_SAMPLES, table->highest.samples, table->sum.samples, table->count);
    print_ratio(sheet, PER_FILE_TIME, table->highest.samples, table->sum.samples, table->count);
    print_ratio(sheet, PER_FILE_CALLS, table->highest.calls, table->sum.calls, table->count);
    print_name(sheet, "imbalance");
}

static void print_set(struct sheet *sheet, const struct per_file *table)
{
    out_char(&sheet->out, '\n');
    print_bound(sheet, &table->sum, "sum");
    print_bound(sheet, &table->lowest, "minimum");
    print_mean(sheet, table);
    print_bound(sheet, &table->highest, "maximum");
    print_imbalance(sheet, table);
}

/* ---- Functions ---- */

static void print_functions(struct sheet *sheet, const struct per_file *figures)
{
    const struct table *table = &figures->by_function;
    struct cell cells[VARYING_COLUMNS];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        for (int column = VARYING_DEVIATION; column <= VARYING_HIGHEST; column++)
            column_fixed(sheet, column, cells[column].number);
        out_text(&sheet->out, "  ");
        label_print(sheet,
                    figures->varying[row].symbol); /* with its position, if the style says so */
        out_text(&sheet->out, " in ");
        out_text(&sheet->out, cells[VARYING_PROFILE].text);
        out_char(&sheet->out, '\n');
    }
}

/* ---- The report ---- */

static void print_per_file(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    const struct per_file *table = &profile->per_file;
    columns_begin(&sheet, profile, style, out);
    sheet.columns = file_columns;
    out_text(&sheet.out, "Profile by profile:\n\n");
    columns_heading(&sheet, PER_FILE_COLUMNS);
    print_files(&sheet, &table->by_file);
    if (table->count > 0)
        print_set(&sheet, table);
    if (table->varying_count > 0) {
        sheet.columns = function_columns;
        out_char(&sheet.out, '\n');
        out_text(&sheet.out, table->by_function.title);
        out_text(&sheet.out, "\n\n");
        columns_heading(&sheet, FUNCTION_COLUMNS);
        print_functions(&sheet, table);
    }
    if (!style->is_brief)
        columns_blurb(&sheet, "\n", blurb_perfile, "");
    columns_end(&sheet);
}

const struct report report_per_file = {.kind = REPORT_PER_FILE,
                                       .name = "profile by profile",
                                       .needs = NEEDS_GRAPH | NEEDS_CALLERS | NEEDS_LABELS |
                                                NEEDS_PROFILE_FIGURES,
                                       .print = print_per_file};
