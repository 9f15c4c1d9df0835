/* graph_labels.h - what the call graph prints about functions, formatted once and prefetched.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_GRAPH_LABELS_H
#define REGPROF_REPORT_GRAPH_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "report/columns.h"

/* ---- Labels ---- */

/* What the call graph prints about the function at the other end of an arc.  In a large graph,
   nearly every line is about another function, whose data is in four objects: node, cycle, symbol
   and name.  A graph_label has all of it in one cache line, with the label formatted once.  */

/* The capacity of `text' in bytes; a longer label is formatted each time.  */
enum { GRAPH_LABEL_TEXT = 51 };

struct graph_label {
    uint64_t calls; /* of the function's cycle as a whole if it is in one, else of the function */
    uint32_t cycle; /* its cycle number; 0 = none */
    uint8_t size;   /* bytes of text; 0 = the label is too long */
    char text[GRAPH_LABEL_TEXT]; /* the output of label_print_node, and a newline */
};

struct graph_labels {
    const struct graph_label *of; /* by node id; zero for a symbol without arcs */
    void *memory;                 /* on the heap; `of' points into it */
};

/* Makes the labels of all nodes with the profile and style of SHEET.  Free with
   graph_labels_free.  */
void graph_labels_make(struct graph_labels *labels, const struct sheet *sheet);
void graph_labels_free(struct graph_labels *labels);

/* Prints NODE like label_print_node, and a newline.  */
void graph_labels_write(const struct graph_labels *labels, struct sheet *sheet, uint32_t node);

/* ---- Prefetching ---- */

/* In a large program the function of a line is rarely in a cache.  So the printer announces each
   line, and these functions prefetch the memory for later lines.  */

/* Called before entry number I of the call graph is printed; OF are the labels by node id.  */
void prefetch_entry(const struct profile *profile, const struct graph_label *of, size_t i);

/* Called before the line of the arc ROW[i] is printed; the arcs of its entry end before
   ROW[end].  */
void prefetch_arcs(const struct profile *profile, const struct graph_label *of, const uint32_t *row,
                   uint32_t i, uint32_t end);

#endif
