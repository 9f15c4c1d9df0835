/* arcs.c - arc records become calls between symbols; lists of callers and callees.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/arcs.h"

#include <stdlib.h>

#include "analysis/symtab.h"
#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- Collecting ---- */

static void begin(struct arc_builder *builder)
{
    struct arc_table *table = builder->table;
    size_t rows = builder->symtab->count;
    table->calls = mem_array(rows, sizeof *table->calls);
    table->self_calls = mem_array(rows, sizeof *table->self_calls);
    if (!builder->only_calls)
        arc_log_begin(&builder->log, rows);
}

static void count(struct arc_table *table, const struct arc *arc)
{
    uint64_t *calls = arc->caller == arc->callee ? table->self_calls : table->calls;
    calls[arc->callee] = sum_u64(calls[arc->callee], arc->count);
}

static void add(struct arc_builder *builder, const struct arc *arc)
{
    if (builder->only_calls)
        count(builder->table, arc);
    else
        arc_log_add(&builder->log, arc);
}

static struct arc find_ends(const struct arc_builder *builder, const struct recorded_arc *recorded)
{
    uint32_t caller = symtab_find(builder->symtab, recorded->from);
    uint32_t callee = symtab_find(builder->symtab, recorded->self);
    if (callee != NO_ID)
        callee = symtab_function(builder->symtab, callee);
    if (callee != NO_ID && builder->only_calls)
        PREFETCH(&builder->table->calls[callee]);
    return (struct arc){caller, callee, recorded->count};
}

static void settle(struct arc_builder *builder)
{
    struct arc arcs[ARCS_WAITING];
    size_t waiting = builder->waiting_count;
    if (builder->table->calls == NULL)
        begin(builder);
    for (size_t i = 0; i < waiting; i++)
        arcs[i] = find_ends(builder, &builder->waiting[i]);
    for (size_t i = 0; i < waiting; i++)
        if (arcs[i].caller != NO_ID && arcs[i].callee != NO_ID &&
            is_arc_accepted(builder->filters, arcs[i].caller, arcs[i].callee))
            add(builder, &arcs[i]);
    builder->waiting_count = 0;
}

void arcs_record(struct arc_builder *builder, vma from, vma self, uint64_t count)
{
    symtab_expect(builder->symtab, from);
    symtab_expect(builder->symtab, self);
    builder->waiting[builder->waiting_count++] = (struct recorded_arc){from, self, count};
    if (builder->waiting_count == ARCS_WAITING)
        settle(builder);
}

void arcs_add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t calls)
{
    settle(builder);
    add(builder, &(struct arc){caller, callee, calls});
}

size_t arcs_count(struct arc_builder *builder)
{
    settle(builder);
    arc_log_tidy(&builder->log);
    return builder->log.count;
}

/* ---- Lists ----

   Symbols are taken in groups of neighbours, whose lists are few enough to be put in order within a
   cache: the callers as they share a drawer of the log, and the callees likewise.  */

/* Turns counts per symbol of a group (count of symbol s in starts[s + 1]) into starts of rows, and
   copies these to NEXT.  */
static void make_starts(uint32_t *starts, size_t symbols, uint32_t *next)
{
    for (size_t s = 0; s < symbols; s++) {
        next[s] = starts[s];
        starts[s + 1] += starts[s];
    }
}

/* How many of ROWS symbols are in the group that begins with FIRST.  */
static size_t group_size(size_t rows, size_t first)
{
    return rows - first < DRAWER_SYMBOLS ? rows - first : DRAWER_SYMBOLS;
}

/* How much room there is in a table that grows.  */
struct table_capacity {
    size_t arcs, ages;
};

/* Adds the arcs of a batch to the table, those of each caller together, so that walking its callees
   is walking memory.  FIRST is the first symbol of their group.  */
static void add_batch(struct arc_table *table, struct table_capacity *capacity,
                      const struct arc_batch *batch, size_t rows, size_t first)
{
    uint32_t next[DRAWER_SYMBOLS] = {0};
    size_t sum = table->count + batch->pairs.count;
    for (size_t i = 0; i < batch->pairs.count; i++)
        table->child_start[batch->pairs.pairs[i].a + 1]++;
    make_starts(table->child_start + first, group_size(rows, first), next);
    table->arcs = mem_grow(table->arcs, &capacity->arcs, sum, sizeof *table->arcs);
    table->ages = mem_grow(table->ages, &capacity->ages, sum, sizeof *table->ages);
    for (size_t i = 0; i < batch->pairs.count; i++) {
        uint32_t id = next[batch->pairs.pairs[i].a - first]++;
        table->arcs[id] = arc_batch_at(batch, i);
        table->ages[id] = batch->ages[i];
    }
    table->count = sum;
}

static void take_log(struct arc_table *table, const struct arc_log *log, size_t rows)
{
    struct arc_batch batch = {0};
    struct arc_ages ages = {0};
    struct table_capacity capacity = {0};
    arc_ages_begin(&ages, log);
    for (size_t d = 0; d < log->drawer_count; d++) {
        size_t first = d * DRAWER_SYMBOLS;
        arc_log_gather(log, d, &batch);
        arc_ages_note(&ages, batch.ages, batch.pairs.count);
        add_batch(table, &capacity, &batch, rows, first);
    }
    arc_batch_free(&batch);
    arc_ages_close(&ages);
    for (size_t i = 0; i < table->count; i++)
        table->ages[i] = arc_ages_rank(&ages, table->ages[i]);
    arc_ages_free(&ages);
}

static void count_calls(struct arc_table *table)
{
    enum { AHEAD = 16 };
    for (size_t i = 0; i < table->count; i++) {
        if (i + AHEAD < table->count)
            PREFETCH(&table->calls[table->arcs[i + AHEAD].callee]);
        count(table, &table->arcs[i]);
    }
}

/* An arc among the parents of its callee.  */
struct parent {
    uint32_t callee, age, id;
};

static bool is_wanted(const bool *wanted, uint32_t callee)
{
    return wanted == NULL || wanted[callee];
}

/* The parents of the symbols WANTED, those of one group together.  ENDS gets where each group ends;
   free with free.  */
static struct parent *group_parents(const struct arc_table *table, const bool *wanted, size_t *ends,
                                    size_t groups)
{
    enum { NEXT = 8 }; /* how much further memory is asked for */
    size_t end = 0;
    for (size_t i = 0; i < table->count; i++)
        ends[table->arcs[i].callee / DRAWER_SYMBOLS] += is_wanted(wanted, table->arcs[i].callee);
    for (size_t g = 0; g < groups; g++) {
        size_t count = ends[g];
        ends[g] = end;
        end += count;
    }
    struct parent *parents = mem_uninitialised(end, sizeof *parents);
    for (size_t i = 0; i < table->count; i++) {
        uint32_t callee = table->arcs[i].callee;
        if (!is_wanted(wanted, callee))
            continue;
        size_t at = ends[callee / DRAWER_SYMBOLS]++;
        if (at + NEXT < end)
            PREFETCH(&parents[at + NEXT]);
        parents[at] = (struct parent){callee, table->ages[i], (uint32_t)i};
    }
    return parents;
}

/* Fills the rows of a group that begins with FIRST and has COUNT PARENTS.  KEYS has room for as
   many.  */
static void list_group(struct arc_rows *rows, const struct parent *parents, size_t count,
                       size_t symbols, size_t first, uint64_t *keys)
{
    uint32_t next[DRAWER_SYMBOLS] = {0};
    uint32_t *starts = rows->start + first, before = starts[0];
    for (size_t i = 0; i < count; i++)
        starts[parents[i].callee - first + 1]++;
    make_starts(starts, symbols, next);
    for (size_t i = 0; i < count; i++) /* the newest have the smallest keys */
        keys[next[parents[i].callee - first]++ - before] =
            (uint64_t)(UINT32_MAX - parents[i].age) << 32 | parents[i].id;
    for (size_t s = 0; s < symbols; s++)
        sort_numbers(keys + starts[s] - before, starts[s + 1] - starts[s]);
    for (size_t i = 0; i < count; i++)
        rows->ids[before + i] = (uint32_t)keys[i];
}

struct arc_rows arcs_parents(const struct arc_table *table, size_t symbol_count, const bool *wanted)
{
    size_t groups = symbol_count / DRAWER_SYMBOLS + 1, start = 0, most = 0;
    size_t *ends = mem_array(groups, sizeof *ends);
    struct parent *parents = group_parents(table, wanted, ends, groups);
    for (size_t g = 0; g < groups; g++) {
        size_t count = ends[g] - (g > 0 ? ends[g - 1] : 0);
        most = count > most ? count : most;
    }
    uint64_t *keys = mem_array(most, sizeof *keys);
    struct arc_rows rows = {mem_array(symbol_count + 1, sizeof *rows.start),
                            mem_uninitialised(ends[groups - 1], sizeof *rows.ids)};
    for (size_t g = 0; g < groups; start = ends[g++]) {
        size_t first = g * DRAWER_SYMBOLS;
        list_group(&rows, parents + start, ends[g] - start, group_size(symbol_count, first), first,
                   keys);
    }
    free(keys);
    free(parents);
    free(ends);
    return rows;
}

void arc_rows_free(struct arc_rows *rows)
{
    free(rows->start);
    free(rows->ids);
    *rows = (struct arc_rows){0};
}

void arcs_finish(struct arc_builder *builder)
{
    struct arc_table *table = builder->table;
    size_t rows = builder->symtab->count;
    settle(builder);
    if (builder->only_calls) {
        arc_log_free(&builder->log);
        return;
    }
    table->child_start = mem_array(rows + 1, sizeof *table->child_start);
    take_log(table, &builder->log, rows);
    arc_log_free(&builder->log);
    count_calls(table);
}

uint32_t *arcs_by_age(const struct arc_table *table)
{
    uint32_t *ids = mem_array(table->count, sizeof *ids);
    for (size_t i = 0; i < table->count; i++)
        ids[table->ages[i]] = (uint32_t)i;
    return ids;
}

void arcs_forget_ages(struct arc_table *table)
{
    free(table->ages);
    table->ages = NULL;
}

void arcs_free(struct arc_table *table)
{
    free(table->arcs);
    free(table->times);
    free(table->ages);
    free(table->child_start);
    arc_rows_free(&table->parents);
    free(table->calls);
    free(table->self_calls);
    *table = (struct arc_table){0};
}
