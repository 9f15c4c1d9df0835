/* stack_routes.h - how time flows inside of cycles, for stack_tree.c.

   Inside of a cycle, calls say nothing about who called whom first.  A route is the answer for a
   cycle that was entered at a certain member: members have ranks by their distance from there, and
   only calls from lower to higher ranks carry time, so that no member is twice on a stack.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_STACK_ROUTES_H
#define REGPROF_STACKS_STACK_ROUTES_H

#include "base/memory.h"
#include "stacks/stack_flow.h"

#define NO_ROUTE UINT32_MAX

struct stack_routes {
    const struct stack_flow *flow;
    struct stack_route *routes;
    size_t count, capacity;
    uint32_t *from; /* by entry, as an index into the flow's members: its route, or NO_ROUTE */
    uint64_t steps, visits; /* of arcs so far: for routes, and along them */
    uint64_t most_steps;    /* of each kind */
    struct arena arena;
};

void stack_routes_begin(struct stack_routes *routes, const struct stack_flow *flow);
void stack_routes_free(struct stack_routes *routes);

/* The route through the cycle that is entered at ENTRY; NO_ROUTE if that would take too long.  */
uint32_t stack_routes_find(struct stack_routes *routes, uint32_t entry);

/* Samples that a member has on a route: its own, and those from outside the cycle and from higher
   ranks.  Those of the entry are all of the cycle, except for members that are not reached.  */
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
