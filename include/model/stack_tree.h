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
#include "model/times.h"

/* What outputs say; in brackets, the root of folded stacks.  */
#define STACK_TREE_ESTIMATED "estimated from call counts"
#define STACK_TREE_OF_TIMES "estimated from times of calls"
#define STACK_TREE_RECORDED "sampled stacks"

enum stack_kind {
    STACK_FUNCTION,
    STACK_CYCLE,  /* `[cycle N]', which its members are below */
    STACK_OTHERS, /* `[12 others]': subtrees that are too small to be nodes */
    STACK_NAMED   /* recorded, and not one of the functions: another object, or uncounted code */
};

/* A stack: a frame below those of its parents.  */
struct stack_node {
    enum stack_kind kind;
    uint32_t function; /* function id; of a cycle: its number; of STACK_NAMED: index into `names';
                          of others: how many, 0: not known */
    uint32_t parent;   /* node id, lower than its own; UINT32_MAX: a root */
    uint32_t depth;    /* frames above it */
    double self;       /* samples of exactly this stack; negative ones: FIGURES_SIGNED; whole ones,
                          unless they have weights or are recorded at several rates */
    double total;      /* samples of all stacks that begin with this one */
    double own; /* samples of the function's own code in this stack: `self' before rounding; 0
                   of an estimated node that is no function */
};

/* One of several threads of a name, whose stacks are known together only.  */
struct tree_thread {
    uint32_t name;   /* index into `names' */
    uint64_t number; /* of the thread */
    double samples;
};

struct stack_tree {
    struct stack_node *nodes; /* each before its children; children by time, the largest first */
    size_t count;
    double samples;     /* the sum of `self', or of its absolute values */
    double sample_time; /* of one, in the unit of the snapshot; 0: not known */
    bool has_weights;   /* that differ: formats count these, not samples */
    /* By function id: samples of the function's own code that no `own' has, because estimated nodes
       that are no functions stand for them.  NULL: none; or the tree is of one of several
       profiles.  */
    double *rests;
    bool is_recorded;                  /* not estimated; `rests' is NULL */
    const char **names;                /* of STACK_NAMED; the array is owned, the names are not */
    const struct tree_thread *threads; /* `thread_count' of them; not owned */
    size_t thread_count;
};

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

/* A stack of either side of a comparison: a frame below those of its parents.  */
struct stack_pair {
    const char *name;  /* UTF-8, without control characters */
    uint32_t parent;   /* lower than its own number; UINT32_MAX: a root */
    double samples[2]; /* of exactly this stack: before, in runs like those after; after */
    /* Of recorded stacks, of all that begin with this one: samples, and whether they changed more
       than by chance.  */
    double totals[2];
    bool is_changed;
};

struct stack_pairs {
    struct stack_pair *pairs;
    size_t count;
    size_t depth;        /* frames of the deepest stack */
    bool is_recorded;    /* not estimated */
    double sample_time;  /* of a sample after, if samples have different weights; else 0 */
    const char **frames; /* space for as many, for exporters */
    struct arena arena;  /* owns the names */
};

/* The stacks of one of several profiles.  */
struct profile_tree {
    struct stack_tree tree;
    bool is_in_seconds; /* the unit of its `sample_time' */
};

#endif
