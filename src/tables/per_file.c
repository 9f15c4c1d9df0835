/* per_file.c - the tables of the figures of each profile (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/per_file.h"

#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "base/text.h"

/* ---- Cells ---- */

/* clang-format off */
static const struct table_column file_columns[] = {
    [PER_FILE_SHARE]      = {"share%",     UNIT_PERCENT, 2, false},
    [PER_FILE_SAMPLES]    = {"samples",    UNIT_NONE,    0, false},
    [PER_FILE_TIME]       = {"time",       UNIT_TIME,    2, false},
    [PER_FILE_CALLS]      = {"calls",      UNIT_NONE,    0, false},
    [PER_FILE_DEVIATIONS] = {"deviations", UNIT_NONE,    1, false},
    [PER_FILE_PROFILE]    = {"profile",    UNIT_NONE,    0, true},
};

static const struct table_column varying_columns[] = {
    [VARYING_DEVIATION]  = {"deviation",  UNIT_TIME, 2, false},
    [VARYING_CHANCE]     = {"chance",     UNIT_TIME, 2, false},
    [VARYING_LOWEST]     = {"minimum",    UNIT_TIME, 2, false},
    [VARYING_MEAN]       = {"mean",       UNIT_TIME, 2, false},
    [VARYING_HIGHEST]    = {"maximum",    UNIT_TIME, 2, false},
    [VARYING_NAME]       = {"name",       UNIT_NAME, 0, true},
    [VARYING_HIGHEST_IN] = {"maximum-in", UNIT_NONE, 0, true},
    [VARYING_LOWEST_IN]  = {"minimum-in", UNIT_NONE, 0, true},
};
/* clang-format on */

static void fill_profile(const struct per_file *figures, uint32_t number, struct cell *cells)
{
    const struct file_figures *file = &figures->files[number];
    double sum = figures->all_samples.sum > 0 ? (double)figures->all_samples.sum : 1.0;
    cells[PER_FILE_SHARE] = number_cell(100.0 * (double)file->samples / sum);
    cells[PER_FILE_SAMPLES] = count_cell(per_file_samples(file->weight, file->samples));
    cells[PER_FILE_TIME] = number_cell((double)file->samples / figures->own.rate);
    cells[PER_FILE_CALLS] = count_cell(file->calls);
    cells[PER_FILE_DEVIATIONS] = number_cell(per_file_distance(figures, number));
    cells[PER_FILE_PROFILE] = text_cell(figures->paths[number]);
}

static void fill_file(const void *context, size_t row, struct cell *cells)
{
    const struct per_file *figures = context;
    fill_profile(figures, figures->order[row], cells);
}

static void fill_variation(const void *context, size_t row, struct cell *cells)
{
    const struct varying *varying = context;
    const struct variation *variation = &varying->functions[row];
    cells[VARYING_DEVIATION] = number_cell(variation->deviation / varying->rate);
    cells[VARYING_CHANCE] = number_cell(variation->chance / varying->rate);
    cells[VARYING_LOWEST] = number_cell(variation->lowest / varying->rate);
    cells[VARYING_MEAN] = number_cell(variation->mean / varying->rate);
    cells[VARYING_HIGHEST] = number_cell(variation->highest / varying->rate);
    cells[VARYING_NAME] = text_cell(variation->name);
    cells[VARYING_HIGHEST_IN] = text_cell(varying->paths[variation->highest_file]);
    cells[VARYING_LOWEST_IN] = text_cell(varying->paths[variation->lowest_file]);
}

static struct table make_table(const struct table_column *columns, size_t column_count,
                               size_t row_count)
{
    struct table table = {.column_count = column_count,
                          .row_count = row_count,
                          .time_decimals = 2,
                          .per_call_factor = 1};
    for (size_t i = 0; i < column_count; i++)
        table.columns[i] = &columns[i];
    return table;
}

/* ---- The order of profiles ---- */

const struct column_set per_file_columns = {file_columns, ARRAY_LENGTH(file_columns),
                                            sizeof *file_columns};

struct ordering {
    const struct per_file *figures;
    const struct column_list *sort;
};

/* Numbers descend, names ascend in natural order.  */
static int compare_cells(const struct cell *a, const struct cell *b)
{
    if (a->kind == CELL_TEXT)
        return compare_natural(a->text, b->text);
    if (a->kind == CELL_COUNT)
        return compare_descending_u64(a->count, b->count);
    return compare_descending(a->number, b->number);
}

static int compare_files(const void *context, uint32_t a, uint32_t b)
{
    const struct ordering *by = context;
    struct cell left[PER_FILE_COLUMNS], right[PER_FILE_COLUMNS];
    int order = 0;
    fill_profile(by->figures, a, left);
    fill_profile(by->figures, b, right);
    for (size_t i = 0; i < by->sort->count && order == 0; i++) {
        ptrdiff_t column = by->sort->columns[i] - file_columns;
        order = compare_cells(&left[column], &right[column]);
        order = by->sort->is_reversed[i] ? -order : order;
    }
    return order;
}

/* Sorts the profiles, and keeps those at the ends.  Returns their number.  */
static size_t order_files(struct per_file *figures, const struct per_file_rules *rules)
{
    const struct ordering by = {figures, &rules->sort};
    size_t ends = rules->most_ends, count = figures->count;
    figures->order = identity_ids(count);
    sort_ids(figures->order, count, compare_files, &by);
    if (ends == 0 || ends >= count - count / 2)
        return count;
    memmove(figures->order + ends, figures->order + count - ends, ends * sizeof *figures->order);
    return 2 * ends;
}

/* ---- The tables ---- */

/* Gives the functions of the table the names that STYLE has.  */
static void name_rows(struct varying *varying, const struct symtab *symtab, struct arena *arena,
                      enum name_style style)
{
    struct short_names shorts = {0};
    size_t count = varying->table.row_count;
    for (size_t i = 0; i < count && style == NAMES_SHORT; i++)
        short_names_add(&shorts, varying->functions[i].name);
    for (size_t i = 0; i < count; i++) {
        struct variation *function = &varying->functions[i];
        if (style == NAMES_SHORT)
            function->name = short_names_of(&shorts, arena, function->name);
        else if (style == NAMES_RAW)
            function->name = arena_escape(arena, symtab->symbols[function->symbol].name);
    }
    short_names_free(&shorts);
}

/* Makes the table TITLE of at most as many functions as RULES say, with the names that they say. */
static void make_varying(struct varying *varying, const struct per_file *figures,
                         const struct per_file_rules *rules, const char *title)
{
    size_t most = rules->most_functions;
    size_t rows = most != 0 && most < varying->count ? most : varying->count;
    varying->paths = figures->paths;
    varying->table = make_table(varying_columns, ARRAY_LENGTH(varying_columns), rows);
    varying->table.fill = fill_variation;
    varying->table.context = varying;
    varying->table.title = title;
}

void per_file_tables(struct per_file *figures, const struct per_file_rules *rules,
                     const struct symtab *symtab, struct arena *names)
{
    size_t shown = order_files(figures, rules);
    figures->by_file = make_table(file_columns, ARRAY_LENGTH(file_columns), shown);
    figures->by_file.fill = fill_file;
    figures->by_file.context = figures;
    make_varying(&figures->own, figures, rules,
                 "Functions whose own time varies more between profiles than by chance:");
    make_varying(&figures->inclusive, figures, rules,
                 "Functions whose inclusive time, measured by stacks, varies more than by chance:");
    name_rows(&figures->own, symtab, names, rules->names);
    name_rows(&figures->inclusive, symtab, names, rules->names);
}
