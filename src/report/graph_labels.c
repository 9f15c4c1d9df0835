/* graph_labels.c - labels of functions in the call graph, each formatted once.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/graph_labels.h"

#include <stdlib.h>

#include "base/memory.h"
#include "report/labels.h"

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
        out_bytes_of(&sheet->out, label->text, label->size, GRAPH_LABEL_TEXT);
}
