/* joint_stacks.c - the recorded stacks of both sides of a comparison as one tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/joint_stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* ---- The tree ---- */

/* Adds the ends of RUNS to JOINT; NUMBERS: by node of RUNS, where they are there.  */
static void add_ends(struct stacks *joint, const struct stacks *runs, const uint32_t *numbers)
{
    for (size_t r = 0, i = 0; r < runs->column_count; r++) {
        for (; i < runs->columns[r].end; i++)
            stacks_add_end(joint,
                           (struct stack_end){numbers[runs->ends[i].node], runs->ends[i].samples});
        stacks_add_column(joint, runs->columns[r]);
    }
}

/* The nodes of both sides.  */
struct joint_nodes {
    struct pair_map nodes;
    uint32_t *numbers[SIDES]; /* by node of a side: that of `nodes' */
    size_t counts[SIDES];     /* nodes of a side */
};

/* By node of JOINT: the sides that have it, as bits.  Free with free.  */
static unsigned char *find_sides(const struct joint_nodes *joint)
{
    unsigned char *sides = mem_array(joint->nodes.count, sizeof *sides);
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t i = 0; i < joint->counts[side]; i++)
            sides[joint->numbers[side][i]] |= (unsigned char)(1U << side);
    return sides;
}

/* Moves nodes into the others beside them, if these are of a side that has no such node.  */
static void fold_others(struct joint_nodes *joint)
{
    struct pair_map *nodes = &joint->nodes, kept = {0};
    unsigned char *sides = find_sides(joint);
    uint32_t *others = mem_array(nodes->count + 1, sizeof *others); /* by node above + 1: + 1 */
    uint32_t *place = mem_uninitialised(nodes->count, sizeof *place);
    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->pairs[i].b == STACKS_OTHERS)
            others[nodes->pairs[i].a] = i + 1;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct pair *node = &nodes->pairs[i];
        uint32_t above = node->a != 0 ? place[node->a - 1] : UINT32_MAX, beside = others[node->a];
        bool is_folded = beside != 0 && (sides[beside - 1] & ~sides[i]) != 0;
        place[i] = above < kept.count && kept.pairs[above].b == STACKS_OTHERS
                       ? above
                       : pair_map_number(&kept, (uint64_t)(uint32_t)(above + 1),
                                         is_folded ? STACKS_OTHERS : node->b);
    }
    for (enum side side = BEFORE; side < SIDES; side++)
        for (size_t i = 0; i < joint->counts[side]; i++)
            joint->numbers[side][i] = place[joint->numbers[side][i]];
    pair_map_free(nodes);
    *nodes = kept;
    free(sides);
    free(others);
    free(place);
}

void joint_build(struct stacks joint[SIDES], const struct stacks *const runs[SIDES],
                 uint32_t *const rows[SIDES], size_t row_count)
{
    struct joint_nodes both = {0};
    bool is_cut = false;
    joint[BEFORE] = joint[AFTER] = (struct stacks){0};
    for (int side = SIDES; side-- > 0;) /* in the order of the stacks after */
        if (runs[side] != NULL) {
            both.numbers[side] = stacks_add_nodes(&both.nodes, runs[side], rows[side]);
            both.counts[side] = runs[side]->count;
            is_cut |= stacks_are_cut(runs[side]);
        }
    if (is_cut)
        fold_others(&both);
    for (enum side side = BEFORE; side < SIDES; side++)
        if (runs[side] != NULL) {
            add_ends(&joint[side], runs[side], both.numbers[side]);
            free(both.numbers[side]);
        }
    stacks_take_nodes(&joint[AFTER], &both.nodes);
    stacks_find_outermost(&joint[AFTER], row_count);
    joint[BEFORE].count = joint[AFTER].count;
    joint[BEFORE].parent = joint[AFTER].parent;
    joint[BEFORE].label = joint[AFTER].label;
    joint[BEFORE].outermost = joint[AFTER].outermost;
}

void joint_free(struct stacks joint[SIDES])
{
    free(joint[BEFORE].ends);
    free(joint[BEFORE].columns);
    stacks_free(&joint[AFTER]);
}

/* ---- Samples ---- */

double joint_rate(const struct stacks *joint)
{
    double sum = 0;
    for (size_t i = 0; i < joint->column_count; i++)
        sum += joint->columns[i].rate;
    return sum / (double)joint->column_count;
}

/* Adds the samples of JOINT, which has the stacks of SIDE, to the COUNT rows at ROWS, and sets
   their variance.  */
static void count_side(struct compared_time *rows, size_t count, const struct stacks *joint,
                       enum side side, const struct joint_counting *counting)
{
    double *samples = mem_uninitialised(joint->count, sizeof *samples);
    double *of_row = mem_uninitialised(count, sizeof *of_row);
    struct spread *spreads = mem_array(count, sizeof *spreads); /* as if runs had the mean rate */
    double rate = joint_rate(joint);
    for (size_t r = 0; r < joint->column_count; r++) {
        memset(samples, 0, joint->count * sizeof *samples);
        stacks_add_samples(joint, r, 1, samples);
        if (counting->is_inclusive)
            stacks_fold(joint, samples);
        for (size_t i = 0; i < count; i++)
            of_row[i] = 0;
        for (size_t i = 0; i < joint->count; i++)
            if (stacks_is_numbered(counting->rows[i]))
                of_row[counting->rows[i]] += samples[i];
        for (size_t i = 0; i < count; i++) {
            rows[i].samples[side] += of_row[i];
            spread_add(&spreads[i], of_row[i] * rate / joint->columns[r].rate, r + 1);
        }
    }
    for (size_t i = 0; i < count; i++)
        rows[i].variance[side] = spreads[i].variance / spread_divisor(joint->column_count);
    free(spreads);
    free(of_row);
    free(samples);
}

void joint_count(struct compared_time *rows, size_t count, const struct stacks joint[SIDES],
                 const struct joint_counting *counting)
{
    for (enum side side = BEFORE; side < SIDES; side++)
        if (joint[side].column_count > 0)
            count_side(rows, count, &joint[side], side, counting);
}
