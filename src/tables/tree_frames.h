/* tree_frames.h - what is known of the frames of a stack tree, for the nodes of a tree of calls. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_TREE_FRAMES_H
#define REGPROF_TABLES_TREE_FRAMES_H

#include <stdbool.h>

#include "model/stack_tree.h"

/* A frame among the neighbouring ones of one function.  */
struct recursion {
    uint32_t first; /* the outermost of them */
    uint32_t level; /* from 1, which that has */
};

/* The recursions of all frames, by frame.  Free with free.  */
struct recursion *find_recursions(const struct stack_tree *stacks);
/* Recursions of one frame each.  */
struct recursion *single_frames(size_t count);

/* By frame: the absolute values of the samples of all stacks that begin with it.  Free with free.
 */
double *find_sizes(const struct stack_tree *stacks);

/* The functions whose callers are shown: COUNT of them by function id and, from FUNCTION_COUNT on,
   by index into the names of the stack tree.  */
struct wanted {
    const bool *is_wanted;
    size_t count, function_count;
};

/* By frame: the samples that end in its function, in stacks in which this is the outermost frame of
   a wanted function; NaN for all others.  Free with free.  */
double *find_outermost(const struct stack_tree *stacks, const struct wanted *wanted);

#endif
