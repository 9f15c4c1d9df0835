/* hist.h - credits samples of the histograms to symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_HIST_H
#define REGPROF_ANALYSIS_HIST_H

#include "model/model.h"

/* Credits every bin to the symbols it overlaps: sets set->time (samples by symbol id),
   set->samples, set->total and set->outside.  The credit of a symbol that FILTER excludes is
   subtracted from the total instead.  A function whose code begins in another bin than its address
   (entry_units of SYMTAB) starts at its code.  */
void hist_assign(struct hist_set *set, const struct symtab *symtab, const struct filter *filter);

#endif
