/* profile_stacks.c - the call stacks of each of several profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/profile_stacks.h"

#include <stdlib.h>

#include "analysis/cycles.h"
#include "analysis/hist.h"
#include "analysis/propagate.h"
#include "analysis/views.h"
#include "base/memory.h"
#include "model/hist_set.h"
#include "stacks/make_stack_tree.h"

/* ---- One profile ---- */

static void begin_next(struct profile_stacks *stacks)
{
    const struct profile *all = stacks->all;
    stacks->profile = (struct profile){.files = all->files,
                                       .symtab = all->symtab,
                                       .filters = all->filters,
                                       .by_line = all->by_line};
    stacks->arcs = (struct arc_builder){.symtab = &stacks->profile.symtab,
                                        .filters = &stacks->profile.filters,
                                        .table = &stacks->profile.arcs,
                                        .has_callers = true};
}

void profile_stacks_begin(struct profile_stacks *stacks, const struct profile *all,
                          unsigned entry_units, bool has_zeros)
{
    *stacks =
        (struct profile_stacks){.all = all, .entry_units = entry_units, .has_zeros = has_zeros};
    begin_next(stacks);
}

/* The same stages, in the same order, as for all profiles together.  */
static void analyse(struct profile_stacks *stacks)
{
    struct profile *profile = &stacks->profile;
    arcs_finish(&stacks->arcs);
    hist_assign(&profile->hist, &profile->symtab, &profile->filters.flat, stacks->entry_units);
    arcs_free_order(&profile->arcs);
    cycles_find(&profile->graph, &profile->symtab, &profile->arcs);
    propagate(&profile->graph, &profile->arcs, profile->hist.time, &profile->filters);
    views_order_rows(&profile->views, &profile->symtab, &profile->graph, stacks->has_zeros);
}

/* Frees all except the files, symbols and filters.  */
static void free_profile(struct profile *profile)
{
    hist_free(&profile->hist);
    arcs_free(&profile->arcs);
    graph_free(&profile->graph);
    views_free(&profile->views);
    *profile = (struct profile){0};
}

/* How many nodes the tree of each profile may have.  */
static size_t node_limit(const struct profile_stacks *stacks)
{
    size_t profiles = stacks->all->per_file.expected;
    size_t limit = STACK_NODES_TOGETHER / (profiles > 0 ? profiles : 1);
    if (limit > STACK_NODES)
        return STACK_NODES;
    return limit > STACK_NODES_LEAST ? limit : STACK_NODES_LEAST;
}

/* The nodes have symbol ids.  */
static struct input_stacks stacks_of(const struct profile_snapshot *made, size_t limit)
{
    const struct snapshot *snapshot = &made->snapshot;
    struct input_stacks input = {.sample_time = snapshot->sample_time,
                                 .is_in_seconds = is_in_seconds(snapshot)};
    struct stack_tree *tree = &input.tree;
    stack_tree_build_within(tree, snapshot, limit);
    tree->nodes = mem_resize(tree->nodes, tree->count + 1, sizeof *tree->nodes);
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].kind == STACK_FUNCTION)
            tree->nodes[i].function = made->symbols[tree->nodes[i].function];
    return input;
}

void profile_stacks_end(struct profile_stacks *stacks)
{
    struct profile_snapshot made;
    analyse(stacks);
    snapshot_build(&made, &stacks->profile);
    stacks->inputs =
        mem_grow(stacks->inputs, &stacks->capacity, stacks->count + 1, sizeof *stacks->inputs);
    stacks->inputs[stacks->count++] = stacks_of(&made, node_limit(stacks));
    snapshot_free(&made);
    free_profile(&stacks->profile);
    begin_next(stacks);
}

void profile_stacks_finish(struct profile_stacks *stacks)
{
    arcs_finish(&stacks->arcs);
    free_profile(&stacks->profile);
}

/* ---- All of them ---- */

/* A function that has time in one profile may have none in all of them, if the widths of their bins
   differ by a rounding error: it is one of the others.  */
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

void profile_stacks_number(struct profile_stacks *stacks, const struct profile_snapshot *snapshot)
{
    for (size_t i = 0; i < stacks->count; i++)
        for (size_t n = 0; n < stacks->inputs[i].tree.count; n++)
            number_node(&stacks->inputs[i].tree.nodes[n], snapshot);
}

void profile_stacks_free(struct profile_stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++)
        stack_tree_free(&stacks->inputs[i].tree);
    free(stacks->inputs);
    *stacks = (struct profile_stacks){0};
}
