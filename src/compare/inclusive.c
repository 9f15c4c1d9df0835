/* inclusive.c - compares inclusive times, of recorded stacks.

   An inclusive time is a number of samples in whose stack the function is, so all that is said of
   own times (significance.h) holds of it, but one thing: spreads between runs must be independent
   for a trend that many functions show to be better known than the spread of one.  Inclusive times
   of a caller and its callee are not: ten functions that each do nothing but call the next one show
   one spread, ten times.  So the trend is that of other times, in which each sample counts once:
   for the innermost function on its stack that is tested.  An inclusive time is a sum of such
   times, and its relative spread is at most that of the trend, however they depend on each other.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/inclusive.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compare/joint_stacks.h"
#include "compare/paths.h"
#include "compare/significance.h"
#include "model/model.h"
#include "model/stack_tree.h"

/* ---- Samples of rows ---- */

/* The samples of the rows of COMPARISON on the sides whose stacks are whole: inclusive ones; of the
   last row, all.  Free with free.  */
static struct compared_time *count_inclusive(const struct comparison *comparison,
                                             const struct stacks joint[SIDES])
{
    size_t count = joint->count, rows = comparison->row_count - 1;
    uint32_t *bins = mem_uninitialised(count, sizeof *bins);
    const struct joint_counting of_functions = {bins, true}, of_all = {bins, false};
    struct compared_time *times = mem_array(rows + 1, sizeof *times);
    for (size_t i = 0; i < count; i++)
        bins[i] = joint->outermost[i] == i ? joint->label[i] : UINT32_MAX;
    joint_count(times, rows, joint, &of_functions);
    for (size_t i = 0; i < count; i++)
        bins[i] = 0;
    joint_count(&times[rows], 1, joint, &of_all);
    free(bins);
    return times;
}

/* Adds to TIMES, of ROW_COUNT rows, the samples of SIDE, whose stacks a file has only in part or
   not at all, from the sums and spreads that it has: of a row that stands for several functions,
   which may call each other, they are not known.  */
static void add_totals(struct compared_time *times, size_t row_count, enum side side,
                       const struct snapshot *snapshot, const uint32_t *rows)
{
    struct compared_time *total = &times[row_count - 1];
    for (size_t i = 0; i < row_count; i++)
        times[i].variance[side] = NAN;
    for (size_t id = 0; id < snapshot->function_count; id++) {
        struct compared_time *time = &times[rows[id]];
        const struct snapshot_function *function = &snapshot->functions[id];
        if (!(function->total_samples > 0))
            continue;
        bool is_first = time->samples[side] == 0;
        time->samples[side] = is_first ? function->total_samples : (double)NAN;
        time->variance[side] = is_first && snapshot->runs.inclusive != NULL
                                   ? snapshot->runs.inclusive[id].variance
                                   : (double)NAN;
    }
    total->samples[side] = snapshot->inclusive_samples;
    total->variance[side] = snapshot->runs.all.variance;
}

/* The samples of the tested rows of COMPARISON by which each sample counts once.  Free with free.
 */
static struct compared_time *count_apart(const struct comparison *comparison,
                                         const struct stacks joint[SIDES])
{
    size_t count = joint->count;
    uint32_t *bins = mem_uninitialised(count, sizeof *bins);
    const struct joint_counting counting = {bins, false};
    struct compared_time *apart = mem_array(comparison->row_count, sizeof *apart);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = joint->label[i], parent = joint->parent[i];
        bins[i] = parent != UINT32_MAX ? bins[parent] : UINT32_MAX;
        if (stacks_is_numbered(row) && comparison->rows[row].kind == COMPARED_BOTH &&
            significance_has_enough(comparison->rows[row].times[INCLUSIVE].samples,
                                    &comparison->measures[INCLUSIVE]))
            bins[i] = row;
    }
    joint_count(apart, comparison->row_count, joint, &counting);
    free(bins);
    return apart;
}

/* ---- The interface ---- */

/* Sets the sides of inclusive times: as many runs as of OWN ones, at the rate of the stacks in
   JOINT, if they are there, or of those that the side's file was made of.  Of several runs without
   stacks of each, nobody knows how inclusive times vary between them.  */
static void set_sides(struct comparison *comparison, const struct stacks joint[SIDES])
{
    const struct compared_measure *own = &comparison->measures[OWN];
    struct compared_measure *inclusive = &comparison->measures[INCLUSIVE];
    inclusive->chance = own->chance;
    for (enum side side = BEFORE; side < SIDES; side++) {
        const struct snapshot *snapshot = comparison->snapshots[side];
        bool has_runs = joint[side].column_count > 0;
        double runs = own->sides[side].runs;
        double rate = has_runs ? joint_rate(&joint[side]) : snapshot->rate;
        double profiles = (double)(has_runs ? joint[side].column_count : snapshot->runs.count);
        inclusive->sides[side] = (struct compared_side){runs, runs * rate, profiles};
        if (own->chance != CHANCE_NONE && runs > 1 && !(profiles > 1))
            inclusive->chance =
                chance_traits(own->chance)->is_stated ? CHANCE_UNSTATED : CHANCE_UNKNOWN;
    }
}

void inclusive_build(struct comparison *comparison, const struct pairing *pairing, bool has_paths)
{
    const struct snapshot *const *snapshots = comparison->snapshots;
    const struct stacks *const runs[SIDES] = {snapshots[BEFORE]->runs.stacks,
                                              snapshots[AFTER]->runs.stacks};
    const struct stacks *whole[SIDES];
    struct stacks joint[SIDES], cut[SIDES];
    bool is_cut = false;
    for (enum side side = BEFORE; side < SIDES; side++)
        if (!origin_traits(snapshots[side]->origin)->has_error)
            return; /* how far estimates are off is not known */
    for (enum side side = BEFORE; side < SIDES; side++) {
        whole[side] = runs[side] != NULL && !stacks_are_cut(runs[side]) ? runs[side] : NULL;
        is_cut |= whole[side] != runs[side];
    }
    joint_build(joint, whole, pairing->rows, pairing->row_count);
    if (is_cut)
        joint_build(cut, runs, pairing->rows, pairing->row_count);
    const struct stacks *common = is_cut ? cut : joint; /* what both sides have */
    comparison->measure_count = MEASURES;
    set_sides(comparison, joint);
    struct compared_time *times = count_inclusive(comparison, joint);
    for (enum side side = BEFORE; side < SIDES; side++)
        if (whole[side] == NULL)
            add_totals(times, comparison->row_count, side, snapshots[side], pairing->rows[side]);
    for (size_t i = 0; i < comparison->row_count; i++) {
        compared_set_times(&times[i], &comparison->measures[INCLUSIVE]);
        comparison->rows[i].times[INCLUSIVE] = times[i];
    }
    free(times);
    struct compared_time *apart = count_apart(comparison, common);
    struct significance significance = significance_judge(comparison, INCLUSIVE, apart);
    if (has_paths && runs[BEFORE] != NULL && runs[AFTER] != NULL)
        comparison->paths = paths_build(common, comparison, &significance);
    free(apart);
    joint_free(joint);
    if (is_cut)
        joint_free(cut);
}
