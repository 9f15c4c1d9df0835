/* prefetch.c - prefetches what the next lines of a list need.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/prefetch.h"

#include "base/common.h"
#include "report/columns.h"
#include "report/labels.h"

/* How many lines ahead things are asked for: what is found by way of something else after it.  */
enum { FAR = 12, NEAR = 8, NEXT = 4 };

static void expect_node(const struct profile *profile, uint32_t node)
{
    PREFETCH(&profile->graph.nodes[node]);
    if (!is_cycle(&profile->graph, node))
        PREFETCH(&profile->symtab.symbols[node]);
}

static void expect_name(const struct profile *profile, uint32_t node)
{
    if (!is_cycle(&profile->graph, node))
        PREFETCH(label_of_symbol(&profile->symtab.symbols[node]));
}

void prefetch_nodes(const struct profile *profile, const uint32_t *nodes, size_t i, size_t end)
{
    if (i + FAR < end)
        expect_node(profile, nodes[i + FAR]);
    if (i + NEAR < end)
        expect_name(profile, nodes[i + NEAR]);
}

void prefetch_names(const struct profile *profile, const uint32_t *symbols, size_t i, size_t end)
{
    if (i + FAR < end)
        PREFETCH(&profile->symtab.symbols[symbols[i + FAR]]);
    if (i + NEAR < end)
        PREFETCH(profile->symtab.symbols[symbols[i + NEAR]].name);
}

/* ---- The call graph ---- */

/* How many entries ahead: of each, the lists; the arcs they name; what those are between.  */
enum { LISTS = 16, ROWS = 12, ARCS = 8, ENDS = 4 };

/* How many of an entry's arcs are asked for before the entry begins; prefetch_arcs does the rest.
 */
enum { BEFORE = FAR };

static void expect_arc(const struct arc_table *table, uint32_t id)
{
    PREFETCH(&table->arcs[id]);
    PREFETCH(&table->times[id]);
}

void prefetch_arcs(const struct arc_table *table, const struct graph_label *of, const uint32_t *row,
                   uint32_t i, uint32_t end)
{
    if (i + FAR < end)
        expect_arc(table, row[i + FAR]);
    if (i + NEXT < end) {
        PREFETCH(&of[table->arcs[row[i + NEXT]].caller]);
        PREFETCH(&of[table->arcs[row[i + NEXT]].callee]);
    }
}

/* The part of SYMBOL's row that is asked for at once: up to here.  */
static uint32_t early_end(const uint32_t *start, uint32_t symbol)
{
    uint32_t size = start[symbol + 1] - start[symbol];
    return start[symbol] + (size < BEFORE ? size : BEFORE);
}

static void expect_row(const struct arc_table *table, const uint32_t *row, const uint32_t *start,
                       uint32_t symbol)
{
    for (uint32_t i = start[symbol]; i < early_end(start, symbol); i++)
        expect_arc(table, row[i]);
}

static void expect_callers(const struct arc *arcs, const struct graph_label *of,
                           const uint32_t *row, const uint32_t *start, uint32_t symbol)
{
    for (uint32_t i = start[symbol]; i < early_end(start, symbol); i++)
        PREFETCH(&of[arcs[row[i]].caller]);
}

static void expect_callees(const struct arc *arcs, const struct graph_label *of,
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
        PREFETCH(&of[id]);
        if (!is_cycle(graph, id)) {
            PREFETCH(&table->parents.start[id]);
            PREFETCH(&table->child_start[id]);
        }
    }
    if (i + ROWS < count && !is_cycle(graph, ids[i + ROWS])) {
        PREFETCH(&views->parents[table->parents.start[ids[i + ROWS]]]);
        PREFETCH(&views->children[table->child_start[ids[i + ROWS]]]);
    }
    if (i + ARCS < count && !is_cycle(graph, ids[i + ARCS])) {
        expect_row(table, views->parents, table->parents.start, ids[i + ARCS]);
        expect_row(table, views->children, table->child_start, ids[i + ARCS]);
    }
    if (i + ENDS < count && !is_cycle(graph, ids[i + ENDS])) {
        expect_callers(table->arcs, of, views->parents, table->parents.start, ids[i + ENDS]);
        expect_callees(table->arcs, of, views->children, table->child_start, ids[i + ENDS]);
    }
}
