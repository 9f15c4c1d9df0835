/* joint_stacks.h - the recorded stacks of both sides of a comparison as one tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_JOINT_STACKS_H
#define REGPROF_COMPARE_JOINT_STACKS_H

#include "model/comparison.h"
#include "model/stacks.h"

/* Makes JOINT the stacks RUNS of the sides as parts of one tree: both have its nodes, whose labels
   are the ROW_COUNT rows that ROWS has by label of RUNS; NULL: that has rows.  Ends and rates are
   in samples, also where the columns of RUNS count `parts' of one.  A side whose RUNS are NULL has
   no columns.  Free with joint_free.

   What one side has left out is left out of the other as well: if the base has `main', `main;parse'
   and others below main, then main;lex of the other side, which the base may have had, is among the
   others below main.  */
void joint_build(struct stacks joint[SIDES], const struct stacks *const runs[SIDES],
                 uint32_t *const rows[SIDES], size_t row_count);
void joint_free(struct stacks joint[SIDES]);

/* Samples per second of JOINT, of one side, on average of its runs.  */
double joint_rate(const struct stacks *joint);

/* Which samples of a node count for a row: those that end in it, or those below it as well.  */
struct joint_counting {
    const uint32_t *rows; /* by node; UINT32_MAX: none */
    bool is_inclusive;
};

/* Adds to the samples of the COUNT rows at ROWS, and sets their variance, on the sides of JOINT
   that have columns.  Between runs, samples vary as if all runs had the mean rate.  */
void joint_count(struct compared_time *rows, size_t count, const struct stacks joint[SIDES],
                 const struct joint_counting *counting);

#endif
