/* tree_frames.c - what is known of the frames of a stack tree, for the nodes of a tree of calls. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/tree_frames.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/model.h"
#include "model/stacks.h"

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
    struct recursion *recursions = single_frames(stacks->count);
    for (uint32_t i = 0; i < stacks->count; i++) {
        const struct stack_node *frame = &stacks->nodes[i];
        const struct stack_node *above =
            frame->parent != NO_ID ? &stacks->nodes[frame->parent] : NULL;
        if (above != NULL && frame->kind == STACK_FUNCTION && above->kind == STACK_FUNCTION &&
            above->function == frame->function)
            recursions[i] = (struct recursion){recursions[frame->parent].first,
                                               recursions[frame->parent].level + 1};
    }
    return recursions;
}

double *find_sizes(const struct stack_tree *stacks)
{
    double *sizes = mem_array(stacks->count, sizeof *sizes);
    for (size_t i = stacks->count; i-- > 0;) {
        sizes[i] += (double)llabs(stacks->nodes[i].self);
        if (stacks->nodes[i].parent != NO_ID)
            sizes[stacks->nodes[i].parent] += sizes[i];
    }
    return sizes;
}

/* The index of FRAME in `is_wanted'.  */
static size_t index_of(const struct wanted *wanted, const struct stack_node *frame)
{
    return frame->kind == STACK_NAMED ? wanted->function_count + frame->function : frame->function;
}

static bool is_wanted(const struct wanted *wanted, const struct stack_node *frame)
{
    bool may_be = frame->kind == STACK_FUNCTION || frame->kind == STACK_NAMED;
    return may_be && index_of(wanted, frame) < wanted->count &&
           wanted->is_wanted[index_of(wanted, frame)];
}

double *find_outermost(const struct stack_tree *stacks, const struct wanted *wanted)
{
    double *ending = mem_uninitialised(stacks->count, sizeof *ending);
    struct stacks frames = {.count = stacks->count,
                            .parent = mem_uninitialised(stacks->count, sizeof *frames.parent),
                            .label = mem_uninitialised(stacks->count, sizeof *frames.label)};
    for (size_t i = 0; i < stacks->count; i++) {
        const struct stack_node *frame = &stacks->nodes[i];
        frames.parent[i] = frame->parent;
        frames.label[i] = is_wanted(wanted, frame) ? (uint32_t)index_of(wanted, frame) : NO_ID;
        ending[i] = NAN;
    }
    stacks_find_outermost(&frames, wanted->count);
    for (size_t i = 0; i < stacks->count; i++) {
        if (frames.label[i] == NO_ID)
            continue;
        ending[i] = frames.outermost[i] == i ? 0 : (double)NAN;
        ending[frames.outermost[i]] += (double)stacks->nodes[i].self;
    }
    stacks_free(&frames);
    return ending;
}
