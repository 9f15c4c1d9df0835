/* labels.h - names of symbols, files and nodes as reports print them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_LABELS_H
#define REGPROF_REPORT_LABELS_H

#include "report/columns.h"
#include "report/cut_text.h"

/* The label of a symbol, or its raw name if it has none.  */
const char *label_of_symbol(const struct symbol *symbol);

/* Prints the label of a symbol, with its source position if the style selects that: `f
   (file.c:3)'.  */
void label_print(struct sheet *sheet, uint32_t symbol);

/* Prints the source position of a symbol, ` (file:line)' or, with -l, ` (file:line @ address)', if
   it has one and the style selects it.  */
void label_print_position(struct sheet *sheet, const struct symbol *symbol);

/* Prints NAMES in the last of COUNT columns, so that they fit on a terminal, with the position of
   SYMBOL, unless it is NULL, after the first (for which there may be too little space), then END,
   and ends the row.  */
void label_print_names(struct sheet *sheet, int count, const struct cut_names *names,
                       const struct symbol *symbol, const char *end);

/* Prints the base name of a file, or its path if the style selects that.  */
void label_print_file(struct sheet *sheet, uint32_t file);

/* Prints NODE with its cycle and its index in the call graph: `f <cycle 2> [7]', `<cycle 2 as a
   whole> [5]'.  */
void label_print_node(struct sheet *sheet, uint32_t node);

/* The size of an index in brackets, with a NUL.  */
enum { INDEX_SIZE = 16 };

/* Writes the index of NODE in the call graph to TEXT: `[7]', or `(7)' if NODE has no entry.  */
void label_index(char text[INDEX_SIZE], const struct node *node);

#endif
