/* make_stack_tree.h - makes trees of call stacks: estimated from calls, or of recorded stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_MAKE_STACK_TREE_H
#define REGPROF_STACKS_MAKE_STACK_TREE_H

#include <stdbool.h>

#include "model/model.h"
#include "model/snapshot.h"
#include "model/stack_tree.h"

/* ---- Estimated stacks ---- */

/* A root is a function that no other one is known to have called.  A callee appears below its
   caller with its subtree times the caller's share of its calls, as if each call cost the same:

              own time
     main            0    main calls parse once and      main 85 -+- parse 75 -+- lex 40
     parse           5    draw twice, parse calls lex             |            +- copy 30
     lex            40    and copy, and draw nothing              +- draw 10
     draw           10
     copy           30

   A cycle is one node, as call counts do not show in which order its members called each other.
   Below it are the members, each with its own time and with its callees outside of the cycle: if
   parse and lex called each other, `main; [cycle 1]; lex 40'.

   Subtrees below a node with less than STACK_SHARE of all samples are one node of others together.
   So are subtrees, the smallest first, if the tree would have more than STACK_NODES nodes or more
   than STACK_FRAMES frames in all stacks, not counting the nodes of others.  */

#define STACK_SHARE 1e-4
enum { STACK_NODES = 100000, STACK_FRAMES = 4000000 };

/* Makes the tree of SNAPSHOT, which is empty if there are no samples.  The sum of its samples is
   that of the functions, rounded to a whole number; so is each sum of a subtree, to within one
   sample.  If functions are source lines, each is a stack of its own, and nothing is estimated:
   calls lead only to the first line of a function.  Takes time linear in functions and arcs, but
   for sorting.  */
void stack_tree_build(struct stack_tree *tree, const struct snapshot *snapshot);

/* Makes the tree of SNAPSHOT with at most MAX_NODES nodes instead of STACK_NODES, and fewer frames
   in proportion; does not set `rests'.  */
void stack_tree_build_within(struct stack_tree *tree, const struct snapshot *snapshot,
                             size_t max_nodes);
void stack_tree_free(struct stack_tree *tree);

/* Keeps the stacks with a frame of FOCUS, and removes the frames of HIDE from them: their time goes
   to the caller, or to `[others]'.  Both are by node.  Nodes that are the same then are one.  */
void stack_tree_select(struct stack_tree *tree, const bool *focus, const bool *hide);

/* ---- Recorded stacks ---- */

struct named_stacks {
    const struct recorded_stacks *recorded; /* its frames have ids */
    const struct symtab *symtab;            /* of these ids */
    const uint32_t *functions;              /* function ids of a snapshot, by symbol id */
    size_t function_count;                  /* of the snapshot */
};

/* Makes the tree of STACKS: those of NAMED, of its threads, or of one of its inputs.  If it is to
   be whole, all subtrees below nodes with LEAST_PARENT samples or more are nodes, and all below
   direct recursion of such a node.  Otherwise subtrees below a node with less than STACK_SHARE of
   all samples, and those that would exceed STACK_NODES nodes, are one node of others together. Sums
   of subtrees are right to within one sample.  Free with stack_tree_free.  */
void stack_tree_of_recorded(struct stack_tree *tree, const struct named_stacks *named,
                            const struct stacks *stacks, bool is_whole, double least_parent);

#endif
