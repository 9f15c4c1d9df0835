/* hist.h - samples of the histograms, charged to symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_HIST_H
#define REGPROF_ANALYSIS_HIST_H

#include "model/model.h"

/* Charges every bin to the symbols it overlaps: sets set->time (ticks by symbol id), set->total and
   set->outside.
   A symbol that FILTER leaves out earns nothing, and its credit is taken off the total. ENTRY_UNITS
   is how far behind a function's address its code begins, where that is not 0 (VAX: 1): such a
   function starts at its code when that lies in another bin than its address.  */
void hist_assign(struct hist_set *set, const struct symtab *symtab, const struct filter *filter,
                 unsigned entry_units);

#endif
