/* stack_flow.h - which time flows along which call.  */
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
    size_t function_count, cycle_count, node_count;
    uint32_t *cycle; /* by function: the number of its cycle; 0 = none */
    double *own;     /* by function: samples, without those that filters leave out */
    /* Arcs of function f to other nodes, one to each: from start[f] up to, not including,
       start[f + 1].  Arcs that never carry time are not among them.  */
    uint32_t *start;
    uint32_t *to;      /* the callee: a node */
    double *value;     /* samples of the callee that flow along the arc */
    double *total;     /* by node: own samples and those that flow to it */
    double *entering;  /* by node: the sum of weights of the arcs to it */
    double *outer;     /* by function: own samples and those from outside its cycle */
    uint32_t *members; /* functions, cycle after cycle, by `outer', the largest first */
    uint32_t *first;   /* by cycle number: its first member; one more at the end */
};

/* Own samples of the function ID that filters do not leave out; 0 if they are not known.  */
static inline double flow_own(const struct snapshot *snapshot, size_t id)
{
    const struct snapshot_function *function = &snapshot->functions[id];
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

void stack_flow_compute(struct stack_flow *flow, const struct snapshot *snapshot);
void stack_flow_free(struct stack_flow *flow);

#endif
