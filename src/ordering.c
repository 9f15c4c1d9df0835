#include "ordering.h"

#include <stdlib.h>

#include "arcs.h"

/* Functions are placed beside those they exchange the most calls with, and so form chains, which
   are put out in one go.  An arc that is placed has done its work; a function that is placed has
   been put out, is not used, or was set aside with the most used ones.

   Chains grow at their ends, by one function at a time that was in none, so that each function can
   keep its position in its chain, and both ends are found, and how far they are, without walking:

       chain     first -> ... -> function -> ... -> last
       position   -3                0                +5       the founder's is 0  */
struct seat {
    uint32_t chain; /* the symbol that founded it; NO_ID: in none */
    uint32_t next;  /* symbol, or NO_ID at the end */
    int64_t position;
};

struct chain {
    uint32_t first, last;
};

struct ordering {
    const struct arc_table *arcs;
    uint32_t *list; /* arc ids, self arcs left out */
    size_t list_count;
    uint64_t total;       /* calls of these */
    bool *is_arc_placed;  /* by arc id */
    bool *is_placed;      /* by symbol id */
    bool *is_out;         /* by symbol id */
    struct seat *seats;   /* by symbol id */
    struct chain *chains; /* by founder's symbol id */
    uint32_t *out;        /* symbol ids */
    size_t out_count;
};

enum mode { PLACE_MOST, PLACE_ALL };

/* The share of all calls that PLACE_MOST places, and that of the arcs whose callees are counted as
   used.  */
static const double most = 0.99, frequent = 0.90;

static bool is_past(uint64_t running, uint64_t total, double share)
{
    return (double)running > (double)total * share;
}

/* The arc IDS[i]; asks for one that comes later.  */
static const struct arc *arc_at(const struct arc_table *arcs, const uint32_t *ids, size_t count,
                                size_t i)
{
    enum { AHEAD = 16 };
    if (i + AHEAD < count)
        PREFETCH(&arcs->arcs[ids[i + AHEAD]]);
    return &arcs->arcs[ids[i]];
}

static void ordering_init(struct ordering *o, const struct symtab *symtab,
                          const struct arc_table *arcs)
{
    size_t n = symtab->count;
    *o = (struct ordering){.arcs = arcs,
                           .list = arcs_by_age(arcs),
                           .is_arc_placed = mem_array(arcs->count, sizeof(bool)),
                           .is_placed = mem_array(n, sizeof(bool)),
                           .is_out = mem_array(n, sizeof(bool)),
                           .seats = mem_array(n, sizeof *o->seats),
                           .chains = mem_array(n, sizeof *o->chains),
                           .out = mem_array(n, sizeof *o->out)};
    for (size_t i = 0; i < n; i++)
        o->seats[i].chain = o->seats[i].next = NO_ID;
    for (size_t i = 0; i < arcs->count; i++) {
        const struct arc *arc = arc_at(arcs, o->list, arcs->count, i);
        if (arc->caller != arc->callee)
            o->list[o->list_count++] = o->list[i];
    }
    for (size_t i = 0; i < n; i++)
        o->total = sum_u64(o->total, arcs->calls[i]);
}

/* Frees all but the result.  */
static uint32_t *ordering_end(struct ordering *o)
{
    free(o->list);
    free(o->is_arc_placed);
    free(o->is_placed);
    free(o->is_out);
    free(o->seats);
    free(o->chains);
    return o->out;
}

/* The arcs called most often come first.  */
static uint64_t rank_of_arc(const void *context, uint32_t id)
{
    const struct arc_table *arcs = context;
    return ~arcs->arcs[id].count;
}

/* ---- Chains ---- */

/* Puts out a function, if it is not out yet.  */
static void put(struct ordering *o, uint32_t symbol)
{
    if (!o->is_out[symbol])
        o->out[o->out_count++] = symbol;
    o->is_out[symbol] = o->is_placed[symbol] = true;
}

static bool is_alone(const struct ordering *o, uint32_t symbol)
{
    return o->seats[symbol].chain == NO_ID;
}

static void found_chain(struct ordering *o, uint32_t symbol)
{
    o->chains[symbol] = (struct chain){symbol, symbol};
    o->seats[symbol].chain = symbol;
}

/* Makes SYMBOL, which is alone, the last of CHAIN, or the first.  */
static void append(struct ordering *o, struct chain *chain, uint32_t symbol)
{
    struct seat *end = &o->seats[chain->last];
    o->seats[symbol] = (struct seat){end->chain, NO_ID, end->position + 1};
    end->next = symbol;
    chain->last = symbol;
}

static void prepend(struct ordering *o, struct chain *chain, uint32_t symbol)
{
    const struct seat *end = &o->seats[chain->first];
    o->seats[symbol] = (struct seat){end->chain, chain->first, end->position - 1};
    chain->first = symbol;
}

/* Adds SYMBOL, which is alone, to the chain of ANCHOR, at the end with fewer functions between.  */
static void attach(struct ordering *o, uint32_t symbol, uint32_t anchor, bool tie_is_last)
{
    struct chain *chain = &o->chains[o->seats[anchor].chain];
    int64_t here = o->seats[anchor].position;
    int64_t to_first = here - o->seats[chain->first].position;
    int64_t to_last = o->seats[chain->last].position - here;
    if (to_last < to_first || (to_last == to_first && tie_is_last))
        append(o, chain, symbol);
    else
        prepend(o, chain, symbol);
}

/* Puts the ends of an arc into one chain; false if both are in chains already.  */
static bool join(struct ordering *o, const struct arc *arc)
{
    uint32_t caller = arc->caller, callee = arc->callee;
    if (is_alone(o, caller)) {
        if (is_alone(o, callee))
            found_chain(o, callee);
        attach(o, caller, callee, false);
    } else if (is_alone(o, callee)) {
        attach(o, callee, caller, true);
    } else {
        return false;
    }
    return true;
}

static void put_chain(struct ordering *o, uint32_t symbol)
{
    symbol = o->chains[o->seats[symbol].chain].first;
    for (; symbol != NO_ID; symbol = o->seats[symbol].next)
        put(o, symbol);
}

/* Whether both ends of an arc are still to be placed.  */
static bool is_open(const struct ordering *o, const struct arc *arc)
{
    return !o->is_placed[arc->caller] && !o->is_placed[arc->callee];
}

/* Joins the ends of the arcs of LIST, and puts the chains out: PLACE_MOST without the rarest of all
   arcs, which LIST has; PLACE_ALL puts out callers whose arcs joined nothing as well.  */
static void place(struct ordering *o, const uint32_t *list, size_t count, enum mode mode)
{
    uint64_t running = 0;
    for (size_t i = 0; i < count; i++) {
        const struct arc *arc = arc_at(o->arcs, list, count, i);
        running = sum_u64(running, arc->count);
        if (o->is_arc_placed[list[i]] || (mode == PLACE_MOST && is_past(running, o->total, most)) ||
            !is_open(o, arc))
            continue;
        o->is_arc_placed[list[i]] = join(o, arc);
    }
    for (size_t i = 0; i < count; i++) {
        const struct arc *arc = arc_at(o->arcs, list, count, i);
        if (is_open(o, arc) && !is_alone(o, arc->caller))
            put_chain(o, arc->caller);
    }
    for (size_t i = 0; mode == PLACE_ALL && i < count; i++) {
        const struct arc *arc = arc_at(o->arcs, list, count, i);
        if (is_open(o, arc))
            put(o, arc->caller);
    }
}

/* ---- Functions ---- */

/* How many of the most frequent arcs, which make nine tenths of all calls, lead to each function.
   By symbol id; free with free.  */
static uint32_t *count_uses(const struct ordering *o, size_t symbol_count)
{
    uint32_t *uses = mem_array(symbol_count, sizeof *uses);
    uint64_t running = 0;
    for (size_t i = 0; i < o->list_count; i++) {
        const struct arc *arc = arc_at(o->arcs, o->list, o->list_count, i);
        running = sum_u64(running, arc->count);
        if (is_past(running, o->total, frequent))
            break;
        uses[arc->callee]++;
    }
    return uses;
}

static uint64_t rank_of_symbol(const void *context, uint32_t symbol)
{
    const uint32_t *uses = context;
    return ~(uint64_t)uses[symbol];
}

/* Arcs set aside with the most used functions.  */
struct aside {
    uint32_t *arcs;
    size_t count;
};

static void set_aside(struct ordering *o, struct aside *aside, uint32_t id)
{
    const struct arc *arc = &o->arcs->arcs[id];
    if (o->is_arc_placed[id] || arc->caller == arc->callee)
        return;
    o->is_arc_placed[id] = true;
    aside->arcs[aside->count++] = id;
}

/* Sets aside the arcs of SYMBOL, each list from its newest on.  */
static void set_arcs_aside(struct ordering *o, struct aside *aside, uint32_t symbol)
{
    const struct arc_table *arcs = o->arcs;
    for (uint32_t id = arcs->child_start[symbol + 1]; id-- > arcs->child_start[symbol];)
        set_aside(o, aside, id);
    for (uint32_t i = arcs->parent_start[symbol]; i < arcs->parent_start[symbol + 1]; i++)
        set_aside(o, aside, arcs->parents[i]);
}

/* Of the arcs set aside, those whose ends were both set aside with them, or are not used.  These
   are placed first, and an arc that comes later finds their ends taken.  */
static void keep_inner(struct ordering *o, struct aside *aside)
{
    size_t kept = 0;
    for (size_t i = 0; i < aside->count; i++) {
        const struct arc *arc = &o->arcs->arcs[aside->arcs[i]];
        if (!o->is_placed[arc->caller] || !o->is_placed[arc->callee])
            continue;
        o->is_placed[arc->caller] = o->is_placed[arc->callee] = false;
        aside->arcs[kept++] = aside->arcs[i];
    }
    aside->count = kept;
}

/* Puts out the functions that most others use, of the COUNT that are SORTED by uses.  */
static void place_most_used(struct ordering *o, const uint32_t *sorted, size_t count,
                            const uint32_t *uses)
{
    enum { GROUPS = 80, ENOUGH_USES = 5 };
    const struct arc_table *arcs = o->arcs;
    struct aside aside = {mem_array(arcs->count, sizeof(uint32_t)), 0};
    size_t top = 0;
    while (top < count / GROUPS && uses[sorted[top]] != ENOUGH_USES) {
        uint32_t s = sorted[top++];
        set_arcs_aside(o, &aside, s);
        o->is_placed[s] = true;
    }
    keep_inner(o, &aside);
    for (size_t k = 0; k < top; k++)
        if (o->is_placed[sorted[k]])
            put(o, sorted[k]);
    sort_ids_by_number(aside.arcs, aside.count, rank_of_arc, arcs);
    place(o, aside.arcs, aside.count, PLACE_ALL);
    free(aside.arcs);
}

/* Places what no placing of the list has dealt with.  */
static void place_rest(struct ordering *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->list_count; i++)
        if (!o->is_arc_placed[o->list[i]])
            o->list[kept++] = o->list[i];
    place(o, o->list, kept, PLACE_ALL);
}

uint32_t *ordering_functions(const struct symtab *symtab, const struct arc_table *arcs,
                             size_t *count)
{
    struct ordering o;
    uint32_t *by_uses = mem_array(symtab->count, sizeof *by_uses);
    size_t used_count = 0;
    ordering_init(&o, symtab, arcs);
    sort_ids_by_number(o.list, o.list_count, rank_of_arc, arcs);
    for (uint32_t s = 0; s < symtab->count; s++) {
        if (arcs->calls[s] > 0)
            by_uses[used_count++] = s;
        o.is_placed[s] = arcs->calls[s] == 0 && !symtab->symbols[s].is_nowhere;
    }
    uint32_t *uses = count_uses(&o, symtab->count);
    sort_ids_by_number(by_uses, used_count, rank_of_symbol, uses);
    place_most_used(&o, by_uses, used_count, uses);
    place(&o, o.list, o.list_count, PLACE_MOST);
    place_rest(&o);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (arcs->calls[s] > 0)
            put(&o, s);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (!symtab->symbols[s].is_nowhere)
            put(&o, s);
    free(by_uses);
    free(uses);
    *count = o.out_count;
    return ordering_end(&o);
}

/* ---- Object files ---- */

uint32_t *ordering_files(const struct symtab *symtab, const struct arc_table *arcs, size_t *count)
{
    struct ordering o;
    const struct symbol *symbols = symtab->symbols;
    ordering_init(&o, symtab, arcs);
    for (size_t i = 0; i < o.list_count; i++) {
        const struct arc *arc = &arcs->arcs[o.list[i]];
        o.is_arc_placed[o.list[i]] =
            !symbols[arc->caller].is_object || !symbols[arc->callee].is_object;
    }
    place(&o, o.list, o.list_count, PLACE_MOST);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (symbols[s].is_object)
            put(&o, s);
    *count = o.out_count;
    return ordering_end(&o);
}
