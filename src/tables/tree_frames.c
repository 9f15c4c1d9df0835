/* tree_frames.c - what is known of the frames of a stack tree, for the nodes of a tree of calls:
   recursions, samples, calls, and those that are one row.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/tree_frames.h"

#include <math.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "model/model.h"

/* ---- Frames ---- */

struct recursion *single_frames(size_t count)
{
    struct recursion *recursions = mem_uninitialised(count, sizeof *recursions);
    for (uint32_t i = 0; i < count; i++)
        recursions[i] = (struct recursion){i, 1};
    return recursions;
}

struct recursion *find_recursions(const struct stack_tree *stacks)
{
    const struct stacks *frames = &stacks->stacks;
    struct recursion *recursions = single_frames(frames->count);
    for (uint32_t i = 0; i < frames->count; i++) {
        uint32_t above = frames->parent[i];
        if (above != NO_ID && frames->label[above] == frames->label[i] &&
            stack_tree_function(stacks, i) != NO_ID)
            recursions[i] =
                (struct recursion){recursions[above].first, recursions[above].level + 1};
    }
    return recursions;
}

double *find_sizes(const struct stacks *stacks)
{
    double *sizes = mem_uninitialised(stacks->count, sizeof *sizes);
    for (size_t i = 0; i < stacks->count; i++)
        sizes[i] = fabs(stacks->samples[i]);
    stacks_fold(stacks, sizes);
    return sizes;
}

double *find_outermost(const struct stacks *stacks, const bool *wanted, size_t count)
{
    double *ending = mem_uninitialised(stacks->count, sizeof *ending);
    struct stacks frames = {.count = stacks->count,
                            .parent = stacks->parent,
                            .label = mem_uninitialised(stacks->count, sizeof *frames.label)};
    for (size_t i = 0; i < stacks->count; i++) {
        uint32_t label = stacks->label[i];
        bool is_wanted = wanted != NULL && label < count && wanted[label];
        frames.label[i] = is_wanted ? label : STACKS_UNKNOWN;
        ending[i] = wanted == NULL && stacks->parent[i] == NO_ID ? 0 : (double)NAN;
    }
    stacks_find_outermost(&frames, count);
    for (size_t i = 0; i < stacks->count; i++) {
        if (frames.label[i] == STACKS_UNKNOWN)
            continue;
        ending[i] = frames.outermost[i] == i ? 0 : (double)NAN;
        ending[frames.outermost[i]] += stacks->samples[i];
    }
    stacks_free_labels(&frames);
    return ending;
}

/* ---- Calls that branch nowhere ---- */

/* What is below a node.  */
struct callees {
    uint32_t largest, count;
    double size; /* of all */
};

static bool continues(const struct chain_node *nodes, uint32_t node, const struct callees *below)
{
    const struct chain_node *largest = below->count > 0 ? &nodes[below->largest] : NULL;
    return largest != NULL && nodes[node].may_begin && largest->may_follow &&
           largest->size >= nodes[node].least && largest->size >= 0.99 * nodes[node].size &&
           (below->count == 1 || below->size - largest->size < nodes[node].least);
}

uint32_t *find_chains(const struct chain_node *nodes, size_t count)
{
    struct callees *below = mem_array(count, sizeof *below);
    uint32_t *next = mem_uninitialised(count, sizeof *next);
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i].above == NO_ID)
            continue;
        struct callees *above = &below[nodes[i].above];
        if (above->count++ == 0 || nodes[i].size > nodes[above->largest].size)
            above->largest = i;
        above->size += nodes[i].size;
    }
    for (uint32_t i = 0; i < count; i++)
        next[i] = continues(nodes, i, &below[i]) ? below[i].largest : NO_ID;
    free(below);
    return next;
}

const char *chain_text(struct arena *arena, const char *const *names, size_t count,
                       const char *separator)
{
    enum { MOST = 4, FIRST = 2 };
    const char *text = names[0];
    for (size_t i = 1; i < count; i++) {
        bool is_left_out = count > MOST && i >= FIRST && i + 1 < count;
        if (is_left_out && i == FIRST)
            text =
                arena_join(arena, text, separator, arena_format(arena, "(%zu)", count - FIRST - 1));
        else if (!is_left_out)
            text = arena_join(arena, text, separator, names[i]);
    }
    return text;
}

/* ---- Counted calls ---- */

bool is_of_image(const struct snapshot_function *function)
{
    return function->kind == FUNCTION_CODE;
}

struct call_counts *call_counts_make(const struct snapshot *snapshot)
{
    struct call_counts *counts = mem_array(1, sizeof *counts);
    counts->calls = mem_array(snapshot->arc_count, sizeof *counts->calls);
    counts->inside = mem_array(snapshot->function_count, sizeof *counts->inside);
    counts->callers = mem_array(snapshot->function_count, sizeof *counts->callers);
    counts->others = mem_array(snapshot->function_count, sizeof *counts->others);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        const struct arc *arc = &snapshot->arcs[i];
        uint32_t known = (uint32_t)counts->arcs.count;
        uint32_t number = pair_map_number(&counts->arcs, arc->caller, arc->callee);
        counts->calls[number] = sum_u64(counts->calls[number], arc->count);
        bool is_caller = number == known && is_of_image(&snapshot->functions[arc->caller]);
        counts->callers[arc->callee] += is_caller;
        counts->others[arc->callee] += is_caller && arc->caller != arc->callee;
        if (arc->caller != arc->callee)
            counts->inside[arc->callee] = sum_u64(counts->inside[arc->callee], arc->count);
    }
    counts->arc_count = counts->arcs.count;
    return counts;
}

uint64_t call_counts_of(struct call_counts *counts, uint32_t caller, uint32_t callee)
{
    uint32_t arc = pair_map_number(&counts->arcs, caller, callee);
    return arc < counts->arc_count ? counts->calls[arc] : 0;
}

void call_counts_free(struct call_counts *counts)
{
    if (counts == NULL)
        return;
    pair_map_free(&counts->arcs);
    free(counts->calls);
    free(counts->inside);
    free(counts->callers);
    free(counts->others);
    free(counts);
}
