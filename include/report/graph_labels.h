/* graph_labels.h - what the call graph prints about the function at the other end of an arc.

   In a large graph nearly every line is about another function, and what is known about it stands
   in four places: node, cycle, symbol and name.  Here it stands in one cache line, with the label
   formatted once.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_GRAPH_LABELS_H
#define REGPROF_REPORT_GRAPH_LABELS_H

#include <stdint.h>

#include "report/columns.h"

/* Bytes of text that are kept; a longer label is formatted each time.  */
enum { GRAPH_LABEL_TEXT = 51 };

struct graph_label {
    uint64_t calls; /* of the function's cycle as a whole if it is in one, else its own */
    uint32_t cycle; /* its cycle number; 0 = none */
    uint8_t size;   /* bytes of text; 0 = not kept */
    char text[GRAPH_LABEL_TEXT]; /* as `label_print_node' writes it, and a newline */
};

struct graph_labels {
    const struct graph_label *of; /* by node id; zero for a symbol without arcs */
    void *memory;                 /* that `of' points into; on the heap */
};

/* For the nodes of the graph as SHEET shows them.  End it with `graph_labels_free'.  */
void graph_labels_make(struct graph_labels *labels, const struct sheet *sheet);
void graph_labels_free(struct graph_labels *labels);

/* Writes what `label_print_node' writes, and a newline.  */
void graph_labels_write(const struct graph_labels *labels, struct sheet *sheet, uint32_t node);

#endif
