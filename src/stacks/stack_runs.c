/* stack_runs.c - the recorded stacks of each of several runs, and how times vary between them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/stack_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void stacks_list_runs(struct stack_runs *runs, const struct recorded_stacks *stacks,
                      const uint32_t *functions)
{
    *runs = (struct stack_runs){
        .places = stack_places_of(stacks->nodes.pairs, stacks->nodes.count, functions),
        .ends = mem_uninitialised(stacks->end_count, sizeof *runs->ends),
        .runs = mem_uninitialised(stacks->file_count, sizeof *runs->runs),
        .place_count = stacks->nodes.count,
        .run_count = stacks->file_count};
    size_t kept = 0, i = 0;
    for (size_t f = 0; f < stacks->file_count; f++) {
        double parts = parts_of_sample(stacks->files[f].fineness);
        runs->have_weights |= parts != 1;
        for (; i < stacks->files[f].end; i++)
            if (stacks->ends[i].node != NO_ID)
                runs->ends[kept++] = (struct stack_end){stacks->ends[i].node,
                                                        (double)stacks->ends[i].samples / parts};
        double rate = stacks->files[f].rate; /* 0: the file is empty */
        runs->runs[f] = (struct stack_run){(rate != 0 ? rate : stacks->rate) / parts, kept};
    }
}

/* Adds VALUE, the COUNTth, to a mean and the sum of the squares of distances from it.  */
static void add_value(double *mean, double *squares, double value, size_t count)
{
    double distance = value - *mean;
    *mean += distance / (double)count;
    *squares += distance * (value - *mean);
}

/* Inclusive samples of run RUN, as if it had the rate of SNAPSHOT: of each function in OF_FUNCTION,
   of all as the result.  SAMPLES is space for one number per place.  */
static double count_run(const struct snapshot *snapshot, const struct stack_runs *runs, size_t run,
                        const uint32_t *outermost, double *samples, double *of_function)
{
    double scale = snapshot->rate / runs->runs[run].rate;
    memset(samples, 0, runs->place_count * sizeof *samples);
    memset(of_function, 0, snapshot->function_count * sizeof *of_function);
    for (size_t i = run > 0 ? runs->runs[run - 1].end : 0; i < runs->runs[run].end; i++)
        samples[runs->ends[i].place] += scale * runs->ends[i].samples;
    double all = stack_places_fold(runs->places, runs->place_count, samples);
    stack_places_once(runs->places, runs->place_count, outermost, samples, of_function);
    return all;
}

void stacks_measure_runs(struct snapshot *snapshot, const struct stack_runs *runs)
{
    size_t count = snapshot->function_count, run_count = runs->run_count;
    uint32_t *outermost = stack_places_outermost(runs->places, runs->place_count, count);
    double *samples = mem_uninitialised(runs->place_count, sizeof *samples);
    double *of_function = mem_uninitialised(count, sizeof *of_function);
    double divisor = run_count > 1 ? (double)run_count - 1 : (double)NAN;
    struct spread *spreads = snapshot->total_spreads = mem_array(count, sizeof *spreads);
    snapshot->inclusive_mean = snapshot->inclusive_variance = 0;
    for (size_t r = 0; r < run_count; r++) {
        double all = count_run(snapshot, runs, r, outermost, samples, of_function);
        add_value(&snapshot->inclusive_mean, &snapshot->inclusive_variance, all, r + 1);
        for (size_t id = 0; id < count; id++)
            add_value(&spreads[id].mean, &spreads[id].variance, of_function[id], r + 1);
    }
    for (size_t id = 0; id < count; id++)
        spreads[id].variance /= divisor;
    snapshot->inclusive_variance /= divisor;
    snapshot->stacked_runs = run_count;
    free(outermost);
    free(samples);
    free(of_function);
}

/* Whether the files of STACKS were read beside the inputs of SNAPSHOT, all of which have a rate. */
static bool are_of_inputs(const struct recorded_stacks *stacks, const struct snapshot *snapshot)
{
    bool is_same = stacks->file_count == snapshot->input_count && snapshot->sample_time > 0;
    for (size_t f = 0; f < stacks->file_count && is_same; f++) {
        const struct recorded_file *file = &stacks->files[f];
        is_same = file->profile != NULL && snapshot->inputs[f].rate > 0 && file->rate > 0 &&
                  strcmp(file->profile, snapshot->inputs[f].path) == 0;
    }
    return is_same;
}

/* Counts the samples of run F that end in each function of another object, in SAMPLES, which is
   zero, and the seconds of all together as the result.  */
static double count_others(const struct snapshot *snapshot, const struct recorded_stacks *stacks,
                           size_t f, const uint32_t *functions, double *samples)
{
    double rate = stacks->files[f].rate, all = 0;
    for (size_t i = f > 0 ? stacks->files[f - 1].end : 0; i < stacks->files[f].end; i++) {
        uint32_t node = stacks->ends[i].node;
        uint32_t function = node != NO_ID ? functions[stacks->nodes.pairs[node].b] : UINT32_MAX;
        if (function == UINT32_MAX || !snapshot->functions[function].is_other)
            continue;
        double time = (double)stacks->ends[i].samples / rate;
        samples[function] += time / snapshot->sample_time;
        all += time;
    }
    return all;
}

void stacks_count_others(struct snapshot *snapshot, const struct recorded_stacks *stacks,
                         const uint32_t *functions)
{
    size_t count = snapshot->function_count, files = stacks->file_count;
    if (files == 0 || !are_of_inputs(stacks, snapshot))
        return;
    snapshot->has_others = true;
    double *samples = mem_array(count, sizeof *samples);
    for (size_t f = 0; f < files; f++) {
        memset(samples, 0, count * sizeof *samples);
        double time = count_others(snapshot, stacks, f, functions, samples);
        snapshot->inputs[f].other_samples = time * snapshot->inputs[f].rate;
        for (size_t id = 0; id < count; id++) {
            struct snapshot_function *function = &snapshot->functions[id];
            if (!function->is_other)
                continue;
            function->samples = (f > 0 ? function->samples : 0) + samples[id];
            if (snapshot->spreads == NULL)
                continue;
            struct spread *spread = &snapshot->spreads[id].samples;
            if (f == 0)
                *spread = (struct spread){0, 0};
            add_value(&spread->mean, &spread->variance, samples[id], f + 1);
        }
    }
    for (size_t id = 0; id < count && snapshot->spreads != NULL; id++)
        if (snapshot->functions[id].is_other)
            snapshot->spreads[id].samples.variance /= files > 1 ? (double)files - 1 : (double)NAN;
    free(samples);
}

void stacks_free_runs(struct stack_runs *runs)
{
    free(runs->places);
    free(runs->ends);
    free(runs->runs);
    *runs = (struct stack_runs){0};
}
