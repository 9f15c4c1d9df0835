/* trees_by_profile.c - the call stacks of each of several profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/trees_by_profile.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/cycles.h"
#include "analysis/hist.h"
#include "analysis/propagate.h"
#include "analysis/views.h"
#include "base/memory.h"
#include "model/hist_set.h"

/* ---- One profile ---- */

static void begin_next(struct trees_by_profile *trees)
{
    const struct profile *all = trees->all;
    trees->profile = (struct profile){.files = all->files,
                                      .symtab = all->symtab,
                                      .filters = all->filters,
                                      .by_line = all->by_line};
    trees->arcs = (struct arc_builder){.symtab = &trees->profile.symtab,
                                       .filters = &trees->profile.filters,
                                       .table = &trees->profile.arcs,
                                       .has_callers = true};
}

void trees_by_profile_begin(struct trees_by_profile *trees, const struct profile *all,
                            bool has_zeros)
{
    *trees = (struct trees_by_profile){.all = all, .has_zeros = has_zeros};
    begin_next(trees);
}

/* Runs the stages up to the flat profile for one profile, in the order of analyse.c.  */
static void analyse(struct trees_by_profile *trees)
{
    struct profile *profile = &trees->profile;
    arcs_finish(&trees->arcs);
    hist_assign(&profile->hist, &profile->symtab, &profile->filters.flat);
    arcs_free_order(&profile->arcs);
    cycles_find(&profile->graph, &profile->symtab, &profile->arcs);
    propagate(&profile->times, &profile->graph, &profile->arcs, profile->hist.time,
              profile->hist.rate != 0 ? profile->hist.rate : 1, &profile->filters);
    views_order_rows(&profile->views, &profile->symtab, &profile->graph, trees->has_zeros);
}

/* Frees all except the files, symbols and filters.  */
static void free_profile(struct profile *profile)
{
    hist_free(&profile->hist);
    arcs_free(&profile->arcs);
    graph_free(&profile->graph);
    times_free(&profile->times);
    views_free(&profile->views);
    *profile = (struct profile){0};
}

/* How many nodes the tree of each profile may have.  */
static size_t node_limit(const struct trees_by_profile *trees)
{
    size_t profiles = trees->all->per_file.expected;
    size_t limit = STACK_NODES_TOGETHER / (profiles > 0 ? profiles : 1);
    if (limit > STACK_NODES)
        return STACK_NODES;
    return limit > STACK_NODES_LEAST ? limit : STACK_NODES_LEAST;
}

/* Makes the tree of one profile; its nodes have symbol ids.  */
static struct profile_tree stacks_of(const struct profile_snapshot *made, size_t limit)
{
    const struct snapshot *snapshot = &made->snapshot;
    struct profile_tree input = {.is_in_seconds = is_in_seconds(&snapshot->unit)};
    struct stack_tree *tree = &input.tree;
    stack_tree_build_within(tree, snapshot, limit);
    tree->nodes = mem_resize(tree->nodes, tree->count + 1, sizeof *tree->nodes);
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].kind == STACK_FUNCTION)
            tree->nodes[i].function = made->symbols[tree->nodes[i].function];
    return input;
}

void trees_by_profile_end(struct trees_by_profile *trees)
{
    struct profile_snapshot made;
    analyse(trees);
    snapshot_build(&made, &trees->profile);
    snapshot_take_arcs(&made, &trees->profile);
    trees->trees = mem_grow(trees->trees, &trees->capacity, trees->count + 1, sizeof *trees->trees);
    trees->trees[trees->count++] = stacks_of(&made, node_limit(trees));
    profile_snapshot_free(&made);
    free_profile(&trees->profile);
    begin_next(trees);
}

void trees_by_profile_finish(struct trees_by_profile *trees)
{
    arcs_finish(&trees->arcs);
    free_profile(&trees->profile);
}

/* ---- Recorded stacks ---- */

void trees_by_profile_take_recorded(struct trees_by_profile *trees,
                                    const struct named_stacks *named, bool are_seconds)
{
    struct recorded_stacks of_one = *named->recorded;
    const struct named_stacks one = {&of_one, named->symtab, named->functions};
    const struct stack_column *columns = of_one.tree.columns;
    size_t count = of_one.tree.count;
    of_one.self = mem_uninitialised(count, sizeof *of_one.self);
    for (size_t i = 0; i < trees->count && i < of_one.tree.column_count; i++) {
        memset(of_one.self, 0, count * sizeof *of_one.self);
        of_one.rate = columns[i].rate != 0 ? columns[i].rate : named->recorded->rate;
        of_one.has_weights = columns[i].has_weights;
        stacks_add_samples(&of_one.tree, i, 1, of_one.self);
        of_one.counted = 0;
        for (size_t node = 0; node < count; node++)
            of_one.counted += of_one.self[node];
        stack_tree_free(&trees->trees[i].tree);
        trees->trees[i] = (struct profile_tree){.is_in_seconds = are_seconds};
        stack_tree_of_recorded(&trees->trees[i].tree, &one, false, 0);
    }
    free(of_one.self);
}

/* ---- All profiles ---- */

/* Replaces the symbol id of NODE by a function id.  A function with time in one profile may have
   none in the sum, if rounding makes their bins differ in width; its node becomes one of
   `[others]'.  */
static void number_node(struct stack_node *node, const struct profile_snapshot *snapshot)
{
    if (node->kind != STACK_FUNCTION)
        return;
    node->function = snapshot->ids[node->function];
    if (node->function == NO_ID) {
        node->kind = STACK_OTHERS;
        node->function = 0;
    }
}

void trees_by_profile_number(struct trees_by_profile *trees,
                             const struct profile_snapshot *snapshot)
{
    for (size_t i = 0; i < trees->count; i++)
        for (size_t n = 0; n < trees->trees[i].tree.count; n++)
            number_node(&trees->trees[i].tree.nodes[n], snapshot);
}

void trees_by_profile_free(struct trees_by_profile *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        stack_tree_free(&trees->trees[i].tree);
    free(trees->trees);
    *trees = (struct trees_by_profile){0};
}
