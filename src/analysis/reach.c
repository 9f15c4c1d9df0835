/* reach.c - what can only be reached through a node of a graph, and what a node leads to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"

/* ---- Dominators ---- */

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

/* ---- Sets of nodes ---- */

/* A set has 512 bits, which a pass over the graph uses in one of two ways.

   From sources: bit i of a node's set says that nodes[i] leads to it.  Sets are passed down,
   callers first; then a node adds its weight to the sums of its set.  It takes as many passes as
   the nodes in question need bits.

   From targets: bit i of a node's set says that it leads to the i-th node that has a weight.  Sets
   are passed up, callees first; then the sum of a node is that of the weights in its set.  It takes
   as many passes as the nodes with a weight need bits: few in a profile that has samples in a few
   hundred of its functions.  */
enum { WORDS = 8, WORD_BITS = 64, SET_BITS = WORDS * WORD_BITS };
enum { BYTE_VALUES = 256, SET_BYTES = SET_BITS / 8 };

struct reach {
    const struct flow_graph *graph;
    const uint64_t *weight;
    const uint32_t *nodes;
    size_t count;
    uint64_t *sums;
    uint64_t *sets; /* by node: WORDS words; those of an empty set are not written */
    bool *has_set;  /* by node: its set is not empty */
};

static uint64_t *set_of(const struct reach *reach, size_t node)
{
    return reach->sets + node * WORDS;
}

/* The sets of all nodes are empty.  */
static void clear_sets(struct reach *reach)
{
    memset(reach->has_set, 0, reach->graph->count * sizeof *reach->has_set);
}

static void add_bit(struct reach *reach, uint32_t node, size_t bit)
{
    uint64_t *set = set_of(reach, node);
    if (!reach->has_set[node])
        memset(set, 0, WORDS * sizeof *set);
    reach->has_set[node] = true;
    set[bit / WORD_BITS] |= (uint64_t)1 << bit % WORD_BITS;
}

/* Adds the set of FROM, which is not empty, to that of INTO.  */
static void unite(struct reach *reach, uint32_t into, uint32_t from)
{
    uint64_t *set = set_of(reach, into);
    const uint64_t *more = set_of(reach, from);
    if (!reach->has_set[into])
        memcpy(set, more, WORDS * sizeof *set);
    else
        for (size_t w = 0; w < WORDS; w++)
            set[w] |= more[w];
    reach->has_set[into] = true;
}

/* ---- From sources ---- */

/* Adds WEIGHT to the sum of each bit in SET.  SUMS has SET_BITS entries.  */
static void add_weight(uint64_t *sums, const uint64_t *set, uint64_t weight)
{
    for (size_t w = 0; w < WORDS; w++) {
        uint64_t *sum = sums + w * WORD_BITS;
        for (uint64_t bits = set[w]; bits != 0; bits >>= 8, sum += 8)
            for (unsigned i = 0; i < 8; i++)
                sum[i] += weight & (0 - (bits >> i & 1));
    }
}

/* One pass for nodes[first] .. nodes[end - 1].  */
static void pass_down(struct reach *reach, size_t first, size_t end)
{
    const struct flow_graph *graph = reach->graph;
    uint64_t sums[SET_BITS] = {0};
    uint32_t lowest = NO_ID;
    clear_sets(reach);
    for (size_t i = first; i < end; i++) {
        add_bit(reach, reach->nodes[i], i - first);
        lowest = reach->nodes[i] < lowest ? reach->nodes[i] : lowest;
    }
    for (uint32_t v = lowest; v < graph->count; v++) {
        if (!reach->has_set[v])
            continue;
        for (size_t i = graph->edges.start[v]; i < graph->edges.start[v + 1]; i++)
            unite(reach, graph->edges.ids[i], v);
        if (reach->weight[v] != 0)
            add_weight(sums, set_of(reach, v), reach->weight[v]);
    }
    memcpy(reach->sums + first, sums, (end - first) * sizeof *sums);
}

static size_t sum_from_sources(struct reach *reach, size_t passes)
{
    size_t done = 0;
    for (size_t p = 0; p < passes && done < reach->count; p++) {
        size_t end = min_u64(done + SET_BITS, reach->count);
        pass_down(reach, done, end);
        done = end;
    }
    return done;
}

/* ---- From targets ---- */

/* The sum of the weights of each value that a byte of a set can have, for each byte.  */
struct byte_sums {
    uint64_t of[SET_BYTES][BYTE_VALUES];
};

static void fill_byte_sums(struct byte_sums *byte_sums, const uint64_t *weights)
{
    for (size_t byte = 0; byte < SET_BYTES; byte++) {
        uint64_t *sums = byte_sums->of[byte];
        sums[0] = 0;
        for (size_t bit = 0; bit < 8; bit++)
            for (size_t value = 0; value < (size_t)1 << bit; value++)
                sums[value + ((size_t)1 << bit)] = sums[value] + weights[byte * 8 + bit];
    }
}

static uint64_t sum_of_set(const struct byte_sums *byte_sums, const uint64_t *set)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < WORDS; w++) {
        size_t byte = w * sizeof *set;
        for (uint64_t bits = set[w]; bits != 0; bits >>= 8)
            sum += byte_sums->of[byte++][bits & 0xff];
    }
    return sum;
}

/* One pass for the weights of targets[0] .. targets[count - 1], which ascend: nodes behind the last
   one lead to none of them.  */
static void pass_up(struct reach *reach, const uint32_t *targets, size_t count,
                    struct byte_sums *byte_sums)
{
    const struct flow_graph *graph = reach->graph;
    uint64_t weights[SET_BITS] = {0};
    clear_sets(reach);
    for (size_t i = 0; i < count; i++) {
        add_bit(reach, targets[i], i);
        weights[i] = reach->weight[targets[i]];
    }
    for (uint32_t v = targets[count - 1]; v > 0; v--)
        for (size_t i = graph->edges.start[v]; i < graph->edges.start[v + 1]; i++)
            if (reach->has_set[graph->edges.ids[i]])
                unite(reach, v, graph->edges.ids[i]);
    fill_byte_sums(byte_sums, weights);
    for (size_t i = 0; i < reach->count; i++)
        if (reach->has_set[reach->nodes[i]])
            reach->sums[i] += sum_of_set(byte_sums, set_of(reach, reach->nodes[i]));
}

static void sum_from_targets(struct reach *reach, const uint32_t *targets, size_t count)
{
    struct byte_sums *byte_sums = mem_uninitialised(1, sizeof *byte_sums);
    memset(reach->sums, 0, reach->count * sizeof *reach->sums);
    for (size_t first = 0; first < count; first += SET_BITS)
        pass_up(reach, targets + first, min_u64(count - first, SET_BITS), byte_sums);
    free(byte_sums);
}

/* ---- The interface ---- */

/* The nodes with a weight, *COUNT of them, ascending; free with free.  */
static uint32_t *find_targets(const struct flow_graph *graph, const uint64_t *weight, size_t *count)
{
    uint32_t *targets = mem_uninitialised(graph->count + 1, sizeof *targets);
    *count = 0;
    for (uint32_t v = 0; v < graph->count; v++)
        if (weight[v] != 0)
            targets[(*count)++] = v;
    return targets;
}

static size_t passes_for(size_t bits)
{
    return (bits + SET_BITS - 1) / SET_BITS;
}

size_t reach_sums(const struct flow_graph *graph, const uint64_t *weight, const uint32_t *nodes,
                  size_t count, uint64_t limit, uint64_t *sums)
{
    struct reach reach = {
        .graph = graph, .weight = weight, .nodes = nodes, .count = count, .sums = sums};
    uint64_t pass_steps = graph->count + graph->edges.start[graph->count];
    size_t passes = max_u64(limit / pass_steps, 1), target_count, done = count;
    uint32_t *targets = find_targets(graph, weight, &target_count);
    reach.sets = mem_uninitialised(graph->count * WORDS, sizeof *reach.sets);
    reach.has_set = mem_array(graph->count, sizeof *reach.has_set);
    if (passes_for(target_count) < passes_for(count) && passes_for(target_count) <= passes)
        sum_from_targets(&reach, targets, target_count);
    else
        done = sum_from_sources(&reach, passes);
    free(reach.has_set);
    free(reach.sets);
    free(targets);
    return done;
}
