/* per_file_figures.c - the figures of each profile, and the functions whose times vary most between
   them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/per_file_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hist.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/hist_set.h"
#include "model/stacks.h"

/* ---- One profile ---- */

static struct file_figures figures_of(const struct per_file_builder *builder)
{
    struct file_figures figures = builder->figures;
    for (size_t h = 0; h < builder->hist.count; h++)
        for (uint32_t i = 0; i < hist_used_bins(&builder->hist.hists[h]); i++) {
            uint64_t count = bin_of(&builder->hist.hists[h], i);
            bool is_negative = bin_is_negative(&builder->hist, &builder->hist.hists[h], i);
            figures.samples += is_negative ? 0 - count : count;
        }
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

void per_file_multiply(struct per_file_builder *builder, uint32_t factor)
{
    const double f = factor;
    hist_multiply(&builder->hist, factor);
    for (size_t i = 0; i < builder->table->count; i++) {
        builder->table->files[i].samples *= factor;
        builder->table->files[i].weight *= f;
    }
    for (size_t s = 0; s < builder->symtab->count && builder->tallies != NULL; s++) {
        struct per_file_tally *tally = &builder->tallies[s];
        tally->sum *= f;
        tally->squares *= f * f;
        tally->lowest *= f;
        tally->highest *= f;
    }
}

static void clear(struct per_file_builder *builder)
{
    struct hist_set *hist = &builder->hist;
    for (size_t h = 0; h < hist->count; h++)
        hist_clear(&hist->hists[h]);
    free(hist->time);
    hist->time = NULL;
    builder->figures = (struct file_figures){0};
}

void per_file_end(struct per_file_builder *builder)
{
    struct per_file *table = builder->table;
    if (builder->tallies == NULL)
        builder->tallies = mem_array(builder->symtab->count, sizeof *builder->tallies);
    table->files = mem_grow(table->files, &table->capacity, table->count + 1, sizeof *table->files);
    table->files[table->count] = figures_of(builder);
    hist_assign(&builder->hist, builder->symtab, builder->filter);
    for (size_t s = 0; s < builder->symtab->count; s++)
        if (builder->hist.time[s] != 0)
            tally(&builder->tallies[s], builder->hist.time[s], (uint32_t)table->count);
    tally_calls(builder);
    table->count++;
    clear(builder);
}

/* ---- Chance ---- */

/* The weights of the samples of COUNT profiles, in units in which they are counted; 0: of a profile
   without any.  They vary by CHANCE.  */
static struct sample_weights weights_of(const double *weights, size_t count, double chance)
{
    double first = 0, sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        if (weights[i] == 0)
            continue;
        first = n == 0 ? weights[i] : first;
        sum += weights[i] - first; /* so that equal weights have exactly this mean */
        squares += (weights[i] - first) * (weights[i] - first);
        n++;
    }
    if (n == 0)
        return (struct sample_weights){1, 1, chance};
    double mean = first + sum / n, variance = squares / n - (sum / n) * (sum / n);
    return (struct sample_weights){mean, mean * mean / (mean * mean + variance), chance};
}

/* The standard deviation of COUNT numbers of samples with these WEIGHTS, if only chance makes them
   differ from MEAN.  */
static double chance_deviation(size_t count, const struct sample_weights *weights, double mean)
{
    double n = (double)count;
    return sqrt(weights->chance * mean * weights->mean * (n - 1) / n);
}

/* By Pearson's chi-squared, whose cube root is about normal.  Where samples are few it has large
   steps: as if it were larger by a factor, and had fewer degrees of freedom; so has a sum of
   squares of unequal variances.  */
bool is_beyond_chance(size_t count, const struct sample_weights *weights, double mean,
                      double deviation, size_t tests)
{
    if (count < 2 || !(mean > 0) || !(deviation > 0))
        return false;
    double degrees = weights->evenness * (double)(count - 1) / (1 + weights->mean / mean);
    double step = 2 / (9 * degrees);
    double share = deviation / chance_deviation(count, weights, mean);
    double z = (cbrt(share * share) - (1 - step)) / sqrt(step);
    return (double)tests * erfc(z / sqrt(2)) / 2 < 0.05;
}

/* ---- All of them ---- */

/* What all COUNT profiles have of a figure, of which VALUES are those of each.  */
static struct file_total total_of(const uint64_t *values, size_t count)
{
    struct file_total total = {.lowest = count > 0 ? values[0] : 0};
    double squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        total.sum = sum_u64(total.sum, values[i]);
        if (values[i] < total.lowest) {
            total.lowest = values[i];
            total.lowest_in = i;
        }
        if (values[i] > total.highest) {
            total.highest = values[i];
            total.highest_in = i;
        }
    }
    if (total.lowest == total.highest)
        total.lowest_in = total.highest_in = NO_ID;
    total.mean = (double)total.sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += ((double)values[i] - total.mean) * ((double)values[i] - total.mean);
    total.deviation = sqrt(squares / (double)count);
    return total;
}

static struct sample_weights weights_of_profiles(const struct per_file *table, double chance)
{
    double *weights = mem_uninitialised(table->count, sizeof *weights);
    for (size_t i = 0; i < table->count; i++)
        weights[i] = table->files[i].weight;
    struct sample_weights of_profiles = weights_of(weights, table->count, chance);
    free(weights);
    return of_profiles;
}

static void compute_totals(struct per_file *table)
{
    const struct sample_weights *weights = &table->own.weights;
    struct file_total *samples = &table->all_samples;
    uint64_t *values = mem_uninitialised(table->count, sizeof *values);
    for (size_t i = 0; i < table->count; i++)
        values[i] = table->files[i].calls;
    table->all_calls = total_of(values, table->count);
    for (size_t i = 0; i < table->count; i++)
        values[i] = table->files[i].samples;
    *samples = total_of(values, table->count);
    free(values);
    samples->chance = chance_deviation(table->count, weights, samples->mean);
    table->is_beyond_chance =
        is_beyond_chance(table->count, weights, samples->mean, samples->deviation, 1);
    for (size_t i = 0; i < table->count; i++)
        table->outlier_count += per_file_is_outlier(table, i);
}

/* The statistics of one value for each profile of TABLE, of which those never seen are 0.  */
static struct variation variation_of(const struct per_file *table,
                                     const struct sample_weights *weights,
                                     const struct per_file_tally *tally, uint32_t symbol)
{
    size_t count = table->count;
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
        .chance = chance_deviation(count, weights, mean),
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

static void sort_variations(struct varying *varying, const struct symtab *symtab)
{
    const struct ranking ranking = {symtab, varying->functions};
    uint32_t *order = identity_ids(varying->count);
    sort_ids(order, varying->count, compare_variations, &ranking);
    varying->functions =
        mem_reorder(varying->functions, order, varying->count, sizeof *varying->functions);
}

/* In samples, which are PARTS of what is counted.  */
static struct spread spread_of(const struct per_file_tally *tally, size_t count, double parts)
{
    double n = (double)count, mean = tally->sum / n;
    double variance = (tally->squares - tally->sum * mean) / (n - 1) / (parts * parts);
    return (struct spread){mean / parts, count < 2 ? (double)NAN : variance > 0 ? variance : 0};
}

/* Whether SYMBOL has samples in TALLIES, which may be NULL, and no filter leaves it out.  */
static bool is_listed(const struct per_file_builder *builder, const struct per_file_tally *tallies,
                      size_t symbol)
{
    return tallies != NULL && tallies[symbol].seen_count > 0 &&
           is_accepted(builder->filter, (uint32_t)symbol);
}

/* Lists those of the first COUNT symbols that vary beyond chance in TALLIES.  TESTS: as in
   is_beyond_chance.  */
static void list_varying(struct varying *varying, const struct per_file_builder *builder,
                         const struct per_file_tally *tallies, size_t count, size_t tests)
{
    for (size_t s = 0; s < count; s++) {
        if (!is_listed(builder, tallies, s))
            continue;
        struct variation variation =
            variation_of(builder->table, &varying->weights, &tallies[s], (uint32_t)s);
        if (!is_beyond_chance(builder->table->count, &varying->weights, variation.mean,
                              variation.deviation, tests))
            continue;
        varying->functions = mem_grow(varying->functions, &varying->capacity, varying->count + 1,
                                      sizeof *varying->functions);
        varying->functions[varying->count++] = variation;
    }
    sort_variations(varying, builder->symtab);
}

/* ---- Inclusive times ---- */

/* The lowest rate of a file; one without stacks may have none.  */
static double lowest_rate(const struct stacks *stacks)
{
    double lowest = INFINITY;
    for (size_t f = 0; f < stacks->column_count; f++)
        if (stacks->columns[f].rate != 0 && stacks->columns[f].rate < lowest)
            lowest = stacks->columns[f].rate;
    return lowest;
}

/* Tallies of inclusive times by id, in samples at RATE; WEIGHTS, with its chance, gets those of the
   samples.  NULL if some profile has no stacks.  Free with free.  */
static struct per_file_tally *tally_inclusive(const struct per_file_stacks *stacks, size_t profiles,
                                              size_t ids, double rate,
                                              struct sample_weights *weights)
{
    struct stacks *recorded = &stacks->recorded->tree;
    struct per_file_tally *tallies = mem_array(ids, sizeof *tallies);
    stacks_find_outermost(recorded, ids);
    double *samples = mem_uninitialised(recorded->count, sizeof *samples);
    double *of_id = mem_uninitialised(ids, sizeof *of_id);
    double *of_files = mem_array(profiles, sizeof *of_files);
    uint32_t next = 0; /* the profile whose file is to come */
    for (size_t f = 0; f < recorded->column_count && next < profiles; f++) {
        const struct stack_column *file = &recorded->columns[f];
        if (file->profile == NULL || strcmp(file->profile, stacks->infos[next].path) != 0)
            continue; /* of a profile that was left out */
        stacks_count(recorded, f, 1, samples, of_id, ids);
        for (size_t id = 0; id < ids; id++)
            if (of_id[id] != 0)
                tally(&tallies[id], of_id[id] * rate / file->rate, next);
        of_files[next++] = file->rate != 0 ? rate / file->rate : 0;
    }
    *weights = weights_of(of_files, profiles, weights->chance);
    free(of_files);
    free(samples);
    free(of_id);
    if (next == profiles)
        return tallies;
    free(tallies);
    return NULL;
}

/* ---- The end ---- */

void per_file_finish(struct per_file_builder *builder, double parts,
                     const struct per_file_stacks *stacks)
{
    struct per_file *table = builder->table;
    const struct symtab *symtab = builder->symtab;
    struct per_file_tally *inclusive = NULL;
    size_t ids = 0, tests = 0;
    table->own.weights = weights_of_profiles(table, figures_traits(builder->hist.figures)->chance);
    compute_totals(table);
    table->spreads = mem_array(symtab->count, sizeof *table->spreads);
    if (stacks != NULL) {
        double rate = lowest_rate(&stacks->recorded->tree);
        table->inclusive.weights.chance = table->own.weights.chance;
        ids = frames_count(&stacks->recorded->frames);
        inclusive = tally_inclusive(stacks, table->count, ids, rate, &table->inclusive.weights);
        table->inclusive.rate = rate;
    }
    for (size_t s = 0; s < symtab->count && builder->tallies != NULL; s++)
        table->spreads[s] = spread_of(&builder->tallies[s], table->count, parts);
    for (size_t s = 0; s < symtab->count; s++)
        tests += is_listed(builder, builder->tallies, s);
    for (size_t s = 0; s < ids; s++)
        tests += is_listed(builder, inclusive, s);
    list_varying(&table->own, builder, builder->tallies, symtab->count, tests);
    list_varying(&table->inclusive, builder, inclusive, ids, tests);
    free(inclusive);
    free(builder->tallies);
    free(builder->callee_calls);
    builder->tallies = NULL;
    builder->callee_calls = NULL;
    hist_free(&builder->hist);
}

/* ---- Names ---- */

static void name_functions(struct varying *varying, const struct symtab *symtab)
{
    for (size_t i = 0; i < varying->count; i++)
        varying->functions[i].name =
            label_of_symbol(&symtab->symbols[varying->functions[i].symbol]);
}

void per_file_name(struct profile *profile)
{
    struct per_file *table = &profile->per_file;
    table->own.rate = table->own.rate != 0 ? table->own.rate : 1;
    table->paths = mem_array(table->count, sizeof *table->paths);
    for (size_t i = 0; i < table->count; i++)
        table->paths[i] = arena_escape(&profile->names, profile->infos[i].path);
    name_functions(&table->own, &profile->symtab);
    name_functions(&table->inclusive, &profile->symtab);
}
