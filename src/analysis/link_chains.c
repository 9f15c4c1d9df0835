/* link_chains.c - chains of functions that are placed beside each other.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/link_chains.h"

#include <stdlib.h>

#include "base/memory.h"

struct chain_node {
    uint32_t chain; /* the symbol that founded it */
    uint32_t next;  /* symbol, or NOBODY at the end */
    int64_t position;
};

struct chain {
    uint32_t first, last;
};

#define NOBODY UINT32_MAX

void chains_begin(struct link_chains *chains, size_t symbol_count)
{
    *chains = (struct link_chains){.marks = mem_array(symbol_count, sizeof *chains->marks),
                                   .seats = mem_array(symbol_count, sizeof *chains->seats),
                                   .chains = mem_array(symbol_count, sizeof *chains->chains),
                                   .out = mem_array(symbol_count, sizeof *chains->out)};
}

void chains_end(struct link_chains *chains)
{
    free(chains->marks);
    free(chains->seats);
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
    symbol = chains->chains[chains->seats[symbol].chain].first;
    for (; symbol != NOBODY; symbol = chains->seats[symbol].next)
        chains_emit(chains, symbol);
}

static void found_chain(struct link_chains *chains, uint32_t symbol)
{
    chains->chains[symbol] = (struct chain){symbol, symbol};
    chains->seats[symbol] = (struct chain_node){symbol, NOBODY, 0};
    chains->marks[symbol] |= MARK_CHAINED;
}

/* Makes SYMBOL, which is in no chain, the last of CHAIN, or the first.  */
static void append(struct link_chains *chains, struct chain *chain, uint32_t symbol)
{
    struct chain_node *end = &chains->seats[chain->last];
    chains->seats[symbol] = (struct chain_node){end->chain, NOBODY, end->position + 1};
    end->next = symbol;
    chain->last = symbol;
}

static void prepend(struct link_chains *chains, struct chain *chain, uint32_t symbol)
{
    const struct chain_node *end = &chains->seats[chain->first];
    chains->seats[symbol] = (struct chain_node){end->chain, chain->first, end->position - 1};
    chain->first = symbol;
}

/* Adds SYMBOL, which is in no chain, to that of ANCHOR, at the end with fewer functions between. */
static void attach(struct link_chains *chains, uint32_t symbol, uint32_t anchor, bool tie_is_last)
{
    struct chain *chain = &chains->chains[chains->seats[anchor].chain];
    int64_t here = chains->seats[anchor].position;
    int64_t to_first = here - chains->seats[chain->first].position;
    int64_t to_last = chains->seats[chain->last].position - here;
    if (to_last < to_first || (to_last == to_first && tie_is_last))
        append(chains, chain, symbol);
    else
        prepend(chains, chain, symbol);
    chains->marks[symbol] |= MARK_CHAINED;
}

bool chains_join(struct link_chains *chains, uint32_t caller, uint32_t callee)
{
    if (!is_in_chain(chains, caller)) {
        if (!is_in_chain(chains, callee))
            found_chain(chains, callee);
        attach(chains, caller, callee, false);
    } else if (!is_in_chain(chains, callee)) {
        attach(chains, callee, caller, true);
    } else {
        return false;
    }
    return true;
}
