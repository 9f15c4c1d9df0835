/* test_reach.c - sums over all that a node leads to, found in both ways.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/reach.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tap.h"

enum { NODES = 1400, DEGREE = 3, MANY = 1000 };

/* Nodes 1 .. NODES - 1 with edges to random higher ones, which are near for the most part.  */
static struct flow_graph draw_graph(uint64_t *state)
{
    struct flow_graph graph = {NODES,
                               {mem_array(NODES + 1, sizeof *graph.edges.start),
                                mem_array((size_t)NODES * DEGREE, sizeof *graph.edges.ids)}};
    uint32_t count = 0;
    for (uint32_t v = 0; v < NODES; v++) {
        graph.edges.start[v] = count;
        for (unsigned i = 0; v > 0 && v + 1 < NODES && i < next_random(state) % (DEGREE + 1); i++) {
            uint32_t most = NODES - 1 - v, far = next_random(state) % 50 == 0 ? most : 12;
            graph.edges.ids[count++] = v + 1 + next_random(state) % (far < most ? far : most);
        }
    }
    graph.edges.start[NODES] = count;
    return graph;
}

/* Every STEP-th node has a weight.  */
static void draw_weights(uint64_t *weight, uint64_t *state, uint32_t step)
{
    for (uint32_t v = 0; v < NODES; v++)
        weight[v] = v > 0 && v % step == 0 ? 1 + next_random_64(state) % 1000000 : 0;
}

static uint64_t sum_by_definition(const struct flow_graph *graph, const uint64_t *weight,
                                  uint32_t node)
{
    bool is_reached[NODES] = {false};
    uint64_t sum = 0;
    is_reached[node] = true;
    for (uint32_t v = node; v < NODES; v++) {
        sum += is_reached[v] ? weight[v] : 0;
        for (size_t i = graph->edges.start[v]; i < graph->edges.start[v + 1]; i++)
            is_reached[graph->edges.ids[i]] |= is_reached[v];
    }
    return sum;
}

/* All nodes but the root, in no order.  */
static void shuffle(uint32_t *nodes, uint64_t *state)
{
    for (uint32_t i = 0; i < NODES - 1; i++) {
        uint32_t j = next_random(state) % (i + 1);
        nodes[i] = nodes[j];
        nodes[j] = i + 1;
    }
}

/* The sums of the first COUNT of NODES, where every STEP-th node has a weight, in the time of
   PASSES over the graph.  */
static void check(size_t count, uint32_t step, uint64_t passes, size_t expected, const char *what)
{
    uint64_t state = count + step, weight[NODES], sums[NODES];
    uint32_t nodes[NODES];
    struct flow_graph graph = draw_graph(&state);
    draw_weights(weight, &state, step);
    shuffle(nodes, &state);
    uint64_t limit = passes * (NODES + graph.edges.start[NODES]);
    size_t done = reach_sums(&graph, weight, nodes, count, limit, sums);
    bool ok = done == expected;
    for (size_t i = 0; i < done && i < count; i++)
        ok = ok && sums[i] == sum_by_definition(&graph, weight, nodes[i]);
    is_true(ok, what);
    printf("# %zu sums\n", done);
    id_lists_free(&graph.edges);
}

int main(void)
{
    check(0, 1, MANY, 0, "no nodes");
    check(1, 1, MANY, 1, "one node");
    check(512, 1, MANY, 512, "512 nodes, one set of sources");
    check(513, 1, MANY, 513, "513 nodes, two sets of sources");
    check(NODES - 1, 1, MANY, NODES - 1, "all nodes, all with weights");
    check(NODES - 1, 2, MANY, NODES - 1, "all nodes, half of them with weights: by targets");
    check(NODES - 1, 3, MANY, NODES - 1, "all nodes, one set of targets");
    check(600, NODES, MANY, 600, "no weights");
    check(NODES - 1, 1, 0, 512, "no time: the first 512 nodes are exact");
    check(NODES - 1, 1, 2, 1024, "time for twice as many");
    check(NODES - 1, 3, 0, NODES - 1, "no time: one set of targets is enough for all nodes");
    check(NODES - 1, 2, 0, 512, "two are not: the first 512 nodes");
    return tap_done();
}
