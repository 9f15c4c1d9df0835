#include "expect.h"

#include "format.h"

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
        PREFETCH(format_symbol_label(&profile->symtab.symbols[node]));
}

void expect_nodes(const struct profile *profile, const uint32_t *nodes, size_t i, size_t end)
{
    if (i + FAR < end)
        expect_node(profile, nodes[i + FAR]);
    if (i + NEAR < end)
        expect_name(profile, nodes[i + NEAR]);
}

void expect_arcs(const struct profile *profile, const uint32_t *row, uint32_t i, uint32_t end)
{
    const struct arc *arcs = profile->arcs.arcs;
    if (i + FAR < end)
        PREFETCH(&arcs[row[i + FAR]]);
    if (i + NEAR < end) {
        expect_node(profile, arcs[row[i + NEAR]].caller);
        expect_node(profile, arcs[row[i + NEAR]].callee);
    }
    if (i + NEXT < end) {
        expect_name(profile, arcs[row[i + NEXT]].caller);
        expect_name(profile, arcs[row[i + NEXT]].callee);
    }
}

/* The first arc of SYMBOL's row, if there is one, which is as good as any.  */
static void expect_first_arc(const struct profile *profile, const uint32_t *row,
                             const uint32_t *start, uint32_t symbol)
{
    if (start[symbol] < start[symbol + 1])
        PREFETCH(&profile->arcs.arcs[row[start[symbol]]]);
}

void expect_entry(const struct profile *profile, size_t i)
{
    const struct arc_table *arcs = &profile->arcs;
    const struct graph *graph = &profile->graph;
    const struct views *views = &profile->views;
    const uint32_t *ids = views->graph;
    expect_nodes(profile, ids, i, graph->count);
    if (i + FAR < graph->count && !is_cycle(graph, ids[i + FAR])) {
        PREFETCH(&arcs->parent_start[ids[i + FAR]]);
        PREFETCH(&arcs->child_start[ids[i + FAR]]);
    }
    if (i + NEAR < graph->count && !is_cycle(graph, ids[i + NEAR])) {
        PREFETCH(&views->parents[arcs->parent_start[ids[i + NEAR]]]);
        PREFETCH(&views->children[arcs->child_start[ids[i + NEAR]]]);
    }
    if (i + NEXT < graph->count && !is_cycle(graph, ids[i + NEXT])) {
        expect_first_arc(profile, views->parents, arcs->parent_start, ids[i + NEXT]);
        expect_first_arc(profile, views->children, arcs->child_start, ids[i + NEXT]);
    }
}
