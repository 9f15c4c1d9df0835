/* stack_recorded.h - the tree of stacks that were recorded with samples (--stacks).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_STACK_RECORDED_H
#define REGPROF_STACKS_STACK_RECORDED_H

#include "analysis/make_snapshot.h"
#include "model/stack_tree.h"

/* Makes the tree of the stacks of the snapshot's profile, which have been named.  A subtree with
   less than STACK_SHARE of all samples stays in `self' of its parent, and so do those for which
   there are no more than STACK_NODES nodes.  Free with stack_tree_free.  */
void stack_tree_of_samples(struct stack_tree *tree, const struct profile_snapshot *made);

#endif
