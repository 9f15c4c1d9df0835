/* recorded_stacks.c - makes a tree of recorded call stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/recorded_stacks.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

/* Numbers the nodes, which are pairs of parent and frame (an id of struct stacks), and adds up the
   samples of each: an array by node.  */
static double *number_nodes(struct pair_map *nodes, const struct stacks *stacks)
{
    double *self = NULL;
    size_t capacity = 0, used = 0;
    for (size_t s = 0; s < stacks->count; s++) {
        const struct stack *stack = &stacks->stacks[s];
        uint32_t node = UINT32_MAX;
        for (size_t f = stack->start; f < stack->end; f++)
            node = pair_map_number(nodes, node, stacks->ids[f]);
        self = mem_grow(self, &capacity, nodes->count, sizeof *self);
        for (; used < nodes->count; used++)
            self[used] = 0;
        if (node != UINT32_MAX)
            self[node] += stack->samples;
    }
    return self;
}

/* The names of objects come first, then those of functions that are not in the snapshot.  */
static uint32_t name_symbol(struct recorded_tree *tree, const struct profile_snapshot *made,
                            uint32_t *numbers, uint32_t symbol)
{
    const struct symbol *of = &made->profile->symtab.symbols[symbol];
    if (numbers[symbol] == 0) {
        tree->names[tree->name_count++] = of->label != NULL ? of->label : of->name;
        numbers[symbol] = (uint32_t)tree->name_count;
    }
    return numbers[symbol] - 1;
}

static void name_objects(struct recorded_tree *tree, const struct stacks *stacks)
{
    tree->names = mem_array(stacks->objects.count + 1 + stacks->symbol_count, sizeof *tree->names);
    tree->name_count = stacks->objects.count + 1;
    for (size_t i = 0; i < tree->name_count; i++)
        tree->names[i] = stacks->objects_shown[i];
}

static void fill_node(struct recorded_tree *tree, const struct profile_snapshot *made,
                      uint32_t *numbers, struct recorded_node *node, uint32_t frame)
{
    uint32_t symbols = made->profile->stacks.symbol_count;
    node->is_named = frame >= symbols || made->ids[frame] == NO_ID;
    if (frame >= symbols)
        node->id = frame - symbols;
    else if (node->is_named)
        node->id = name_symbol(tree, made, numbers, frame);
    else
        node->id = made->ids[frame];
}

void recorded_stacks_build(struct recorded_tree *tree, const struct profile_snapshot *made)
{
    const struct stacks *stacks = &made->profile->stacks;
    struct pair_map nodes = {0};
    double *self = number_nodes(&nodes, stacks);
    uint32_t *numbers = mem_array(stacks->symbol_count, sizeof *numbers);
    *tree = (struct recorded_tree){
        .count = nodes.count, .sample_time = stacks->rate != 0 ? 1.0 / stacks->rate : (double)NAN};
    tree->nodes = mem_array(nodes.count, sizeof *tree->nodes);
    name_objects(tree, stacks);
    for (size_t i = 0; i < nodes.count; i++) {
        tree->nodes[i].parent = (uint32_t)nodes.pairs[i].a;
        tree->nodes[i].self = self[i];
        fill_node(tree, made, numbers, &tree->nodes[i], (uint32_t)nodes.pairs[i].b);
    }
    pair_map_free(&nodes);
    free(numbers);
    free(self);
}

void recorded_stacks_free(struct recorded_tree *tree)
{
    free(tree->nodes);
    free(tree->names);
    *tree = (struct recorded_tree){0};
}
