/* stack_runs.h - the recorded stacks of each of several runs, and how times vary between them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_STACK_RUNS_H
#define REGPROF_STACKS_STACK_RUNS_H

#include "model/recorded_stacks.h"
#include "model/snapshot.h"
#include "model/stacks.h"

/* The stacks of each file that measured STACKS were read from, if it keeps files, by function.
   FUNCTIONS: function ids by the ids of nodes, those of other objects included.  STACKS must
   outlive them.  Free with stacks_free_runs.  */
struct stacks stacks_list_runs(const struct recorded_stacks *stacks, const uint32_t *functions);

/* Sets how the inclusive samples of SNAPSHOT and of its functions vary between RUNS.  */
void stacks_measure_runs(struct snapshot *snapshot, struct stacks *runs);
void stacks_free_runs(struct stacks *runs);

/* RUNS with what is small left out: what is below a node and has less than a thousandth of all
   samples becomes one node, STACKS_OTHERS; and more, so that nodes have at most MOST_VALUES
   parents, labels and numbers of samples.  Free with stacks_free.  */
struct stacks stacks_cut(const struct stacks *runs, size_t most_values);

/* Sets the own samples of functions in other objects, and how they vary, if the files of STACKS
   were read beside the inputs of SNAPSHOT.  FUNCTIONS is as for stacks_list_runs.  */
void stacks_count_others(struct snapshot *snapshot, const struct recorded_stacks *stacks,
                         const uint32_t *functions);

#endif
