/* blocks.h - execution counts of basic blocks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_BLOCKS_H
#define REGPROF_ANALYSIS_BLOCKS_H

#include "model/model.h"

/* Adds COUNT executions of the block at ADDR.  Blocks that no symbol covers are dropped.  */
void blocks_record(struct block_table *table, const struct symtab *symtab, vma addr,
                   uint64_t count);

/* To be called after the last block: sorts them by symbol, those of one symbol in order of first
   appearance.  */
void blocks_finish(struct block_table *table);

void blocks_free(struct block_table *table);

#endif
