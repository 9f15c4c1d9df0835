/* dominators.c - finds dominators as nearest common ancestors, predecessors first.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/dominators.h"

#include <stdlib.h>

#include "base/memory.h"

/* When a node is visited, all its predecessors have been, because edges lead to higher numbers. Its
   immediate dominator is then the nearest common ancestor of its predecessors in the tree of the
   nodes visited so far:

       0 --> 1 --> 2 --> 4          predecessors of 4: 2 and 3;
              \--> 3 --/            the paths 2-1-0 and 3-1-0 meet in 1, which dominates 4

   Common ancestors would take time linear in the depth of the tree, which a chain of a million
   calls makes deep.  So each node also knows one ancestor further up, its skip, chosen so that
   nodes of one depth skip to one depth and any ancestor is a logarithmic number of steps away:
   depths of skips are those of a skew binary number system.  Graphs with cycles would need
   depth-first numbers and semidominators (Lengauer and Tarjan); here cycles are one node each.  */
struct tree_node {
    uint32_t parent, depth, skip;
};

/* Attaches NODE to its parent, whose own parent is known.  */
static void attach(struct tree_node *tree, uint32_t node)
{
    uint32_t parent = tree[node].parent;
    uint32_t skip = tree[parent].skip, next = tree[skip].skip;
    bool is_even = tree[parent].depth - tree[skip].depth == tree[skip].depth - tree[next].depth;
    tree[node].depth = tree[parent].depth + 1;
    tree[node].skip = is_even ? next : parent;
}

static uint32_t ancestor_at(const struct tree_node *tree, uint32_t node, uint32_t depth)
{
    while (tree[node].depth > depth) {
        uint32_t skip = tree[node].skip;
        node = tree[skip].depth >= depth ? skip : tree[node].parent;
    }
    return node;
}

static uint32_t common_ancestor(const struct tree_node *tree, uint32_t a, uint32_t b)
{
    if (a == 0)
        return 0;
    a = ancestor_at(tree, a, tree[b].depth);
    b = ancestor_at(tree, b, tree[a].depth);
    while (a != b) {
        bool is_above = tree[a].skip == tree[b].skip;
        a = is_above ? tree[a].parent : tree[a].skip;
        b = is_above ? tree[b].parent : tree[b].skip;
    }
    return a;
}

static void visit(const struct flow_graph *graph, struct tree_node *tree, uint32_t node)
{
    for (size_t i = graph->edges.start[node]; i < graph->edges.start[node + 1]; i++) {
        struct tree_node *head = &tree[graph->edges.ids[i]];
        head->parent = head->parent == NO_ID ? node : common_ancestor(tree, head->parent, node);
    }
}

uint32_t *dominators_find(const struct flow_graph *graph)
{
    struct tree_node *tree = mem_array(graph->count, sizeof *tree);
    uint32_t *dominators = mem_array(graph->count, sizeof *dominators);
    for (size_t v = 1; v < graph->count; v++)
        tree[v].parent = NO_ID;
    for (uint32_t v = 0; v < graph->count; v++) {
        if (v > 0 && tree[v].parent != NO_ID)
            attach(tree, v);
        if (tree[v].parent != NO_ID)
            visit(graph, tree, v);
        dominators[v] = v > 0 ? tree[v].parent : NO_ID;
    }
    free(tree);
    return dominators;
}
