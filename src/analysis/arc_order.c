/* arc_order.c - sorts the callers, callees and members that each entry of the call graph lists.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/arc_order.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- Weights: calls to itself weigh least, then calls inside a cycle.  What decides of a row's
   arcs is brought together first, for each of them is somewhere else in memory. ---- */

struct weight {
    double total; /* ticks */
    uint64_t count;
    uint32_t arc;
    uint8_t rank; /* the larger, the heavier */
};

static struct weight weigh(const struct arc_table *arcs, const struct graph *graph, uint32_t id)
{
    const struct arc *arc = &arcs->arcs[id];
    if (arc->caller == arc->callee)
        return (struct weight){.arc = id};
    if (is_same_cycle(graph, arc->caller, arc->callee))
        return (struct weight){.count = arc->count, .arc = id, .rank = 1};
    const struct arc_times *times = &arcs->times[id];
    return (struct weight){times->time + times->child_time, arc->count, id, 2};
}

static int compare_children(const void *context, uint32_t a, uint32_t b)
{
    const struct weight *left = (const struct weight *)context + a;
    const struct weight *right = (const struct weight *)context + b;
    if (left->rank != right->rank)
        return left->rank > right->rank ? -1 : 1;
    int order = compare_descending(left->total, right->total);
    return order != 0 ? order : compare_descending_u64(left->count, right->count);
}

static int compare_parents(const void *context, uint32_t a, uint32_t b)
{
    return -compare_children(context, a, b);
}

/* ---- Rows ---- */

/* Room for sorting rows up to the longest.  */
struct row_capacity {
    struct weight *weights;
    uint32_t *places, *scratch; /* in `weights' */
};

/* Sorts N arc ids, whose weights are in ROOM.  */
static void sort_row(uint32_t *row, size_t n, compare_ids *compare,
                     const struct row_capacity *capacity)
{
    for (size_t i = 0; i < n; i++)
        capacity->places[i] = (uint32_t)i;
    sort_ids_in(capacity->places, n, capacity->scratch, compare, capacity->weights);
    for (size_t i = 0; i < n; i++)
        row[i] = capacity->weights[capacity->places[i]].arc;
}

/* Asks for what weighing takes of the arcs in ROWS from *EXPECTED on to END, and a few more.  */
static void expect_weights(const struct arc_table *arcs, const struct graph *graph,
                           const uint32_t *rows, size_t *expected, size_t end)
{
    enum { FAR = 32, NEAR = 16 };
    for (; *expected < end + FAR && *expected < arcs->count; ++*expected) {
        PREFETCH(&arcs->arcs[rows[*expected]]);
        PREFETCH(&arcs->times[rows[*expected]]);
        if (*expected >= NEAR)
            PREFETCH(&graph->cycle[arcs->arcs[rows[*expected - NEAR]].caller]);
    }
}

/* Sorts each of ROWS, which START divides, by COMPARE, which compares weights.  */
static void sort_rows(uint32_t *rows, const uint32_t *start, compare_ids *compare,
                      const struct arc_table *arcs, const struct graph *graph)
{
    size_t longest = 0, expected = 0;
    for (size_t r = 0; r < graph->symbol_count; r++)
        if (start[r + 1] - start[r] > longest)
            longest = start[r + 1] - start[r];
    struct row_capacity capacity = {.weights = mem_uninitialised(longest, sizeof *capacity.weights),
                                    .places = mem_uninitialised(longest, sizeof *capacity.places),
                                    .scratch =
                                        mem_uninitialised(longest, sizeof *capacity.scratch)};
    for (size_t r = 0; r < graph->symbol_count; r++) {
        uint32_t *row = rows + start[r];
        size_t n = start[r + 1] - start[r];
        expect_weights(arcs, graph, rows, &expected, start[r + 1]);
        for (size_t i = 0; i < n; i++)
            capacity.weights[i] = weigh(arcs, graph, row[i]);
        sort_row(row, n, compare, &capacity);
    }
    free(capacity.weights);
    free(capacity.places);
    free(capacity.scratch);
}

uint32_t *arc_order_children(const struct arc_table *arcs, const struct graph *graph)
{
    uint32_t *rows = identity_ids(arcs->count);
    sort_rows(rows, arcs->child_start, compare_children, arcs, graph);
    return rows;
}

static void reverse(uint32_t *row, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t other = row[n - 1 - i];
        row[n - 1 - i] = row[i];
        row[i] = other;
    }
}

uint32_t *arc_order_parents(struct arc_table *arcs, const struct graph *graph)
{
    uint32_t *rows = arcs->parents.ids;
    const uint32_t *start = arcs->parents.start;
    for (size_t r = 0; r < graph->symbol_count; r++)
        reverse(rows + start[r], start[r + 1] - start[r]);
    sort_rows(rows, start, compare_parents, arcs, graph);
    arcs->parents.ids = NULL;
    return rows;
}
