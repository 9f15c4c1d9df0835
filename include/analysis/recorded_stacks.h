/* recorded_stacks.h - makes a tree of recorded call stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_RECORDED_STACKS_H
#define REGPROF_ANALYSIS_RECORDED_STACKS_H

#include "analysis/snapshot.h"
#include "model/recorded_tree.h"

/* Makes the tree of the stacks in the profile of MADE, which are named.  Names belong to the
   profile.  */
void recorded_stacks_build(struct recorded_tree *tree, const struct profile_snapshot *made);
void recorded_stacks_free(struct recorded_tree *tree);

#endif
