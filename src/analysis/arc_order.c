/* arc_order.c - sorts the callers, callees and members that each entry of the call graph lists.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/arc_order.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- Weights: calls of a function to itself weigh least, then calls inside a cycle.  The weights
   of a list are copied before it is sorted, because its arcs are far apart in memory. ---- */

struct weight {
    double total; /* ticks */
    uint64_t count;
    uint32_t arc;
    uint8_t rank; /* a larger rank is heavier */
};

static struct weight weigh(const struct arc_table *arcs, const struct graph *graph, uint32_t id)
{
    const struct arc *arc = &arcs->arcs[id];
    if (is_internal_arc(graph, id))
        return (struct weight){.count = arc->count, .arc = id, .rank = arc->caller != arc->callee};
    const struct arc_times *times = &arcs->times[id];
    return (struct weight){times->time + times->inherited, arc->count, id, 2};
}

static int compare_callees(const void *context, uint32_t a, uint32_t b)
{
    const struct weight *left = (const struct weight *)context + a;
    const struct weight *right = (const struct weight *)context + b;
    if (left->rank != right->rank)
        return left->rank > right->rank ? -1 : 1;
    int order = compare_descending(left->total, right->total);
    return order != 0 ? order : compare_descending_u64(left->count, right->count);
}

static int compare_callers(const void *context, uint32_t a, uint32_t b)
{
    return -compare_callees(context, a, b);
}

/* ---- Lists ---- */

/* Memory for sorting one list, with the capacity of the longest.  */
struct list_scratch {
    struct weight *weights;
    uint32_t *order, *merge; /* indexes into `weights' */
};

/* Sorts N arc ids, whose weights are in SCRATCH.  */
static void sort_list(uint32_t *list, size_t n, compare_ids *compare,
                      const struct list_scratch *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch->order[i] = (uint32_t)i;
    sort_ids_in(scratch->order, n, scratch->merge, compare, scratch->weights);
    for (size_t i = 0; i < n; i++)
        list[i] = scratch->weights[scratch->order[i]].arc;
}

/* Prefetches what `weigh' reads of the arcs in IDS from *NEXT up to END, and of a few more.  */
static void prefetch_weights(const struct arc_table *arcs, const struct graph *graph,
                             const uint32_t *ids, size_t *next, size_t end)
{
    enum { FAR = 24 };
    for (; *next < end + FAR && *next < arcs->count; ++*next) {
        PREFETCH(&arcs->arcs[ids[*next]]);
        if (!is_internal_arc(graph, ids[*next]))
            PREFETCH(&arcs->times[ids[*next]]);
    }
}

/* Sorts each list in IDS, of which START has the bounds, by COMPARE, which compares weights.  */
static void sort_lists(uint32_t *ids, const uint32_t *start, compare_ids *compare,
                       const struct arc_table *arcs, const struct graph *graph)
{
    size_t longest = 0, next = 0;
    for (size_t r = 0; r < graph->symbol_count; r++)
        if (start[r + 1] - start[r] > longest)
            longest = start[r + 1] - start[r];
    struct list_scratch scratch = {.weights = mem_uninitialised(longest, sizeof *scratch.weights),
                                   .order = mem_uninitialised(longest, sizeof *scratch.order),
                                   .merge = mem_uninitialised(longest, sizeof *scratch.merge)};
    for (size_t r = 0; r < graph->symbol_count; r++) {
        uint32_t *list = ids + start[r];
        size_t n = start[r + 1] - start[r];
        prefetch_weights(arcs, graph, ids, &next, start[r + 1]);
        for (size_t i = 0; i < n; i++)
            scratch.weights[i] = weigh(arcs, graph, list[i]);
        sort_list(list, n, compare, &scratch);
    }
    free(scratch.weights);
    free(scratch.order);
    free(scratch.merge);
}

uint32_t *arc_order_callees(const struct arc_table *arcs, const struct graph *graph)
{
    uint32_t *ids = identity_ids(arcs->count);
    sort_lists(ids, arcs->callee_start, compare_callees, arcs, graph);
    return ids;
}

static void reverse(uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t other = list[n - 1 - i];
        list[n - 1 - i] = list[i];
        list[i] = other;
    }
}

uint32_t *arc_order_callers(struct arc_table *arcs, const struct graph *graph)
{
    uint32_t *ids = arcs->callers.ids;
    const uint32_t *start = arcs->callers.start;
    for (size_t r = 0; r < graph->symbol_count; r++)
        reverse(ids + start[r], start[r + 1] - start[r]);
    sort_lists(ids, start, compare_callers, arcs, graph);
    arcs->callers.ids = NULL;
    return ids;
}
