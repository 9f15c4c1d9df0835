/* graph_labels.h - what the call graph prints about the function at the other end of an arc.

   In a large graph, nearly every line is about another function, whose data is in four objects:
   node, cycle, symbol and name.  A graph_label has all of it in one cache line, with the label
   formatted only once.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_GRAPH_LABELS_H
#define REGPROF_REPORT_GRAPH_LABELS_H

#include <stdint.h>

#include "report/columns.h"

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
    void *memory;                 /* that `of' points into; on the heap */
};

/* Makes the labels of all nodes with the profile and style of SHEET.  Free with
   graph_labels_free.  */
void graph_labels_make(struct graph_labels *labels, const struct sheet *sheet);
void graph_labels_free(struct graph_labels *labels);

/* Prints NODE like label_print_node, and a newline.  */
void graph_labels_write(const struct graph_labels *labels, struct sheet *sheet, uint32_t node);

#endif
