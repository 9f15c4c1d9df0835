/* arcs.h - calls between symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ARCS_H
#define REGPROF_ANALYSIS_ARCS_H

#include "analysis/arc_log.h"
#include "model/model.h"

/* Calls between two addresses.  */
struct recorded_arc {
    vma from, self;
    uint64_t count;
};

/* Collects arcs while profiles are read.  Start with a zeroed struct and set what is above `log'.

   The symbols of an address are found in a table that, in a large program, no cache has.  So some
   arcs are kept waiting until what they need was asked for.  */
enum { ARCS_WAITING = 32 };
struct arc_builder {
    const struct symtab *symtab;
    const struct filters *filters;
    struct arc_table *table;
    bool only_calls; /* all that is wanted of the table is how often each symbol was called */
    struct arc_log log;
    struct recorded_arc waiting[ARCS_WAITING];
    size_t waiting_count;
};

/* Takes COUNT calls from the address FROM to the address SELF: charges them to the arc between the
   symbols that cover the two.  A callee that is no function stands for the function before it.
   Dropped: what no symbol covers, and arcs the filters leave out.  */
void arcs_record(struct arc_builder *builder, vma from, vma self, uint64_t count);

/* Adds COUNT to the arc between two symbols, which is made if it is new.  */
void arcs_add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t count);

/* How many arcs there are by now.  Not for each of many calls: it goes through all of them.  */
size_t arcs_count(struct arc_builder *builder);

/* All arcs are there: fills the table, which was empty but for calls, with all but the parents.
   Frees what the builder collected.  */
void arcs_finish(struct arc_builder *builder);

/* The arc ids of a finished table in order of first appearance; free with free.  */
uint32_t *arcs_by_age(const struct arc_table *table);

/* The parents of each of SYMBOL_COUNT symbols in a finished table, the newest first; if WANTED is
   not NULL, only of those for which it has true.  Free with `arc_rows_free'.  */
struct arc_rows arcs_parents(const struct arc_table *table, size_t symbol_count,
                             const bool *wanted);
void arc_rows_free(struct arc_rows *rows);

/* Nobody will ask for ages, nor for parents any more: frees the ages.  */
void arcs_forget_ages(struct arc_table *table);

void arcs_free(struct arc_table *table);

#endif
