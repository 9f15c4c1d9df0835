/* link_order.c - orders of functions and object files for the linker (-r, -R).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/link_order.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arcs.h"
#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"
#include "symbols/symtab.h"

/* ---- Chains ---- */

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

/* Adds SYMBOL, which is in no chain, at the front of CHAIN.  */
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

/* ---- Links ----

   The arcs of an order are far apart in memory.  So their ends are copied once, in this order, and
   then read several times.  */

/* An arc between two functions.  */
struct link {
    uint32_t arc, caller, callee;
};

struct links {
    struct link *links;
    size_t count;
    size_t most;     /* number of the first links that have at most MOST of all calls */
    size_t frequent; /* number of the first links that have at most FREQUENT of all calls */
};

/* Fractions of all calls: those that PLACE_MOST places; those whose callees are counted as used. */
static const double most = 0.99, frequent = 0.90;

static bool is_within(uint64_t running, uint64_t total, double share)
{
    return (double)running <= (double)total * share;
}

/* The links of the COUNT arcs IDS, except for those of the caller OUTSIDE.  TOTAL is the number of
   all calls.  */
static struct links links_of(const struct arc_table *arcs, const uint32_t *ids, size_t count,
                             uint64_t total, uint32_t outside)
{
    struct links links = {.links = mem_array(count, sizeof *links.links)};
    uint64_t running = 0;
    for (size_t i = 0; i < count; i++) {
        const struct arc *arc = &arcs->arcs[ids[i]];
        if (arc->caller == arc->callee || arc->caller == outside)
            continue;
        running = sum_u64(running, arc->count);
        links.most += is_within(running, total, most);
        links.frequent += is_within(running, total, frequent);
        links.links[links.count++] = (struct link){ids[i], arc->caller, arc->callee};
    }
    return links;
}

/* Arcs, the most called first.  */
static uint64_t key_of_arc(const void *context, uint32_t id, unsigned level)
{
    (void)level;
    const struct arc_table *arcs = context;
    return ~arcs->arcs[id].count;
}

static const struct id_order by_calls = {.key = key_of_arc, .levels = 1};

/* ---- Placement ----

   An arc is placed when its ends are neighbours, or when it is set aside.  */

struct ordering {
    const struct arc_table *arcs;
    size_t symbol_count;
    uint32_t outside;       /* symbol that stands for callers outside of the image, or NO_ID */
    uint64_t total;         /* calls of arcs that have links */
    uint8_t *is_arc_placed; /* one bit for each arc, by id */
    struct link_chains chains;
};

enum mode { PLACE_MOST, PLACE_ALL };

static bool is_arc_placed(const struct ordering *o, uint32_t id)
{
    return (o->is_arc_placed[id / 8] >> id % 8 & 1) != 0;
}

static void set_arc_placed(struct ordering *o, uint32_t id)
{
    o->is_arc_placed[id / 8] |= (uint8_t)(1 << id % 8);
}

/* Marks arcs from outside of the image as placed: they do not affect the order of functions.  */
static void leave_out_outside(struct ordering *o)
{
    const struct arc_table *arcs = o->arcs;
    if (o->outside == NO_ID)
        return;
    for (uint32_t i = arcs->callee_start[o->outside]; i < arcs->callee_start[o->outside + 1]; i++) {
        o->total -= o->total < UINT64_MAX ? arcs->arcs[i].count : 0; /* unless it is saturated */
        set_arc_placed(o, i);
    }
}

static void ordering_init(struct ordering *o, const struct symtab *symtab,
                          const struct arc_table *arcs)
{
    *o = (struct ordering){.arcs = arcs,
                           .symbol_count = symtab->count,
                           .outside = symtab_outside(symtab),
                           .is_arc_placed = mem_array(arcs->count / 8 + 1, 1)};
    chains_begin(&o->chains, symtab->count);
    for (size_t i = 0; i < symtab->count; i++)
        o->total = sum_u64(o->total, arcs->calls[i]);
    leave_out_outside(o);
}

/* Frees O; returns the emitted symbols, *COUNT of them.  */
static uint32_t *ordering_end(struct ordering *o, size_t *count)
{
    free(o->is_arc_placed);
    chains_end(&o->chains);
    *count = o->chains.out_count;
    return o->chains.out;
}

/* Whether both ends of a link are still to be placed.  */
static bool is_open(const struct ordering *o, const struct link *link)
{
    return !is_placed(&o->chains, link->caller) && !is_placed(&o->chains, link->callee);
}

/* Joins the ends of LINKS to chains and emits these.  PLACE_MOST leaves out the rarest links;
   PLACE_ALL also emits callers whose links joined nothing.  */
static void place(struct ordering *o, const struct links *links, enum mode mode)
{
    size_t end = mode == PLACE_MOST ? links->most : links->count;
    for (size_t i = 0; i < end; i++) {
        const struct link *link = &links->links[i];
        if (!is_arc_placed(o, link->arc) && is_open(o, link) &&
            chains_join(&o->chains, link->caller, link->callee))
            set_arc_placed(o, link->arc);
    }
    for (size_t i = 0; i < links->count; i++) {
        const struct link *link = &links->links[i];
        if (is_open(o, link) && is_in_chain(&o->chains, link->caller))
            chains_emit_chain(&o->chains, link->caller);
    }
    for (size_t i = 0; mode == PLACE_ALL && i < links->count; i++) {
        const struct link *link = &links->links[i];
        if (is_open(o, link))
            chains_emit(&o->chains, link->caller);
    }
}

/* ---- Functions ---- */

/* The number of the most frequent arcs, which have nine tenths of all calls, that lead to each
   function.  By symbol id; free with free.  */
static uint32_t *count_uses(const struct links *links, size_t symbol_count)
{
    uint32_t *uses = mem_array(symbol_count, sizeof *uses);
    for (size_t i = 0; i < links->frequent; i++)
        uses[links->links[i].callee]++;
    return uses;
}

/* Functions, the most used first.  */
static uint64_t key_of_symbol(const void *context, uint32_t symbol, unsigned level)
{
    (void)level;
    const uint32_t *uses = context;
    return ~(uint64_t)uses[symbol];
}

static const struct id_order by_uses = {.key = key_of_symbol, .levels = 1};

/* Arcs set aside with the most used functions.  */
struct aside {
    uint32_t *arcs;
    size_t count;
};

static void set_aside(struct ordering *o, struct aside *aside, uint32_t id)
{
    const struct arc *arc = &o->arcs->arcs[id];
    if (is_arc_placed(o, id) || arc->caller == arc->callee)
        return;
    set_arc_placed(o, id);
    aside->arcs[aside->count++] = id;
}

/* Sets aside the arcs of SYMBOL, each list from its newest on.  */
static void set_arcs_aside(struct ordering *o, struct aside *aside, const struct id_lists *callers,
                           uint32_t symbol)
{
    const uint32_t *start = o->arcs->callee_start;
    for (uint32_t id = start[symbol + 1]; id-- > start[symbol];)
        set_aside(o, aside, id);
    for (uint32_t i = callers->start[symbol]; i < callers->start[symbol + 1]; i++)
        set_aside(o, aside, callers->ids[i]);
}

/* Sets aside the COUNT functions of SORTED and their arcs.  */
static struct aside set_functions_aside(struct ordering *o, const uint32_t *sorted, size_t count)
{
    struct aside aside = {mem_array(o->arcs->count, sizeof *aside.arcs), 0};
    bool *is_aside = mem_array(o->symbol_count, sizeof *is_aside);
    for (size_t k = 0; k < count; k++)
        is_aside[sorted[k]] = true;
    struct id_lists callers = arcs_callers(o->arcs, o->symbol_count, is_aside);
    for (size_t k = 0; k < count; k++) {
        set_arcs_aside(o, &aside, &callers, sorted[k]);
        o->chains.marks[sorted[k]] |= MARK_PLACED;
    }
    id_lists_free(&callers);
    free(is_aside);
    return aside;
}

/* Drops arcs from ASIDE, except for those whose ends are both marked as placed: set aside, or not
   used.  An arc that is kept clears the marks of its ends, so that a later arc with one of these
   ends is not kept.  Example: functions a, b and c were set aside, d was not.

       arcs   a->b    marked: a b c    kept; marks left: c
              b->c                     not kept: b is not marked any more
              c->d                     not kept: d never was  */
static void keep_inner(struct ordering *o, struct aside *aside)
{
    uint8_t *marks = o->chains.marks;
    size_t kept = 0;
    for (size_t i = 0; i < aside->count; i++) {
        const struct arc *arc = &o->arcs->arcs[aside->arcs[i]];
        if (!is_placed(&o->chains, arc->caller) || !is_placed(&o->chains, arc->callee))
            continue;
        marks[arc->caller] &= (uint8_t)~MARK_PLACED;
        marks[arc->callee] &= (uint8_t)~MARK_PLACED;
        aside->arcs[kept++] = aside->arcs[i];
    }
    aside->count = kept;
}

/* Emits the most used of the COUNT functions, which are SORTED by uses.  */
static void place_most_used(struct ordering *o, const uint32_t *sorted, size_t count,
                            const uint32_t *uses)
{
    enum { GROUPS = 80, ENOUGH_USES = 5 };
    size_t top = 0;
    while (top < count / GROUPS && uses[sorted[top]] != ENOUGH_USES)
        top++;
    struct aside aside = set_functions_aside(o, sorted, top);
    keep_inner(o, &aside);
    for (size_t k = 0; k < top; k++)
        if (is_placed(&o->chains, sorted[k]))
            chains_emit(&o->chains, sorted[k]);
    sort_by_order(aside.arcs, aside.count, &by_calls, o->arcs);
    struct links links = links_of(o->arcs, aside.arcs, aside.count, o->total, o->outside);
    place(o, &links, PLACE_ALL);
    free(links.links);
    free(aside.arcs);
}

/* Places the links that are not placed yet, and frees them.  */
static void place_rest(struct ordering *o, struct links *links)
{
    size_t kept = 0;
    for (size_t i = 0; i < links->count; i++)
        if (!is_arc_placed(o, links->links[i].arc))
            links->links[kept++] = links->links[i];
    links->count = kept;
    place(o, links, PLACE_ALL);
    free(links->links);
}

/* The links of all arcs, the most called first, ties in order of first appearance.  */
static struct links sorted_links(const struct ordering *o)
{
    size_t count = o->arcs->count;
    uint32_t *ids = mem_uninitialised(count, sizeof *ids);
    memcpy(ids, o->arcs->by_age, count * sizeof *ids);
    sort_by_order(ids, count, &by_calls, o->arcs);
    struct links links = links_of(o->arcs, ids, count, o->total, o->outside);
    free(ids);
    return links;
}

uint32_t *link_order_functions(const struct symtab *symtab, const struct arc_table *arcs,
                               size_t *count)
{
    struct ordering o;
    uint32_t *used = mem_array(symtab->count, sizeof *used);
    size_t used_count = 0;
    ordering_init(&o, symtab, arcs);
    struct links links = sorted_links(&o);
    for (uint32_t s = 0; s < symtab->count; s++) {
        if (arcs->calls[s] > 0)
            used[used_count++] = s;
        if (arcs->calls[s] == 0 && !symtab->symbols[s].is_indirect_target)
            o.chains.marks[s] = MARK_PLACED;
    }
    uint32_t *uses = count_uses(&links, symtab->count);
    sort_by_order(used, used_count, &by_uses, uses);
    place_most_used(&o, used, used_count, uses);
    place(&o, &links, PLACE_MOST);
    place_rest(&o, &links);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (arcs->calls[s] > 0)
            chains_emit(&o.chains, s);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (!is_pseudo(&symtab->symbols[s]))
            chains_emit(&o.chains, s);
    free(used);
    free(uses);
    return ordering_end(&o, count);
}

/* ---- Object files ---- */

uint32_t *link_order_objects(const struct symtab *symtab, const struct arc_table *arcs,
                             size_t *count)
{
    struct ordering o;
    const struct symbol *symbols = symtab->symbols;
    ordering_init(&o, symtab, arcs);
    struct links links = links_of(arcs, arcs->by_age, arcs->count, o.total, o.outside);
    for (size_t i = 0; i < links.count; i++)
        if (!symbols[links.links[i].caller].is_object || !symbols[links.links[i].callee].is_object)
            set_arc_placed(&o, links.links[i].arc);
    place(&o, &links, PLACE_MOST);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (symbols[s].is_object)
            chains_emit(&o.chains, s);
    free(links.links);
    return ordering_end(&o, count);
}
