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

/* The samples of rows, on the sides whose stacks are whole: inclusive ones; of the last row, all.
 */
static void count_inclusive(struct comparison *inclusive, const struct stacks joint[SIDES])
{
    size_t count = joint->count, rows = inclusive->row_count - 1;
    uint32_t *bins = mem_uninitialised(count, sizeof *bins);
    const struct joint_counting of_functions = {bins, true}, of_all = {bins, false};
    for (size_t i = 0; i < count; i++)
        bins[i] = joint->outermost[i] == i ? joint->label[i] : UINT32_MAX;
    joint_count(inclusive->rows, rows, joint, &of_functions);
    for (size_t i = 0; i < count; i++)
        bins[i] = 0;
    joint_count(&inclusive->rows[rows], 1, joint, &of_all);
    free(bins);
}

/* The samples of SIDE, whose stacks a file has only in part or not at all, from the sums and
   spreads that it has: of a row that stands for several functions, which may call each other, they
   are not known.  */
static void add_totals(struct comparison *inclusive, enum side side, const struct pairing *pairing)
{
    const struct snapshot *snapshot = inclusive->sides[side].snapshot;
    struct compared *total = &inclusive->rows[inclusive->row_count - 1];
    for (size_t i = 0; i < inclusive->row_count; i++)
        inclusive->rows[i].variance[side] = NAN;
    for (size_t id = 0; id < snapshot->function_count; id++) {
        struct compared *row = &inclusive->rows[pairing->rows[side][id]];
        const struct snapshot_function *function = &snapshot->functions[id];
        if (!(function->total > 0))
            continue;
        bool is_first = row->samples[side] == 0;
        row->samples[side] = is_first ? function->total * snapshot->rate : (double)NAN;
        row->variance[side] = is_first && snapshot->total_spreads != NULL
                                  ? snapshot->total_spreads[id].variance
                                  : (double)NAN;
    }
    total->samples[side] = snapshot->inclusive_samples;
    total->variance[side] = snapshot->inclusive_spread.variance;
}

/* The samples of the tested rows of INCLUSIVE by which each sample counts once.  */
static struct compared *count_apart(const struct comparison *inclusive,
                                    const struct stacks joint[SIDES])
{
    size_t count = joint->count;
    uint32_t *bins = mem_uninitialised(count, sizeof *bins);
    const struct joint_counting counting = {bins, false};
    struct compared *apart = mem_array(inclusive->row_count, sizeof *apart);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = joint->label[i], parent = joint->parent[i];
        bins[i] = parent != UINT32_MAX ? bins[parent] : UINT32_MAX;
        if (stacks_is_numbered(row) && significance_is_tested(&inclusive->rows[row], inclusive))
            bins[i] = row;
    }
    joint_count(apart, inclusive->row_count, joint, &counting);
    free(bins);
    return apart;
}

/* ---- The interface ---- */

/* Whether inclusive times of SIDE may vary between runs in a way that nobody knows: there are
   several runs, but no stacks of each.  */
static bool is_spread_unknown(const struct comparison_side *side)
{
    return side->runs > 1 && !(side->profiles > 1);
}

/* The side of inclusive times: as many runs, at the rate of its stacks in JOINT, if they are there,
   or of those that its file was made of.  */
static struct comparison_side side_of(const struct comparison_side *side,
                                      const struct stacks *joint)
{
    bool has_runs = joint->column_count > 0;
    double rate = has_runs ? joint_rate(joint) : side->snapshot->rate;
    return (struct comparison_side){
        side->snapshot, side->runs, side->runs * rate,
        (double)(has_runs ? joint->column_count : side->snapshot->stacked_runs)};
}

/* A copy of ROW without times.  */
static struct compared without_times(const struct compared *row)
{
    struct compared copy = *row;
    for (enum side side = BEFORE; side < SIDES; side++)
        copy.samples[side] = copy.variance[side] = 0;
    return copy;
}

struct comparison *inclusive_build(const struct comparison *comparison,
                                   const struct pairing *pairing, struct stack_pairs **paths)
{
    const struct comparison_side *sides = comparison->sides;
    const struct stacks *const runs[SIDES] = {sides[BEFORE].snapshot->runs,
                                              sides[AFTER].snapshot->runs};
    const struct stacks *whole[SIDES];
    struct stacks joint[SIDES], cut[SIDES];
    bool is_cut = false;
    for (enum side side = BEFORE; side < SIDES; side++)
        if (!origin_traits(sides[side].snapshot->origin)->has_error)
            return NULL; /* how far estimates are off is not known */
    for (enum side side = BEFORE; side < SIDES; side++) {
        whole[side] = runs[side] != NULL && !stacks_are_cut(runs[side]) ? runs[side] : NULL;
        is_cut |= whole[side] != runs[side];
    }
    joint_build(joint, whole, pairing->rows, comparison->row_count);
    if (is_cut)
        joint_build(cut, runs, pairing->rows, comparison->row_count);
    const struct stacks *common = is_cut ? cut : joint; /* what both sides have */
    struct comparison *inclusive = mem_array(1, sizeof *inclusive);
    *inclusive = (struct comparison){
        .sides = {side_of(&sides[BEFORE], &joint[BEFORE]), side_of(&sides[AFTER], &joint[AFTER])},
        .row_count = comparison->row_count + 1,
        .alpha = comparison->alpha,
        .is_exact = comparison->is_exact};
    inclusive->is_spread_unknown =
        comparison->is_spread_unknown ||
        (!comparison->is_exact && (is_spread_unknown(&inclusive->sides[BEFORE]) ||
                                   is_spread_unknown(&inclusive->sides[AFTER])));
    inclusive->rows = mem_array(inclusive->row_count, sizeof *inclusive->rows);
    for (size_t i = 0; i < comparison->row_count; i++)
        inclusive->rows[i] = without_times(&comparison->rows[i]);
    inclusive->rows[comparison->row_count] =
        (struct compared){.kind = COMPARED_TOTAL, .name = "total"};
    count_inclusive(inclusive, joint);
    for (enum side side = BEFORE; side < SIDES; side++)
        if (whole[side] == NULL)
            add_totals(inclusive, side, pairing);
    for (size_t i = 0; i < inclusive->row_count; i++)
        compared_set_times(&inclusive->rows[i], inclusive);
    struct compared *apart = count_apart(inclusive, common);
    struct significance significance = significance_judge(inclusive, comparison->alpha, apart);
    if (paths != NULL && runs[BEFORE] != NULL && runs[AFTER] != NULL)
        *paths = paths_build(common, inclusive, &significance, comparison->rows);
    free(apart);
    joint_free(joint);
    if (is_cut)
        joint_free(cut);
    return inclusive;
}

void inclusive_free(struct comparison *inclusive)
{
    if (inclusive != NULL)
        free(inclusive->rows);
    free(inclusive);
}
