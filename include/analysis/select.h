/* select.h - what reports print: which rows, running sums, the unit of times per call.

   Printers and exporters walk these final lists, so all of them show the same.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_SELECT_H
#define REGPROF_ANALYSIS_SELECT_H

#include "model/model.h"

struct select_rules {
    bool has_zeros; /* -z: rows without calls and time as well */
    bool has_lines; /* -l: lines and cycles have no entries in the call graph */
};

/* Selects the rows of the flat profile and the entries of the call graph from the views of
   PROFILE.  */
void select_times(struct profile *profile, const struct select_rules *rules);

/* Selects the rows of the execution counts: symbols with calls, and basic blocks.  */
void select_counts(struct profile *profile, const struct select_rules *rules);

void selection_free(struct selection *selection);

#endif
