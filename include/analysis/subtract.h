/* subtract.h - takes the counts of one sum of profiles away from another.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_SUBTRACT_H
#define REGPROF_ANALYSIS_SUBTRACT_H

#include "analysis/address_totals.h"

/* What could not be taken away, because there was less: by kind.  */
struct shortfall {
    uint64_t samples, calls, executions;
};

/* Takes the calls and executions of BASE away from SUM.  Counts stop at 0; what is left over is
   added to SHORTFALL.  Arcs and blocks of which nothing is left are removed, others keep their
   order.  BASE gains arcs and blocks that only SUM had, with a count of 0.  */
void subtract_counts(struct address_totals *sum, struct address_totals *base,
                     struct shortfall *shortfall);

#endif
