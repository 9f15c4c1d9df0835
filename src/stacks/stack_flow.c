/* stack_flow.c - which time flows along which call, also inside of cycles.  */
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
    flow->member_count = members.start[cycle_count + 1];
    for (uint32_t m = 0; m < flow->member_count; m++)
        flow->place[flow->members[m]] = m;
}

/* ---- Arcs ---- */

/* The weight of the arc ID among the arcs to its callee: its time, where that is known, else its
   calls times the part of its caller that the filters keep.  */
static double weight_of(const struct snapshot *snapshot, size_t id, const double *part)
{
    const struct arc *arc = &snapshot->arcs[id];
    if (arc->caller == arc->callee || part[arc->callee] <= 0)
        return 0;
    return snapshot->origin == ORIGIN_MEASURED ? line_total(&snapshot->arc_times[id])
                                               : (double)arc->count * part[arc->caller];
}

static void read_arcs(struct stack_flow *flow, const struct snapshot *snapshot, const double *part)
{
    uint32_t *callers = mem_uninitialised(snapshot->arc_count, sizeof *callers);
    for (size_t i = 0; i < snapshot->arc_count; i++)
        callers[i] = weight_of(snapshot, i, part) > 0 ? snapshot->arcs[i].caller : NO_ID;
    struct id_lists arcs = id_lists_make(callers, NULL, snapshot->arc_count, flow->function_count);
    free(callers);
    flow->start = arcs.start;
    flow->to = arcs.ids;
    for (uint32_t a = 0; a < arcs.start[flow->function_count]; a++) {
        flow->value[a] = weight_of(snapshot, arcs.ids[a], part);
        flow->to[a] = snapshot->arcs[arcs.ids[a]].callee;
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
    order->pending[flow_node(flow, flow->to[arc])]++;
}

/* Lets the callee of ARC follow if all its callers are listed.  If it is, too, the arc closes a
   cycle that the snapshot does not list: no time flows along it.  */
static void release(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    struct node_order *order = context;
    uint32_t callee = flow_node(flow, flow->to[arc]);
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
    flow->entering[flow_node(flow, flow->to[arc])] += flow->value[arc];
}

/* Turns the weight of ARC into the samples that flow along it.  */
static void add_flow(struct stack_flow *flow, uint32_t from, uint32_t arc, void *context)
{
    uint32_t callee = flow_node(flow, flow->to[arc]);
    (void)context;
    if (flow->value[arc] > 0)
        flow->value[arc] *= flow->total[callee] / flow->entering[callee];
    flow->total[flow_node(flow, from)] += flow->value[arc];
    if (flow->cycle[from] != 0)
        flow->member_totals[flow->place[from]] += flow->value[arc];
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
        if (flow->cycle[f] != 0)
            flow->member_totals[flow->place[f]] = flow->own[f];
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

/* ---- Routes ---- */

/* Limits on visits of arcs, which bound the time for large cycles: STEPS_OF_EACH for each function
   and arc, and FREE_STEPS, which take little time.  A member of a route counts as MEMBER_STEPS
   visits because of its memory.  */
enum { STEPS_OF_EACH = 4, FREE_STEPS = 1 << 22, MEMBER_STEPS = 16 };

/* The members of a cycle on a route, by index in the cycle.  */
struct stack_route {
    uint32_t *rank;   /* UINT32_MAX: not reached */
    double *total;    /* see stack_route_total */
    double *entering; /* the sum of weights of the arcs from lower ranks */
};

void stack_routes_begin(struct stack_routes *routes, const struct stack_flow *flow)
{
    uint64_t size = (uint64_t)flow->function_count + flow->start[flow->function_count];
    *routes = (struct stack_routes){.flow = flow, .most_steps = FREE_STEPS + STEPS_OF_EACH * size};
    routes->from = mem_uninitialised(flow->member_count, sizeof *routes->from);
    for (size_t m = 0; m < flow->member_count; m++)
        routes->from[m] = NO_ROUTE;
}

void stack_routes_free(struct stack_routes *routes)
{
    free(routes->routes);
    free(routes->from);
    arena_free(&routes->arena);
    *routes = (struct stack_routes){0};
}

/* The index of a member in its cycle.  */
static uint32_t index_of(const struct stack_flow *flow, uint32_t member)
{
    return flow->place[member] - flow->first[flow->cycle[member]];
}

/* Whether an arc inside of a cycle carries time on ROUTE.  */
static bool is_forward(const struct stack_flow *flow, const struct stack_route *route,
                       uint32_t from, uint32_t arc)
{
    return flow_is_inside(flow, from, arc) &&
           route->rank[index_of(flow, from)] < route->rank[index_of(flow, flow->to[arc])];
}

/* Samples that flow along a forward arc.  */
static double forward_flow(const struct stack_flow *flow, const struct stack_route *route,
                           uint32_t arc)
{
    uint32_t callee = index_of(flow, flow->to[arc]);
    return route->total[callee] * (flow->value[arc] / route->entering[callee]);
}

/* Ranks the members of a cycle by their distance from ENTRY.  Returns those that are reached, in
   this order; free with free.  */
static uint32_t *rank_members(const struct stack_flow *flow, struct stack_route *route,
                              uint32_t entry, size_t *count)
{
    uint32_t size = flow_cycle_size(flow, flow->cycle[entry]);
    uint32_t *reached = mem_uninitialised(size, sizeof *reached);
    for (size_t m = 0; m < size; m++)
        route->rank[m] = UINT32_MAX;
    route->rank[index_of(flow, entry)] = 0;
    reached[0] = entry;
    *count = 1;
    for (size_t i = 0; i < *count; i++)
        for (uint32_t a = flow->start[reached[i]]; a < flow->start[reached[i] + 1]; a++) {
            if (!flow_is_inside(flow, reached[i], a))
                continue;
            uint32_t *rank = &route->rank[index_of(flow, flow->to[a])];
            if (*rank == UINT32_MAX) {
                *rank = (uint32_t)*count;
                reached[(*count)++] = flow->to[a];
            }
        }
    return reached;
}

/* Sets totals, callees before callers.  */
static void sum_up(const struct stack_flow *flow, struct stack_route *route,
                   const uint32_t *reached, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t a = flow->start[reached[i]]; a < flow->start[reached[i] + 1]; a++)
            if (is_forward(flow, route, reached[i], a))
                route->entering[index_of(flow, flow->to[a])] += flow->value[a];
    for (size_t i = count; i-- > 0;) {
        double total = flow->member_totals[flow->place[reached[i]]];
        for (uint32_t a = flow->start[reached[i]]; a < flow->start[reached[i] + 1]; a++)
            if (is_forward(flow, route, reached[i], a))
                total += forward_flow(flow, route, a);
        route->total[index_of(flow, reached[i])] = total;
    }
}

static double *zeros(struct arena *arena, size_t count)
{
    double *numbers = arena_alloc(arena, count * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = 0;
    return numbers;
}

/* Makes the route from ENTRY and counts the three visits of each arc.  */
static void add_route(struct stack_routes *routes, uint32_t entry)
{
    const struct stack_flow *flow = routes->flow;
    uint32_t size = flow_cycle_size(flow, flow->cycle[entry]);
    struct stack_route route = {arena_alloc(&routes->arena, size * sizeof *route.rank),
                                zeros(&routes->arena, size), zeros(&routes->arena, size)};
    size_t count;
    uint32_t *reached = rank_members(flow, &route, entry, &count);
    sum_up(flow, &route, reached, count);
    for (size_t i = 0; i < count; i++)
        routes->steps += 3 * (flow->start[reached[i] + 1] - flow->start[reached[i]]);
    routes->steps += (uint64_t)size * MEMBER_STEPS;
    free(reached);
    routes->routes =
        mem_grow(routes->routes, &routes->capacity, routes->count + 1, sizeof *routes->routes);
    routes->routes[routes->count++] = route;
}

uint32_t stack_routes_find(struct stack_routes *routes, uint32_t entry)
{
    uint32_t *from = &routes->from[routes->flow->place[entry]];
    if (*from == NO_ROUTE && routes->steps < routes->most_steps) {
        add_route(routes, entry);
        *from = (uint32_t)routes->count - 1;
    }
    return *from;
}

double stack_route_total(const struct stack_routes *routes, uint32_t route, uint32_t member)
{
    return routes->routes[route].total[index_of(routes->flow, member)];
}

double stack_route_flow(const struct stack_routes *routes, uint32_t route, uint32_t from,
                        uint32_t arc)
{
    const struct stack_route *found = &routes->routes[route];
    return is_forward(routes->flow, found, from, arc) ? forward_flow(routes->flow, found, arc) : 0;
}

bool stack_routes_may_visit(struct stack_routes *routes, uint32_t member)
{
    routes->visits += routes->flow->start[member + 1] - routes->flow->start[member];
    return routes->visits < routes->most_steps;
}

uint32_t stack_routes_entry(const struct stack_flow *flow, uint32_t cycle)
{
    const uint32_t *members = flow->members + flow->first[cycle];
    uint32_t size = flow_cycle_size(flow, cycle), entry = 0;
    double *calls = mem_array(size, sizeof *calls);
    for (uint32_t m = 0; m < size; m++)
        for (uint32_t a = flow->start[members[m]]; a < flow->start[members[m] + 1]; a++)
            if (flow_is_inside(flow, members[m], a))
                calls[index_of(flow, flow->to[a])] += flow->value[a];
    for (uint32_t m = 1; m < size; m++)
        if (calls[m] < calls[entry])
            entry = m;
    free(calls);
    return members[entry];
}
