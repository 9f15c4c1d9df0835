/* joint_stacks.h - the recorded stacks of both sides of a comparison as one tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_JOINT_STACKS_H
#define REGPROF_COMPARE_JOINT_STACKS_H

#include "base/hash.h"
#include "compare/pairing.h"
#include "model/comparison.h"
#include "model/stack_tree.h"

/* A frame is a row of the comparison.  */
struct joint {
    struct pair_map nodes;      /* (parent + 1, or 0; row, or UINT32_MAX): each after its parent */
    uint32_t *of_node[SIDES];   /* by place of a side */
    struct stack_place *places; /* the nodes, with rows as functions */
    uint32_t *outermost;        /* by node: the outermost one of its row, at it or above it */
};

static inline uint32_t joint_parent(const struct joint *joint, size_t node)
{
    return (uint32_t)(joint->nodes.pairs[node].a - 1);
}

static inline uint32_t joint_row(const struct joint *joint, size_t node)
{
    return (uint32_t)joint->nodes.pairs[node].b;
}

/* Joins the stacks of those of the SIDES that have some, whose functions PAIRING has in ROW_COUNT
   rows.  */
void joint_build(struct joint *joint, const struct comparison_side *sides,
                 const struct pairing *pairing, size_t row_count);
void joint_free(struct joint *joint);

/* Samples per second of SIDE, on average of its runs.  */
double joint_rate(const struct comparison_side *side);

/* Which samples of a node count for a row: those that end in it, or those below it as well.  */
struct joint_counting {
    const uint32_t *rows; /* by node; UINT32_MAX: none */
    bool is_inclusive;
};

/* Adds to the samples of the COUNT rows at ROWS, and sets their variance, on those SIDES.  Between
   runs, samples vary as if all runs had the mean rate.  */
void joint_count(struct compared *rows, size_t count, const struct comparison_side *sides,
                 const struct joint *joint, const struct joint_counting *counting);

#endif
