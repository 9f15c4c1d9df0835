/* graph_labels.c - what the call graph prints about functions, formatted once and prefetched.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/graph_labels.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"

/* ---- Labels ---- */

_Static_assert(sizeof(struct graph_label) == 64, "a label is one cache line");

static bool is_connected(const struct arc_table *arcs, uint32_t symbol)
{
    return arcs->callers.start[symbol] < arcs->callers.start[symbol + 1] ||
           arcs->callee_start[symbol] < arcs->callee_start[symbol + 1];
}

static void print_label(struct sheet *sheet, uint32_t node)
{
    label_print_node(sheet, node);
    out_char(&sheet->out, '\n');
}

/* Formats NODE on SCRATCH and stores the text in LABEL if it fits.  */
static void format_label(struct graph_label *label, struct sheet *scratch, uint32_t node)
{
    struct out *out = &scratch->out;
    out->flushed = out->used = 0;
    print_label(scratch, node);
    if (out_position(out) <= GRAPH_LABEL_TEXT) {
        label->size = (uint8_t)out->used;
        memcpy(label->text, out->text, out->used);
    }
}

void graph_labels_make(struct graph_labels *labels, const struct sheet *sheet)
{
    const struct profile *profile = sheet->profile;
    const struct graph *graph = &profile->graph;
    struct sheet scratch;
    labels->memory = mem_array(graph->count + 1, sizeof(struct graph_label));
    struct graph_label *of =
        (void *)(((uintptr_t)labels->memory + sizeof *of - 1) / sizeof *of * sizeof *of);
    labels->of = of;
    columns_begin(&scratch, profile, sheet->style, NULL);
    for (uint32_t node = 0; node < graph->count; node++) {
        bool is_whole = is_cycle(graph, node);
        if (!is_whole && !is_connected(&profile->arcs, node))
            continue;
        of[node].cycle = graph->cycle[node];
        of[node].calls = graph->nodes[is_whole ? node : node_of_symbol(graph, node)].calls;
        format_label(&of[node], &scratch, node);
    }
    columns_end(&scratch);
}

void graph_labels_free(struct graph_labels *labels)
{
    free(labels->memory);
    *labels = (struct graph_labels){0};
}

void graph_labels_write(const struct graph_labels *labels, struct sheet *sheet, uint32_t node)
{
    const struct graph_label *label = &labels->of[node];
    if (label->size == 0)
        print_label(sheet, node);
    else
        out_bytes(&sheet->out, label->text, label->size);
}

/* ---- Prefetching ---- */

/* How many arcs ahead: the arcs; the labels at their ends.  */
enum { FAR = 12, NEXT = 4 };

/* How many entries ahead: where their lists begin; the lists; the arcs in them; the labels at the
   other ends of these arcs.  */
enum { LISTS = 16, ROWS = 12, ARCS = 8, ENDS = 4 };

/* How many arcs of an entry prefetch_entry prefetches; prefetch_arcs does the others.  */
enum { BEFORE = FAR };

static void prefetch_arc(const struct profile *profile, uint32_t id)
{
    PREFETCH(&profile->arcs.arcs[id]);
    PREFETCH(&profile->times.callees[id]);
}

void prefetch_arcs(const struct profile *profile, const struct graph_label *of, const uint32_t *row,
                   uint32_t i, uint32_t end)
{
    if (i + FAR < end)
        prefetch_arc(profile, row[i + FAR]);
    if (i + NEXT < end) {
        PREFETCH(&of[profile->arcs.arcs[row[i + NEXT]].caller]);
        PREFETCH(&of[profile->arcs.arcs[row[i + NEXT]].callee]);
    }
}

/* The end of the part of SYMBOL's list that is prefetched before the entry begins.  */
static uint32_t early_end(const uint32_t *start, uint32_t symbol)
{
    uint32_t size = start[symbol + 1] - start[symbol];
    return start[symbol] + (size < BEFORE ? size : BEFORE);
}

static void prefetch_list(const struct profile *profile, const uint32_t *row, const uint32_t *start,
                          uint32_t symbol)
{
    for (uint32_t i = start[symbol]; i < early_end(start, symbol); i++)
        prefetch_arc(profile, row[i]);
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
        PREFETCH(&profile->times.nodes[id]);
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
        prefetch_list(profile, views->callers, table->callers.start, ids[i + ARCS]);
        prefetch_list(profile, views->callees, table->callee_start, ids[i + ARCS]);
    }
    if (i + ENDS < count && !is_cycle(graph, ids[i + ENDS])) {
        prefetch_callers(table->arcs, of, views->callers, table->callers.start, ids[i + ENDS]);
        prefetch_callees(table->arcs, of, views->callees, table->callee_start, ids[i + ENDS]);
    }
}
