/* stack_recorded.c - the tree of stacks that were recorded with samples.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/stack_recorded.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "stacks/make_stack_tree.h"

enum { NONE = UINT32_MAX };

/* All stacks as a tree: by node, in order of first appearance, so that parents come first.  */
struct prefixes {
    struct pair_map map; /* (parent + 1, id of the frame) */
    double *self, *total;
    uint32_t *first, *next; /* children, the largest first: the first, and the next of a node */
    uint32_t root;          /* the first root */
};

static void add_stacks(struct prefixes *all, const struct stacks *stacks)
{
    all->self = mem_array(stacks->frame_count, sizeof *all->self);
    for (size_t s = 0; s < stacks->count; s++) {
        uint64_t parent = 0;
        for (size_t f = stacks->stacks[s].start; f < stacks->stacks[s].end; f++)
            parent = (uint64_t)pair_map_number(&all->map, parent, stacks->ids[f]) + 1;
        all->self[parent - 1] += stacks->stacks[s].samples;
    }
}

static int compare_totals(const void *context, uint32_t a, uint32_t b)
{
    const struct prefixes *all = context;
    return (all->total[a] < all->total[b]) - (all->total[a] > all->total[b]);
}

static void order_children(struct prefixes *all)
{
    size_t count = all->map.count;
    uint32_t *order = identity_ids(count);
    all->total = mem_array(count, sizeof *all->total);
    all->first = mem_uninitialised(count, sizeof *all->first);
    all->next = mem_uninitialised(count, sizeof *all->next);
    for (size_t i = count; i-- > 0;) {
        uint64_t parent = all->map.pairs[i].a;
        all->total[i] += all->self[i];
        all->first[i] = NONE;
        if (parent > 0)
            all->total[parent - 1] += all->total[i];
    }
    sort_ids(order, count, compare_totals, all);
    all->root = NONE;
    for (size_t i = count; i-- > 0;) { /* the largest is put in front last */
        uint64_t parent = all->map.pairs[order[i]].a;
        uint32_t *head = parent > 0 ? &all->first[parent - 1] : &all->root;
        all->next[order[i]] = *head;
        *head = order[i];
    }
    free(order);
}

/* Appends the node of a prefix; its parent is node PARENT of the tree.  */
static void append(struct stack_tree *tree, const struct prefixes *all, uint32_t prefix,
                   uint32_t parent, const struct profile_snapshot *made)
{
    uint32_t id = (uint32_t)all->map.pairs[prefix].b;
    uint32_t function = id < made->profile->stacks.symbol_count ? made->ids[id] : NO_ID;
    bool is_function = function != NO_ID;
    tree->nodes[tree->count++] =
        (struct stack_node){.kind = is_function ? STACK_FUNCTION : STACK_NAMED,
                            .function = is_function ? function : id,
                            .parent = parent,
                            .depth = parent != NONE ? tree->nodes[parent].depth + 1 : 0,
                            .self = stack_rounded(all->self[prefix])};
}

/* Appends all prefixes, each before its children.  One that is too small, or too much, stays in its
   parent, or in OTHERS.  */
static void append_all(struct stack_tree *tree, const struct prefixes *all,
                       const struct profile_snapshot *made, uint64_t *others)
{
    double least = STACK_SHARE * made->profile->stacks.samples;
    uint32_t *prefix_of = mem_uninitialised(STACK_NODES, sizeof *prefix_of);
    uint32_t prefix = all->root, parent = NONE;
    while (prefix != NONE || parent != NONE) {
        if (prefix == NONE) { /* up, and on to the next */
            prefix = all->next[prefix_of[parent]];
            parent = tree->nodes[parent].parent;
        } else if (all->total[prefix] < least || tree->count == STACK_NODES - 1) {
            uint64_t *self = parent != NONE ? &tree->nodes[parent].self : others;
            *self += stack_rounded(all->total[prefix]);
            prefix = all->next[prefix];
        } else {
            prefix_of[tree->count] = prefix;
            append(tree, all, prefix, parent, made);
            parent = (uint32_t)tree->count - 1;
            prefix = all->first[prefix];
        }
    }
    free(prefix_of);
}

static void sum_up(struct stack_tree *tree)
{
    tree->amounts = mem_array(tree->count, sizeof *tree->amounts);
    for (size_t i = tree->count; i-- > 0;) {
        struct stack_node *node = &tree->nodes[i];
        node->own = (double)node->self;
        node->total += node->self;
        tree->samples += node->self;
        tree->amounts[i] =
            (struct stack_amount){node->self, (uint64_t)((double)node->self * tree->period + 0.5)};
        if (node->parent != NONE)
            tree->nodes[node->parent].total += node->total;
    }
}

/* By id of a frame: the names of symbols, then those of objects.  */
static const char **names_of(const struct profile *profile)
{
    const struct stacks *stacks = &profile->stacks;
    size_t symbols = stacks->symbol_count, objects = stacks->objects.count + 1;
    const char **names = mem_array(symbols + objects, sizeof *names);
    for (size_t i = 0; i < symbols; i++) {
        const struct symbol *symbol = &profile->symtab.symbols[i];
        names[i] = symbol->label != NULL ? symbol->label : symbol->name;
    }
    for (size_t i = 0; i < objects; i++)
        names[symbols + i] = stacks->objects_shown[i];
    return names;
}

void stack_tree_of_samples(struct stack_tree *tree, const struct profile_snapshot *made)
{
    const struct stacks *stacks = &made->profile->stacks;
    struct prefixes all = {0};
    uint64_t others = 0;
    add_stacks(&all, stacks);
    order_children(&all);
    tree->is_recorded = true;
    tree->names = names_of(made->profile);
    tree->period = stacks->rate != 0 ? 1e9 / stacks->rate : 0;
    tree->nodes = mem_uninitialised(STACK_NODES, sizeof *tree->nodes);
    append_all(tree, &all, made, &others);
    if (others > 0)
        tree->nodes[tree->count++] =
            (struct stack_node){.kind = STACK_OTHERS, .parent = NONE, .self = others};
    sum_up(tree);
    pair_map_free(&all.map);
    free(all.self);
    free(all.total);
    free(all.first);
    free(all.next);
}
