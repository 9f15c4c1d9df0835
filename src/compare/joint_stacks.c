/* joint_stacks.c - the recorded stacks of both sides of a comparison as one tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/joint_stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* ---- The tree ---- */

/* Adds the stacks RUNS to NODES, and has their ends there, in samples; ROWS: by label.  */
static void join_side(struct stacks *joint, struct pair_map *nodes, const struct stacks *runs,
                      const uint32_t *rows)
{
    uint32_t *numbers = mem_uninitialised(runs->count, sizeof *numbers);
    for (size_t i = 0; i < runs->count; i++) {
        uint32_t above = runs->parent[i] != UINT32_MAX ? numbers[runs->parent[i]] + 1 : 0;
        uint32_t row = runs->label[i] != UINT32_MAX ? rows[runs->label[i]] : UINT32_MAX;
        numbers[i] = pair_map_number(nodes, above, row);
    }
    for (size_t r = 0, i = 0; r < runs->column_count; r++) {
        struct stack_column run = runs->columns[r];
        for (; i < run.end; i++)
            stacks_add_end(joint, (struct stack_end){numbers[runs->ends[i].node],
                                                     runs->ends[i].samples / run.parts});
        run.rate /= run.parts;
        stacks_add_column(joint, run);
    }
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

/* By row, of the runs of a side so far: the mean of its samples, as if all runs had the mean rate,
   and the sum of the squares of their distances from it.  */
struct moments {
    double mean, squares;
};

/* Adds the samples of JOINT, which has the stacks of SIDE, to the COUNT rows at ROWS, and sets
   their variance.  */
static void count_side(struct compared *rows, size_t count, const struct stacks *joint,
                       enum side side, const struct joint_counting *counting)
{
    double *samples = mem_uninitialised(joint->count, sizeof *samples);
    double *of_row = mem_uninitialised(count, sizeof *of_row);
    struct moments *moments = mem_array(count, sizeof *moments);
    double rate = joint_rate(joint), run_count = (double)joint->column_count;
    for (size_t r = 0; r < joint->column_count; r++) {
        memset(samples, 0, joint->count * sizeof *samples);
        stacks_add_samples(joint, r, 1, samples);
        if (counting->is_inclusive)
            stacks_fold(joint, samples);
        for (size_t i = 0; i < count; i++)
            of_row[i] = 0;
        for (size_t i = 0; i < joint->count; i++)
            if (counting->rows[i] != UINT32_MAX)
                of_row[counting->rows[i]] += samples[i];
        for (size_t i = 0; i < count; i++) {
            double scaled = of_row[i] * rate / joint->columns[r].rate;
            double distance = scaled - moments[i].mean;
            rows[i].samples[side] += of_row[i];
            moments[i].mean += distance / (double)(r + 1);
            moments[i].squares += distance * (scaled - moments[i].mean);
        }
    }
    for (size_t i = 0; i < count; i++)
        rows[i].variance[side] = run_count > 1 ? moments[i].squares / (run_count - 1) : (double)NAN;
    free(moments);
    free(of_row);
    free(samples);
}

void joint_count(struct compared *rows, size_t count, const struct comparison_side *sides,
                 const struct stacks joint[SIDES], const struct joint_counting *counting)
{
    for (enum side side = BEFORE; side < SIDES; side++)
        if (sides[side].snapshot->runs != NULL)
            count_side(rows, count, &joint[side], side, counting);
}
