/* lines.h - source lines as symbols (-l); samples, calls and costs by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_LINES_H
#define REGPROF_ANALYSIS_LINES_H

#include "analysis/address_totals.h"
#include "model/line_costs.h"
#include "model/model.h"

/* ---- Symbols of lines ---- */

/* Rebuilds TABLE, which has the function symbols, with a symbol for each run of text that belongs
   to one line of one function.  ROWS are what the debug information says at every address where it
   may change, ascending; addresses it does not know are left out.  The names in ROWS must outlive
   the table.  */
void line_symbols_split(struct symtab *table, const struct line_row *rows, size_t count);

/* ---- Samples by line ---- */

/* Lists in ANNOTATION, which is empty before, the sources with samples or calls, and their lines
   with code, as -l counts them: each sample belongs to the line of its address.  ROWS are what the
   debug information says at every address where it may change, as for line_symbols_split.  The
   filter for annotation selects functions.  Leaves the texts NULL.  */
void line_samples_list(struct annotation *annotation, const struct profile *profile,
                       const struct line_row *rows, size_t count);

/* ---- Costs by line ---- */

struct line_cost_rules {
    const uint32_t *ids; /* function ids by symbol id; NO_ID: it and calls of it have no costs */
    double sample_time;
    /* All calls of the profile.  If they are exact, `from' is the return address of the call; the C
       library records the start of a block of code that has it.  */
    const struct address_totals *calls;
    /* What the debug information says at every address where it may change, as for
       line_symbols_split.  */
    const struct line_row *rows;
    size_t row_count;
};

/* Divides the own times of the functions of PROFILE, which is complete, among their lines, and the
   times that are charged to their calls among the lines of the calls, by number of calls.  Each sum
   over a function is what the profile says of the function, whether its code comes from one file or
   others were included.  COSTS is empty before.  */
void line_costs_build(struct line_costs *costs, const struct profile *profile,
                      const struct line_cost_rules *rules);
void line_costs_free(struct line_costs *costs);

#endif
