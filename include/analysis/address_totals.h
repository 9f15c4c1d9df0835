/* address_totals.h - profiles added up as they were recorded: addresses, not symbols.  */

#ifndef REGPROF_ANALYSIS_ADDRESS_TOTALS_H
#define REGPROF_ANALYSIS_ADDRESS_TOTALS_H

#include "model/model.h"

/* Calls and executions by address, each in order of first appearance.  Start with a zeroed struct;
   `sum_free' ends it.  (Histograms need no symbols and are added up in a struct hist_set.)  */
struct sum {
    struct pair_map arcs; /* (from, self) */
    uint64_t *arc_counts; /* by arc number */
    size_t arc_room;
    struct pair_map blocks; /* (address, 0) */
    uint64_t *block_counts; /* by block number */
    size_t block_room;
};

void sum_arc(struct sum *sum, vma from, vma self, uint64_t count);
void sum_block(struct sum *sum, vma addr, uint64_t count);
void sum_add(struct sum *sum, const struct sum *other);
void sum_free(struct sum *sum);

#endif
