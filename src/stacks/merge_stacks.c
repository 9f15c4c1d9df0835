/* merge_stacks.c - the stacks of the two sides of a comparison as one list.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/merge_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "stacks/make_stack_tree.h"

struct merger {
    struct stack_pairs *pairs;
    struct string_map names;
    struct pair_map keys;   /* (parent + 1, number of the name); numbers are those of the pairs */
    size_t count, capacity; /* pairs */
};

static const char *name_of(const struct stack_side *side, const struct stack_node *node)
{
    if (node->kind == STACK_FUNCTION)
        return side->names[node->function];
    return node->kind == STACK_CYCLE ? "[cycle]" : "[others]";
}

/* The pair of the frame NAME below the pair PARENT, which may be UINT32_MAX.  */
static uint32_t find_pair(struct merger *merger, uint32_t parent, const char *name)
{
    struct stack_pairs *pairs = merger->pairs;
    uint32_t text = string_map_number(&merger->names, name);
    uint32_t number = pair_map_number(&merger->keys, (uint64_t)parent + 1, text);
    if (number < merger->count)
        return number;
    pairs->pairs = mem_grow(pairs->pairs, &merger->capacity, number + 1, sizeof *pairs->pairs);
    const char *shown = is_printable(name) ? arena_copy(&pairs->arena, name, strlen(name))
                                           : arena_escape(&pairs->arena, name);
    pairs->pairs[number] =
        (struct stack_pair){.name = arena_utf8(&pairs->arena, shown), .parent = parent};
    merger->count = number + 1;
    return number;
}

static void add_side(struct merger *merger, const struct stack_side *side, int number)
{
    const struct stack_tree *tree = side->tree;
    uint32_t *of_node = mem_uninitialised(tree->count, sizeof *of_node);
    for (size_t i = 0; i < tree->count; i++) {
        const struct stack_node *node = &tree->nodes[i];
        uint32_t parent = node->parent != UINT32_MAX ? of_node[node->parent] : UINT32_MAX;
        of_node[i] = find_pair(merger, parent, name_of(side, node));
        merger->pairs->pairs[of_node[i]].samples[number] +=
            (double)node->self * side->scale / parts_of_sample(tree->fineness);
        if (node->depth >= merger->pairs->depth)
            merger->pairs->depth = node->depth + 1;
    }
    free(of_node);
}

void stack_pairs_build(struct stack_pairs *pairs, const struct stack_side sides[2])
{
    struct merger merger = {.pairs = pairs};
    *pairs = (struct stack_pairs){0};
    for (int s = 2; s-- > 0;) /* in the order of the tree after */
        add_side(&merger, &sides[s], s);
    pairs->count = merger.count;
    pairs->frames = mem_uninitialised(pairs->depth, sizeof *pairs->frames);
    string_map_free(&merger.names);
    pair_map_free(&merger.keys);
}

void stack_pairs_free(struct stack_pairs *pairs)
{
    free(pairs->pairs);
    free(pairs->frames);
    arena_free(&pairs->arena);
    *pairs = (struct stack_pairs){0};
}
