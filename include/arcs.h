/* arcs.h - calls between symbols.  */

#ifndef REGPROF_ARCS_H
#define REGPROF_ARCS_H

#include "model.h"

/* Calls between two addresses.  */
struct recorded_arc {
    vma from, self;
    uint64_t count;
    uint32_t caller, callee; /* symbols, of what is wanted */
    bool is_wanted;
};

/* Collects arcs while profiles are read.  Start with a zeroed struct and set the const members.

   Where an arc goes depends on places in memory that are known one by way of the other, and in a
   large program no cache has any of them.  So some are kept waiting, and go through step by step
   together, each step asking for what the next one needs.  */
enum { ARCS_WAITING = 32 };
struct arc_builder {
    const struct symtab *symtab;
    const struct filters *filters;
    struct arc_table *table;
    struct pair_map pairs; /* (caller, callee), numbered in order of first appearance */
    uint64_t *counts;      /* by these numbers */
    size_t room;           /* of `counts' */
    struct recorded_arc waiting[ARCS_WAITING];
    size_t waiting_count;
};

/* Takes COUNT calls from the address FROM to the address SELF: charges them to the arc between the
   symbols that cover the two.  A callee that is no function stands for the function before it.
   Dropped: what no symbol covers, and arcs the filters leave out.  */
void arcs_record(struct arc_builder *builder, vma from, vma self, uint64_t count);

/* Puts what was recorded into the table.  arcs_add and arcs_finish do so first.  */
void arcs_settle(struct arc_builder *builder);

/* Adds COUNT to the arc between two symbols, which is made if it is new.  */
void arcs_add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t count);

/* All arcs are there: fills the table, of which there was but the count.  Frees what the builder
   collected.  */
void arcs_finish(struct arc_builder *builder);

void arcs_free(struct arc_table *table);

#endif
