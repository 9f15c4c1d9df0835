/* address_totals.h - adds up profiles by address, for --sum.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ADDRESS_TOTALS_H
#define REGPROF_ANALYSIS_ADDRESS_TOTALS_H

#include "base/hash.h"
#include "model/model.h"

/* Calls and executions by address, each in order of first appearance.  Start with a zeroed struct;
   `address_totals_free' ends it.  (Histograms need no symbols and are added up in a struct
   hist_set.)  */
struct address_totals {
    struct pair_map arcs; /* (from, self) */
    uint64_t *arc_counts; /* by arc number */
    size_t arc_capacity;
    struct pair_map blocks; /* (address, 0) */
    uint64_t *block_counts; /* by block number */
    size_t block_capacity;
    bool counts_all_threads; /* all profiles did; set by the reader */
};

void address_totals_add_arc(struct address_totals *sum, vma from, vma self, uint64_t count);
void address_totals_add_block(struct address_totals *sum, vma addr, uint64_t count);
void address_totals_free(struct address_totals *sum);

#endif
