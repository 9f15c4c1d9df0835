/* arcs.c - adds up calls between symbols, and executions of basic blocks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/arcs.h"

#include <assert.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "symbols/symtab.h"

/* ---- Collection of arcs ---- */

static void begin(struct arc_builder *builder)
{
    struct arc_table *table = builder->table;
    size_t symbol_count = builder->symtab->count;
    table->calls = mem_array(symbol_count, sizeof *table->calls);
    table->self_calls = mem_array(symbol_count, sizeof *table->self_calls);
    if (!builder->only_calls)
        table->has_other_callers = mem_array(symbol_count, sizeof *table->has_other_callers);
}

static void add(struct arc_builder *builder, const struct arc *arc)
{
    const struct arc_table *table = builder->table;
    uint64_t *calls = arc->caller == arc->callee ? table->self_calls : table->calls;
    calls[arc->callee] = sum_u64(calls[arc->callee], arc->count);
    if (!builder->only_calls)
        pair_counts_add(&builder->pairs, arc->caller, arc->callee, arc->count);
}

/* Marks the callee of ARC, which is not in the table: no symbol covers its caller, or a filter
   excludes it.  */
static void drop(struct arc_builder *builder, const struct arc *arc)
{
    bool *has_other_callers = builder->table->has_other_callers;
    if (has_other_callers != NULL && arc->callee != NO_ID && arc->caller != arc->callee &&
        arc->count > 0)
        has_other_callers[arc->callee] = true;
}

/* RECORDED as an arc between symbols; NO_ID for an end that no symbol covers.  Prefetches the pair
   for arcs_add.  */
static struct arc find_ends(const struct arc_builder *builder, const struct recorded_arc *recorded)
{
    uint32_t caller = symtab_find(builder->symtab, recorded->from);
    if (caller == NO_ID && recorded->from == 0)
        caller = symtab_outside(builder->symtab);
    uint32_t callee = symtab_find(builder->symtab, recorded->self);
    if (callee != NO_ID)
        callee = symtab_function(builder->symtab, callee);
    if (caller != NO_ID && callee != NO_ID) {
        PREFETCH(&builder->table->calls[callee]);
        if (!builder->only_calls)
            pair_counts_prefetch(&builder->pairs, caller, callee);
    }
    return (struct arc){caller, callee, recorded->count};
}

/* Adds the pending arcs.  */
static void add_pending(struct arc_builder *builder)
{
    struct arc arcs[ARCS_PENDING];
    size_t count = builder->pending_count;
    if (builder->table->calls == NULL)
        begin(builder);
    for (size_t i = 0; i < count; i++)
        arcs[i] = find_ends(builder, &builder->pending[i]);
    for (size_t i = 0; i < count; i++) {
        bool has_ends = arcs[i].caller != NO_ID && arcs[i].callee != NO_ID;
        builder->table->recorded = sum_u64(builder->table->recorded, arcs[i].count);
        if (!has_ends)
            builder->table->dropped = sum_u64(builder->table->dropped, arcs[i].count);
        if (has_ends && is_arc_accepted(builder->filters, arcs[i].caller, arcs[i].callee))
            add(builder, &arcs[i]);
        else
            drop(builder, &arcs[i]);
    }
    builder->pending_count = 0;
}

void arcs_record(struct arc_builder *builder, vma from, vma self, uint64_t count)
{
    symtab_prefetch(builder->symtab, from);
    symtab_prefetch(builder->symtab, self);
    builder->pending[builder->pending_count++] = (struct recorded_arc){from, self, count};
    if (builder->pending_count == ARCS_PENDING)
        add_pending(builder);
}

void arcs_add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t count)
{
    add_pending(builder);
    add(builder, &(struct arc){caller, callee, count});
}

void arcs_replace_caller(struct arc_builder *builder, uint32_t from, uint32_t *callers)
{
    bool *is_called = mem_array(builder->symtab->count, sizeof *is_called);
    add_pending(builder);
    for (size_t i = 0; i < builder->pairs.count; i++) {
        struct pair_count *pair = &builder->pairs.pairs[i];
        if (pair->a != from || callers[pair->b] == NO_ID)
            continue;
        pair->a = callers[pair->b];
        is_called[pair->b] = true;
    }
    for (size_t s = 0; s < builder->symtab->count; s++)
        if (!is_called[s])
            callers[s] = NO_ID;
    free(is_called);
}

size_t arcs_count(struct arc_builder *builder)
{
    add_pending(builder);
    return builder->pairs.count;
}

/* ---- Lists of arcs ----

   Counting sorts that read `pair_counts' without a copy, and prefetch: id_lists_make does
   neither.  */

enum { AHEAD = 16 }; /* how many arcs ahead memory is prefetched */

/* Adds to START, which is zeroed, how many pairs lead from each symbol or, if BY_CALLEE, to it.  */
static void count_pairs(uint32_t *start, const struct pair_counts *pairs, bool by_callee)
{
    for (size_t i = 0; i < pairs->count; i++)
        start[(by_callee ? pairs->pairs[i].b : pairs->pairs[i].a) + 1]++;
}

/* Fills TABLE with the pairs, sorted by caller, stably:

     pairs, as they first appeared    2->0  0->1  2->1  0->2
     callee_start                     0  2  2  4
     arcs                             0->1  0->2  2->0  2->1
     by_age                           2  0  3  1  */
static void sort_by_caller(struct arc_table *table, const struct arc_builder *builder)
{
    const struct pair_count *pairs = builder->pairs.pairs;
    size_t count = builder->pairs.count, symbol_count = builder->symtab->count;
    table->callee_start = mem_array(symbol_count + 1, sizeof *table->callee_start);
    table->arcs = mem_uninitialised(count, sizeof *table->arcs);
    table->by_age = mem_uninitialised(count, sizeof *table->by_age);
    table->count = count;
    count_pairs(table->callee_start, &builder->pairs, false);
    uint32_t *next = id_lists_begin(table->callee_start, symbol_count);
    for (size_t i = 0; i < count; i++) {
        assert(pairs[i].a < symbol_count && pairs[i].b < symbol_count);
        if (i + AHEAD < count)
            PREFETCH(&table->arcs[next[pairs[i + AHEAD].a]]);
        uint32_t id = next[pairs[i].a]++;
        table->arcs[id] = (struct arc){pairs[i].a, pairs[i].b, pairs[i].count};
        table->by_age[i] = id;
    }
    free(next);
}

/* Fills TABLE's lists of callers from the pairs, from the last to the first; with the pairs of
   sort_by_caller's example:

     callers.start                    0  1  3  4
     callers.ids                      2  3  0  1

   Pairs are read one after another; arcs, in the order of their age, are far apart in memory.  */
static void list_callers(struct arc_table *table, const struct arc_builder *builder)
{
    const struct pair_count *pairs = builder->pairs.pairs;
    size_t count = builder->pairs.count, symbol_count = builder->symtab->count;
    struct id_lists *lists = &table->callers;
    lists->start = mem_array(symbol_count + 1, sizeof *lists->start);
    lists->ids = mem_uninitialised(count, sizeof *lists->ids);
    count_pairs(lists->start, &builder->pairs, true);
    uint32_t *next = id_lists_begin(lists->start, symbol_count);
    for (size_t i = count; i-- > 0;) {
        if (i >= AHEAD)
            PREFETCH(&lists->ids[next[pairs[i - AHEAD].b]]);
        lists->ids[next[pairs[i].b]++] = table->by_age[i];
    }
    free(next);
}

void arcs_finish(struct arc_builder *builder)
{
    add_pending(builder);
    pair_counts_close(&builder->pairs);
    if (!builder->only_calls)
        sort_by_caller(builder->table, builder);
    if (!builder->only_calls && builder->has_callers)
        list_callers(builder->table, builder);
    pair_counts_free(&builder->pairs);
}

struct id_lists arcs_callers(const struct arc_table *table, size_t symbol_count, const bool *wanted)
{
    struct id_lists lists = {.start = mem_array(symbol_count + 1, sizeof *lists.start)};
    for (size_t i = 0; i < table->count; i++)
        lists.start[table->arcs[i].callee + 1] += wanted[table->arcs[i].callee];
    uint32_t *next = id_lists_begin(lists.start, symbol_count);
    lists.ids = mem_uninitialised(lists.start[symbol_count], sizeof *lists.ids);
    for (size_t i = table->count; i-- > 0;) {
        if (i >= AHEAD)
            PREFETCH(&table->arcs[table->by_age[i - AHEAD]]);
        uint32_t id = table->by_age[i], callee = table->arcs[id].callee;
        if (wanted[callee])
            lists.ids[next[callee]++] = id;
    }
    free(next);
    return lists;
}

void arcs_free_order(struct arc_table *table)
{
    free(table->by_age);
    table->by_age = NULL;
}

void arcs_free(struct arc_table *table)
{
    free(table->arcs);
    free(table->by_age);
    free(table->callee_start);
    id_lists_free(&table->callers);
    free(table->calls);
    free(table->self_calls);
    free(table->has_other_callers);
    *table = (struct arc_table){0};
}

/* ---- Basic blocks ---- */

void blocks_record(struct block_table *table, const struct symtab *symtab, vma addr, uint64_t count)
{
    uint32_t symbol = symtab_find(symtab, addr);
    if (symbol == NO_ID) {
        table->dropped++;
        return;
    }
    uint32_t number = pair_map_number(&table->addrs, addr, 0);
    if (number < table->count) {
        table->blocks[number].count = sum_u64(table->blocks[number].count, count);
        return;
    }
    table->blocks =
        mem_grow(table->blocks, &table->capacity, table->count + 1, sizeof *table->blocks);
    table->blocks[table->count++] = (struct block){symbol, addr, count};
}

static int compare_symbols(const void *context, uint32_t a, uint32_t b)
{
    const struct block *blocks = context;
    return blocks[a].symbol < blocks[b].symbol ? -1 : blocks[a].symbol > blocks[b].symbol;
}

void blocks_finish(struct block_table *table)
{
    uint32_t *order = identity_ids(table->count);
    sort_ids(order, table->count, compare_symbols, table->blocks);
    table->blocks = mem_reorder(table->blocks, order, table->count, sizeof *table->blocks);
    pair_map_free(&table->addrs);
    table->capacity = table->count;
}

void blocks_free(struct block_table *table)
{
    free(table->blocks);
    pair_map_free(&table->addrs);
    *table = (struct block_table){0};
}
