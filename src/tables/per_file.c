/* per_file.c - the figures of each profile, and their tables (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/per_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hist.h"
#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/hist_set.h"

/* ---- Statistics of each profile, and of each function over all profiles ---- */

/* ---- One profile ---- */

static struct file_figures figures_of(const struct per_file_builder *builder)
{
    struct file_figures figures = {.calls = builder->calls, .rate = builder->rate};
    for (size_t h = 0; h < builder->hist.count; h++)
        for (uint32_t i = 0; i < hist_used_bins(&builder->hist.hists[h]); i++)
            figures.samples += bin_of(&builder->hist.hists[h], i);
    return figures;
}

static void tally(struct per_file_tally *tally, double ticks, uint32_t file)
{
    tally->sum += ticks;
    tally->squares += ticks * ticks;
    if (tally->seen_count == 0 || ticks < tally->lowest) {
        tally->lowest = ticks;
        tally->lowest_file = file;
    }
    if (tally->seen_count == 0 || ticks > tally->highest) {
        tally->highest = ticks;
        tally->highest_file = file;
    }
    tally->leading_count += file == tally->leading_count;
    tally->seen_count++;
}

void per_file_add_calls(struct per_file_builder *builder, uint32_t callee, uint64_t count)
{
    if (builder->callee_calls == NULL)
        builder->callee_calls = mem_array(builder->symtab->count, sizeof *builder->callee_calls);
    builder->callee_calls[callee] = sum_u64(builder->callee_calls[callee], count);
}

/* Extends the ranges by the calls of the profile that has been read.  All profiles before the first
   one with calls had none.  */
static void tally_calls(struct per_file_builder *builder)
{
    struct per_file *table = builder->table;
    if (builder->callee_calls == NULL)
        return;
    bool is_first = table->count == 0;
    if (table->calls == NULL)
        table->calls = mem_array(builder->symtab->count, sizeof *table->calls);
    for (size_t s = 0; s < builder->symtab->count; s++) {
        uint64_t calls = builder->callee_calls[s];
        struct call_range *range = &table->calls[s];
        range->lowest = is_first ? calls : min_u64(range->lowest, calls);
        range->highest = max_u64(range->highest, calls);
        builder->callee_calls[s] = 0;
    }
}

static void clear(struct hist_set *hist)
{
    for (size_t h = 0; h < hist->count; h++)
        hist_clear(&hist->hists[h]);
    free(hist->time);
    hist->time = NULL;
}

void per_file_end(struct per_file_builder *builder)
{
    struct per_file *table = builder->table;
    if (builder->tallies == NULL)
        builder->tallies = mem_array(builder->symtab->count, sizeof *builder->tallies);
    table->files = mem_grow(table->files, &table->capacity, table->count + 1, sizeof *table->files);
    table->files[table->count] = figures_of(builder);
    hist_assign(&builder->hist, builder->symtab, builder->filter, builder->entry_units);
    for (size_t s = 0; s < builder->symtab->count; s++)
        if (builder->hist.time[s] != 0)
            tally(&builder->tallies[s], builder->hist.time[s], (uint32_t)table->count);
    tally_calls(builder);
    table->count++;
    builder->calls = 0;
    builder->rate = 0;
    clear(&builder->hist);
}

/* ---- All of them ---- */

/* Adds VALUE of profile FILE to the lowest and highest ones and the sum of all.  */
static void add_to_range(uint64_t value, uint32_t file, uint64_t *lowest, uint32_t *lowest_in,
                         uint64_t *highest, uint32_t *highest_in)
{
    if (value < *lowest || file == 0) {
        *lowest = value;
        *lowest_in = file;
    }
    if (value > *highest || file == 0) {
        *highest = value;
        *highest_in = file;
    }
}

static void compute_range(struct per_file *table)
{
    struct file_figures *lowest = &table->lowest, *highest = &table->highest;
    struct extreme_files *lowest_in = &table->lowest_in, *highest_in = &table->highest_in;
    for (uint32_t i = 0; i < table->count; i++) {
        const struct file_figures *file = &table->files[i];
        table->sum.samples = sum_u64(table->sum.samples, file->samples);
        table->sum.calls = sum_u64(table->sum.calls, file->calls);
        add_to_range(file->samples, i, &lowest->samples, &lowest_in->samples, &highest->samples,
                     &highest_in->samples);
        add_to_range(file->calls, i, &lowest->calls, &lowest_in->calls, &highest->calls,
                     &highest_in->calls);
    }
    if (lowest->samples == highest->samples)
        lowest_in->samples = highest_in->samples = NO_ID;
    if (lowest->calls == highest->calls)
        lowest_in->calls = highest_in->calls = NO_ID;
}

static void compute_deviations(struct per_file *table)
{
    double count = (double)table->count, samples = 0, calls = 0;
    table->mean_samples = (double)table->sum.samples / count;
    table->mean_calls = (double)table->sum.calls / count;
    for (size_t i = 0; i < table->count; i++) {
        double distance = (double)table->files[i].samples - table->mean_samples;
        double calls_distance = (double)table->files[i].calls - table->mean_calls;
        samples += distance * distance;
        calls += calls_distance * calls_distance;
    }
    table->samples_deviation = sqrt(samples / count);
    table->calls_deviation = sqrt(calls / count);
    for (size_t i = 0; i < table->count; i++)
        table->outlier_count += per_file_is_outlier(table, i);
}

double per_file_distance(const struct per_file *table, size_t file)
{
    double distance = (double)table->files[file].samples - table->mean_samples;
    return table->samples_deviation > 0 ? distance / table->samples_deviation : 0;
}

bool per_file_is_outlier(const struct per_file *table, size_t file)
{
    return fabs(per_file_distance(table, file)) > OUTLIER_DEVIATIONS;
}

/* The statistics of COUNT values, of which those never seen are 0.  */
static struct variation variation_of(const struct per_file_tally *tally, uint32_t symbol,
                                     size_t count)
{
    const double noise = 1e-12; /* times the square of the mean: error by rounding of equal times */
    bool is_everywhere = tally->seen_count == count;
    double mean = tally->sum / (double)count;
    double variance = tally->squares / (double)count - mean * mean;
    return (struct variation){
        .symbol = symbol,
        .lowest_file = is_everywhere ? tally->lowest_file : tally->leading_count,
        .highest_file = tally->highest_file,
        .lowest = is_everywhere ? tally->lowest : 0,
        .mean = mean,
        .highest = tally->highest,
        .deviation = variance > noise * mean * mean ? sqrt(variance) : 0,
    };
}

struct ranking {
    const struct symtab *symtab;
    const struct variation *varying;
};

/* The largest deviation first, then by name.  */
static int compare_variations(const void *context, uint32_t a, uint32_t b)
{
    const struct ranking *ranking = context;
    const struct variation *first = &ranking->varying[a], *second = &ranking->varying[b];
    int order = compare_descending(first->deviation, second->deviation);
    return order != 0 ? order
                      : strcmp(ranking->symtab->symbols[first->symbol].name,
                               ranking->symtab->symbols[second->symbol].name);
}

static void sort_variations(struct per_file *table, const struct symtab *symtab)
{
    const struct ranking ranking = {symtab, table->varying};
    uint32_t *order = identity_ids(table->varying_count);
    sort_ids(order, table->varying_count, compare_variations, &ranking);
    table->varying =
        mem_reorder(table->varying, order, table->varying_count, sizeof *table->varying);
}

static void add_variation(struct per_file *table, const struct variation *variation)
{
    table->varying = mem_grow(table->varying, &table->varying_capacity, table->varying_count + 1,
                              sizeof *table->varying);
    table->varying[table->varying_count++] = *variation;
}

static struct spread spread_of(const struct per_file_tally *tally, size_t count)
{
    double n = (double)count, mean = tally->sum / n;
    double variance = (tally->squares - tally->sum * mean) / (n - 1);
    return (struct spread){mean, count < 2 ? (double)NAN : variance > 0 ? variance : 0};
}

void per_file_finish(struct per_file_builder *builder)
{
    struct per_file *table = builder->table;
    compute_range(table);
    compute_deviations(table);
    table->spreads = mem_array(builder->symtab->count, sizeof *table->spreads);
    for (size_t s = 0; s < builder->symtab->count && builder->tallies != NULL; s++)
        table->spreads[s] = spread_of(&builder->tallies[s], table->count);
    for (size_t s = 0; s < builder->symtab->count && builder->tallies != NULL; s++) {
        if (builder->tallies[s].seen_count == 0 || !is_accepted(builder->filter, (uint32_t)s))
            continue;
        struct variation variation = variation_of(&builder->tallies[s], (uint32_t)s, table->count);
        if (variation.deviation > 0)
            add_variation(table, &variation);
    }
    sort_variations(table, builder->symtab);
    free(builder->tallies);
    free(builder->callee_calls);
    builder->tallies = NULL;
    builder->callee_calls = NULL;
    hist_free(&builder->hist);
}

/* ---- The statistics of profiles as tables, which all formats print ---- */

static double time_of(const struct profile *profile, double ticks)
{
    return ticks / (profile->hist.rate != 0 ? (double)profile->hist.rate : 1.0);
}

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
    [VARYING_LOWEST]     = {"minimum",    UNIT_TIME, 2, false},
    [VARYING_MEAN]       = {"mean",       UNIT_TIME, 2, false},
    [VARYING_HIGHEST]    = {"maximum",    UNIT_TIME, 2, false},
    [VARYING_NAME]       = {"name",       UNIT_NONE, 0, true},
    [VARYING_HIGHEST_IN] = {"maximum-in", UNIT_NONE, 0, true},
    [VARYING_LOWEST_IN]  = {"minimum-in", UNIT_NONE, 0, true},
};
/* clang-format on */

static void fill_profile(const struct profile *profile, uint32_t number, struct cell *cells)
{
    const struct per_file *figures = &profile->per_file;
    const struct file_figures *file = &figures->files[number];
    double sum = figures->sum.samples > 0 ? (double)figures->sum.samples : 1.0;
    cells[PER_FILE_SHARE] = number_cell(100.0 * (double)file->samples / sum);
    cells[PER_FILE_SAMPLES] = count_cell(file->samples);
    cells[PER_FILE_TIME] = number_cell(time_of(profile, (double)file->samples));
    cells[PER_FILE_CALLS] = count_cell(file->calls);
    cells[PER_FILE_DEVIATIONS] = number_cell(per_file_distance(figures, number));
    cells[PER_FILE_PROFILE] = text_cell(figures->paths[number]);
}

static void fill_file(const void *context, size_t row, struct cell *cells)
{
    const struct profile *profile = context;
    fill_profile(profile, profile->per_file.order[row], cells);
}

static void fill_varying(const void *context, size_t row, struct cell *cells)
{
    const struct profile *profile = context;
    const struct variation *variation = &profile->per_file.varying[row];
    const struct symbol *symbol = &profile->symtab.symbols[variation->symbol];
    cells[VARYING_DEVIATION] = number_cell(time_of(profile, variation->deviation));
    cells[VARYING_LOWEST] = number_cell(time_of(profile, variation->lowest));
    cells[VARYING_MEAN] = number_cell(time_of(profile, variation->mean));
    cells[VARYING_HIGHEST] = number_cell(time_of(profile, variation->highest));
    cells[VARYING_NAME] = text_cell(symbol->label != NULL ? symbol->label : symbol->name);
    cells[VARYING_HIGHEST_IN] = text_cell(profile->per_file.paths[variation->highest_file]);
    cells[VARYING_LOWEST_IN] = text_cell(profile->per_file.paths[variation->lowest_file]);
}

static struct table make_table(const struct profile *profile, const struct table_column *columns,
                               size_t column_count, size_t row_count)
{
    struct table table = {.column_count = column_count,
                          .row_count = row_count,
                          .time_decimals = 2,
                          .per_call_factor = 1,
                          .context = profile};
    for (size_t i = 0; i < column_count; i++)
        table.columns[i] = &columns[i];
    return table;
}

/* ---- The order of profiles ---- */

const struct column_set per_file_columns = {file_columns, ARRAY_LENGTH(file_columns),
                                            sizeof *file_columns};

struct ordering {
    const struct profile *profile;
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
    fill_profile(by->profile, a, left);
    fill_profile(by->profile, b, right);
    for (size_t i = 0; i < by->sort->count && order == 0; i++) {
        ptrdiff_t column = by->sort->columns[i] - file_columns;
        order = compare_cells(&left[column], &right[column]);
        order = by->sort->is_reversed[i] ? -order : order;
    }
    return order;
}

/* Sorts the profiles, and keeps those at the ends.  Returns their number.  */
static size_t order_files(struct profile *profile, const struct per_file_rules *rules)
{
    struct per_file *figures = &profile->per_file;
    const struct ordering by = {profile, &rules->sort};
    size_t ends = rules->most_ends, count = figures->count;
    figures->order = identity_ids(count);
    sort_ids(figures->order, count, compare_files, &by);
    figures->first_count = count;
    if (ends == 0 || ends >= count - count / 2)
        return count;
    memmove(figures->order + ends, figures->order + count - ends, ends * sizeof *figures->order);
    figures->first_count = ends;
    return 2 * ends;
}

/* ---- The tables ---- */

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

void per_file_tables(struct profile *profile, const struct per_file_rules *rules)
{
    struct per_file *figures = &profile->per_file;
    figures->paths = mem_array(figures->count, sizeof *figures->paths);
    for (size_t i = 0; i < figures->count; i++)
        figures->paths[i] = arena_escape(&profile->names, profile->infos[i].path);
    size_t shown = order_files(profile, rules);
    size_t functions = rules->most_functions != 0
                           ? min_size(figures->varying_count, rules->most_functions)
                           : figures->varying_count;
    figures->by_file = make_table(profile, file_columns, ARRAY_LENGTH(file_columns), shown);
    figures->by_file.fill = fill_file;
    figures->by_function =
        make_table(profile, varying_columns, ARRAY_LENGTH(varying_columns), functions);
    figures->by_function.fill = fill_varying;
    figures->by_function.title = "Functions whose own time varies most between profiles:";
}
