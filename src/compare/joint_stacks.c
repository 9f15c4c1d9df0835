/* joint_stacks.c - the recorded stacks of both sides of a comparison as one tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/joint_stacks.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- The tree ---- */

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

static void find_outermost(struct joint *joint, size_t row_count)
{
    size_t count = joint->nodes.count;
    joint->places = mem_uninitialised(count, sizeof *joint->places);
    for (size_t i = 0; i < count; i++)
        joint->places[i] = (struct stack_place){joint_parent(joint, i), joint_row(joint, i)};
    joint->outermost = stack_places_outermost(joint->places, count, row_count);
}

void joint_build(struct joint *joint, const struct comparison_side *sides,
                 const struct pairing *pairing, size_t row_count)
{
    *joint = (struct joint){0};
    for (int side = SIDES; side-- > 0;) /* in the order of the stacks after */
        if (sides[side].snapshot->runs != NULL)
            join_side(joint, pairing, (enum side)side, sides[side].snapshot->runs);
    find_outermost(joint, row_count);
}

void joint_free(struct joint *joint)
{
    pair_map_free(&joint->nodes);
    free(joint->of_node[BEFORE]);
    free(joint->of_node[AFTER]);
    free(joint->places);
    free(joint->outermost);
}

/* ---- Samples ---- */

double joint_rate(const struct comparison_side *side)
{
    const struct stack_runs *runs = side->snapshot->runs;
    double sum = 0;
    for (size_t i = 0; i < runs->run_count; i++)
        sum += runs->runs[i].rate;
    return sum / (double)runs->run_count;
}

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
        samples[joint->of_node[side][runs->ends[i].place]] += runs->ends[i].samples;
    if (is_inclusive)
        stack_places_fold(joint->places, count, samples);
}

/* Adds the samples of SIDE, the NUMBERth, to the COUNT rows at ROWS, and sets their variance.  */
static void count_side(struct compared *rows, size_t count, const struct joint *joint,
                       enum side number, const struct comparison_side *side,
                       const struct joint_counting *counting)
{
    const struct stack_runs *runs = side->snapshot->runs;
    double *samples = mem_uninitialised(joint->nodes.count, sizeof *samples);
    double *of_row = mem_uninitialised(count, sizeof *of_row);
    struct moments *moments = mem_array(count, sizeof *moments);
    double rate = joint_rate(side), run_count = (double)runs->run_count;
    for (size_t r = 0; r < runs->run_count; r++) {
        add_run(joint, number, runs, r, counting->is_inclusive, samples);
        for (size_t i = 0; i < count; i++)
            of_row[i] = 0;
        for (size_t i = 0; i < joint->nodes.count; i++)
            if (counting->rows[i] != UINT32_MAX)
                of_row[counting->rows[i]] += samples[i];
        for (size_t i = 0; i < count; i++) {
            double scaled = of_row[i] * rate / runs->runs[r].rate;
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
                 const struct joint *joint, const struct joint_counting *counting)
{
    for (enum side side = BEFORE; side < SIDES; side++)
        if (sides[side].snapshot->runs != NULL)
            count_side(rows, count, joint, side, &sides[side], counting);
}
