/* views.h - sorted lists for the reports, and the rows that are printed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_VIEWS_H
#define REGPROF_ANALYSIS_VIEWS_H

#include "model/model.h"

/* Computes the view of the flat profile; symbols with neither time nor calls only if HAS_ZEROS.  */
void views_order_rows(struct views *views, const struct symtab *symtab, const struct graph *graph,
                      bool has_zeros);

/* Numbers the nodes (node.index) and computes the views of the call graph and its index; symbols
   with neither time nor calls only if HAS_ZEROS.  */
void views_order_entries(struct views *views, const struct symtab *symtab, struct graph *graph,
                         const struct times *times, bool has_zeros);

/* Computes the views of what is in the entries of the call graph: callers, callees and members.
   The ids in the callers' lists of ARCS move to the view: nothing else may need them.  */
void views_order_lines(struct views *views, struct arc_table *arcs, const struct graph *graph,
                       const struct times *times);

/* Computes the view of the functions as -r suggests to link them.  */
void views_order_functions(struct views *views, const struct symtab *symtab,
                           const struct arc_table *arcs);

/* Computes the view of the object files of MAP as -R suggests to link them: those with a function
   in the image, then the others by name.  */
void views_order_objects(struct views *views, const struct symtab *symtab,
                         const struct arc_table *arcs, const struct object_map *map);

/* Computes views->counts: the symbols that the profile's filter for counts accepts, by file, line
   and address, those without a file by address.  Requires the positions of symbols.  */
void views_order_counts(struct views *views, const struct profile *profile);

/* The symbols that appear in the flat profile, the call graph or its index.  By symbol id; free
   with free.  */
bool *views_listed(const struct profile *profile);

void views_free(struct views *views);

/* ---- Selection ---- */

/* Printers and exporters walk the rows selected here, so all of them show the same ones.  */

struct select_rules {
    bool has_zeros; /* -z: rows without calls and time as well */
    bool has_lines; /* -l: lines and cycles have no entries in the call graph */
};

/* Selects the rows of the flat profile and the entries of the call graph from PROFILE's views.  */
void select_times(struct profile *profile, const struct select_rules *rules);

/* Selects the rows of the execution counts: symbols with calls, and basic blocks.  */
void select_counts(struct profile *profile, const struct select_rules *rules);

void selection_free(struct selection *selection);

#endif
