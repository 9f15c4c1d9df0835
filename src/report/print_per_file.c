/* print_per_file.c - prints the table of profiles (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/blurbs.h"
#include "report/columns.h"
#include "report/labels.h"
#include "report/printers.h"

enum { SHARE, SAMPLES, TIME, CALLS, NAME, COLUMNS };
enum { DEVIATION, LOWEST, MEAN, HIGHEST, FUNCTION, FUNCTION_COLUMNS };

/* clang-format off */
static const struct column file_columns[COLUMNS] = {
    [SHARE]   = {{"  %", " share"},          6, 2},
    [SAMPLES] = {{"", "      samples"},     12, 2}, /* decimals: of a mean */
    [TIME]    = {{"", "  ##########"},      11, 2},
    [CALLS]   = {{"", "            calls"}, 16, 2},
    [NAME]    = {{"", "  profile"},          0, 0},
};

static const struct column function_columns[FUNCTION_COLUMNS] = {
    [DEVIATION] = {{" deviation"},    9, 2},
    [LOWEST]    = {{"     minimum"}, 11, 2},
    [MEAN]      = {{"        mean"}, 11, 2},
    [HIGHEST]   = {{"     maximum"}, 11, 2},
    [FUNCTION]  = {{"  function, and where its maximum is"}, 0, 0},
};
/* clang-format on */

/* ---- Profiles ---- */

/* Prints the last column and ends the row.  */
static void print_name(struct sheet *sheet, const char *name)
{
    out_text(&sheet->out, "  ");
    out_escaped(&sheet->out, name);
    out_char(&sheet->out, '\n');
}

static void print_figures(struct sheet *sheet, const struct file_figures *figures)
{
    column_count(sheet, SAMPLES, figures->samples);
    column_time(sheet, TIME, (double)figures->samples);
    column_count(sheet, CALLS, figures->calls);
}

static void print_files(struct sheet *sheet, const struct profile *profile)
{
    const struct per_file *table = &profile->per_file;
    for (size_t i = 0; i < table->count; i++) {
        const struct file_figures *figures = &table->files[i];
        out_fixed(&sheet->out, percent_of((double)figures->samples, (double)table->sum.samples),
                  sheet->columns[SHARE].width, sheet->columns[SHARE].decimals);
        print_figures(sheet, figures);
        print_name(sheet, profile->infos[i].path);
    }
}

/* ---- All profiles together ---- */

static void print_bound(struct sheet *sheet, const struct file_figures *figures, const char *name)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[SHARE].width);
    print_figures(sheet, figures);
    print_name(sheet, name);
}

static void print_mean(struct sheet *sheet, const struct per_file *table)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[SHARE].width);
    column_fixed(sheet, SAMPLES, table->mean_samples);
    column_time(sheet, TIME, table->mean_samples);
    column_fixed(sheet, CALLS, table->mean_calls);
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
    out_blanks(&sheet->out, (size_t)sheet->columns[SHARE].width);
    print_ratio(sheet, SAMPLES, table->highest.samples, table->sum.samples, table->count);
    print_ratio(sheet, TIME, table->highest.samples, table->sum.samples, table->count);
    print_ratio(sheet, CALLS, table->highest.calls, table->sum.calls, table->count);
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

static void print_functions(struct sheet *sheet, const struct profile *profile)
{
    const struct per_file *table = &profile->per_file;
    for (size_t i = 0; i < table->varying_count; i++) {
        const struct variation *variation = &table->varying[i];
        column_time(sheet, DEVIATION, variation->deviation);
        column_time(sheet, LOWEST, variation->lowest);
        column_time(sheet, MEAN, variation->mean);
        column_time(sheet, HIGHEST, variation->highest);
        out_text(&sheet->out, "  ");
        label_print(sheet, variation->symbol);
        out_text(&sheet->out, " in ");
        out_escaped(&sheet->out, profile->infos[variation->file].path);
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
    columns_heading(&sheet, COLUMNS);
    print_files(&sheet, profile);
    if (table->count > 0)
        print_set(&sheet, table);
    if (table->varying_count > 0) {
        sheet.columns = function_columns;
        out_text(&sheet.out, "\nFunctions whose own time varies most between profiles:\n\n");
        columns_heading(&sheet, FUNCTION_COLUMNS);
        print_functions(&sheet, profile);
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
