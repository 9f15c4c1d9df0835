/* print_tables.c - prints the table of functions, the tree of calls and the statistics of profiles.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdio.h>

#include "base/narrow_names.h"
#include "base/out.h"
#include "report/blurbs.h"
#include "report/columns.h"
#include "report/printers.h"
#include "report/table_text.h"

const struct report report_top = {.kind = REPORT_TOP,
                                  .name = "table of functions",
                                  .needs = NEEDS_GRAPH | NEEDS_ENTRIES | NEEDS_CALLERS |
                                           NEEDS_LABELS | NEEDS_TOP};

const struct report report_tree = {.kind = REPORT_TREE,
                                   .name = "tree of calls",
                                   .needs = NEEDS_HISTOGRAM | NEEDS_GRAPH | NEEDS_ENTRIES |
                                            NEEDS_CALLERS | NEEDS_LABELS | NEEDS_TREE |
                                            NEEDS_STATIC_POSITIONS};

const struct report report_code = {.kind = REPORT_CODE,
                                   .name = "code",
                                   .needs = NEEDS_GRAPH | NEEDS_ENTRIES | NEEDS_CALLERS |
                                            NEEDS_LABELS | NEEDS_CODE | NEEDS_POSITIONS};

/* ---- Varying functions (--per-file) ---- */

/* The columns are those of the profile's table, except that a function and its profiles share the
   last one.  */
enum { FUNCTION_COLUMNS = VARYING_NAME + 1 };

/* clang-format off */
static const struct column function_columns[FUNCTION_COLUMNS] = {
    [VARYING_DEVIATION] = {{" deviation"},    9, 2},
    [VARYING_CHANCE]    = {{" chance"},       6, 2},
    [VARYING_LOWEST]    = {{"   minimum"},    9, 2},
    [VARYING_MEAN]      = {{"      mean"},    9, 2},
    [VARYING_HIGHEST]   = {{"   maximum"},    9, 2},
    [VARYING_NAME]      = {{"  function in maximum, minimum"}, 0, 0},
};
/* clang-format on */

/* The names in a row: the function's, and those of two profiles.  */
static struct cut_names names_in_row(const struct cell *cells)
{
    struct cut_names names = {0};
    cut_names_add(&names, "", cells[VARYING_NAME].text);
    cut_names_add(&names, " in ", cells[VARYING_HIGHEST_IN].text);
    cut_names_add(&names, ", ", cells[VARYING_LOWEST_IN].text);
    return names;
}

static void print_row(struct sheet *sheet, const struct cell *cells, const struct symbol *symbol,
                      const char *name)
{
    struct cut_names names = names_in_row(cells);
    names.names[0] = name;
    for (int column = VARYING_DEVIATION; column <= VARYING_HIGHEST; column++)
        column_fixed(sheet, column, cells[column].number);
    label_print_names(sheet, FUNCTION_COLUMNS, &names, symbol, "");
}

/* Prints the functions with a heading, or nothing if there are none.  */
static void print_varying(struct sheet *sheet, const struct varying *varying)
{
    const struct table *table = &varying->table;
    struct cell cells[VARYING_COLUMNS];
    struct label_names names;
    if (table->row_count == 0)
        return;
    sheet->columns = function_columns;
    label_names_make(&names, sheet, FUNCTION_COLUMNS, table, names_in_row);
    out_char(&sheet->out, '\n');
    out_text(&sheet->out, table->title);
    out_text(&sheet->out, "\n\n");
    columns_heading(sheet, FUNCTION_COLUMNS);
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        print_row(sheet, cells, &sheet->profile->symtab.symbols[varying->functions[row].symbol],
                  names.firsts[row].text);
    }
    label_names_free(&names);
}

/* The columns are those of the profile's table, except that the distance of an outlier is printed
   behind its profile, in the last one.  */
enum { FILE_COLUMNS = PER_FILE_DEVIATIONS + 1 };

/* clang-format off */
static const struct column file_columns[FILE_COLUMNS] = {
    [PER_FILE_SHARE]      = {{"  %", " share"},          6, 2},
    [PER_FILE_SAMPLES]    = {{"", "      samples"},     12, 2}, /* decimals: of a mean */
    [PER_FILE_TIME]       = {{"", "  ##########"},      11, 2},
    [PER_FILE_CALLS]      = {{"", "            calls"}, 16, 2},
    [PER_FILE_DEVIATIONS] = {{"", "  profile"},          0, 0},
};
/* clang-format on */

/* ---- Profiles (--per-file) ---- */

/* ` (+3.4 deviations)' for an outlier; else nothing.  */
static void describe_outlier(char text[], size_t size, double distance)
{
    text[0] = '\0';
    if (fabs(distance) > OUTLIER_DEVIATIONS)
        snprintf(text, size, " (%+.1f deviations)", distance);
}

static void print_file(struct sheet *sheet, const struct cell *cells, bool may_be_outlier)
{
    struct cut_names names = {0};
    char outlier[64] = "";
    out_fixed(&sheet->out, cells[PER_FILE_SHARE].number, sheet->columns[PER_FILE_SHARE].width,
              sheet->columns[PER_FILE_SHARE].decimals);
    column_count(sheet, PER_FILE_SAMPLES, cells[PER_FILE_SAMPLES].count);
    column_fixed(sheet, PER_FILE_TIME, cells[PER_FILE_TIME].number);
    column_count(sheet, PER_FILE_CALLS, cells[PER_FILE_CALLS].count);
    cut_names_add(&names, "", cells[PER_FILE_PROFILE].text);
    if (may_be_outlier)
        describe_outlier(outlier, sizeof outlier, cells[PER_FILE_DEVIATIONS].number);
    label_print_names(sheet, FILE_COLUMNS, &names, NULL, outlier);
}

/* Prints the number of profiles that are not shown, where they would be.  */
static void print_gap(struct sheet *sheet, size_t count)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[0].width);
    columns_blank(sheet, PER_FILE_SAMPLES, PER_FILE_CALLS);
    out_text(&sheet->out, "  ... ");
    out_count(&sheet->out, count, 0);
    out_text(&sheet->out, " more\n");
}

static void print_files(struct sheet *sheet, const struct per_file *figures)
{
    const struct table *table = &figures->by_file;
    struct cell cells[PER_FILE_COLUMNS];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        print_file(sheet, cells, figures->is_beyond_chance);
        if (2 * (row + 1) == table->row_count && table->row_count < figures->count)
            print_gap(sheet, figures->count - table->row_count);
    }
}

/* ---- All profiles together ---- */

/* Prints the line NAME of numbers that are found in these profiles; NO_ID: in no single one.  */
static void print_bound(struct sheet *sheet, const char *name, uint64_t samples,
                        uint32_t samples_in, uint64_t calls, uint32_t calls_in)
{
    const struct per_file *table = &sheet->profile->per_file;
    struct cut_names names = {0};
    cut_names_add(&names, "", name);
    if (samples_in != NO_ID)
        cut_names_add(&names, " in ", table->paths[samples_in]);
    if (calls_in != NO_ID && calls_in != samples_in)
        cut_names_add(&names, samples_in != NO_ID ? ", of calls in " : " of calls in ",
                      table->paths[calls_in]);
    out_blanks(&sheet->out, (size_t)sheet->columns[PER_FILE_SHARE].width);
    column_count(sheet, PER_FILE_SAMPLES, per_file_samples(table->own.weights.mean, samples));
    column_time(sheet, PER_FILE_TIME, (double)samples);
    column_count(sheet, PER_FILE_CALLS, calls);
    label_print_names(sheet, FILE_COLUMNS, &names, NULL, "");
}

/* Prints a line of figures with decimals; calls have none if they are NaN.  */
static void print_numbers(struct sheet *sheet, double samples, double calls, const char *name)
{
    out_blanks(&sheet->out, (size_t)sheet->columns[PER_FILE_SHARE].width);
    column_fixed(sheet, PER_FILE_SAMPLES, samples / sheet->profile->per_file.own.weights.mean);
    column_time(sheet, PER_FILE_TIME, samples);
    if (isnan(calls))
        column_blank(sheet, PER_FILE_CALLS);
    else
        column_fixed(sheet, PER_FILE_CALLS, calls);
    out_text(&sheet->out, name);
}

/* Prints the highest value of TOTAL divided by the mean of COUNT; blank if it is NULL or 0.  */
static void print_ratio(struct sheet *sheet, int column, const struct file_total *total,
                        size_t count)
{
    if (total != NULL && total->sum > 0)
        column_fixed(sheet, column, (double)total->highest * (double)count / (double)total->sum);
    else
        column_blank(sheet, column);
}

/* Prints the imbalance, which that of samples is if it is more than chance.  */
static void print_imbalance(struct sheet *sheet, const struct per_file *table)
{
    const struct file_total *samples = table->is_beyond_chance ? &table->all_samples : NULL;
    out_blanks(&sheet->out, (size_t)sheet->columns[PER_FILE_SHARE].width);
    print_ratio(sheet, PER_FILE_SAMPLES, samples, table->count);
    print_ratio(sheet, PER_FILE_TIME, samples, table->count);
    print_ratio(sheet, PER_FILE_CALLS, &table->all_calls, table->count);
    out_text(&sheet->out, table->is_beyond_chance || table->all_samples.sum == 0
                              ? "  imbalance\n"
                              : "  imbalance of calls\n");
}

static void print_outliers(struct sheet *sheet, const struct per_file *table)
{
    if (table->outlier_count == 0)
        return;
    out_text(&sheet->out, "\nOutliers, more than 3 deviations from the mean of the samples: ");
    out_count(&sheet->out, table->outlier_count, 0);
    out_char(&sheet->out, '\n');
}

static void print_set(struct sheet *sheet, const struct per_file *table)
{
    const struct file_total *samples = &table->all_samples, *calls = &table->all_calls;
    out_char(&sheet->out, '\n');
    print_bound(sheet, "sum", samples->sum, NO_ID, calls->sum, NO_ID);
    print_bound(sheet, "minimum", samples->lowest, samples->lowest_in, calls->lowest,
                calls->lowest_in);
    print_numbers(sheet, samples->mean, calls->mean, "  mean\n");
    print_bound(sheet, "maximum", samples->highest, samples->highest_in, calls->highest,
                calls->highest_in);
    print_numbers(sheet, samples->deviation, calls->deviation, "  deviation\n");
    print_numbers(sheet, samples->chance, NAN, "  deviation by chance\n");
    print_imbalance(sheet, table);
    print_outliers(sheet, table);
}

/* ---- The report ---- */

static void print_per_file(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    const struct per_file *table = &profile->per_file;
    columns_begin(&sheet, profile, style, out);
    sheet.columns = file_columns;
    sheet.unit.rate = table->own.rate;
    out_text(&sheet.out, "Profile by profile:\n\n");
    columns_heading(&sheet, FILE_COLUMNS);
    print_files(&sheet, table);
    if (table->count > 0)
        print_set(&sheet, table);
    print_varying(&sheet, &table->own);
    print_varying(&sheet, &table->inclusive);
    if (!style->is_brief)
        columns_blurb(&sheet, "\n", blurb_perfile, "");
    columns_end(&sheet);
}

const struct report report_per_file = {.kind = REPORT_PER_FILE,
                                       .name = "profile by profile",
                                       .needs = NEEDS_GRAPH | NEEDS_CALLERS | NEEDS_LABELS |
                                                NEEDS_PROFILE_FIGURES,
                                       .print = print_per_file};
