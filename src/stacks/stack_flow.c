/* stack_flow.c - which time flows along which call.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/stack_flow.h"

#include <stdlib.h>

#include "analysis/cycles.h"
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

static void list_members(struct stack_flow *flow)
{
    uint32_t *keys = mem_uninitialised(flow->function_count, sizeof *keys);
    for (size_t f = 0; f < flow->function_count; f++)
        keys[f] = flow->cycle[f] != 0 ? flow->cycle[f] : NO_ID;
    struct id_lists members =
        id_lists_make(keys, NULL, flow->function_count, flow->cycle_count + 1);
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

/* Puts nodes that call each other into cycles, which the snapshot does not list if its times are
   measured.  PART is as for weight_of.  */
static void find_cycles(struct stack_flow *flow, const struct snapshot *snapshot,
                        const double *part)
{
    size_t nodes = flow->function_count + flow->cycle_count, arcs = snapshot->arc_count;
    uint32_t *callers = mem_uninitialised(arcs, sizeof *callers);
    uint32_t *callees = mem_uninitialised(arcs, sizeof *callees);
    for (size_t i = 0; i < arcs; i++) {
        bool has_weight = weight_of(flow, snapshot, i, part) > 0;
        callers[i] = has_weight ? flow_node(flow, snapshot->arcs[i].caller) : NO_ID;
        callees[i] = flow_node(flow, snapshot->arcs[i].callee);
    }
    struct id_lists lists = id_lists_make(callers, callees, arcs, nodes);
    uint32_t *numbers = cycles_number(nodes, lists.start, lists.ids);
    uint32_t *sizes = mem_array(nodes + 1, sizeof *sizes);
    uint32_t *cycles = mem_array(nodes + 1, sizeof *cycles);
    for (size_t node = 0; node < nodes; node++)
        sizes[numbers[node]] += node >= flow->function_count || flow->cycle[node] == 0;
    for (uint32_t f = 0; f < flow->function_count; f++) {
        uint32_t number = numbers[flow_node(flow, f)];
        if (sizes[number] < 2)
            continue;
        if (cycles[number] == 0)
            cycles[number] = (uint32_t)++flow->cycle_count;
        flow->cycle[f] = cycles[number];
    }
    id_lists_free(&lists);
    free(numbers);
    free(sizes);
    free(cycles);
    free(callers);
    free(callees);
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
    size_t count;
};

static void count_pending(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    struct node_order *order = context;
    (void)from;
    order->pending[flow->to[arc]]++;
}

/* Lets the callee of ARC follow if all its callers are listed.  */
static void release(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    struct node_order *order = context;
    (void)from;
    if (--order->pending[flow->to[arc]] == 0)
        order->nodes[order->count++] = flow->to[arc];
}

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
    struct node_order order = {.nodes = mem_uninitialised(flow->node_count, sizeof *order.nodes),
                               .pending = mem_array(flow->node_count, sizeof *order.pending)};
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
}

void stack_flow_compute(struct stack_flow *flow, const struct snapshot *snapshot)
{
    size_t functions = snapshot->function_count;
    *flow = (struct stack_flow){
        .function_count = functions,
        .cycle_count = snapshot->cycle_count,
        .cycle = mem_uninitialised(functions, sizeof *flow->cycle),
        .own = mem_uninitialised(functions, sizeof *flow->own),
        .start = mem_uninitialised(functions + 1, sizeof *flow->start),
        .to = mem_uninitialised(snapshot->arc_count, sizeof *flow->to),
        .value = mem_uninitialised(snapshot->arc_count, sizeof *flow->value),
        .outer = mem_uninitialised(functions, sizeof *flow->outer),
    };
    double *part = mem_uninitialised(functions, sizeof *part);
    read_functions(flow, snapshot, part);
    find_cycles(flow, snapshot, part);
    flow->node_count = functions + flow->cycle_count;
    flow->total = mem_array(flow->node_count, sizeof *flow->total);
    flow->entering = mem_array(flow->node_count, sizeof *flow->entering);
    list_members(flow);
    read_arcs(flow, snapshot, part);
    free(part);
    compute_totals(flow);
    for (uint32_t c = 1; c <= flow->cycle_count; c++)
        sort_ids(flow->members + flow->first[c], flow_cycle_size(flow, c), compare_doubles,
                 flow->outer);
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
