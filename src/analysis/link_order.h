/* link_order.h - orders of functions and object files for the linker (-r, -R).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_LINK_ORDER_H
#define REGPROF_ANALYSIS_LINK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* ---- Chains ---- */

/* Functions are placed beside those they exchange the most calls with.  This makes chains, which
   are emitted as a whole.  A function counts as placed when it is emitted, when it is not used, and
   when it is set aside.

   A chain grows at its ends, by one function at a time that was in no chain.  So the position of a
   function in its chain never changes, and the distance to both ends is known without walking:

       chain      front -> ... -> first member -> ... -> back
       position    -3                  0                  +5  */

/* The state of a symbol, or-ed: it is placed; it was emitted; it is in a chain.  Kept in one byte,
   because the marks of both ends of all arcs are read.  */
enum mark { MARK_PLACED = 1, MARK_EMITTED = 2, MARK_CHAINED = 4 };

struct chain;
struct chain_node;

struct link_chains {
    uint8_t *marks;           /* by symbol id */
    struct chain_node *nodes; /* by symbol id */
    struct chain *chains;     /* by the symbol id of the first member */
    uint32_t *out;            /* emitted symbol ids, in order; free with free */
    size_t out_count;
};

void chains_begin(struct link_chains *chains, size_t symbol_count);
/* Frees everything except for `out'.  */
void chains_end(struct link_chains *chains);

/* Emits a symbol, unless it was emitted before.  */
void chains_emit(struct link_chains *chains, uint32_t symbol);
/* Emits the chain that a symbol is in.  */
void chains_emit_chain(struct link_chains *chains, uint32_t symbol);

/* Makes CALLER and CALLEE members of one chain; false if both are in chains already.  */
bool chains_join(struct link_chains *chains, uint32_t caller, uint32_t callee);

static inline bool is_placed(const struct link_chains *chains, uint32_t symbol)
{
    return (chains->marks[symbol] & MARK_PLACED) != 0;
}

static inline bool is_in_chain(const struct link_chains *chains, uint32_t symbol)
{
    return (chains->marks[symbol] & MARK_CHAINED) != 0;
}

/* ---- Orders ---- */

/* Orders the functions: an array of all COUNT symbol ids, each once; the target of indirect calls
   is among them only if it was called.  Free with free.  */
uint32_t *link_order_functions(const struct symtab *symtab, const struct arc_table *arcs,
                               size_t *count);

/* Orders the functions that represent an object file (symbol.is_object): an array of their COUNT
   ids, each once.  Free with free.  */
uint32_t *link_order_objects(const struct symtab *symtab, const struct arc_table *arcs,
                             size_t *count);

#endif
