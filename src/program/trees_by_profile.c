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

/* Gives the functions of TREE the numbers IDS, which are below NEW_COUNT.  A function with time
   in one profile may have none in the sum, if rounding makes their bins differ in width; its node
   becomes one of `[others]'.  */
static void number_functions(struct stack_tree *tree, const uint32_t *ids, size_t new_count)
{
    for (size_t i = 0; i < tree->stacks.count; i++) {
        uint32_t *label = &tree->stacks.label[i];
        if (*label < tree->function_count)
            *label = ids[*label] != NO_ID ? ids[*label] : STACKS_OTHERS;
        else if (stacks_is_numbered(*label))
            *label = (uint32_t)(*label - tree->function_count + new_count);
    }
    tree->function_count = new_count;
}

/* Makes the tree of one profile; its functions have symbol ids.  */
static struct profile_tree stacks_of(const struct profile_snapshot *made, size_t limit,
                                     size_t symbol_count)
{
    struct profile_tree input = {.is_in_seconds = is_in_seconds(&made->snapshot.unit)};
    stack_tree_build_within(&input.tree, &made->snapshot, limit);
    number_functions(&input.tree, made->symbols, symbol_count);
    return input;
}

void trees_by_profile_end(struct trees_by_profile *trees)
{
    struct profile_snapshot made;
    analyse(trees);
    snapshot_build(&made, &trees->profile);
    snapshot_take_arcs(&made, &trees->profile);
    trees->trees = mem_grow(trees->trees, &trees->capacity, trees->count + 1, sizeof *trees->trees);
    trees->trees[trees->count++] = stacks_of(&made, node_limit(trees), trees->profile.symtab.count);
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
    const struct recorded_stacks *recorded = named->recorded;
    const struct stack_column *columns = recorded->tree.columns;
    struct stacks of_one = recorded->tree;
    of_one.samples = mem_uninitialised(of_one.count, sizeof *of_one.samples);
    for (size_t i = 0; i < trees->count && i < of_one.column_count; i++) {
        struct stack_tree *tree = &trees->trees[i].tree;
        memset(of_one.samples, 0, of_one.count * sizeof *of_one.samples);
        stacks_add_samples(&of_one, i, 1, of_one.samples);
        stack_tree_free(tree);
        stack_tree_of_recorded(tree, named, &of_one, false, 0);
        if (columns[i].rate != 0)
            tree->sample_time = 1 / columns[i].rate;
        tree->has_weights = columns[i].has_weights;
        trees->trees[i].is_in_seconds = are_seconds;
    }
    free(of_one.samples);
}

/* ---- All profiles ---- */

void trees_by_profile_number(struct trees_by_profile *trees,
                             const struct profile_snapshot *snapshot)
{
    for (size_t i = 0; i < trees->count; i++)
        number_functions(&trees->trees[i].tree, snapshot->ids, snapshot->snapshot.function_count);
}

void trees_by_profile_free(struct trees_by_profile *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        stack_tree_free(&trees->trees[i].tree);
    free(trees->trees);
    *trees = (struct trees_by_profile){0};
}
