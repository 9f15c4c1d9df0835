/* stack_flow.c - time along calls, callees before callers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/stack_flow.h"

#include <stdlib.h>

#include "base/id_lists.h"
#include "base/memory.h"
#include "model/model.h"

/* ---- Functions ---- */

/* Reads own samples into FLOW and the parts that the filters keep into PART, both by function.  */
static void read_functions(struct stack_flow *flow, const struct snapshot *snapshot, double *part)
{
    struct snapshot_function function;
    for (size_t f = 0; f < flow->function_count; f++) {
        snapshot->function(snapshot, f, &function);
        part[f] = function.left_out < 1 ? 1 - function.left_out : 0;
        flow->cycle[f] = function.cycle;
        flow->own[f] = flow_own(&function);
    }
}

static void list_members(struct stack_flow *flow, size_t cycle_count)
{
    uint32_t *keys = mem_uninitialised(flow->function_count, sizeof *keys);
    for (size_t f = 0; f < flow->function_count; f++)
        keys[f] = flow->cycle[f] != 0 ? flow->cycle[f] : NO_ID;
    struct id_lists members = id_lists_make(keys, NULL, flow->function_count, cycle_count + 1);
    free(keys);
    flow->first = members.start;
    flow->members = members.ids;
    flow->member_count = members.start[cycle_count + 1];
    for (uint32_t m = 0; m < flow->member_count; m++)
        flow->place[flow->members[m]] = m;
}

/* ---- Arcs ---- */

/* What ARC weighs among those to its callee: its calls, as far as filters keep its caller.  */
static double weight_of(const struct snapshot_arc *arc, const double *part)
{
    return arc->from == arc->to || part[arc->to] <= 0 ? 0 : (double)arc->calls * part[arc->from];
}

static void read_arcs(struct stack_flow *flow, const struct snapshot *snapshot, const double *part)
{
    uint32_t *callers = mem_uninitialised(snapshot->arc_count, sizeof *callers);
    struct snapshot_arc arc;
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        snapshot->arc(snapshot, i, &arc);
        callers[i] = weight_of(&arc, part) > 0 ? arc.from : NO_ID;
    }
    struct id_lists arcs = id_lists_make(callers, NULL, snapshot->arc_count, flow->function_count);
    free(callers);
    flow->start = arcs.start;
    flow->to = arcs.ids;
    for (uint32_t a = 0; a < arcs.start[flow->function_count]; a++) {
        snapshot->arc(snapshot, arcs.ids[a], &arc);
        flow->value[a] = weight_of(&arc, part);
        flow->to[a] = arc.to;
    }
}

/* ---- Order ---- */

/* The functions of NODE: those of a cycle; the node itself; or none if that is in a cycle.  */
static const uint32_t *functions_of(const struct stack_flow *flow, const uint32_t *node,
                                    size_t *count)
{
    if (*node < flow->function_count) {
        *count = flow->cycle[*node] == 0;
        return node;
    }
    uint32_t cycle = (uint32_t)(*node - flow->function_count + 1);
    *count = flow_cycle_size(flow, cycle);
    return flow->members + flow->first[cycle];
}

/* Calls VISIT with each arc from NODE to another node.  */
static void each_arc(struct stack_flow *flow, uint32_t node,
                     void (*visit)(struct stack_flow *flow, uint32_t from, uint32_t arc,
                                   void *context),
                     void *context)
{
    size_t count;
    const uint32_t *functions = functions_of(flow, &node, &count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t a = flow->start[functions[i]]; a < flow->start[functions[i] + 1]; a++)
            if (!flow_is_inside(flow, functions[i], a))
                visit(flow, functions[i], a, context);
}

/* Nodes in an order in which callers come before callees.  */
struct node_order {
    uint32_t *nodes;
    uint32_t *pending; /* by node: arcs from nodes that are not in the order yet */
    size_t count;
};

static void count_pending(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    struct node_order *order = context;
    (void)from;
    order->pending[flow_node(flow, flow->to[arc])]++;
}

static void release(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    struct node_order *order = context;
    uint32_t callee = flow_node(flow, flow->to[arc]);
    (void)from;
    if (--order->pending[callee] == 0)
        order->nodes[order->count++] = callee;
}

/* Orders the nodes.  What is not reached belongs to cycles that the snapshot does not list: it is
   not in the order.  */
static void order_nodes(struct stack_flow *flow, struct node_order *order)
{
    for (uint32_t node = 0; node < flow->node_count; node++)
        each_arc(flow, node, count_pending, order);
    for (uint32_t node = 0; node < flow->node_count; node++)
        if (order->pending[node] == 0)
            order->nodes[order->count++] = node;
    for (size_t i = 0; i < order->count; i++)
        each_arc(flow, order->nodes[i], release, order);
}

/* ---- Flow ---- */

static void add_weight(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    (void)from;
    (void)context;
    flow->entering[flow_node(flow, flow->to[arc])] += flow->value[arc];
}

/* Turns the weight of ARC into the samples that flow along it.  */
static void add_flow(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    uint32_t callee = flow_node(flow, flow->to[arc]);
    (void)context;
    flow->value[arc] *= flow->total[callee] / flow->entering[callee];
    flow->total[flow_node(flow, from)] += flow->value[arc];
    if (flow->cycle[from] != 0)
        flow->member_totals[flow->place[from]] += flow->value[arc];
}

static void stop_flow(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    (void)from;
    (void)context;
    flow->value[arc] = 0;
}

static void compute_totals(struct stack_flow *flow)
{
    struct node_order order = {mem_uninitialised(flow->node_count, sizeof *order.nodes),
                               mem_array(flow->node_count, sizeof *order.pending), 0};
    order_nodes(flow, &order);
    for (uint32_t f = 0; f < flow->function_count; f++) {
        flow->total[flow_node(flow, f)] += flow->own[f];
        if (flow->cycle[f] != 0)
            flow->member_totals[flow->place[f]] = flow->own[f];
    }
    for (uint32_t node = 0; node < flow->node_count; node++)
        if (order.pending[node] > 0)
            each_arc(flow, node, stop_flow, NULL);
    for (size_t i = 0; i < order.count; i++)
        each_arc(flow, order.nodes[i], add_weight, NULL);
    for (size_t i = order.count; i-- > 0;)
        each_arc(flow, order.nodes[i], add_flow, NULL);
    free(order.nodes);
    free(order.pending);
}

void stack_flow_compute(struct stack_flow *flow, const struct snapshot *snapshot)
{
    size_t functions = snapshot->function_count, nodes = functions + snapshot->cycle_count;
    *flow = (struct stack_flow){
        .function_count = functions,
        .node_count = nodes,
        .cycle = mem_uninitialised(functions, sizeof *flow->cycle),
        .own = mem_uninitialised(functions, sizeof *flow->own),
        .value = mem_uninitialised(snapshot->arc_count, sizeof *flow->value),
        .total = mem_array(nodes, sizeof *flow->total),
        .entering = mem_array(nodes, sizeof *flow->entering),
        .place = mem_uninitialised(functions, sizeof *flow->place),
        .member_totals = mem_array(functions, sizeof *flow->member_totals),
    };
    double *part = mem_uninitialised(functions, sizeof *part);
    read_functions(flow, snapshot, part);
    list_members(flow, snapshot->cycle_count);
    read_arcs(flow, snapshot, part);
    free(part);
    compute_totals(flow);
}

void stack_flow_free(struct stack_flow *flow)
{
    free(flow->cycle);
    free(flow->own);
    free(flow->start);
    free(flow->to);
    free(flow->value);
    free(flow->total);
    free(flow->entering);
    free(flow->members);
    free(flow->first);
    free(flow->place);
    free(flow->member_totals);
    *flow = (struct stack_flow){0};
}
