/* prefetch.c - prefetches what the next entries of the call graph need.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/prefetch.h"

#include "base/common.h"

/* How many arcs ahead: the arcs; the labels at their ends.  */
enum { FAR = 12, NEXT = 4 };

/* How many entries ahead: where their lists begin; the lists; the arcs in them; the labels at the
   other ends of these.  */
enum { LISTS = 16, ROWS = 12, ARCS = 8, ENDS = 4 };

/* How many of the arcs of an entry are prefetched before the entry begins; prefetch_arcs does the
   others.  */
enum { BEFORE = FAR };

static void prefetch_arc(const struct arc_table *table, uint32_t id)
{
    PREFETCH(&table->arcs[id]);
    PREFETCH(&table->times[id]);
}

void prefetch_arcs(const struct arc_table *table, const struct graph_label *of, const uint32_t *row,
                   uint32_t i, uint32_t end)
{
    if (i + FAR < end)
        prefetch_arc(table, row[i + FAR]);
    if (i + NEXT < end) {
        PREFETCH(&of[table->arcs[row[i + NEXT]].caller]);
        PREFETCH(&of[table->arcs[row[i + NEXT]].callee]);
    }
}

/* The end of the part of SYMBOL's list that is prefetched before the entry begins.  */
static uint32_t early_end(const uint32_t *start, uint32_t symbol)
{
    uint32_t size = start[symbol + 1] - start[symbol];
    return start[symbol] + (size < BEFORE ? size : BEFORE);
}

static void prefetch_list(const struct arc_table *table, const uint32_t *row, const uint32_t *start,
                          uint32_t symbol)
{
    for (uint32_t i = start[symbol]; i < early_end(start, symbol); i++)
        prefetch_arc(table, row[i]);
}

static void prefetch_callers(const struct arc *arcs, const struct graph_label *of,
                             const uint32_t *row, const uint32_t *start, uint32_t symbol)
{
    for (uint32_t i = start[symbol]; i < early_end(start, symbol); i++)
        PREFETCH(&of[arcs[row[i]].caller]);
}

static void prefetch_callees(const struct arc *arcs, const struct graph_label *of,
                             const uint32_t *row, const uint32_t *start, uint32_t symbol)
{
    for (uint32_t i = start[symbol]; i < early_end(start, symbol); i++)
        PREFETCH(&of[arcs[row[i]].callee]);
}

void prefetch_entry(const struct profile *profile, const struct graph_label *of, size_t i)
{
    const struct arc_table *table = &profile->arcs;
    const struct graph *graph = &profile->graph;
    const struct views *views = &profile->views;
    const uint32_t *ids = profile->selection.entries;
    size_t count = profile->selection.entry_count;
    if (i + LISTS < count) {
        uint32_t id = ids[i + LISTS];
        PREFETCH(&graph->nodes[id]);
        PREFETCH(&graph->nodes[id].index);
        PREFETCH(&of[id]);
        if (!is_cycle(graph, id)) {
            PREFETCH(&table->callers.start[id]);
            PREFETCH(&table->callee_start[id]);
        }
    }
    if (i + ROWS < count && !is_cycle(graph, ids[i + ROWS])) {
        PREFETCH(&views->callers[table->callers.start[ids[i + ROWS]]]);
        PREFETCH(&views->callees[table->callee_start[ids[i + ROWS]]]);
    }
    if (i + ARCS < count && !is_cycle(graph, ids[i + ARCS])) {
        prefetch_list(table, views->callers, table->callers.start, ids[i + ARCS]);
        prefetch_list(table, views->callees, table->callee_start, ids[i + ARCS]);
    }
    if (i + ENDS < count && !is_cycle(graph, ids[i + ENDS])) {
        prefetch_callers(table->arcs, of, views->callers, table->callers.start, ids[i + ENDS]);
        prefetch_callees(table->arcs, of, views->callees, table->callee_start, ids[i + ENDS]);
    }
}
