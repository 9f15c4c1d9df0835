/* propagate.c - passes the time of callees on to their callers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/propagate.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"

struct flow {
    struct graph *graph;
    struct times *times;
    const struct arc_table *arcs;
    const double *time;
    const struct filters *filters;
    double *inherited; /* by node id: samples from its callees */
};

/* ---- Flags and fractions, callers first ---- */

/* Adds to the flag and the fraction of NODE those of the callers of SYMBOL, which is NODE itself or
   a member of it.  Returns whether SYMBOL has callers outside NODE.  */
static bool inherit(const struct flow *flow, struct node *node, uint32_t symbol)
{
    const struct arc_table *arcs = flow->arcs;
    bool has_callers = false;
    for (uint32_t i = arcs->callers.start[symbol]; i < arcs->callers.start[symbol + 1]; i++) {
        uint32_t id = arcs->callers.ids[i];
        if (is_internal_arc(flow->graph, id))
            continue;
        const struct arc *arc = &arcs->arcs[id];
        const struct node *caller = &flow->graph->nodes[arc->caller];
        has_callers = true;
        node->is_shown |= caller->is_shown;
        if (node->calls > 0)
            node->fraction += caller->fraction * ((double)arc->count / (double)node->calls);
    }
    return has_callers;
}

/* Lets the filters override the flag and the fraction that a symbol inherited.  */
static void apply_filters(const struct flow *flow, uint32_t symbol)
{
    struct node *node = &flow->graph->nodes[symbol];
    const struct filter *graph = &flow->filters->graph, *time = &flow->filters->time;
    if (!node->is_shown)
        node->is_shown = is_accepted(graph, symbol);
    else if (!is_in(&graph->include, symbol) && is_in(&graph->exclude, symbol))
        node->is_shown = false;
    if (node->fraction == 0.0) {
        if (is_accepted(time, symbol))
            node->fraction = 1.0;
    } else if (!is_in(&time->include, symbol) && is_in(&time->exclude, symbol)) {
        node->fraction = 0.0;
    }
    node->time = flow->time[symbol];
    flow->times->nodes[symbol].self = node->time * node->fraction;
}

static void inherit_cycle(const struct flow *flow, uint32_t cycle)
{
    struct graph *graph = flow->graph;
    uint32_t id = (uint32_t)(graph->symbol_count + cycle - 1);
    struct node *whole = &graph->nodes[id];
    uint32_t first = graph->member_start[cycle - 1], end = graph->member_start[cycle];
    bool has_callers = false;
    for (uint32_t m = first; m < end; m++)
        has_callers |=
            graph->is_entered[graph->members[m]] && inherit(flow, whole, graph->members[m]);
    for (uint32_t m = first; m < end; m++) {
        struct node *member = &graph->nodes[graph->members[m]];
        member->is_shown = whole->is_shown;
        member->fraction = whole->fraction;
        apply_filters(flow, graph->members[m]);
        if (member->fraction != 0.0)
            whole->time += member->time;
    }
    /* Callers that never called it inherit nothing, so the cycle keeps its time, like a function.
     */
    if (has_callers && whole->calls == 0)
        whole->fraction = 1.0;
    flow->times->nodes[id].self = whole->time * whole->fraction;
}

/* ---- Times, callees first ---- */

/* Whether time is passed along the arc ID, which is ARC, from the node SOURCE.  */
static bool passes_time(const struct graph *graph, uint32_t id, const struct arc *arc,
                        uint32_t source)
{
    return !is_internal_arc(graph, id) && arc->count != 0 &&
           graph->nodes[arc->callee].fraction != 0.0 && graph->nodes[source].calls > 0;
}

/* Adds the time of the callees of SYMBOL to its node and to its cycle.  */
static void collect(const struct flow *flow, uint32_t symbol)
{
    const struct arc_table *arcs = flow->arcs;
    const struct graph *graph = flow->graph;
    struct times *times = flow->times;
    uint32_t whole = node_of_symbol(graph, symbol);
    double fraction = graph->nodes[symbol].fraction;
    if (fraction == 0.0)
        return;
    for (uint32_t i = arcs->callee_start[symbol + 1]; i-- > arcs->callee_start[symbol];) {
        const struct arc *arc = &arcs->arcs[i]; /* the newest first */
        uint32_t source = node_of_symbol(graph, arc->callee);
        if (!passes_time(graph, i, arc, source))
            continue;
        double ratio = (double)arc->count / (double)graph->nodes[source].calls;
        double time = graph->nodes[source].time * ratio;
        double inherited = flow->inherited[source] * ratio, both = time + inherited;
        times->callees[i] = (struct line_times){time * fraction, inherited * fraction};
        flow->inherited[symbol] += both;
        times->nodes[symbol].children += both * fraction;
        if (whole != symbol) {
            flow->inherited[whole] += both;
            times->nodes[whole].children += both * fraction;
        }
    }
}

void propagate(struct times *times, struct graph *graph, const struct arc_table *arcs,
               const double *time, double rate, const struct filters *filters)
{
    struct flow flow = {.graph = graph,
                        .times = times,
                        .arcs = arcs,
                        .time = time,
                        .filters = filters,
                        .inherited = mem_array(graph->count, sizeof *flow.inherited)};
    /* Symbols by number, ascending; those of one number (a cycle) by address.  */
    struct id_lists order =
        id_lists_make(graph->number, NULL, graph->symbol_count, graph->symbol_count + 1);
    bool *is_done = mem_array(graph->cycle_count + 1, sizeof *is_done);
    *times = (struct times){.rate = rate,
                            .nodes = mem_array(graph->count, sizeof *times->nodes),
                            .inclusive = flow.inherited,
                            .callees = mem_array(arcs->count, sizeof *times->callees)};
    times->callers = times->callees;
    for (size_t i = graph->symbol_count; i-- > 0;) {
        uint32_t symbol = order.ids[i], cycle = graph->cycle[symbol];
        if (cycle == 0) {
            inherit(&flow, &graph->nodes[symbol], symbol);
            apply_filters(&flow, symbol);
        } else if (!is_done[cycle]) {
            inherit_cycle(&flow, cycle);
            is_done[cycle] = true;
        }
        times->total += times->nodes[symbol].self;
    }
    for (size_t i = 0; i < graph->symbol_count; i++)
        collect(&flow, order.ids[i]);
    for (size_t n = 0; n < graph->count; n++)
        times->inclusive[n] = graph->nodes[n].time + flow.inherited[n];
    free(is_done);
    id_lists_free(&order);
}
