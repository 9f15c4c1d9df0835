/* views.h - the sorted views that reports walk.  */

#ifndef REGPROF_VIEWS_H
#define REGPROF_VIEWS_H

#include "model.h"

/* Numbers the nodes (node.index) and computes every view.  What has neither time nor calls is
   listed only if HAS_ZEROS.  */
void views_compute(struct views *views, const struct symtab *symtab, const struct arc_table *arcs,
                   struct graph *graph, bool has_zeros);

void views_free(struct views *views);

#endif
