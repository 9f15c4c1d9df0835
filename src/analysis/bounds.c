/* bounds.c - turns the call graph into one without cycles, and sums up own times over it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cycles.h"
#include "analysis/reach.h"
#include "base/memory.h"

/* The call graph with one node per cycle, callers before callees, and the root, 0.  */
struct condensed {
    const struct graph *graph;
    struct graph with_cycles; /* `graph', if the profile's is measured and has none */
    struct flow_graph flow;
    uint64_t *weight; /* by node: own time, in units of 2^-shift ticks */
    int shift;
};

/* ---- Nodes ---- */

/* The condensed node of a node of the call graph.  Cycles and the functions outside them are
   numbered together, callees first.  */
static uint32_t condensed_id(const struct condensed *condensed, uint32_t node)
{
    const struct graph *graph = condensed->graph;
    if (is_cycle(graph, node))
        node = graph->members[graph->member_start[graph->cycle[node] - 1]];
    return (uint32_t)condensed->flow.count - graph->number[node];
}

/* Own times in integers, so that sums do not depend on their order: `least' is never above `most',
   and equal where the same functions are summed.  All times together take 62 bits.  */
static void weigh(struct condensed *condensed, const struct node *nodes)
{
    size_t symbol_count = condensed->graph->symbol_count;
    int exponent;
    double total = 0;
    for (size_t s = 0; s < symbol_count; s++)
        total += nodes[s].time;
    frexp(total, &exponent);
    condensed->shift = 62 - exponent;
    condensed->weight = mem_array(condensed->flow.count, sizeof *condensed->weight);
    for (uint32_t s = 0; s < symbol_count; s++)
        condensed->weight[condensed_id(condensed, s)] +=
            (uint64_t)(ldexp(nodes[s].time, condensed->shift) + 0.5);
}

static double in_ticks(const struct condensed *condensed, uint64_t weight)
{
    return ldexp((double)weight, -condensed->shift);
}

/* ---- Edges ---- */

/* The condensed ends of ARC.  False if it is not an edge: never called, or within one node.  */
static bool find_edge(const struct condensed *condensed, const struct arc *arc, uint32_t *tail,
                      uint32_t *head)
{
    *tail = condensed_id(condensed, arc->caller);
    *head = condensed_id(condensed, arc->callee);
    return arc->count > 0 && *tail != *head;
}

/* Edges as pairs of nodes.  */
struct edges {
    uint32_t *tails, *heads;
    size_t count;
};

static void add_edge(struct edges *edges, uint32_t tail, uint32_t head)
{
    edges->tails[edges->count] = tail;
    edges->heads[edges->count++] = head;
}

/* Adds an edge for each arc between two condensed nodes.  Returns by node whether the root calls
   it; free with free.  */
static bool *add_calls(struct edges *edges, const struct condensed *condensed,
                       const struct arc_table *arcs)
{
    size_t node_count = condensed->flow.count;
    bool *is_entry = mem_uninitialised(node_count, sizeof *is_entry);
    uint32_t tail, head;
    for (size_t v = 0; v < node_count; v++)
        is_entry[v] = v != 0;
    for (size_t i = 0; i < arcs->count; i++) {
        if (!find_edge(condensed, &arcs->arcs[i], &tail, &head))
            continue;
        add_edge(edges, tail, head);
        is_entry[head] = false;
    }
    for (uint32_t s = 0; s < condensed->graph->symbol_count; s++)
        if (arcs->has_other_callers[s])
            is_entry[condensed_id(condensed, s)] = true;
    return is_entry;
}

static void connect(struct condensed *condensed, const struct arc_table *arcs)
{
    struct flow_graph *flow = &condensed->flow;
    size_t most = arcs->count + flow->count;
    struct edges edges = {mem_uninitialised(most, sizeof *edges.tails),
                          mem_uninitialised(most, sizeof *edges.heads), 0};
    bool *is_entry = add_calls(&edges, condensed, arcs);
    for (uint32_t v = 0; v < flow->count; v++)
        if (is_entry[v])
            add_edge(&edges, 0, v);
    flow->edges = id_lists_make(edges.tails, edges.heads, edges.count, flow->count);
    free(edges.tails);
    free(edges.heads);
    free(is_entry);
}

/* Initialises CONDENSED, which stays where it is.  */
static void condense(struct condensed *condensed, const struct profile *profile)
{
    *condensed = (struct condensed){.graph = &profile->graph};
    if (profile->graph.is_measured) {
        cycles_find(&condensed->with_cycles, &profile->symtab, &profile->arcs);
        condensed->graph = &condensed->with_cycles;
    }
    const struct graph *graph = condensed->graph;
    size_t in_cycles = graph->member_start[graph->cycle_count];
    condensed->flow.count = graph->symbol_count - in_cycles + graph->cycle_count + 1;
    connect(condensed, &profile->arcs);
    weigh(condensed, profile->graph.nodes);
}

static void condensed_free(struct condensed *condensed)
{
    id_lists_free(&condensed->flow.edges);
    free(condensed->weight);
    graph_free(&condensed->with_cycles);
}

/* ---- Bounds ---- */

/* Sets the least of the first NODE_COUNT nodes.  */
static void compute_least(struct bounds *bounds, const struct condensed *condensed,
                          size_t node_count)
{
    size_t count = condensed->flow.count;
    uint32_t *dominators = dominators_find(&condensed->flow);
    uint64_t *sums = mem_uninitialised(count, sizeof *sums);
    memcpy(sums, condensed->weight, count * sizeof *sums);
    for (size_t v = count; v-- > 1;) /* a dominator has a lower number */
        sums[dominators[v]] += sums[v];
    for (uint32_t node = 0; node < node_count; node++)
        bounds->least[node] = in_ticks(condensed, sums[condensed_id(condensed, node)]);
    free(sums);
    free(dominators);
}

/* The condensed nodes of the COUNT NODES, each once, *LENGTH of them; free with free.  PLACES, by
   condensed node, gets where each is in the list, counted from 1.  */
static uint32_t *list_condensed(const struct condensed *condensed, const uint32_t *nodes,
                                size_t count, uint32_t *places, size_t *length)
{
    uint32_t *list = mem_array(count, sizeof *list);
    *length = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t id = condensed_id(condensed, nodes[i]);
        if (places[id] != 0)
            continue;
        list[(*length)++] = id;
        places[id] = (uint32_t)*length;
    }
    return list;
}

static void compute_most(struct bounds *bounds, const struct condensed *condensed,
                         const uint32_t *nodes, size_t count)
{
    const struct flow_graph *flow = &condensed->flow;
    uint32_t *places = mem_array(flow->count, sizeof *places);
    size_t length;
    uint32_t *list = list_condensed(condensed, nodes, count, places, &length);
    uint64_t *sums = mem_array(length, sizeof *sums);
    size_t done = reach_sums(flow, condensed->weight, list, length, BOUNDS_STEPS, sums);
    for (size_t i = 0; i < count; i++) {
        uint32_t place = places[condensed_id(condensed, nodes[i])];
        if (place <= done)
            bounds->most[nodes[i]] = in_ticks(condensed, sums[place - 1]);
    }
    free(sums);
    free(list);
    free(places);
}

static double *unknown_times(size_t count)
{
    double *times = mem_uninitialised(count + 1, sizeof *times);
    for (size_t i = 0; i < count; i++)
        times[i] = NAN;
    return times;
}

/* ---- Filters ---- */

static bool has_callees(const struct arc_table *arcs, uint32_t symbol)
{
    for (uint32_t i = arcs->callee_start[symbol]; i < arcs->callee_start[symbol + 1]; i++)
        if (arcs->arcs[i].count > 0)
            return true;
    return false;
}

/* Whether filters keep time out of the graph.  The functions of the profiler (mcount) are always
   excluded, but have no time and no callees.  */
static bool is_time_filtered(const struct profile *profile)
{
    const struct sym_set *exclude = &profile->filters.time.exclude;
    if (profile->filters.time.include.is_given)
        return true;
    for (uint32_t s = 0; s < profile->symtab.count && exclude->is_given; s++)
        if (is_in(exclude, s) &&
            (profile->graph.nodes[s].time > 0 || has_callees(&profile->arcs, s)))
            return true;
    return false;
}

/* ---- The interface ---- */

void bounds_compute(struct profile *profile, const uint32_t *nodes, size_t count)
{
    struct bounds *bounds = &profile->bounds;
    bool is_first = bounds->least == NULL;
    if (is_first) {
        bounds->least = unknown_times(profile->graph.count);
        bounds->most = unknown_times(profile->graph.count);
        bounds->is_known = !is_time_filtered(profile);
    }
    if (!bounds->is_known || profile->graph.symbol_count == 0)
        return;
    struct condensed condensed;
    condense(&condensed, profile);
    if (is_first)
        compute_least(bounds, &condensed, profile->graph.count);
    compute_most(bounds, &condensed, nodes, count);
    condensed_free(&condensed);
}

void bounds_free(struct bounds *bounds)
{
    free(bounds->least);
    free(bounds->most);
    *bounds = (struct bounds){0};
}
