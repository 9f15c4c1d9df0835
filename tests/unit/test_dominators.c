/* test_dominators.c - dominators of graphs known by hand, of random ones, and of large ones.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/reach.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tap.h"

struct edge {
    uint32_t tail, head;
};

static struct flow_graph make(size_t count, const struct edge *edges, size_t edge_count)
{
    uint32_t *tails = mem_array(edge_count, sizeof *tails);
    uint32_t *heads = mem_array(edge_count, sizeof *heads);
    for (size_t i = 0; i < edge_count; i++) {
        tails[i] = edges[i].tail;
        heads[i] = edges[i].head;
    }
    struct flow_graph graph = {count, id_lists_make(tails, heads, edge_count, count)};
    free(tails);
    free(heads);
    return graph;
}

/* ---- By hand ---- */

/* "- 0 0 1" - the dominator of each node.  */
static void check(size_t count, const struct edge *edges, size_t edge_count, const char *expected,
                  const char *what)
{
    struct flow_graph graph = make(count, edges, edge_count);
    struct dominators dominators = dominators_find(&graph);
    char text[200] = "";
    size_t used = 0;
    for (size_t v = 0; v < count; v++)
        used += (size_t)(dominators.of[v] == NO_ID
                             ? snprintf(text + used, sizeof text - used, "%s-", v ? " " : "")
                             : snprintf(text + used, sizeof text - used, " %u", dominators.of[v]));
    is_same_text(text, expected, what);
    dominators_free(&dominators);
    id_lists_free(&graph.edges);
}

#define CHECK(count, expected, what, ...)                                                          \
    check(count, (const struct edge[]){__VA_ARGS__},                                               \
          sizeof((const struct edge[]){__VA_ARGS__}) / sizeof(struct edge), expected, what)

static void test_by_hand(void)
{
    check(1, NULL, 0, "-", "a root alone");
    CHECK(4, "- 0 1 2", "a chain", {0, 1}, {1, 2}, {2, 3});
    CHECK(5, "- 0 1 1 1", "a diamond", {0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4});
    CHECK(4, "- 0 0 0", "two entries that meet", {0, 1}, {0, 2}, {1, 3}, {2, 3});
    CHECK(4, "- 0 1 1", "a shortcut past a node", {0, 1}, {1, 2}, {1, 3}, {2, 3});
    CHECK(3, "- 0 1", "an edge listed twice", {0, 1}, {1, 2}, {1, 2});
    CHECK(5, "- 0 - - 1", "what the root does not lead to dominates nothing", {0, 1}, {1, 4},
          {2, 3}, {3, 4});
    CHECK(8, "- 0 1 1 1 4 4 4", "a diamond below a diamond", {0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4},
          {4, 5}, {4, 6}, {5, 7}, {6, 7});
    CHECK(7, "- 0 1 2 2 1 1", "branches of different depth meet at the nearest common node", {0, 1},
          {1, 2}, {2, 3}, {2, 4}, {1, 5}, {3, 6}, {4, 6}, {5, 6});
    CHECK(4, "- 0 1 2", "a loop is entered at its first node", {0, 1}, {1, 2}, {2, 1}, {2, 3});
    CHECK(4, "- 0 0 1", "a loop with two entries", {0, 1}, {0, 2}, {1, 2}, {2, 1}, {1, 3});
    CHECK(3, "- 0 1", "a node that leads to itself", {0, 1}, {1, 1}, {1, 2});
    CHECK(6, "- 0 0 0 0 0", "two entries of two loops, irreducible", {0, 1}, {0, 2}, {1, 3}, {2, 4},
          {3, 4}, {4, 3}, {3, 5}, {4, 5}, {5, 1}, {5, 2});
    CHECK(13, "- 0 0 0 0 0 3 3 0 0 7 0 4", "the graph of Lengauer and Tarjan", {0, 1}, {0, 2},
          {0, 3}, {1, 4}, {2, 1}, {2, 4}, {2, 5}, {3, 6}, {3, 7}, {4, 12}, {5, 8}, {6, 9}, {7, 9},
          {7, 10}, {8, 5}, {8, 11}, {9, 11}, {10, 9}, {11, 9}, {11, 0}, {12, 8});
}

/* ---- By definition ---- */

enum { MOST_NODES = 24 };

/* The nodes that 0 leads to if REMOVED is not there, as bits.  */
static uint32_t reachable(const struct flow_graph *graph, uint32_t removed)
{
    uint32_t reached = removed == 0 ? 0 : 1, before = 0;
    while (reached != before) {
        before = reached;
        for (uint32_t v = 0; v < graph->count; v++)
            for (size_t i = graph->edges.start[v];
                 i < graph->edges.start[v + 1] && (before >> v & 1); i++)
                if (graph->edges.ids[i] != removed)
                    reached |= (uint32_t)1 << graph->edges.ids[i];
    }
    return reached;
}

/* Whether A, B and so on up to the root are the nodes without which V is not reached.  */
static bool is_right(const struct flow_graph *graph, const struct dominators *dominators,
                     uint32_t v)
{
    uint32_t expected = 0, found = 0;
    for (uint32_t d = 0; d < graph->count; d++)
        if (d != v && !(reachable(graph, d) >> v & 1))
            expected |= (uint32_t)1 << d;
    if (!(reachable(graph, NO_ID) >> v & 1))
        return dominators->of[v] == NO_ID;
    for (uint32_t d = dominators->of[v]; d != NO_ID; d = dominators->of[d])
        found |= (uint32_t)1 << d;
    return found == expected;
}

/* Whether ORDER has each node that the root leads to once, after its dominator.  */
static bool is_ordered(const struct flow_graph *graph, const struct dominators *dominators)
{
    uint32_t seen = 0;
    bool ok = true;
    for (size_t i = 0; i < dominators->count; i++) {
        uint32_t v = dominators->order[i], dominator = dominators->of[v];
        ok = ok && !(seen >> v & 1) && (dominator == NO_ID ? v == 0 : seen >> dominator & 1);
        seen |= (uint32_t)1 << v;
    }
    return ok && seen == reachable(graph, NO_ID);
}

static bool is_random_right(uint64_t *state)
{
    struct edge edges[4 * MOST_NODES];
    uint32_t count = 2 + next_random(state) % (MOST_NODES - 1);
    uint32_t edge_count = next_random(state) % (4 * count), reach = 1 + next_random(state) % count;
    uint32_t back = next_random(state) % 5; /* eighths of the edges that lead back */
    for (uint32_t i = 0; i < edge_count; i++) {
        uint32_t tail = next_random(state) % (count - 1), most = count - 1 - tail;
        uint32_t head = tail + 1 + next_random(state) % (reach < most ? reach : most);
        bool is_back = next_random(state) % 8 < back;
        edges[i] = is_back ? (struct edge){head, tail} : (struct edge){tail, head};
    }
    struct flow_graph graph = make(count, edges, edge_count);
    struct dominators dominators = dominators_find(&graph);
    bool ok = dominators.of[0] == NO_ID && is_ordered(&graph, &dominators);
    for (uint32_t v = 1; v < count; v++)
        ok = is_right(&graph, &dominators, v) && ok;
    dominators_free(&dominators);
    id_lists_free(&graph.edges);
    return ok;
}

static void test_random(void)
{
    uint64_t state = 18;
    unsigned wrong = 0;
    for (unsigned i = 0; i < 2000; i++)
        wrong += !is_random_right(&state);
    is_equal(wrong, 0, "2,000 random graphs: a node is not reached without its dominators");
}

/* ---- Large ---- */

enum { LARGE = 1000000 };

static uint32_t *find(size_t count, const struct edge *edges, size_t edge_count)
{
    struct flow_graph graph = make(count, edges, edge_count);
    struct dominators dominators = dominators_find(&graph);
    id_lists_free(&graph.edges);
    free(dominators.order);
    return dominators.of;
}

static void test_chain(struct edge *edges)
{
    for (uint32_t i = 0; i + 1 < LARGE; i++)
        edges[i] = (struct edge){i, i + 1};
    uint32_t *dominators = find(LARGE, edges, LARGE - 1);
    is_equal(dominators[LARGE - 1], LARGE - 2, "a chain of a million: each dominates the next");
    free(dominators);
}

static void test_fan(struct edge *edges)
{
    for (uint32_t i = 1; i + 1 < LARGE; i++) {
        edges[2 * i - 2] = (struct edge){0, i};
        edges[2 * i - 1] = (struct edge){i, LARGE - 1};
    }
    uint32_t *dominators = find(LARGE, edges, 2 * (LARGE - 2));
    is_equal(dominators[LARGE - 1], 0, "a fan of a million closes below the root");
    free(dominators);
}

/* Two rails from 1, with a rung down from each step of the one to the other.  */
static void test_ladder(struct edge *edges)
{
    size_t count = 0;
    edges[count++] = (struct edge){0, 1};
    edges[count++] = (struct edge){1, 2};
    edges[count++] = (struct edge){1, 3};
    for (uint32_t i = 2; i + 3 < LARGE; i += 2) {
        edges[count++] = (struct edge){i, i + 2};
        edges[count++] = (struct edge){i + 1, i + 3};
        edges[count++] = (struct edge){i, i + 3};
    }
    uint32_t *dominators = find(LARGE, edges, count);
    is_equal(dominators[LARGE - 2], LARGE - 4,
             "half a million rungs: the first rail is entered from above only");
    is_equal(dominators[LARGE - 1], 1, "the second from both rails");
    free(dominators);
}

/* A chain, each node of which leads to a node far away and unlike the others' neighbours: ancestors
   are half a million steps away from each other.  */
static void test_deep(struct edge *edges)
{
    enum { DEEP = LARGE / 2 };
    const uint32_t pairs = (uint32_t)tap_size(DEEP, 9 * (size_t)DEEP);
    uint64_t state = 3;
    size_t count = 0;
    for (uint32_t i = 0; i + 1 < DEEP; i++)
        edges[count++] = (struct edge){i, i + 1};
    for (uint32_t i = 0; i < pairs; i++)
        edges[count++] =
            (struct edge){next_random(&state) % DEEP, DEEP + next_random(&state) % DEEP};
    uint32_t *dominators = find(LARGE, edges, count);
    uint32_t first = NO_ID;
    for (size_t i = DEEP - 1; i < count; i++)
        if (edges[i].head == edges[count - 1].head && edges[i].tail < first)
            first = edges[i].tail;
    is_equal(dominators[edges[count - 1].head], first,
             "pairs far apart: the first caller on a chain dominates");
    free(dominators);
}

/* The nearest common ancestor of any two leaves of a tree that branches at each step.  */
static void test_comb(struct edge *edges)
{
    enum { TEETH = LARGE / 4 };
    uint64_t state = 5;
    size_t count = 0;
    for (uint32_t i = 0; i + 1 < TEETH; i++)
        edges[count++] = (struct edge){i, i + 1};
    for (uint32_t i = 0; i < TEETH; i++)
        edges[count++] = (struct edge){i, TEETH + i};
    for (uint32_t i = 0; i < 2 * (uint32_t)TEETH; i++) {
        edges[count++] = (struct edge){TEETH + next_random(&state) % TEETH, 2 * TEETH + i};
        edges[count++] = (struct edge){TEETH + next_random(&state) % TEETH, 2 * TEETH + i};
    }
    uint32_t *dominators = find(LARGE, edges, count);
    bool ok = true;
    for (size_t i = 2 * (size_t)TEETH - 1; i < count; i += 2) {
        uint32_t a = edges[i].tail - TEETH, b = edges[i + 1].tail - TEETH;
        ok = ok && dominators[edges[i].head] == (a == b ? a + TEETH : a < b ? a : b);
    }
    is_true(ok, "a comb: teeth meet where the upper one begins");
    free(dominators);
}

static void test_large_random(struct edge *edges, size_t edge_count)
{
    uint64_t state = 7;
    for (size_t i = 0; i < edge_count; i++) {
        uint32_t a = next_random(&state) % LARGE, b = next_random(&state) % LARGE;
        a -= a == b && a > 0;
        b += a == b;
        edges[i] = a < b ? (struct edge){a, b} : (struct edge){b, a};
    }
    for (uint32_t i = 0; i < LARGE - 1; i += 10)
        edges[i] = (struct edge){0, i + 1};
    uint32_t *dominators = find(LARGE, edges, edge_count);
    bool ok = true;
    for (uint32_t v = 1; v < LARGE; v++)
        ok = ok && (dominators[v] == NO_ID || dominators[v] < v);
    is_true(ok, "random edges that lead up: dominators have lower numbers");
    free(dominators);
}

/* Each node of a long chain leads back to an earlier one.  */
static void test_loops(struct edge *edges)
{
    uint64_t state = 11;
    size_t count = 0;
    for (uint32_t i = 0; i + 1 < LARGE; i++) {
        edges[count++] = (struct edge){i, i + 1};
        if (i > 0)
            edges[count++] = (struct edge){i, 1 + next_random(&state) % i};
    }
    uint32_t *dominators = find(LARGE, edges, count);
    bool ok = true;
    for (uint32_t v = 1; v < LARGE; v++)
        ok = ok && dominators[v] == v - 1;
    is_true(ok, "a million loops in each other: the chain dominates");
    free(dominators);
}

int main(void)
{
    const size_t most = tap_size(2 * (size_t)LARGE, 10 * (size_t)LARGE);
    test_by_hand();
    test_random();
    struct edge *edges = mem_array(most, sizeof *edges);
    test_chain(edges);
    test_fan(edges);
    test_ladder(edges);
    test_deep(edges);
    test_comb(edges);
    test_large_random(edges, most);
    test_loops(edges);
    free(edges);
    return tap_done();
}
