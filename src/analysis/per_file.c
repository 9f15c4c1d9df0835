/* per_file.c - statistics of each profile, and of each function over all profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/per_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hist.h"
#include "base/common.h"
#include "base/memory.h"
#include "model/hist_set.h"

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
    if (tally->seen_count == 0 || ticks < tally->lowest)
        tally->lowest = ticks;
    if (tally->seen_count == 0 || ticks > tally->highest) {
        tally->highest = ticks;
        tally->highest_file = file;
    }
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

static void compute_range(struct per_file *table)
{
    double count = (double)table->count;
    table->lowest = (struct file_figures){UINT64_MAX, UINT64_MAX, 0};
    for (size_t i = 0; i < table->count; i++) {
        const struct file_figures *file = &table->files[i];
        table->sum.samples = sum_u64(table->sum.samples, file->samples);
        table->sum.calls = sum_u64(table->sum.calls, file->calls);
        if (file->samples < table->lowest.samples)
            table->lowest.samples = file->samples;
        if (file->calls < table->lowest.calls)
            table->lowest.calls = file->calls;
        if (file->samples > table->highest.samples)
            table->highest.samples = file->samples;
        if (file->calls > table->highest.calls)
            table->highest.calls = file->calls;
    }
    table->mean_samples = (double)table->sum.samples / count;
    table->mean_calls = (double)table->sum.calls / count;
}

/* The statistics of COUNT values, of which those never seen are 0.  */
static struct variation variation_of(const struct per_file_tally *tally, uint32_t symbol,
                                     size_t count)
{
    const double noise = 1e-12; /* times the square of the mean: error by rounding of equal times */
    double mean = tally->sum / (double)count;
    double variance = tally->squares / (double)count - mean * mean;
    return (struct variation){
        .symbol = symbol,
        .file = tally->highest_file,
        .lowest = tally->seen_count < count ? 0 : tally->lowest,
        .mean = mean,
        .highest = tally->highest,
        .deviation = variance > noise * mean * mean ? sqrt(variance) : 0,
    };
}

static bool varies_more(const struct symtab *symtab, const struct variation *a,
                        const struct variation *b)
{
    if (a->deviation != b->deviation)
        return a->deviation > b->deviation;
    return strcmp(symtab->symbols[a->symbol].name, symtab->symbols[b->symbol].name) < 0;
}

/* Inserts VARIATION among the largest ones, if it is one of these.  */
static void rank(struct per_file *table, const struct symtab *symtab,
                 const struct variation *variation)
{
    size_t at = table->varying_count;
    while (at > 0 && varies_more(symtab, variation, &table->varying[at - 1]))
        at--;
    if (at == MOST_VARYING)
        return;
    if (table->varying_count < MOST_VARYING)
        table->varying_count++;
    for (size_t i = table->varying_count - 1; i > at; i--)
        table->varying[i] = table->varying[i - 1];
    table->varying[at] = *variation;
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
    table->spreads = mem_array(builder->symtab->count, sizeof *table->spreads);
    for (size_t s = 0; s < builder->symtab->count && builder->tallies != NULL; s++)
        table->spreads[s] = spread_of(&builder->tallies[s], table->count);
    for (size_t s = 0; s < builder->symtab->count && builder->tallies != NULL; s++) {
        if (builder->tallies[s].seen_count == 0 || !is_accepted(builder->filter, (uint32_t)s))
            continue;
        struct variation variation = variation_of(&builder->tallies[s], (uint32_t)s, table->count);
        if (variation.deviation > 0)
            rank(table, builder->symtab, &variation);
    }
    free(builder->tallies);
    free(builder->callee_calls);
    builder->tallies = NULL;
    builder->callee_calls = NULL;
    hist_free(&builder->hist);
}

void per_file_free(struct per_file *table)
{
    free(table->files);
    free(table->paths);
    free(table->spreads);
    free(table->calls);
    *table = (struct per_file){0};
}
