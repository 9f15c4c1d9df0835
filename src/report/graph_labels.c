/* graph_labels.c - labels of functions in the call graph, formatted once each.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/graph_labels.h"

#include <stdlib.h>

#include "base/memory.h"

_Static_assert(sizeof(struct graph_label) == 64, "a reference is a line of a cache");

static bool has_arcs(const struct arc_table *arcs, uint32_t symbol)
{
    return arcs->parents.start[symbol] < arcs->parents.start[symbol + 1] ||
           arcs->child_start[symbol] < arcs->child_start[symbol + 1];
}

static void write_anew(struct sheet *sheet, uint32_t node)
{
    format_reference(sheet, node);
    format_char(sheet, '\n');
}

/* Keeps what SHEET writes of NODE, if it fits.  */
static void keep_text(struct graph_label *reference, struct sheet *sheet, uint32_t node)
{
    sheet->used = 0;
    write_anew(sheet, node);
    if (format_position(sheet) <= GRAPH_LABEL_TEXT) {
        reference->size = (uint8_t)sheet->used;
        memcpy(reference->text, sheet->text, sheet->used);
    }
    sheet->flushed = 0;
}

void graph_labels_make(struct graph_labels *references, const struct sheet *sheet)
{
    const struct profile *profile = sheet->profile;
    const struct graph *graph = &profile->graph;
    struct sheet scratch;
    references->memory = mem_array(graph->count + 1, sizeof(struct graph_label));
    struct graph_label *of =
        (void *)(((uintptr_t)references->memory + sizeof *of - 1) / sizeof *of * sizeof *of);
    references->of = of;
    format_begin(&scratch, profile, sheet->style, NULL);
    for (uint32_t node = 0; node < graph->count; node++) {
        bool is_whole = is_cycle(graph, node);
        if (!is_whole && !has_arcs(&profile->arcs, node))
            continue;
        of[node].cycle = graph->cycle[node];
        of[node].calls = graph->nodes[is_whole ? node : node_of_symbol(graph, node)].calls;
        keep_text(&of[node], &scratch, node);
    }
}

void graph_labels_free(struct graph_labels *references)
{
    free(references->memory);
    *references = (struct graph_labels){0};
}

void graph_labels_write(const struct graph_labels *references, struct sheet *sheet, uint32_t node)
{
    const struct graph_label *reference = &references->of[node];
    if (reference->size == 0)
        write_anew(sheet, node);
    else
        format_bytes_of(sheet, reference->text, reference->size, GRAPH_LABEL_TEXT);
}
