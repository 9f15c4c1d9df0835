/* stack_flow.h - which time flows along which call, for stack_tree.c.

   Nodes are functions and, with the ids after them, cycles.  Time flows from callees to callers
   along arcs between different nodes, in proportion to calls.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_STACK_FLOW_H
#define REGPROF_STACKS_STACK_FLOW_H

#include <stdbool.h>

#include "model/snapshot.h"

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

/* Own samples of FUNCTION that filters do not leave out; 0 if they are not known.  */
static inline double flow_own(const struct snapshot_function *function)
{
    bool has_own = function->samples > 0 && function->left_out < 1; /* NaN compares false */
    return has_own ? function->samples * (1 - function->left_out) : 0;
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

#endif
