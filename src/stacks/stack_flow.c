/* stack_flow.c - which time flows along which call.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/stack_flow.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "model/model.h"

/* ---- Functions ---- */

/* Reads own samples into FLOW and the parts that the filters keep into PART, both by function.  */
static void read_functions(struct stack_flow *flow, const struct snapshot *snapshot, double *part)
{
    for (size_t f = 0; f < flow->function_count; f++) {
        const struct snapshot_function *function = &snapshot->functions[f];
        part[f] = function->left_out < 1 ? 1 - function->left_out : 0;
        flow->cycle[f] = function->cycle;
        flow->own[f] = flow_own(snapshot, f);
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
}

/* ---- Arcs ---- */

/* The weight of the arc ID among the arcs to its callee.  Calls inside of a cycle have none.  */
static double weight_of(const struct stack_flow *flow, const struct snapshot *snapshot, size_t id,
                        const double *part)
{
    const struct arc *arc = &snapshot->arcs[id];
    if (flow_node(flow, arc->caller) == flow_node(flow, arc->callee) || part[arc->callee] <= 0)
        return 0;
    return snapshot_arc_weight(snapshot, id, part[arc->caller]);
}

/* Reads the arcs with weights, those from one function to one node as one.  */
static void read_arcs(struct stack_flow *flow, const struct snapshot *snapshot, const double *part)
{
    uint32_t *callers = mem_uninitialised(snapshot->arc_count, sizeof *callers);
    uint32_t *known =
        mem_array(flow->node_count, sizeof *known); /* the last arc to a node, plus 1 */
    uint32_t next = 0, count = 0;
    for (size_t i = 0; i < snapshot->arc_count; i++)
        callers[i] = weight_of(flow, snapshot, i, part) > 0 ? snapshot->arcs[i].caller : NO_ID;
    struct id_lists arcs = id_lists_make(callers, NULL, snapshot->arc_count, flow->function_count);
    for (size_t f = 0; f < flow->function_count; f++) {
        uint32_t start = count;
        for (; next < arcs.start[f + 1]; next++) {
            uint32_t node = flow_node(flow, snapshot->arcs[arcs.ids[next]].callee);
            double weight = weight_of(flow, snapshot, arcs.ids[next], part);
            if (known[node] <= start) {
                flow->to[count] = node;
                flow->value[count] = 0;
                known[node] = ++count;
            }
            flow->value[known[node] - 1] += weight;
        }
        flow->start[f] = start;
    }
    flow->start[flow->function_count] = count;
    id_lists_free(&arcs);
    free(known);
    free(callers);
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
            visit(flow, functions[i], a, context);
}

/* Nodes in an order in which callers come before callees.  */
struct node_order {
    uint32_t *nodes;
    uint32_t *pending; /* by node: arcs from nodes that are not in the order yet */
    bool *is_listed;   /* by node: it is in the order */
    size_t count;
    uint32_t *called; /* nodes that are called by one that is, in this order; some several times */
    size_t called_count;
};

static void list_node(struct node_order *order, uint32_t node)
{
    order->is_listed[node] = true;
    order->nodes[order->count++] = node;
}

static void count_pending(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    struct node_order *order = context;
    (void)from;
    order->pending[flow->to[arc]]++;
}

/* Lets the callee of ARC follow if all its callers are listed.  If it is, too, the arc closes a
   cycle that the snapshot does not list: no time flows along it.  */
static void release(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    struct node_order *order = context;
    uint32_t callee = flow->to[arc];
    (void)from;
    if (order->is_listed[callee]) {
        flow->value[arc] = 0;
        return;
    }
    order->called[order->called_count++] = callee;
    if (--order->pending[callee] == 0)
        list_node(order, callee);
}

/* Orders the nodes.  Where all that are left have callers among themselves, they are cycles that
   the snapshot does not list: begins with what was called first, or else with the first.  */
static void order_nodes(struct stack_flow *flow, struct node_order *order)
{
    size_t called = 0;
    uint32_t next = 0;
    for (uint32_t node = 0; node < flow->node_count; node++)
        each_arc(flow, node, count_pending, order);
    for (uint32_t node = 0; node < flow->node_count; node++)
        if (order->pending[node] == 0)
            list_node(order, node);
    for (size_t i = 0; i < flow->node_count; i++) {
        while (i == order->count && called < order->called_count) {
            uint32_t node = order->called[called++];
            if (!order->is_listed[node])
                list_node(order, node);
        }
        while (i == order->count) {
            if (!order->is_listed[next])
                list_node(order, next);
            next++;
        }
        each_arc(flow, order->nodes[i], release, order);
    }
}

/* ---- Flow ---- */

static void add_weight(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    (void)from;
    (void)context;
    flow->entering[flow->to[arc]] += flow->value[arc];
}

/* Turns the weight of ARC into the samples that flow along it.  */
static void add_flow(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    uint32_t callee = flow->to[arc];
    (void)context;
    if (flow->value[arc] > 0)
        flow->value[arc] *= flow->total[callee] / flow->entering[callee];
    flow->total[flow_node(flow, from)] += flow->value[arc];
    flow->outer[from] += flow->value[arc];
}

static void compute_totals(struct stack_flow *flow)
{
    struct node_order order = {
        .nodes = mem_uninitialised(flow->node_count, sizeof *order.nodes),
        .pending = mem_array(flow->node_count, sizeof *order.pending),
        .is_listed = mem_array(flow->node_count, sizeof *order.is_listed),
        .called = mem_uninitialised(flow->start[flow->function_count], sizeof *order.called)};
    order_nodes(flow, &order);
    for (uint32_t f = 0; f < flow->function_count; f++) {
        flow->total[flow_node(flow, f)] += flow->own[f];
        flow->outer[f] = flow->own[f];
    }
    for (size_t i = 0; i < order.count; i++)
        each_arc(flow, order.nodes[i], add_weight, NULL);
    for (size_t i = order.count; i-- > 0;)
        each_arc(flow, order.nodes[i], add_flow, NULL);
    free(order.nodes);
    free(order.pending);
    free(order.is_listed);
    free(order.called);
}

void stack_flow_compute(struct stack_flow *flow, const struct snapshot *snapshot)
{
    size_t functions = snapshot->function_count, nodes = functions + snapshot->cycle_count;
    *flow = (struct stack_flow){
        .function_count = functions,
        .node_count = nodes,
        .cycle = mem_uninitialised(functions, sizeof *flow->cycle),
        .own = mem_uninitialised(functions, sizeof *flow->own),
        .start = mem_uninitialised(functions + 1, sizeof *flow->start),
        .to = mem_uninitialised(snapshot->arc_count, sizeof *flow->to),
        .value = mem_uninitialised(snapshot->arc_count, sizeof *flow->value),
        .total = mem_array(nodes, sizeof *flow->total),
        .entering = mem_array(nodes, sizeof *flow->entering),
        .outer = mem_uninitialised(functions, sizeof *flow->outer),
    };
    double *part = mem_uninitialised(functions, sizeof *part);
    read_functions(flow, snapshot, part);
    list_members(flow, snapshot->cycle_count);
    read_arcs(flow, snapshot, part);
    free(part);
    compute_totals(flow);
    for (size_t c = 1; c <= snapshot->cycle_count; c++)
        sort_ids(flow->members + flow->first[c], flow_cycle_size(flow, (uint32_t)c),
                 compare_doubles, flow->outer);
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
    free(flow->outer);
    free(flow->members);
    free(flow->first);
    *flow = (struct stack_flow){0};
}
