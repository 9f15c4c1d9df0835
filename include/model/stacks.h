/* stacks.h - stacks of samples as a tree: a node is a frame below those above it, and stands for
   all stacks that begin with these frames.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_STACKS_H
#define REGPROF_MODEL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Labels that number no frame: of a node whose frame has no name, and of one that stands for all
   that is left out below the node above it.  */
#define STACKS_UNKNOWN UINT32_MAX
#define STACKS_OTHERS (UINT32_MAX - 1)

static inline bool stacks_is_numbered(uint32_t label)
{
    return label < STACKS_OTHERS;
}

/* Samples of a column that end in NODE.  */
struct stack_end {
    uint32_t node;
    double samples;
};

/* The samples of one input.  */
struct stack_column {
    const char *profile; /* the path of the profile beside it, not owned; NULL: not known */
    double rate;         /* samples per second; 0: there are none */
    bool has_weights;    /* its samples have some that differ; a sample is one of the mean weight */
    size_t end;          /* its last end, plus 1 */
};

/* Zeroed = empty; free with stacks_free.  */
struct stacks {
    size_t count;
    uint32_t *parent; /* by node: lower than its own number; UINT32_MAX: a root */
    uint32_t *label;  /* by node: the number of its frame: a function, a line or a row, as the maker
                         of the tree says; or one of those above */
    double *samples;  /* by node: of the stacks that end there, in all columns; NULL: only columns
                         say it */
    uint32_t *outermost;    /* see stacks_find_outermost */
    struct stack_end *ends; /* column after column */
    struct stack_column *columns;
    size_t end_count, end_capacity, column_count, column_capacity;
};

/* The first end of COLUMN, or, if that is the number of columns, of the next one.  */
static inline size_t stacks_first_end(const struct stacks *stacks, size_t column)
{
    return column > 0 ? stacks->columns[column - 1].end : 0;
}

void stacks_add_end(struct stacks *stacks, struct stack_end end);
/* Ends the column of the ends that were added last.  */
void stacks_add_column(struct stacks *stacks, struct stack_column column);

/* Adds the nodes of FROM to NODES, which has (node above + 1, or 0; label), and returns their
   numbers there; LABEL_OF has the labels in place of these, or is NULL.  Free with free.  */
uint32_t *stacks_add_nodes(struct pair_map *nodes, const struct stacks *from,
                           const uint32_t *label_of);

/* Moves the nodes of a tree, (node above + 1, or 0; label), to STACKS, which has none.  */
void stacks_take_nodes(struct stacks *stacks, struct pair_map *nodes);

/* FROM with LABEL_OF its labels in place of these.  Shares parents and ends with FROM; free with
   stacks_free_labels.  Has no `samples'.  */
struct stacks stacks_relabel(const struct stacks *from, const uint32_t *label_of);
void stacks_free_labels(struct stacks *stacks);

/* A stack counts once for a label, however often that is on it: where it is outermost.

   Sets `outermost' of each node: the outermost one of its label, of LABEL_COUNT, among itself and
   those above it; itself if it has none.  */
void stacks_find_outermost(struct stacks *stacks, size_t label_count);

/* Whether something is left out.  */
bool stacks_are_cut(const struct stacks *stacks);

/* Adds SCALE times the samples of COLUMN that end in each node to its SAMPLES.  */
void stacks_add_samples(const struct stacks *stacks, size_t column, double scale, double *samples);

/* Adds to the SAMPLES of each node those of all nodes below it; returns those of all roots.  */
double stacks_fold(const struct stacks *stacks, double *samples);

/* Adds SAMPLES, which are folded, to those of labels, each stack once.  */
void stacks_once(const struct stacks *stacks, const double *samples, double *of_label);

/* Sets OF_LABEL, of LABEL_COUNT, to SCALE times the samples of COLUMN, each stack once; returns
   those of all stacks.  SAMPLES is space for one number per node.  */
double stacks_count(const struct stacks *stacks, size_t column, double scale, double *samples,
                    double *of_label, size_t label_count);

void stacks_free(struct stacks *stacks);

#endif
