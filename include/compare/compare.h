/* compare.h - compares two snapshots: times and calls of one run, function by function.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_COMPARE_H
#define REGPROF_COMPARE_COMPARE_H

#include "model/comparison.h"
#include "model/stack_tree.h"

struct compare_rules {
    double base_runs;    /* runs that the base's profiles are of; 0: one for each */
    double alpha;        /* a change is significant if its p is smaller */
    bool has_paths;      /* paths of calls are compared, if both sides have recorded stacks */
    bool judges_one_run; /* where no side shows how runs vary, by chance of sampling alone */
};

/* Compares AFTER with BEFORE; both must outlive COMPARISON.  Sets all but the verdict and the
   table.  */
void compare_build(struct comparison *comparison, const struct snapshot *before,
                   const struct snapshot *after, const struct compare_rules *rules);
/* Sets the paths of COMPARISON, which has none, to those of TREES, estimated stacks of its sides.
 */
void compare_add_estimates(struct comparison *comparison, const struct stack_tree trees[SIDES]);
void compare_free(struct comparison *comparison);

#endif
