/* link_chains.c - chains of functions that are placed beside each other.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/link_chains.h"

#include <stdlib.h>

#include "base/memory.h"

struct chain_node {
    uint32_t chain; /* its first member */
    uint32_t next;  /* symbol id, or NO_SYMBOL at the back */
    int64_t position;
};

struct chain {
    uint32_t front, back;
};

#define NO_SYMBOL UINT32_MAX

void chains_begin(struct link_chains *chains, size_t symbol_count)
{
    *chains = (struct link_chains){.marks = mem_array(symbol_count, sizeof *chains->marks),
                                   .nodes = mem_array(symbol_count, sizeof *chains->nodes),
                                   .chains = mem_array(symbol_count, sizeof *chains->chains),
                                   .out = mem_array(symbol_count, sizeof *chains->out)};
}

void chains_end(struct link_chains *chains)
{
    free(chains->marks);
    free(chains->nodes);
    free(chains->chains);
}

void chains_emit(struct link_chains *chains, uint32_t symbol)
{
    if ((chains->marks[symbol] & MARK_EMITTED) == 0)
        chains->out[chains->out_count++] = symbol;
    chains->marks[symbol] |= MARK_EMITTED | MARK_PLACED;
}

void chains_emit_chain(struct link_chains *chains, uint32_t symbol)
{
    symbol = chains->chains[chains->nodes[symbol].chain].front;
    for (; symbol != NO_SYMBOL; symbol = chains->nodes[symbol].next)
        chains_emit(chains, symbol);
}

static void start_chain(struct link_chains *chains, uint32_t symbol)
{
    chains->chains[symbol] = (struct chain){symbol, symbol};
    chains->nodes[symbol] = (struct chain_node){symbol, NO_SYMBOL, 0};
    chains->marks[symbol] |= MARK_CHAINED;
}

/* Adds SYMBOL, which is in no chain, at the back of CHAIN.  */
static void append(struct link_chains *chains, struct chain *chain, uint32_t symbol)
{
    struct chain_node *end = &chains->nodes[chain->back];
    chains->nodes[symbol] = (struct chain_node){end->chain, NO_SYMBOL, end->position + 1};
    end->next = symbol;
    chain->back = symbol;
}

/* The same at the front.  */
static void prepend(struct link_chains *chains, struct chain *chain, uint32_t symbol)
{
    const struct chain_node *end = &chains->nodes[chain->front];
    chains->nodes[symbol] = (struct chain_node){end->chain, chain->front, end->position - 1};
    chain->front = symbol;
}

/* Adds SYMBOL, which is in no chain, to the chain of ANCHOR, at the end that is nearer to ANCHOR.

   Example: with c as anchor, x is added at the back, for 1 is less than 2.

       chain      a    b    c    d               a    b    c    d    x
       position  -1    0    1    2              -1    0    1    2    3
       from c     2              1  */
static void attach(struct link_chains *chains, uint32_t symbol, uint32_t anchor, bool tie_is_back)
{
    struct chain *chain = &chains->chains[chains->nodes[anchor].chain];
    int64_t here = chains->nodes[anchor].position;
    int64_t to_front = here - chains->nodes[chain->front].position;
    int64_t to_back = chains->nodes[chain->back].position - here;
    if (to_back < to_front || (to_back == to_front && tie_is_back))
        append(chains, chain, symbol);
    else
        prepend(chains, chain, symbol);
    chains->marks[symbol] |= MARK_CHAINED;
}

bool chains_join(struct link_chains *chains, uint32_t caller, uint32_t callee)
{
    if (!is_in_chain(chains, caller)) {
        if (!is_in_chain(chains, callee))
            start_chain(chains, callee);
        attach(chains, caller, callee, false);
    } else if (!is_in_chain(chains, callee)) {
        attach(chains, callee, caller, true);
    } else {
        return false;
    }
    return true;
}
