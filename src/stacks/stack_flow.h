/* stack_flow.h - which time flows along which call, also inside of cycles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_STACK_FLOW_H
#define REGPROF_STACKS_STACK_FLOW_H

#include <stdbool.h>

#include "base/memory.h"
#include "model/snapshot.h"

/* ---- Flow ---- */

/* Nodes are functions and, with the ids after them, cycles.  Time flows from callees to callers
   along arcs between different nodes, in proportion to calls.  */

struct stack_flow {
    size_t function_count, node_count;
    uint32_t *cycle; /* by function: the number of its cycle; 0 = none */
    double *own;     /* by function: samples, without those that filters leave out */
    /* Arcs of function f: from start[f] up to, not including, start[f + 1].  Those to f itself and
       those that never carry time are not among them.  */
    uint32_t *start;
    uint32_t *to; /* the callee */
    /* Between nodes: samples of the callee's node that flow along the arc.  Inside of a cycle: the
       weight of the arc, its number of calls.  */
    double *value;
    double *total;     /* by node: own samples and those that flow to it */
    double *entering;  /* by node: the sum of weights of the arcs to it */
    uint32_t *members; /* functions, cycle after cycle, ascending */
    size_t member_count;
    uint32_t *first;       /* by cycle number: its first member; one more at the end */
    uint32_t *place;       /* by function: its index in `members', if it is there */
    double *member_totals; /* parallel to `members': own samples and those from outside the cycle */
};

/* Own samples of the function ID, or parts of samples, that filters do not leave out; 0 if they are
   not known.  */
static inline double flow_own(const struct snapshot *snapshot, size_t id)
{
    const struct snapshot_function *function = &snapshot->functions[id];
    bool has_own = function->samples > 0 && function->left_out < 1; /* NaN compares false */
    return has_own
               ? function->samples * (1 - function->left_out) * parts_of_sample(snapshot->fineness)
               : 0;
}

static inline uint32_t flow_node(const struct stack_flow *flow, uint32_t function)
{
    uint32_t cycle = flow->cycle[function];
    return cycle != 0 ? (uint32_t)(flow->function_count + cycle - 1) : function;
}

static inline uint32_t flow_cycle_size(const struct stack_flow *flow, uint32_t cycle)
{
    return flow->first[cycle + 1] - flow->first[cycle];
}

/* Whether an arc, by index, from the function FROM stays inside of a cycle.  */
static inline bool flow_is_inside(const struct stack_flow *flow, uint32_t from, uint32_t arc)
{
    return flow->cycle[from] != 0 && flow->cycle[from] == flow->cycle[flow->to[arc]];
}

void stack_flow_compute(struct stack_flow *flow, const struct snapshot *snapshot);
void stack_flow_free(struct stack_flow *flow);

/* ---- Routes ---- */

/* Inside of a cycle, numbers of calls do not show in which order its members called each other.  A
   route assumes an order for a cycle that is entered at a certain member: members have ranks by
   their distance from this entry, and only calls from lower to higher ranks carry time, so that no
   member is twice on a stack.  */

#define NO_ROUTE UINT32_MAX

struct stack_routes {
    const struct stack_flow *flow;
    struct stack_route *routes;
    size_t count, capacity;
    uint32_t *from; /* by entry, as an index into the flow's members: its route, or NO_ROUTE */
    uint64_t steps, visits; /* of arcs so far: `steps' to make routes, `visits' along them */
    uint64_t most_steps;    /* limit of `steps', and of `visits' */
    struct arena arena;
};

void stack_routes_begin(struct stack_routes *routes, const struct stack_flow *flow);
void stack_routes_free(struct stack_routes *routes);

/* The route through the cycle that is entered at ENTRY; NO_ROUTE if that would take too long.  */
uint32_t stack_routes_find(struct stack_routes *routes, uint32_t entry);

/* Samples of a member on a route: its own, and those that flow to it from callees outside the cycle
   and of higher ranks.  The entry has all samples of the cycle, except for those of members that
   are not reached.  */
double stack_route_total(const struct stack_routes *routes, uint32_t route, uint32_t member);

/* Samples of the callee of ARC, which is one of the member FROM's, that flow along it; 0 if the
   callee has a lower rank or is in no or another cycle.  */
double stack_route_flow(const struct stack_routes *routes, uint32_t route, uint32_t from,
                        uint32_t arc);

/* Whether the arcs of MEMBER may still be visited; counts the visit.  */
bool stack_routes_may_visit(struct stack_routes *routes, uint32_t member);

/* The member of a cycle where it is entered if nobody calls it from outside: the one that the
   others call least.  */
uint32_t stack_routes_entry(const struct stack_flow *flow, uint32_t cycle);

#endif
