/* graph_labels.h - what lines of the call graph need of the function at the other end of an arc.

   In a large graph nearly every line is about a function that no cache has seen for long, and what
   is known of it stands in four places: node, cycle, symbol and name.  Here it stands in one, a
   line of a cache.  Has no effect but on speed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_GRAPH_LABELS_H
#define REGPROF_REPORT_GRAPH_LABELS_H

#include <stdint.h>

#include "report/columns.h"

/* Bytes of text that are kept; longer ones are written anew each time.  */
enum { GRAPH_LABEL_TEXT = 51 };

struct graph_label {
    uint64_t calls; /* of the node that stands for the function when it is called from outside */
    uint32_t cycle; /* its cycle number; 0 = none */
    uint8_t size;   /* bytes of text; 0 for what is written anew */
    char text[GRAPH_LABEL_TEXT]; /* as `format_reference' writes it, and a newline */
};

struct graph_labels {
    const struct graph_label *of; /* by node id; zero for what no arc leads to or from */
    void *memory;                 /* of them */
};

/* For the nodes of the graph as SHEET shows them.  End it with `graph_labels_free'.  */
void graph_labels_make(struct graph_labels *references, const struct sheet *sheet);
void graph_labels_free(struct graph_labels *references);

/* Writes what `format_reference' writes, and a newline.  */
void graph_labels_write(const struct graph_labels *references, struct sheet *sheet, uint32_t node);

#endif
