/* make_line_costs.h - own times and calls of functions by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_MAKE_LINE_COSTS_H
#define REGPROF_ANALYSIS_MAKE_LINE_COSTS_H

#include "analysis/address_totals.h"
#include "model/line_costs.h"
#include "model/model.h"

struct line_cost_rules {
    const uint32_t *ids; /* function ids by symbol id; NO_ID: has no costs, nor have calls of it */
    double sample_time;
    /* All of the profile.  If they are exact, callers are named by the return address of the call;
       the C library names them by the start of a block of code that has it.  */
    const struct address_totals *calls;
    /* What the debug information says at every address where it may change, as for
       line_symbols_split.  */
    const struct line_row *rows;
    size_t row_count;
    vma text_end;
    unsigned entry_units; /* see hist_assign */
};

/* Divides the own times of the functions of PROFILE, which is complete, among their lines, and the
   times that are charged to their calls among the lines of the calls, by number of calls.  Each sum
   over a function is what the profile says of the function, whether its code comes from one file or
   others were included.  COSTS is empty before.  */
void line_costs_build(struct line_costs *costs, const struct profile *profile,
                      const struct line_cost_rules *rules);
void line_costs_free(struct line_costs *costs);

#endif
