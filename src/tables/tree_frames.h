/* tree_frames.h - what is known of the frames of a stack tree, for the nodes of a tree of calls:
   recursions, samples, calls, and those that are one row.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_TREE_FRAMES_H
#define REGPROF_TABLES_TREE_FRAMES_H

#include <stdbool.h>

#include "base/hash.h"
#include "model/snapshot.h"
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
double *find_sizes(const struct stacks *stacks);

/* By frame: the samples that end in its function, in stacks in which this is the outermost frame of
   a wanted function; NaN for all others.  WANTED has COUNT of them, by label.  If WANTED is NULL, 0
   for roots.  Free with free.  */
double *find_outermost(const struct stacks *stacks, const bool *wanted, size_t count);

/* ---- Calls that branch nowhere ---- */

struct chain_node {
    uint32_t above;     /* node; NO_ID: none */
    double size, least; /* `least': that rows below it need */
    bool may_begin, may_follow;
};

/* By node: the one below it that is in one row with it, or NO_ID.  A node is in a row with one
   below it that has at least 99 % of its size, if the others have no row: together less than
   `least'. Free with free.  */
uint32_t *find_chains(const struct chain_node *nodes, size_t count);

/* `a > b > (4) > z' of more than four of the COUNT NAMES, which get SEPARATORs between them.  */
const char *chain_text(struct arena *arena, const char *const *names, size_t count,
                       const char *separator);

/* ---- Counted calls ---- */

/* Free with call_counts_free.  */
struct call_counts {
    struct pair_map arcs; /* (caller, callee) */
    size_t arc_count;     /* of these; look-ups add others */
    uint64_t *calls;      /* by arc */
    uint64_t *inside;     /* by function id: from known functions, but for itself */
    uint32_t *callers;    /* by function id: number of callers of the image */
    uint32_t *others;     /* of these, without the function itself */
};

/* Counts the calls in SNAPSHOT.  */
struct call_counts *call_counts_make(const struct snapshot *snapshot);
void call_counts_free(struct call_counts *counts);

/* Calls of CALLEE by CALLER; 0: not known.  */
uint64_t call_counts_of(struct call_counts *counts, uint32_t caller, uint32_t callee);

/* Whether a caller is a function of the image, not what stands for all that is outside of it.  */
bool is_of_image(const struct snapshot_function *function);

#endif
