/* link_chains.h - functions beside each other in chains, for an order in which to link them.

   Functions are placed beside those they exchange the most calls with, and so form chains, which
   are put out in one go.  A function that is placed has been put out, is not used, or was set
   aside.

   Chains grow at their ends, by one function at a time that was in none, so that each function can
   keep its position in its chain, and both ends are found, and how far they are, without walking:

       chain     first -> ... -> function -> ... -> last
       position   -3                0                +5       the founder's is 0  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_LINK_CHAINS_H
#define REGPROF_ANALYSIS_LINK_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What there is to say of a symbol, or-ed: it is placed; it was put out; it is in a chain.  Looking
   at the ends of all arcs takes but these.  */
enum mark { MARK_PLACED = 1, MARK_EMITTED = 2, MARK_CHAINED = 4 };

struct chain;
struct chain_node;

struct link_chains {
    uint8_t *marks;           /* by symbol id */
    struct chain_node *seats; /* by symbol id */
    struct chain *chains;     /* by the symbol id of its founder */
    uint32_t *out;            /* symbol ids in the order they were put out; free with free */
    size_t out_count;
};

void chains_begin(struct link_chains *chains, size_t symbol_count);
/* Frees all but the result.  */
void chains_end(struct link_chains *chains);

/* Puts out a symbol, if it is not out yet.  */
void chains_emit(struct link_chains *chains, uint32_t symbol);
/* Puts out the chain that a symbol is in.  */
void chains_emit_chain(struct link_chains *chains, uint32_t symbol);

/* Puts the two into one chain; false if both are in chains already.  */
bool chains_join(struct link_chains *chains, uint32_t caller, uint32_t callee);

static inline bool is_placed(const struct link_chains *chains, uint32_t symbol)
{
    return (chains->marks[symbol] & MARK_PLACED) != 0;
}

static inline bool is_in_chain(const struct link_chains *chains, uint32_t symbol)
{
    return (chains->marks[symbol] & MARK_CHAINED) != 0;
}

#endif
