/* joint_stacks.c - the recorded stacks of both sides of a comparison as one tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/joint_stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* ---- The tree ---- */

/* Adds the stacks RUNS to NODES, and has their ends there; ROWS: by label.  */
static void join_side(struct stacks *joint, struct pair_map *nodes, const struct stacks *runs,
                      const uint32_t *rows)
{
    uint32_t *numbers = mem_uninitialised(runs->count, sizeof *numbers);
    for (size_t i = 0; i < runs->count; i++) {
        uint32_t above = runs->parent[i] != UINT32_MAX ? numbers[runs->parent[i]] + 1 : 0;
        uint32_t row = runs->label[i] != UINT32_MAX ? rows[runs->label[i]] : UINT32_MAX;
        numbers[i] = pair_map_number(nodes, above, row);
    }
    joint->columns = runs->columns;
    joint->column_count = runs->column_count;
    size_t end_count = runs->column_count > 0 ? runs->columns[runs->column_count - 1].end : 0;
    for (size_t i = 0; i < end_count; i++)
        stacks_add_end(joint,
                       (struct stack_end){numbers[runs->ends[i].node], runs->ends[i].samples});
    free(numbers);
}

void joint_build(struct stacks joint[SIDES], const struct comparison_side *sides,
                 const struct pairing *pairing, size_t row_count)
{
    struct pair_map nodes = {0};
    joint[BEFORE] = joint[AFTER] = (struct stacks){0};
    for (int side = SIDES; side-- > 0;) /* in the order of the stacks after */
        if (sides[side].snapshot->runs != NULL)
            join_side(&joint[side], &nodes, sides[side].snapshot->runs, pairing->rows[side]);
    stacks_take_nodes(&joint[AFTER], &nodes);
    stacks_find_outermost(&joint[AFTER], row_count);
    joint[BEFORE].count = joint[AFTER].count;
    joint[BEFORE].parent = joint[AFTER].parent;
    joint[BEFORE].label = joint[AFTER].label;
    joint[BEFORE].outermost = joint[AFTER].outermost;
}

void joint_free(struct stacks joint[SIDES])
{
    free(joint[BEFORE].ends);
    joint[AFTER].columns = NULL; /* those of the runs */
    stacks_free(&joint[AFTER]);
}

/* ---- Samples ---- */

double joint_rate(const struct comparison_side *side)
{
    const struct stacks *runs = side->snapshot->runs;
    double sum = 0;
    for (size_t i = 0; i < runs->column_count; i++)
        sum += runs->columns[i].rate * joint_scale(&runs->columns[i]);
    return sum / (double)runs->column_count;
}

/* By row, of the runs of a side so far: the mean of its samples, as if all runs had the mean rate,
   and the sum of the squares of their distances from it.  */
struct moments {
    double mean, squares;
};

/* Adds the samples of SIDE, of which JOINT has the stacks as the NUMBERth, to the COUNT rows at
 * ROWS, and sets their variance.  */
static void count_side(struct compared *rows, size_t count, const struct stacks *joint,
                       enum side number, const struct comparison_side *side,
                       const struct joint_counting *counting)
{
    double *samples = mem_uninitialised(joint->count, sizeof *samples);
    double *of_row = mem_uninitialised(count, sizeof *of_row);
    struct moments *moments = mem_array(count, sizeof *moments);
    double rate = joint_rate(side), run_count = (double)joint->column_count;
    for (size_t r = 0; r < joint->column_count; r++) {
        const struct stack_column *run = &joint->columns[r];
        memset(samples, 0, joint->count * sizeof *samples);
        stacks_add_samples(joint, r, joint_scale(run), samples);
        if (counting->is_inclusive)
            stacks_fold(joint, samples);
        for (size_t i = 0; i < count; i++)
            of_row[i] = 0;
        for (size_t i = 0; i < joint->count; i++)
            if (counting->rows[i] != UINT32_MAX)
                of_row[counting->rows[i]] += samples[i];
        for (size_t i = 0; i < count; i++) {
            double scaled = of_row[i] * rate / (run->rate * joint_scale(run));
            double distance = scaled - moments[i].mean;
            rows[i].samples[number] += of_row[i];
            moments[i].mean += distance / (double)(r + 1);
            moments[i].squares += distance * (scaled - moments[i].mean);
        }
    }
    for (size_t i = 0; i < count; i++)
        rows[i].variance[number] =
            run_count > 1 ? moments[i].squares / (run_count - 1) : (double)NAN;
    free(moments);
    free(of_row);
    free(samples);
}

void joint_count(struct compared *rows, size_t count, const struct comparison_side *sides,
                 const struct stacks joint[SIDES], const struct joint_counting *counting)
{
    for (enum side side = BEFORE; side < SIDES; side++)
        if (sides[side].snapshot->runs != NULL)
            count_side(rows, count, &joint[side], side, &sides[side], counting);
}
