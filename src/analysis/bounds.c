/* bounds.c - sums up own times over what functions lead to, and over what only they lead to.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cycles.h"
#include "analysis/reach.h"
#include "base/memory.h"

/* The call graph as a flow graph, with the root, 0.  Cycles are one node each, and callers come
   before callees; or, if it has members, each function is a node.  */
struct calls {
    const struct graph *graph;
    struct graph with_cycles; /* `graph', if the profile's is measured and has none */
    bool has_members;
    struct flow_graph flow;
    uint64_t *weight; /* by node: own time, in units of 2^-shift samples */
    int shift;
};

/* ---- Nodes ---- */

/* The node of CALLS for a node of the call graph.  Cycles and the functions outside them are
   numbered together, callees first.  */
static uint32_t flow_id(const struct calls *calls, uint32_t node)
{
    const struct graph *graph = calls->graph;
    if (calls->has_members)
        return node + 1;
    if (is_cycle(graph, node))
        node = graph->members[graph->member_start[graph->cycle[node] - 1]];
    return (uint32_t)calls->flow.count - graph->number[node];
}

/* Own times in integers, so that sums do not depend on their order: `least' is never above `most',
   and equal where the same functions are summed.  All times together take 62 bits.  */
static void weigh(struct calls *calls, const struct node *nodes)
{
    size_t symbol_count = calls->graph->symbol_count;
    int exponent;
    double total = 0;
    for (size_t s = 0; s < symbol_count; s++)
        total += nodes[s].time;
    frexp(total, &exponent);
    calls->shift = 62 - exponent;
    calls->weight = mem_array(calls->flow.count, sizeof *calls->weight);
    for (uint32_t s = 0; s < symbol_count; s++)
        calls->weight[flow_id(calls, s)] += (uint64_t)(ldexp(nodes[s].time, calls->shift) + 0.5);
}

static double in_samples(const struct calls *calls, uint64_t weight)
{
    return ldexp((double)weight, -calls->shift);
}

/* ---- Edges ---- */

/* The functions that the root calls, by symbol; free with free.  They are those that are called
   from elsewhere, and, where nobody is known to call a function or a cycle, it and all members.  */
static bool *find_entries(const struct graph *graph, const struct arc_table *arcs)
{
    bool *is_entry = mem_array(graph->symbol_count, sizeof *is_entry);
    bool *is_called = mem_array(graph->count, sizeof *is_called); /* or has a member that is */
    for (size_t i = 0; i < arcs->count; i++) {
        uint32_t caller = node_of_symbol(graph, arcs->arcs[i].caller);
        uint32_t callee = node_of_symbol(graph, arcs->arcs[i].callee);
        is_called[callee] |= arcs->arcs[i].count > 0 && caller != callee;
    }
    for (uint32_t s = 0; s < graph->symbol_count; s++)
        is_called[node_of_symbol(graph, s)] |= arcs->has_other_callers[s];
    for (uint32_t s = 0; s < graph->symbol_count; s++)
        is_entry[s] = arcs->has_other_callers[s] || !is_called[node_of_symbol(graph, s)];
    free(is_called);
    return is_entry;
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

/* Arcs that were never called are no edges, unless they are in a cycle, which exists with them
   only; nor are calls within a node.  */
static void connect(struct calls *calls, const struct arc_table *arcs)
{
    size_t symbol_count = calls->graph->symbol_count, most = arcs->count + symbol_count;
    bool *is_entry = find_entries(calls->graph, arcs);
    struct edges edges = {mem_uninitialised(most, sizeof *edges.tails),
                          mem_uninitialised(most, sizeof *edges.heads), 0};
    for (size_t i = 0; i < arcs->count; i++) {
        uint32_t tail = flow_id(calls, arcs->arcs[i].caller);
        uint32_t head = flow_id(calls, arcs->arcs[i].callee);
        if ((arcs->arcs[i].count > 0 || is_internal_arc(calls->graph, (uint32_t)i)) && tail != head)
            add_edge(&edges, tail, head);
    }
    for (uint32_t s = 0; s < symbol_count; s++)
        if (is_entry[s])
            add_edge(&edges, 0, flow_id(calls, s));
    calls->flow.edges = id_lists_make(edges.tails, edges.heads, edges.count, calls->flow.count);
    free(edges.tails);
    free(edges.heads);
    free(is_entry);
}

/* Initialises CALLS, which stays where it is.  */
static void calls_build(struct calls *calls, const struct profile *profile, bool has_members)
{
    *calls = (struct calls){.graph = &profile->graph, .has_members = has_members};
    if (origin_traits(profile->times.origin)->dissolves) {
        cycles_find(&calls->with_cycles, &profile->symtab, &profile->arcs);
        calls->graph = &calls->with_cycles;
    }
    const struct graph *graph = calls->graph;
    size_t in_cycles = graph->member_start[graph->cycle_count];
    calls->flow.count = graph->symbol_count + 1;
    if (!has_members)
        calls->flow.count -= in_cycles - graph->cycle_count;
    connect(calls, &profile->arcs);
    weigh(calls, profile->graph.nodes);
}

static void calls_free(struct calls *calls)
{
    id_lists_free(&calls->flow.edges);
    free(calls->weight);
    graph_free(&calls->with_cycles);
}

/* ---- Bounds ---- */

/* Sets the least of the first NODE_COUNT nodes.  */
static void compute_least(struct bounds *bounds, const struct calls *calls, size_t node_count)
{
    struct dominators dominators = dominators_find(&calls->flow);
    uint64_t *sums = mem_uninitialised(calls->flow.count, sizeof *sums);
    memcpy(sums, calls->weight, calls->flow.count * sizeof *sums);
    for (size_t i = dominators.count; i-- > 1;)
        sums[dominators.of[dominators.order[i]]] += sums[dominators.order[i]];
    for (uint32_t node = 0; node < node_count; node++)
        bounds->least[node] = in_samples(calls, sums[flow_id(calls, node)]);
    free(sums);
    dominators_free(&dominators);
}

/* The nodes of CALLS for the COUNT NODES, each once, *LENGTH of them; free with free.  PLACES, by
   node of CALLS, gets where each is in the list, counted from 1.  */
static uint32_t *list_flow_nodes(const struct calls *calls, const uint32_t *nodes, size_t count,
                                 uint32_t *places, size_t *length)
{
    uint32_t *list = mem_array(count, sizeof *list);
    *length = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t id = flow_id(calls, nodes[i]);
        if (places[id] != 0)
            continue;
        list[(*length)++] = id;
        places[id] = (uint32_t)*length;
    }
    return list;
}

static void compute_most(struct bounds *bounds, const struct calls *calls, const uint32_t *nodes,
                         size_t count)
{
    const struct flow_graph *flow = &calls->flow;
    uint32_t *places = mem_array(flow->count, sizeof *places);
    size_t length;
    uint32_t *list = list_flow_nodes(calls, nodes, count, places, &length);
    uint64_t *sums = mem_array(length, sizeof *sums);
    size_t done = reach_sums(flow, calls->weight, list, length, BOUNDS_STEPS, sums);
    for (size_t i = 0; i < count; i++) {
        uint32_t place = places[flow_id(calls, nodes[i])];
        if (place <= done)
            bounds->most[nodes[i]] = in_samples(calls, sums[place - 1]);
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
    struct calls calls;
    calls_build(&calls, profile, false);
    if (is_first)
        compute_least(bounds, &calls, profile->graph.count);
    compute_most(bounds, &calls, nodes, count);
    bool has_cycles = calls.graph->cycle_count > 0;
    calls_free(&calls);
    if (!is_first || !has_cycles)
        return;
    calls_build(&calls, profile, true);
    compute_least(bounds, &calls, profile->graph.symbol_count);
    calls_free(&calls);
}

void bounds_free(struct bounds *bounds)
{
    free(bounds->least);
    free(bounds->most);
    *bounds = (struct bounds){0};
}
