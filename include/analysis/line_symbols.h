/* line_symbols.h - source lines as symbols (-l).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_LINE_SYMBOLS_H
#define REGPROF_ANALYSIS_LINE_SYMBOLS_H

#include "model/model.h"

/* Rebuilds TABLE, which holds the function symbols, with a symbol for each run of text that one
   line of one function made.  ROWS are ascending by address: the answers for every address at which
   they can change, those without an answer left out.  The rows' names must outlive the table.  */
void line_symbols_split(struct symtab *table, const struct line_row *rows, size_t count,
                        vma text_end);

#endif
