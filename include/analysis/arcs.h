/* arcs.h - adds up calls between symbols, and executions of basic blocks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ARCS_H
#define REGPROF_ANALYSIS_ARCS_H

#include "base/hash.h"
#include "model/model.h"

/* ---- Arcs ---- */

/* Calls between two addresses.  */
struct recorded_arc {
    vma from, self;
    uint64_t count;
};

/* Collects arcs while profiles are read.  Start with a zeroed struct and set what is above `pairs'.

   In a large program neither the symbol table nor the pairs fit a cache.  So arcs are added in
   small batches, for which memory is prefetched.  */
enum { ARCS_PENDING = 32 };
struct arc_builder {
    const struct symtab *symtab;
    const struct filters *filters;
    struct arc_table *table;
    bool only_calls;          /* compute only table->calls and table->self_calls */
    bool has_callers;         /* fill table->callers, too */
    struct pair_counts pairs; /* (caller, callee) */
    struct recorded_arc pending[ARCS_PENDING];
    size_t pending_count;
};

/* Adds COUNT calls from the address FROM to the address SELF to the arc between the symbols that
   cover the two.  A callee that is not a function is replaced by the function before it.  A caller
   at address 0, where no symbol is, is the symbol for callers outside of the image, if there is
   one.  Arcs that no symbol covers at both ends, and arcs that the filters exclude, are dropped. */
void arcs_record(struct arc_builder *builder, vma from, vma self, uint64_t count);

/* Adds COUNT calls to the arc between two symbols.  */
void arcs_add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t count);

/* Makes callers[callee] the caller of what FROM has called so far, where that is not NO_ID; sets it
   to NO_ID where FROM has not called that callee.  The new callers have called none of these
   callees, and must not be added as such afterwards.  */
void arcs_replace_caller(struct arc_builder *builder, uint32_t from, uint32_t *callers);

/* The number of distinct arcs so far.  */
size_t arcs_count(struct arc_builder *builder);

/* To be called after the last arc: fills the table and frees what the builder collected.  */
void arcs_finish(struct arc_builder *builder);

/* The callers of some of the SYMBOL_COUNT symbols, those for which WANTED is true, in a finished
   table that has `by_age'; as arc ids, newest first.  Free with `id_lists_free'.  */
struct id_lists arcs_callers(const struct arc_table *table, size_t symbol_count,
                             const bool *wanted);

/* Frees `by_age', after which `arcs_callers' must not be called.  */
void arcs_free_order(struct arc_table *table);

void arcs_free(struct arc_table *table);

/* ---- Basic blocks ---- */

/* Adds COUNT executions of the block at ADDR.  Blocks that no symbol covers are dropped.  */
void blocks_record(struct block_table *table, const struct symtab *symtab, vma addr,
                   uint64_t count);

/* To be called after the last block: sorts them by symbol, those of one symbol in order of first
   appearance.  */
void blocks_finish(struct block_table *table);

void blocks_free(struct block_table *table);

#endif
