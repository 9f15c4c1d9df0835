/* reach.c - what can only be reached through a node of a graph, and what a node leads to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"

/* ---- Dominators ----

   The method of Lengauer and Tarjan (A fast algorithm for finding dominators in a flowgraph, 1979)
   numbers the nodes in the order of a depth-first search from the root.  The semidominator of a
   node is the lowest number from which a path leads to it whose other nodes have higher numbers
   than it. It is found for the highest number first: of a predecessor with a lower number it is
   that number, of another one it is the lowest semidominator of that one and of its ancestors in
   the search that come after the node.

   The immediate dominator of a node is the nearest common ancestor, in the tree of dominators, of
   its semidominator and of its parent in the search (Georgiadis, Linear-time algorithms for
   dominators and related problems, 2005).  It is found for the lowest number first:

       0 --> 1 --> 2 --> 4          parent of 4: 3; semidominator: 1;
              \--> 3 --/            which is above 3 and so dominates 4

   Common ancestors would take time linear in the depth of the tree, which a chain of a million
   calls makes deep.  So each node also knows one ancestor further up, its skip, chosen so that
   nodes of one depth skip to one depth and any ancestor is a logarithmic number of steps away:
   depths of skips are those of a skew binary number system.  */

struct search {
    const struct flow_graph *graph;
    uint32_t *order;  /* nodes, by number */
    uint32_t *number; /* by node; NO_ID: not found */
    uint32_t *parent; /* number, by number */
    uint32_t *next;   /* by number: the edge to follow next */
    uint32_t count;   /* nodes found */
};

static void find_node(struct search *search, uint32_t node, uint32_t parent)
{
    search->number[node] = search->count;
    search->order[search->count] = node;
    search->parent[search->count] = parent;
    search->next[search->count++] = search->graph->edges.start[node];
}

static void search_depth_first(struct search *search)
{
    const struct id_lists *edges = &search->graph->edges;
    for (size_t v = 0; v < search->graph->count; v++)
        search->number[v] = NO_ID;
    find_node(search, 0, NO_ID);
    for (uint32_t at = 0; at != NO_ID;) {
        if (search->next[at] == edges->start[search->order[at] + 1]) {
            at = search->parent[at];
            continue;
        }
        uint32_t head = edges->ids[search->next[at]++];
        if (search->number[head] == NO_ID) {
            find_node(search, head, at);
            at = search->count - 1;
        }
    }
}

/* The predecessors of each node that was found, by numbers.  */
static struct id_lists list_predecessors(const struct search *search)
{
    const struct id_lists *edges = &search->graph->edges;
    size_t count = 0, edge_count = edges->start[search->graph->count];
    uint32_t *heads = mem_uninitialised(edge_count, sizeof *heads);
    uint32_t *tails = mem_uninitialised(edge_count, sizeof *tails);
    for (uint32_t at = 0; at < search->count; at++) {
        uint32_t node = search->order[at];
        for (size_t i = edges->start[node]; i < edges->start[node + 1]; i++) {
            heads[count] = search->number[edges->ids[i]];
            tails[count++] = at;
        }
    }
    struct id_lists predecessors = id_lists_make(heads, tails, count, search->count);
    free(heads);
    free(tails);
    return predecessors;
}

/* All by number.  */
struct semidominators {
    uint32_t *of;       /* those that are known; the others are their own */
    uint32_t *ancestor; /* above it in the search, or, if that is closer to the root, where a path
                           was shortened to; NO_ID: its semidominator is not known */
    uint32_t *lowest;   /* the one with the lowest semidominator from it to below `ancestor' */
    uint32_t *path;     /* scratch */
};

/* The lowest semidominator of NUMBER and of its ancestors whose semidominators are known.  Shortens
   the path to them.  */
static uint32_t lowest_above(struct semidominators *semi, uint32_t number)
{
    size_t length = 0;
    if (semi->ancestor[number] == NO_ID)
        return semi->of[number];
    for (uint32_t v = number; semi->ancestor[semi->ancestor[v]] != NO_ID; v = semi->ancestor[v])
        semi->path[length++] = v;
    while (length-- > 0) {
        uint32_t v = semi->path[length], above = semi->ancestor[v];
        if (semi->of[semi->lowest[above]] < semi->of[semi->lowest[v]])
            semi->lowest[v] = semi->lowest[above];
        semi->ancestor[v] = semi->ancestor[above];
    }
    return semi->of[semi->lowest[number]];
}

/* The semidominators by number; free with free.  */
static uint32_t *find_semidominators(const struct search *search)
{
    size_t count = search->count;
    struct id_lists predecessors = list_predecessors(search);
    struct semidominators semi = {.of = mem_uninitialised(count, sizeof *semi.of),
                                  .ancestor = mem_uninitialised(count, sizeof *semi.ancestor),
                                  .lowest = mem_uninitialised(count, sizeof *semi.lowest),
                                  .path = mem_uninitialised(count, sizeof *semi.path)};
    for (uint32_t v = 0; v < count; v++) {
        semi.of[v] = semi.lowest[v] = v;
        semi.ancestor[v] = NO_ID;
    }
    for (uint32_t v = search->count; v-- > 1;) {
        for (size_t i = predecessors.start[v]; i < predecessors.start[v + 1]; i++) {
            uint32_t lowest = lowest_above(&semi, predecessors.ids[i]);
            if (lowest < semi.of[v])
                semi.of[v] = lowest;
        }
        semi.ancestor[v] = search->parent[v];
    }
    id_lists_free(&predecessors);
    free(semi.ancestor);
    free(semi.lowest);
    free(semi.path);
    return semi.of;
}

/* The tree of dominators, by number.  */
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

/* The immediate dominators of what SEARCH found, by number: the parents in the tree.  */
static struct tree_node *find_tree(const struct search *search)
{
    uint32_t *semidominators = find_semidominators(search);
    struct tree_node *tree = mem_array(search->count, sizeof *tree);
    for (uint32_t v = 1; v < search->count; v++) {
        tree[v].parent = common_ancestor(tree, search->parent[v], semidominators[v]);
        attach(tree, v);
    }
    free(semidominators);
    return tree;
}

struct dominators dominators_find(const struct flow_graph *graph)
{
    size_t count = graph->count;
    struct dominators dominators = {.of = mem_uninitialised(count, sizeof *dominators.of),
                                    .order = mem_uninitialised(count, sizeof *dominators.order)};
    struct search search = {.graph = graph,
                            .order = dominators.order,
                            .number = mem_uninitialised(count, sizeof *search.number),
                            .parent = mem_uninitialised(count, sizeof *search.parent),
                            .next = mem_uninitialised(count, sizeof *search.next)};
    search_depth_first(&search);
    struct tree_node *tree = find_tree(&search);
    for (size_t v = 0; v < count; v++)
        dominators.of[v] = NO_ID;
    for (uint32_t at = 1; at < search.count; at++)
        dominators.of[search.order[at]] = search.order[tree[at].parent];
    dominators.count = search.count;
    free(tree);
    free(search.number);
    free(search.parent);
    free(search.next);
    return dominators;
}

void dominators_free(struct dominators *dominators)
{
    free(dominators->of);
    free(dominators->order);
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
