/* stack_routes.c - how time flows inside of cycles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/stack_routes.h"

#include <stdlib.h>

/* Visits of arcs, which bound the time for large cycles: some for each function and arc, and a
   number that takes no time to speak of.  A member of a route counts as some visits because of its
   memory.  */
enum { STEPS_OF_EACH = 4, FREE_STEPS = 1 << 22, MEMBER_STEPS = 16 };

/* By index in the cycle.  */
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
