#include "analysis/link_chains.h"

#include <stdlib.h>

struct seat {
    uint32_t chain; /* the symbol that founded it */
    uint32_t next;  /* symbol, or NOBODY at the end */
    int64_t position;
};

struct chain {
    uint32_t first, last;
};

#define NOBODY UINT32_MAX

void chains_begin(struct chains *chains, size_t symbol_count)
{
    *chains = (struct chains){.marks = mem_array(symbol_count, sizeof *chains->marks),
                              .seats = mem_array(symbol_count, sizeof *chains->seats),
                              .chains = mem_array(symbol_count, sizeof *chains->chains),
                              .out = mem_array(symbol_count, sizeof *chains->out)};
}

void chains_end(struct chains *chains)
{
    free(chains->marks);
    free(chains->seats);
    free(chains->chains);
}

void chains_put(struct chains *chains, uint32_t symbol)
{
    if ((chains->marks[symbol] & MARK_OUT) == 0)
        chains->out[chains->out_count++] = symbol;
    chains->marks[symbol] |= MARK_OUT | MARK_PLACED;
}

void chains_put_all(struct chains *chains, uint32_t symbol)
{
    symbol = chains->chains[chains->seats[symbol].chain].first;
    for (; symbol != NOBODY; symbol = chains->seats[symbol].next)
        chains_put(chains, symbol);
}

static void found_chain(struct chains *chains, uint32_t symbol)
{
    chains->chains[symbol] = (struct chain){symbol, symbol};
    chains->seats[symbol] = (struct seat){symbol, NOBODY, 0};
    chains->marks[symbol] |= MARK_SEATED;
}

/* Makes SYMBOL, which is in no chain, the last of CHAIN, or the first.  */
static void append(struct chains *chains, struct chain *chain, uint32_t symbol)
{
    struct seat *end = &chains->seats[chain->last];
    chains->seats[symbol] = (struct seat){end->chain, NOBODY, end->position + 1};
    end->next = symbol;
    chain->last = symbol;
}

static void prepend(struct chains *chains, struct chain *chain, uint32_t symbol)
{
    const struct seat *end = &chains->seats[chain->first];
    chains->seats[symbol] = (struct seat){end->chain, chain->first, end->position - 1};
    chain->first = symbol;
}

/* Adds SYMBOL, which is in no chain, to that of ANCHOR, at the end with fewer functions between. */
static void attach(struct chains *chains, uint32_t symbol, uint32_t anchor, bool tie_is_last)
{
    struct chain *chain = &chains->chains[chains->seats[anchor].chain];
    int64_t here = chains->seats[anchor].position;
    int64_t to_first = here - chains->seats[chain->first].position;
    int64_t to_last = chains->seats[chain->last].position - here;
    if (to_last < to_first || (to_last == to_first && tie_is_last))
        append(chains, chain, symbol);
    else
        prepend(chains, chain, symbol);
    chains->marks[symbol] |= MARK_SEATED;
}

bool chains_join(struct chains *chains, uint32_t caller, uint32_t callee)
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
