/* graph_labels.h - what lines of the call graph need of the function at the other end of an arc.

   In a large graph nearly every line is about a function that no cache has seen for long, and what
   is known of it stands in four places: node, cycle, symbol and name.  Here it stands in one, a
   line of a cache.  Has no effect but on speed.  */

#ifndef REGPROF_REPORT_GRAPH_LABELS_H
#define REGPROF_REPORT_GRAPH_LABELS_H

#include "report/columns.h"

/* Bytes of text that are kept; longer ones are written anew each time.  */
enum { REFERENCE_TEXT = 51 };

struct reference {
    uint64_t calls; /* of the node that stands for the function when it is called from outside */
    uint32_t cycle; /* its cycle number; 0 = none */
    uint8_t size;   /* bytes of text; 0 for what is written anew */
    char text[REFERENCE_TEXT]; /* as `format_reference' writes it, and a newline */
};

struct references {
    const struct reference *of; /* by node id; zero for what no arc leads to or from */
    void *memory;               /* of them */
};

/* For the nodes of the graph as SHEET shows them.  End it with `references_free'.  */
void references_make(struct references *references, const struct sheet *sheet);
void references_free(struct references *references);

/* Writes what `format_reference' writes, and a newline.  */
void reference_write(const struct references *references, struct sheet *sheet, uint32_t node);

#endif
