/* line_symbols.h - source lines as symbols (-l).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_LINE_SYMBOLS_H
#define REGPROF_ANALYSIS_LINE_SYMBOLS_H

#include "model/model.h"

/* Rebuilds TABLE, which has the function symbols, with a symbol for each run of text that belongs
   to one line of one function.  ROWS are what the debug information says at every address where it
   may change, ascending; addresses it does not know are left out.  The names in ROWS must outlive
   the table.  */
void line_symbols_split(struct symtab *table, const struct line_row *rows, size_t count,
                        vma text_end);

/* As line_symbols_split, in a table of its own, LINES; its symbols divide those of FUNCTIONS.  Free
   with symtab_free.  */
void line_symbols_build(struct symtab *lines, const struct symtab *functions,
                        const struct line_row *rows, size_t count, vma text_end);

/* Makes a filter that selects the lines of the functions that FILTER selects.  */
void line_symbols_copy_filter(struct filter *copy, const struct filter *filter,
                              const struct symtab *lines, const struct symtab *functions);
void line_symbols_free_filter(struct filter *copy);

#endif
