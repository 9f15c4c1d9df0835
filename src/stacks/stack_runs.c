/* stack_runs.c - the recorded stacks of each of several runs, and how times vary between them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/stack_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

struct stacks stacks_list_runs(const struct recorded_stacks *stacks, const uint32_t *functions)
{
    struct stacks runs = stacks_relabel(&stacks->tree, functions);
    runs.columns = mem_uninitialised(runs.column_count, sizeof *runs.columns);
    for (size_t i = 0; i < runs.column_count; i++) {
        runs.columns[i] = stacks->tree.columns[i];
        if (runs.columns[i].rate == 0) /* the file is empty */
            runs.columns[i].rate = stacks->rate;
    }
    return runs;
}

void stacks_measure_runs(struct snapshot *snapshot, struct stacks *runs)
{
    size_t count = snapshot->function_count, run_count = runs->column_count;
    stacks_find_outermost(runs, count);
    double *samples = mem_uninitialised(runs->count, sizeof *samples);
    double *of_function = mem_uninitialised(count, sizeof *of_function);
    double divisor = spread_divisor(run_count);
    struct spread *spreads = snapshot->runs.inclusive = mem_array(count, sizeof *spreads);
    snapshot->runs.all = (struct spread){0, 0};
    for (size_t r = 0; r < run_count; r++) {
        double scale = snapshot->rate / runs->columns[r].rate; /* as if it had the same rate */
        double all = stacks_count(runs, r, scale, samples, of_function, count);
        spread_add(&snapshot->runs.all, all, r + 1);
        for (size_t id = 0; id < count; id++)
            spread_add(&spreads[id], of_function[id], r + 1);
    }
    for (size_t id = 0; id < count; id++)
        spreads[id].variance /= divisor;
    snapshot->runs.all.variance /= divisor;
    snapshot->runs.count = run_count;
    free(samples);
    free(of_function);
}

/* Whether the files of STACKS were read beside the inputs of SNAPSHOT, all of which have a rate. */
static bool are_of_inputs(const struct recorded_stacks *stacks, const struct snapshot *snapshot)
{
    size_t count = stacks->tree.column_count;
    bool is_same = count == snapshot->input_count && snapshot->sample_time > 0;
    for (size_t f = 0; f < count && is_same; f++) {
        const struct stack_column *file = &stacks->tree.columns[f];
        is_same = file->profile != NULL && snapshot->inputs[f].rate > 0 && file->rate > 0 &&
                  strcmp(file->profile, snapshot->inputs[f].path) == 0;
    }
    return is_same;
}

/* Counts the samples of run F that end in each function of another object, in SAMPLES, which is
   zero, and the seconds of all together as the result.  */
static double count_others(const struct snapshot *snapshot, const struct stacks *stacks, size_t f,
                           const uint32_t *functions, double *samples)
{
    double rate = stacks->columns[f].rate, all = 0;
    for (size_t i = stacks_first_end(stacks, f); i < stacks->columns[f].end; i++) {
        uint32_t function = functions[stacks->label[stacks->ends[i].node]];
        if (function == UINT32_MAX || snapshot->functions[function].kind != FUNCTION_OTHER)
            continue;
        double time = stacks->ends[i].samples / rate;
        samples[function] += time / snapshot->sample_time;
        all += time;
    }
    return all;
}

void stacks_count_others(struct snapshot *snapshot, const struct recorded_stacks *stacks,
                         const uint32_t *functions)
{
    size_t count = snapshot->function_count, files = stacks->tree.column_count;
    if (files == 0 || !are_of_inputs(stacks, snapshot))
        return;
    snapshot->has_others = true;
    double *samples = mem_array(count, sizeof *samples);
    for (size_t f = 0; f < files; f++) {
        memset(samples, 0, count * sizeof *samples);
        double time = count_others(snapshot, &stacks->tree, f, functions, samples);
        snapshot->inputs[f].other_samples = time * snapshot->inputs[f].rate;
        for (size_t id = 0; id < count; id++) {
            struct snapshot_function *function = &snapshot->functions[id];
            if (function->kind != FUNCTION_OTHER)
                continue;
            function->samples = (f > 0 ? function->samples : 0) + samples[id];
            struct spread *spread = &snapshot->runs.own[id].samples;
            if (f == 0)
                *spread = (struct spread){0, 0};
            spread_add(spread, samples[id], f + 1);
        }
    }
    for (size_t id = 0; id < count; id++)
        if (snapshot->functions[id].kind == FUNCTION_OTHER)
            snapshot->runs.own[id].samples.variance /= spread_divisor(files);
    free(samples);
}

/* By node of NODES: its time in all of RUNS, with all below it.  NUMBERS are those of the nodes of
   RUNS.  *ALL is that of all roots.  Free with free.  */
static double *sum_runs(const struct stacks *runs, const struct pair_map *nodes,
                        const uint32_t *numbers, double *all)
{
    double *totals = mem_array(nodes->count, sizeof *totals);
    for (size_t r = 0, i = 0; r < runs->column_count; r++)
        for (; i < runs->columns[r].end; i++)
            totals[numbers[runs->ends[i].node]] +=
                fabs(runs->ends[i].samples) / runs->columns[r].rate;
    *all = 0;
    for (size_t i = nodes->count; i-- > 0;)
        *(nodes->pairs[i].a != 0 ? &totals[nodes->pairs[i].a - 1] : all) += totals[i];
    return totals;
}

/* Puts each node of NODES into KEPT, or into the others below the one above it, and returns where
   it is.  MOST: so many of the largest are kept.  Free with free.  */
static uint32_t *place_nodes(struct pair_map *kept, const struct pair_map *nodes,
                             const double *totals, double least, size_t most)
{
    uint32_t *order = identity_ids(nodes->count);
    uint32_t *place = mem_uninitialised(nodes->count, sizeof *place);
    bool *is_kept = mem_array(nodes->count, sizeof *is_kept);
    sort_ids(order, nodes->count, compare_doubles, totals);
    for (size_t i = 0; i < nodes->count && i < most && totals[order[i]] >= least; i++)
        is_kept[order[i]] = true; /* nodes above are as large, and come first */
    for (size_t i = 0; i < nodes->count; i++) {
        const struct pair *node = &nodes->pairs[i];
        uint32_t above = node->a != 0 ? place[node->a - 1] : UINT32_MAX;
        place[i] = above < kept->count && kept->pairs[above].b == STACKS_OTHERS
                       ? above
                       : pair_map_number(kept, (uint64_t)(uint32_t)(above + 1),
                                         is_kept[i] ? node->b : STACKS_OTHERS);
    }
    free(order);
    free(is_kept);
    return place;
}

struct stacks stacks_cut(const struct stacks *runs, size_t most_values)
{
    const double least_share = 0.001; /* a pixel or so of a flame graph */
    struct stacks cut = {0};
    struct pair_map nodes = {0}, kept = {0};
    double all;
    size_t most = most_values / (runs->column_count + 2) / 2; /* each may have others below it */
    uint32_t *numbers = stacks_add_nodes(&nodes, runs, NULL);
    double *totals = sum_runs(runs, &nodes, numbers, &all);
    uint32_t *place = place_nodes(&kept, &nodes, totals, least_share * all, most);
    double *samples = mem_uninitialised(kept.count, sizeof *samples);
    for (size_t r = 0, i = 0; r < runs->column_count; r++) {
        memset(samples, 0, kept.count * sizeof *samples);
        for (; i < runs->columns[r].end; i++)
            samples[place[numbers[runs->ends[i].node]]] += runs->ends[i].samples;
        for (uint32_t n = 0; n < kept.count; n++)
            if (samples[n] != 0)
                stacks_add_end(&cut, (struct stack_end){n, samples[n]});
        stacks_add_column(&cut, runs->columns[r]);
    }
    stacks_take_nodes(&cut, &kept);
    pair_map_free(&nodes);
    free(numbers);
    free(totals);
    free(place);
    free(samples);
    return cut;
}

void stacks_free_runs(struct stacks *runs)
{
    stacks_free_labels(runs);
    free(runs->columns);
    *runs = (struct stacks){0};
}
