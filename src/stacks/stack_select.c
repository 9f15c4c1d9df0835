/* stack_select.c - removes stacks, and frames from stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/make_stack_tree.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

#define NONE UINT32_MAX

static bool has(const bool *functions, const struct stack_node *node)
{
    return node->kind == STACK_FUNCTION && functions[node->function];
}

/* Sets IS_MATCH of nodes of FOCUS and those below them, and IS_KEPT also of those above them.  */
static void find_kept(const struct stack_tree *tree, const bool *focus, bool *is_match,
                      bool *is_kept)
{
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t parent = tree->nodes[i].parent;
        is_match[i] = has(focus, &tree->nodes[i]) || (parent != NONE && is_match[parent]);
        is_kept[i] = is_match[i];
    }
    for (size_t i = tree->count; i-- > 0;)
        if (is_kept[i] && tree->nodes[i].parent != NONE)
            is_kept[tree->nodes[i].parent] = true;
}

/* Sums up `total' again.  */
static void sum_up(struct stack_tree *tree)
{
    tree->samples = 0;
    for (size_t i = 0; i < tree->count; i++) {
        tree->samples += tree->nodes[i].self;
        tree->nodes[i].total = tree->nodes[i].self;
    }
    for (size_t i = tree->count; i-- > 0;)
        if (tree->nodes[i].parent != NONE)
            tree->nodes[tree->nodes[i].parent].total += tree->nodes[i].total;
}

void stack_tree_select(struct stack_tree *tree, const bool *focus, const bool *hide)
{
    bool *is_match = mem_uninitialised(tree->count, sizeof *is_match);
    bool *is_kept = mem_uninitialised(tree->count, sizeof *is_kept);
    uint32_t *ids = mem_uninitialised(tree->count, sizeof *ids); /* the node that shows a node */
    uint64_t others = 0;
    size_t count = 0;
    find_kept(tree, focus, is_match, is_kept);
    for (size_t i = 0; i < tree->count; i++) {
        struct stack_node node = tree->nodes[i];
        if (!is_kept[i])
            continue;
        if (!is_match[i]) {
            node.self = 0;
            node.own = 0;
        }
        uint32_t parent = node.parent != NONE ? ids[node.parent] : NONE;
        if (has(hide, &node)) {
            ids[i] = parent;
            if (parent != NONE)
                tree->nodes[parent].self += node.self;
            else
                others += node.self;
            continue;
        }
        node.parent = parent;
        node.depth = parent != NONE ? tree->nodes[parent].depth + 1 : 0;
        ids[i] = (uint32_t)count;
        tree->nodes[count++] = node;
    }
    if (others > 0) /* a frame of it is hidden, so there is space for a node */
        tree->nodes[count++] =
            (struct stack_node){.kind = STACK_OTHERS, .parent = NONE, .self = others};
    tree->count = count;
    sum_up(tree);
    for (size_t i = 0; i < tree->count && tree->amounts != NULL; i++)
        tree->amounts[i] = (struct stack_amount){
            tree->nodes[i].self, (uint64_t)((double)tree->nodes[i].self * tree->period + 0.5)};
    free(tree->rests);
    tree->rests = NULL;
    free(is_match);
    free(is_kept);
    free(ids);
}
