/* propagate.c - passes the time of callees on to their callers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/propagate.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"

struct flow {
    struct graph *graph;
    struct arc_table *arcs;
    const double *time;
    const struct filters *filters;
};

static struct node *cycle_of(const struct graph *graph, uint32_t symbol)
{
    uint32_t cycle = graph->cycle[symbol];
    return cycle ? &graph->nodes[graph->symbol_count + cycle - 1] : NULL;
}

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
    node->self = node->time * node->fraction;
}

static void inherit_cycle(const struct flow *flow, uint32_t cycle)
{
    struct graph *graph = flow->graph;
    struct node *whole = &graph->nodes[graph->symbol_count + cycle - 1];
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
    whole->self = whole->time * whole->fraction;
}

/* ---- Times, callees first ---- */

/* Whether time is passed along the arc ID, which is ARC.  Sets *SOURCE to the node it comes from:
   the callee, or its cycle as a whole.  */
static bool passes_time(const struct graph *graph, uint32_t id, const struct arc *arc,
                        const struct node **source)
{
    const struct node *callee = &graph->nodes[arc->callee];
    if (is_internal_arc(graph, id) || arc->count == 0 || callee->fraction == 0.0)
        return false;
    const struct node *whole = cycle_of(graph, arc->callee);
    *source = whole != NULL ? whole : callee;
    return (*source)->calls > 0;
}

/* Adds the time of the callees of SYMBOL to its node and to its cycle.  */
static void collect(const struct flow *flow, uint32_t symbol)
{
    const struct arc_table *arcs = flow->arcs;
    struct node *node = &flow->graph->nodes[symbol];
    struct node *whole = cycle_of(flow->graph, symbol);
    if (node->fraction == 0.0)
        return;
    for (uint32_t i = arcs->callee_start[symbol + 1]; i-- > arcs->callee_start[symbol];) {
        const struct arc *arc = &arcs->arcs[i]; /* the newest first */
        const struct node *source;
        if (!passes_time(flow->graph, i, arc, &source))
            continue;
        double ratio = (double)arc->count / (double)source->calls;
        double time = source->time * ratio, inherited = source->inherited * ratio;
        double both = time + inherited, scaled = both * node->fraction;
        arcs->times[i] = (struct arc_times){time * node->fraction, inherited * node->fraction};
        node->inherited += both;
        node->child += scaled;
        if (whole != NULL) {
            whole->inherited += both;
            whole->child += scaled;
        }
    }
}

void propagate(struct graph *graph, struct arc_table *arcs, const double *time,
               const struct filters *filters)
{
    struct flow flow = {graph, arcs, time, filters};
    /* Symbols by number, ascending; those of one number (a cycle) by address.  */
    struct id_lists order =
        id_lists_make(graph->number, NULL, graph->symbol_count, graph->symbol_count + 1);
    bool *is_done = mem_array(graph->cycle_count + 1, sizeof *is_done);
    arcs->times = mem_array(arcs->count, sizeof *arcs->times);
    graph->total = 0;
    for (size_t i = graph->symbol_count; i-- > 0;) {
        uint32_t symbol = order.ids[i], cycle = graph->cycle[symbol];
        if (cycle == 0) {
            inherit(&flow, &graph->nodes[symbol], symbol);
            apply_filters(&flow, symbol);
        } else if (!is_done[cycle]) {
            inherit_cycle(&flow, cycle);
            is_done[cycle] = true;
        }
        graph->total += graph->nodes[symbol].self;
    }
    for (size_t i = 0; i < graph->symbol_count; i++)
        collect(&flow, order.ids[i]);
    free(is_done);
    id_lists_free(&order);
}
