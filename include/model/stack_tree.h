/* stack_tree.h - call stacks, as far as call counts tell them, or as they were recorded.

   Profiles hold calls from function to function, not stacks.  stacks/make_stack_tree.h estimates
   stacks from these calls, and outputs say "estimated from call counts", or "from times of calls"
   where the profile states these; or it makes the tree of stacks that were recorded with the
   samples, and outputs say "sampled stacks".  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_STACK_TREE_H
#define REGPROF_MODEL_STACK_TREE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "model/stacks.h"
#include "model/times.h"

/* What outputs say; in brackets, the root of folded stacks.  */
#define STACK_TREE_ESTIMATED "estimated from call counts"
#define STACK_TREE_OF_TIMES "estimated from times of calls"
#define STACK_TREE_RECORDED "sampled stacks"

/* One of several threads of a name, whose stacks are known together only.  */
struct tree_thread {
    uint32_t name;   /* index into `names' */
    uint64_t number; /* of the thread */
    double samples;
};

/* The stacks that a report shows.  Labels are function ids; from the number of functions on,
   indices into `names' behind it; and STACKS_OTHERS, of subtrees that are too small to be nodes. */
struct stack_tree {
    /* Each node before its children; children by time, the largest first.  Samples are whole ones,
       unless they have weights or are recorded at several rates; negative ones: FIGURES_SIGNED.  */
    struct stacks stacks;
    size_t function_count;
    double *totals;     /* by node: samples of all stacks that begin with it */
    uint32_t *depth;    /* by node: frames above it */
    uint32_t *left_out; /* by node of others: how many subtrees it stands for; 0: not known */
    /* By node: samples of the function's own code in this stack before rounding; 0 of an estimated
       node that is no function.  NULL: those of `stacks'.  */
    double *own;
    double all;         /* the sum of the samples, or of their absolute values */
    double sample_time; /* of one, in the unit of the snapshot; 0: not known */
    bool has_weights;   /* that differ: formats count these, not samples */
    /* By function id: samples of the function's own code that no `own' has, because estimated nodes
       that are no functions stand for them.  NULL: none; or the tree is of one of several
       profiles.  */
    double *rests;
    bool is_recorded;   /* not estimated; `rests' is NULL */
    const char **names; /* of what is no function: other objects, uncounted code, threads; of
                           estimated stacks `[cycle N]', which its members are below.  The array is
                           owned; the names are, if they are in `arena' */
    struct arena arena;
    const struct tree_thread *threads; /* `thread_count' of them; not owned */
    size_t thread_count;
};

/* The function id of NODE, or NO_ID if it is none.  */
static inline uint32_t stack_tree_function(const struct stack_tree *tree, size_t node)
{
    uint32_t label = tree->stacks.label[node];
    return label < tree->function_count ? label : UINT32_MAX;
}

/* Whether NODE has a name in `names'.  */
static inline bool stack_tree_is_named(const struct stack_tree *tree, size_t node)
{
    uint32_t label = tree->stacks.label[node];
    return label >= tree->function_count && stacks_is_numbered(label);
}

/* Samples of the function's own code in the stack of NODE.  */
static inline double stack_tree_own(const struct stack_tree *tree, size_t node)
{
    return tree->own != NULL ? tree->own[node] : tree->stacks.samples[node];
}

/* SAMPLES rounded to a whole number; at most INT64_MAX, because formats have signed numbers.
   Negative ones are as an int64_t.  */
static inline uint64_t stack_rounded(double samples)
{
    int64_t most = samples > 0 ? INT64_MAX : -INT64_MAX;
    return (uint64_t)(fabs(samples) < 0x1p63 ? (int64_t)floor(samples + 0.5) : most);
}

/* SAMPLES as a whole number.  Adds them to SUM, and rounds that, so that sums are right to within
   one sample.  */
static inline uint64_t stack_take(double *sum, double samples)
{
    uint64_t before = stack_rounded(*sum);
    *sum += samples;
    return stack_rounded(*sum) - before;
}

/* ---- Comparisons ---- */

/* The stacks of both sides of a comparison.  Arrays are by node.  */
struct stack_pairs {
    struct stacks stacks; /* labels number `names' */
    const char **names;   /* UTF-8, without control characters */
    double *samples[2];   /* that end in a node: before, in runs like those after; after */
    double *totals[2];    /* of all stacks that begin with it */
    bool *is_changed;     /* of recorded stacks: these changed more than by chance */
    bool is_recorded;     /* not estimated */
    double sample_time;   /* of a sample after, if samples have different weights; else 0 */
    struct arena arena;   /* owns the names */
};

/* The stacks of one of several profiles.  */
struct profile_tree {
    struct stack_tree tree;
    bool is_in_seconds; /* the unit of its `sample_time' */
};

#endif
