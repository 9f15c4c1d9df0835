/* call_tree.h - the tree of calls as a table, from its roots or from some functions up (--tree). */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_CALL_TREE_H
#define REGPROF_TABLES_CALL_TREE_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/snapshot.h"
#include "model/stack_tree.h"
#include "model/table.h"

/* All rows together are indented by at most so many levels: if there would be more, the depth is
   limited.  A stack of N functions has N rows, and the callers of each would be N * N / 2.  */
enum { CALL_TREE_INDENTS = 4000000 };

struct call_tree_rules {
    /* NULL: the tree begins with the outermost functions.  Otherwise it begins with these, and
       below each are its callers (is_wanted), or what it calls (is_root): by label of the stack
       tree, `wanted_count' of them.  */
    const bool *is_wanted, *is_root;
    size_t wanted_count;
    double min_share;     /* percent of all time; of a wanted function's time, below it */
    unsigned depth;       /* levels to show; 0 = all; call_tree_build may set a smaller one */
    bool folds_recursion; /* calls of a function by itself are in one row with it */
    bool folds_chains;    /* calls that branch nowhere are in one row: find_chains */
    bool has_boxes;       /* lines are box-drawing characters, in UTF-8; else ASCII */
};

/* Samples of the stacks that a node stands for.  */
struct call_samples {
    double total; /* all */
    double self; /* those that end in the node; in callers, those that end in the wanted function */
    double size; /* the absolute values of all */
    uint32_t levels; /* of direct recursion that the node stands for, in one stack; 1: none */
};

struct call_row {
    uint32_t node;  /* the last one of the row; NO_ID: what of a function's calls is too small for
                       rows of their own */
    uint32_t above; /* row; NO_ID: none */
    uint32_t depth;
    uint32_t count; /* of these calls */
    bool is_last;   /* no row follows with the same one above */
    const char
        *chain; /* the text of several nodes, or of a recursion where chains are folded; or NULL */
    struct call_samples samples; /* of the node */
    uint64_t calls;              /* 0: not known */
    bool has_shared_calls;       /* these may be of other paths, too */
};

struct call_counts;

struct call_tree {
    const struct snapshot *snapshot;
    const struct stack_tree *stacks;
    struct call_tree_rules rules;
    struct pair_map nodes;        /* (node above + 1, or 0; key_of) */
    struct call_samples *samples; /* by node */
    size_t capacity;
    uint32_t
        *next; /* by node: the one below it in the same row, or NO_ID; NULL: all have their own */
    struct call_counts *counts;
    bool *is_sole;         /* by node: on no other path is its function called */
    bool has_shared_calls; /* some row has */
    struct call_row *rows;
    size_t row_count, row_capacity;
    size_t hidden_count; /* nodes whose share is too small, and which no row sums up, without those
                            below */
    double hidden;       /* their samples */
    size_t deep_count;   /* nodes below the last level, without those below them */
    char *text; /* `text_size' bytes, whose end is the name in the row that was filled last */
    size_t text_size;
    struct arena chains; /* owns the names of chains */
    struct table table;
};

/* Builds the tree of STACKS, whose function ids are those of SNAPSHOT, both of which must outlive
   it; TREE stays where it is.  In the tree of callers, a function has the time of the stacks that
   it is in, each divided at its outermost occurrence; so its total is that of other reports.  What
   of a function's callees is too small for rows has one together, if it is large enough for that.
 */
void call_tree_build(struct call_tree *tree, const struct snapshot *snapshot,
                     const struct stack_tree *stacks, const struct call_tree_rules *rules);
/* The samples that are 100 %.  */
double call_tree_whole(const struct call_tree *tree);
void call_tree_free(struct call_tree *tree);

#endif
