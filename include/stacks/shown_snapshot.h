/* shown_snapshot.h - a snapshot as exporters of graphs and stacks show it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_SHOWN_SNAPSHOT_H
#define REGPROF_STACKS_SHOWN_SNAPSHOT_H

#include <regex.h>
#include <stdbool.h>

#include "analysis/make_snapshot.h"
#include "base/memory.h"
#include "model/snapshot.h"
#include "model/stack_tree.h"
#include "model/style.h"
#include "stacks/make_stack_tree.h"

/* A view of a snapshot has unique names and, as options say, only some functions, and stacks.  */

struct shown_rules {
    enum name_style names;
    /* Regular expressions on the name or `file:name', or NULL.  In graphs, `focus' keeps the
       functions that it matches and all that lead to them or from them; in stacks, the stacks with
       such a function.  `hide' leaves out the functions that it matches; in stacks their time goes
       to the caller.  */
    const regex_t *focus, *hide;
    double min_share;                    /* percent; below 0: not given */
    const struct named_stacks *recorded; /* NULL: stacks are estimated */
    struct profile_tree *trees;          /* selects these in place of stacks; or NULL */
    size_t tree_count;
    bool has_stacks;    /* makes the stacks, for which all functions are kept */
    bool has_all_nodes; /* of recorded stacks, also the small ones */
    /* Then, and without `focus' and `hide': nodes with fewer samples have none below them.  */
    double least_parent;
};

/* A view and the memory that it needs.  */
struct shown_snapshot {
    struct snapshot snapshot; /* valid while this struct stays where it is */
    const struct snapshot *base;
    const char **names;  /* by function id of the base */
    bool *is_kept;       /* by function id of the base */
    uint32_t *functions; /* function ids of the base, by function id of the view */
    uint32_t *ids;       /* function ids of the view, by function id of the base */
    uint32_t *arcs;      /* arcs of the base, by index in the view */
    uint32_t *members;   /* of cycles, cycle after cycle; function ids of the view */
    uint32_t *member_start;
    struct stack_tree tree;
    struct arena arena; /* owns the names */
};

/* Makes VIEW of BASE, which must outlive VIEW.  */
void shown_snapshot_build(struct shown_snapshot *view, const struct snapshot *base,
                          const struct shown_rules *rules);
/* The function ids of the view by symbol id of the profile from which MADE, the base of VIEW, was
   made; NO_ID: the view has no such function.  Free with free.  */
uint32_t *shown_snapshot_ids(const struct shown_snapshot *view,
                             const struct profile_snapshot *made);

void shown_snapshot_free(struct shown_snapshot *view);

#endif
