/* show_snapshot.h - prepares a snapshot for exporters of graphs and stacks, and for the tree of
 * calls.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_SHOW_SNAPSHOT_H
#define REGPROF_STACKS_SHOW_SNAPSHOT_H

#include <regex.h>
#include <stdbool.h>

#include "analysis/make_snapshot.h"
#include "model/stack_tree.h"
#include "model/style.h"
#include "stacks/make_stack_tree.h"

struct shown_rules {
    enum name_style names;
    /* Regular expressions on the name, as it is printed, whole or short, or on `file:name', or
       NULL.  In stacks, `focus' keeps those with a function that it matches, and `hide' leaves out
       the functions that it matches: their time goes to the caller.  In graphs, the same if stacks
       were recorded; if not, `focus' keeps the functions that it matches and all that lead to them
       or from them, and `hide' leaves out functions with their time.  */
    const regex_t *focus, *hide;
    double min_share;                    /* percent; below 0: not given */
    const struct named_stacks *recorded; /* NULL: stacks are estimated */
    struct stack_tree *threads;          /* selects these, too; or NULL */
    struct profile_tree *trees;          /* selects these in place of stacks; or NULL */
    size_t tree_count;
    bool has_stacks;    /* makes the stacks, for which all functions are kept */
    bool has_all_nodes; /* of recorded stacks, also the small ones */
    /* Then, and without `focus' and `hide': nodes with fewer samples have none below them.  */
    double least_parent;
};

/* Gives the functions of MADE, whose arcs are listed, unique names, and removes those that RULES
   leave out, their arcs too.  Makes TREE if it has stacks; free it with stack_tree_free.  Returns
   false if `focus' matches none of the functions that there are.  */
bool show_snapshot(struct profile_snapshot *made, const struct shown_rules *rules,
                   struct stack_tree *tree);

#endif
