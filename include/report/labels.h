/* labels.h - names of symbols, files and nodes as reports print them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_LABELS_H
#define REGPROF_REPORT_LABELS_H

#include "report/columns.h"

/* A symbol's label, or its raw name if it has none.  */
const char *label_of_symbol(const struct symbol *symbol);

/* A symbol's label, with the place in the source if the style says so: `f (file.c:3)'.  */
void label_print(struct sheet *sheet, uint32_t symbol);

/* The name of a file: its base name, or the path if the style says so.  */
void label_print_file(struct sheet *sheet, uint32_t file);

/* NODE as the call graph refers to it: `f <cycle 2> [7]', `<cycle 2 as a whole> [5]'.  */
void label_print_node(struct sheet *sheet, uint32_t node);

/* Enough for an index in brackets and a NUL.  */
enum { INDEX_SIZE = 16 };

/* NODE's index in the call graph: `[7]', or `(7)' if it has no entry there.  */
void label_index(char text[INDEX_SIZE], const struct node *node);

#endif
