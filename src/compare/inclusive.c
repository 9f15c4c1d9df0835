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
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "compare/significance.h"
#include "model/model.h"
#include "model/stack_tree.h"

/* ---- The stacks of both sides as one tree ---- */

struct joint {
    struct pair_map nodes;    /* (parent + 1, or 0; row): each after its parent */
    uint32_t *of_node[SIDES]; /* by place of a side */
    bool *is_outermost;       /* by node: none above it has its row */
};

static uint32_t parent_of(const struct joint *joint, size_t node)
{
    return (uint32_t)(joint->nodes.pairs[node].a - 1);
}

static uint32_t row_of(const struct joint *joint, size_t node)
{
    return (uint32_t)joint->nodes.pairs[node].b;
}

static void join_side(struct joint *joint, const struct pairing *pairing, enum side side,
                      const struct stack_runs *runs)
{
    joint->of_node[side] = mem_uninitialised(runs->place_count, sizeof(uint32_t));
    for (size_t i = 0; i < runs->place_count; i++) {
        const struct stack_place *place = &runs->places[i];
        uint32_t above = place->parent != UINT32_MAX ? joint->of_node[side][place->parent] + 1 : 0;
        uint32_t row =
            place->function != UINT32_MAX ? pairing->rows[side][place->function] : UINT32_MAX;
        joint->of_node[side][i] = pair_map_number(&joint->nodes, above, row);
    }
}

/* A walk from the roots down, with the number of nodes of each row above.  */
static void find_outermost(struct joint *joint, size_t row_count)
{
    size_t count = joint->nodes.count, depth = 0;
    uint32_t *keys = mem_uninitialised(count, sizeof *keys);
    uint32_t *path = mem_uninitialised(count, sizeof *path);
    uint32_t *above = mem_array(row_count, sizeof *above);
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint32_t)joint->nodes.pairs[i].a;
    struct id_lists children = id_lists_make(keys, NULL, count, count + 1);
    uint32_t *next = mem_uninitialised(count + 1, sizeof *next);
    memcpy(next, children.start, (count + 1) * sizeof *next);
    joint->is_outermost = mem_uninitialised(count, sizeof *joint->is_outermost);
    for (;;) {
        uint32_t key = depth > 0 ? path[depth - 1] + 1 : 0;
        if (next[key] < children.start[key + 1]) {
            uint32_t node = children.ids[next[key]++], row = row_of(joint, node);
            joint->is_outermost[node] = row == UINT32_MAX || above[row]++ == 0;
            path[depth++] = node;
        } else if (depth > 0) {
            uint32_t row = row_of(joint, path[--depth]);
            if (row != UINT32_MAX)
                above[row]--;
        } else
            break;
    }
    id_lists_free(&children);
    free(next);
    free(above);
    free(path);
    free(keys);
}

static void joint_free(struct joint *joint)
{
    pair_map_free(&joint->nodes);
    free(joint->of_node[BEFORE]);
    free(joint->of_node[AFTER]);
    free(joint->is_outermost);
}

/* ---- Samples of rows ---- */

/* Which samples of a node count for a row: those that end in it, or those below it as well.  */
struct counting {
    const uint32_t *rows; /* by node; UINT32_MAX: none */
    bool is_inclusive;
};

/* By row, of the runs of a side so far: the mean of its samples, as if all runs had the mean rate,
   and the sum of the squares of their distances from it.  */
struct moments {
    double mean, squares;
};

/* The samples of run RUN by node, in SAMPLES; those below it included if COUNTING says so.  */
static void add_run(const struct joint *joint, enum side side, const struct stack_runs *runs,
                    size_t run, bool is_inclusive, double *samples)
{
    size_t count = joint->nodes.count;
    for (size_t i = 0; i < count; i++)
        samples[i] = 0;
    for (size_t i = run > 0 ? runs->runs[run - 1].end : 0; i < runs->runs[run].end; i++)
        samples[joint->of_node[side][runs->ends[i].place]] += (double)runs->ends[i].samples;
    for (size_t i = count; i-- > 0 && is_inclusive;)
        if (parent_of(joint, i) != UINT32_MAX)
            samples[parent_of(joint, i)] += samples[i];
}

static double mean_rate(const struct stack_runs *runs)
{
    double sum = 0;
    for (size_t i = 0; i < runs->run_count; i++)
        sum += runs->runs[i].rate;
    return sum / (double)runs->run_count;
}

/* Sets samples and variance of SIDE of the COUNT rows at ROWS.  */
static void count_side(struct compared *rows, size_t count, const struct joint *joint,
                       enum side side, const struct stack_runs *runs,
                       const struct counting *counting)
{
    double *samples = mem_uninitialised(joint->nodes.count, sizeof *samples);
    double *of_row = mem_uninitialised(count, sizeof *of_row);
    struct moments *moments = mem_array(count, sizeof *moments);
    double rate = mean_rate(runs), number = (double)runs->run_count;
    for (size_t r = 0; r < runs->run_count; r++) {
        add_run(joint, side, runs, r, counting->is_inclusive, samples);
        for (size_t i = 0; i < count; i++)
            of_row[i] = 0;
        for (size_t i = 0; i < joint->nodes.count; i++)
            if (counting->rows[i] != UINT32_MAX)
                of_row[counting->rows[i]] += samples[i];
        for (size_t i = 0; i < count; i++) {
            double scaled = of_row[i] * rate / runs->runs[r].rate;
            double distance = scaled - moments[i].mean;
            rows[i].samples[side] += of_row[i];
            moments[i].mean += distance / (double)(r + 1);
            moments[i].squares += distance * (scaled - moments[i].mean);
        }
    }
    for (size_t i = 0; i < count; i++)
        rows[i].variance[side] = number > 1 ? moments[i].squares / (number - 1) : (double)NAN;
    free(moments);
    free(of_row);
    free(samples);
}

static void count_sides(struct compared *rows, size_t count, const struct comparison *comparison,
                        const struct joint *joint, const struct counting *counting)
{
    for (enum side side = BEFORE; side < SIDES; side++)
        count_side(rows, count, joint, side, comparison->sides[side].snapshot->runs, counting);
}

/* The samples of rows: inclusive ones; of the last row, all.  */
static void count_inclusive(struct comparison *inclusive, const struct joint *joint)
{
    size_t count = joint->nodes.count, rows = inclusive->row_count - 1;
    uint32_t *bins = mem_uninitialised(count, sizeof *bins);
    const struct counting of_functions = {bins, true}, of_all = {bins, false};
    for (size_t i = 0; i < count; i++)
        bins[i] = joint->is_outermost[i] ? row_of(joint, i) : UINT32_MAX;
    count_sides(inclusive->rows, rows, inclusive, joint, &of_functions);
    for (size_t i = 0; i < count; i++)
        bins[i] = 0;
    count_sides(&inclusive->rows[rows], 1, inclusive, joint, &of_all);
    free(bins);
}

/* The samples of the tested rows of INCLUSIVE by which each sample counts once.  */
static struct compared *count_apart(const struct comparison *inclusive, const struct joint *joint)
{
    size_t count = joint->nodes.count;
    uint32_t *bins = mem_uninitialised(count, sizeof *bins);
    const struct counting counting = {bins, false};
    struct compared *apart = mem_array(inclusive->row_count, sizeof *apart);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = row_of(joint, i), parent = parent_of(joint, i);
        bins[i] = parent != UINT32_MAX ? bins[parent] : UINT32_MAX;
        if (row != UINT32_MAX && significance_is_tested(&inclusive->rows[row], inclusive))
            bins[i] = row;
    }
    count_sides(apart, inclusive->row_count, inclusive, joint, &counting);
    free(bins);
    return apart;
}

/* ---- The interface ---- */

/* The side of inclusive times: as many runs, at the rate of the stacks.  */
static struct comparison_side side_of(const struct comparison_side *side)
{
    const struct stack_runs *runs = side->snapshot->runs;
    return (struct comparison_side){side->snapshot, side->runs, side->runs * mean_rate(runs),
                                    (double)runs->run_count};
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
                                   const struct pairing *pairing)
{
    const struct comparison_side *sides = comparison->sides;
    if (sides[BEFORE].snapshot->runs == NULL || sides[AFTER].snapshot->runs == NULL)
        return NULL;
    struct joint joint = {0};
    struct comparison *inclusive = mem_array(1, sizeof *inclusive);
    *inclusive = (struct comparison){.sides = {side_of(&sides[BEFORE]), side_of(&sides[AFTER])},
                                     .row_count = comparison->row_count + 1,
                                     .alpha = comparison->alpha};
    inclusive->rows = mem_array(inclusive->row_count, sizeof *inclusive->rows);
    for (size_t i = 0; i < comparison->row_count; i++)
        inclusive->rows[i] = without_times(&comparison->rows[i]);
    inclusive->rows[comparison->row_count] =
        (struct compared){.kind = COMPARED_TOTAL, .name = "total"};
    for (enum side side = BEFORE; side < SIDES; side++)
        join_side(&joint, pairing, side, sides[side].snapshot->runs);
    find_outermost(&joint, comparison->row_count);
    count_inclusive(inclusive, &joint);
    for (size_t i = 0; i < inclusive->row_count; i++) {
        struct compared *row = &inclusive->rows[i];
        for (enum side side = BEFORE; side < SIDES; side++)
            row->time[side] = row->samples[side] / inclusive->sides[side].exposure;
        row->change = row->time[AFTER] - row->time[BEFORE];
    }
    struct compared *apart = count_apart(inclusive, &joint);
    significance_judge(inclusive, comparison->alpha, apart);
    free(apart);
    joint_free(&joint);
    return inclusive;
}

void inclusive_free(struct comparison *inclusive)
{
    if (inclusive != NULL)
        free(inclusive->rows);
    free(inclusive);
}
