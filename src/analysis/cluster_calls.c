/* cluster_calls.c - orders functions by call-chain clustering.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/cluster_calls.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"

/* A function, and the cluster that it is the first of.  */
struct member {
    struct cluster_function sum; /* of the cluster */
    uint32_t caller;             /* that calls it most; NO_ID: no one */
    uint64_t weight;             /* of these calls */
    uint32_t before;     /* a function nearer to the first of its cluster; itself: it is that */
    uint32_t next, last; /* behind it, and in the cluster; NO_ID: no one */
};

static void find_callers(struct member *members, const struct placed_arc *arcs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct placed_arc *arc = &arcs[i];
        struct member *callee = &members[arc->callee];
        if (members[arc->caller].sum.part != callee->sum.part)
            continue;
        if (arc->weight > callee->weight ||
            (arc->weight == callee->weight && arc->caller < callee->caller)) {
            callee->caller = arc->caller;
            callee->weight = arc->weight;
        }
    }
}

/* The first function of the cluster that has FUNCTION.  Shortens the way to it.  */
static uint32_t first_of(struct member *members, uint32_t function)
{
    while (members[function].before != function) {
        members[function].before = members[members[function].before].before;
        function = members[function].before;
    }
    return function;
}

/* Places the cluster that begins with FUNCTION behind that of its caller.  */
static void join(struct member *members, uint32_t function)
{
    struct member *callee = &members[function];
    uint32_t first = callee->caller != NO_ID ? first_of(members, callee->caller) : function;
    struct member *cluster = &members[first];
    uint64_t size = sum_u64(cluster->sum.size, callee->sum.size);
    if (first == function || size > CLUSTER_PAGE)
        return;
    cluster->sum.size = size;
    cluster->sum.samples += callee->sum.samples;
    cluster->sum.calls = sum_u64(cluster->sum.calls, callee->sum.calls);
    members[cluster->last].next = function;
    cluster->last = callee->last;
    callee->before = first;
}

static int compare_heat(const void *context, uint32_t a, uint32_t b)
{
    const struct cluster_function *functions = context;
    int order = compare_descending(functions[a].samples, functions[b].samples);
    return order != 0 ? order : compare_descending_u64(functions[a].calls, functions[b].calls);
}

static int compare_clusters(const void *context, uint32_t a, uint32_t b)
{
    const struct member *members = context;
    const struct cluster_function *x = &members[a].sum, *y = &members[b].sum;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    int order = compare_descending(x->samples / (double)x->size, y->samples / (double)y->size);
    return order != 0 ? order
                      : compare_descending((double)x->calls / (double)x->size,
                                           (double)y->calls / (double)y->size);
}

/* A function is the first of its cluster until it is joined to another: so all are joined in one
   pass.  */
uint32_t *cluster_calls(const struct cluster_function *functions, size_t count,
                        const struct placed_arc *arcs, size_t arc_count)
{
    struct member *members = mem_uninitialised(count, sizeof *members);
    uint32_t *ids = identity_ids(count), *order = mem_uninitialised(count, sizeof *order);
    size_t clusters = 0, placed = 0;
    for (uint32_t f = 0; f < count; f++)
        members[f] = (struct member){functions[f], NO_ID, 0, f, NO_ID, f};
    find_callers(members, arcs, arc_count);
    sort_ids(ids, count, compare_heat, functions);
    for (size_t i = 0; i < count; i++)
        join(members, ids[i]);
    for (uint32_t f = 0; f < count; f++)
        if (members[f].before == f)
            ids[clusters++] = f;
    sort_ids(ids, clusters, compare_clusters, members);
    for (size_t i = 0; i < clusters; i++)
        for (uint32_t f = ids[i]; f != NO_ID; f = members[f].next)
            order[placed++] = f;
    free(members);
    free(ids);
    return order;
}
