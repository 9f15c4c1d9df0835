#include "arcs.h"

#include <stdlib.h>

#include "symtab.h"

/* ---- Collecting ---- */

static void add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t count)
{
    struct arc_table *table = builder->table;
    uint32_t id = pair_map_number(&builder->pairs, caller, callee);
    if (id == table->count) {
        table->arcs = mem_grow(table->arcs, &table->room, table->count + 1, sizeof *table->arcs);
        table->arcs[table->count++] = (struct arc){.caller = caller, .callee = callee};
    }
    table->arcs[id].count = sum_u64(table->arcs[id].count, count);
}

static void find_ends(struct arc_builder *builder, struct recorded_arc *arc)
{
    uint32_t caller = symtab_find(builder->symtab, arc->from);
    uint32_t callee = symtab_find(builder->symtab, arc->self);
    if (callee != NO_ID)
        callee = builder->symtab->symbols[callee].function;
    arc->is_wanted =
        caller != NO_ID && callee != NO_ID && is_arc_accepted(builder->filters, caller, callee);
    arc->caller = caller;
    arc->callee = callee;
    if (arc->is_wanted)
        pair_map_expect(&builder->pairs, caller, callee);
}

void arcs_settle(struct arc_builder *builder)
{
    struct recorded_arc *waiting = builder->waiting;
    size_t count = builder->waiting_count;
    for (size_t i = 0; i < count; i++) {
        symtab_expect_symbol(builder->symtab, waiting[i].from);
        symtab_expect_symbol(builder->symtab, waiting[i].self);
    }
    for (size_t i = 0; i < count; i++)
        find_ends(builder, &waiting[i]);
    for (size_t i = 0; i < count; i++)
        if (waiting[i].is_wanted)
            add(builder, waiting[i].caller, waiting[i].callee, waiting[i].count);
    builder->waiting_count = 0;
}

void arcs_record(struct arc_builder *builder, vma from, vma self, uint64_t count)
{
    symtab_expect(builder->symtab, from);
    symtab_expect(builder->symtab, self);
    builder->waiting[builder->waiting_count++] =
        (struct recorded_arc){.from = from, .self = self, .count = count};
    if (builder->waiting_count == ARCS_WAITING)
        arcs_settle(builder);
}

void arcs_add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t count)
{
    arcs_settle(builder);
    add(builder, caller, callee, count);
}

/* ---- Lists ---- */

/* Turns counts per row (count of row s in starts[s + 1]) into starts of rows.  */
static void accumulate(uint32_t *starts, size_t rows)
{
    for (size_t s = 0; s < rows; s++)
        starts[s + 1] += starts[s];
}

enum { AHEAD = 16 }; /* arcs: how early something is asked for */

/* Moves the arcs of each caller together, so that walking its callees is walking memory; their ages
   stay known.  */
static void group_by_caller(struct arc_table *table, size_t rows)
{
    struct arc *grouped = mem_array(table->count, sizeof *grouped);
    uint32_t *next = mem_array(rows + 1, sizeof *next);
    table->by_age = mem_array(table->count, sizeof *table->by_age);
    for (size_t s = 0; s < rows; s++)
        next[s] = table->child_start[s];
    for (size_t i = 0; i < table->count; i++) {
        if (i + AHEAD < table->count)
            PREFETCH(&grouped[next[table->arcs[i + AHEAD].caller]]);
        uint32_t id = next[table->arcs[i].caller]++;
        grouped[id] = table->arcs[i];
        table->by_age[i] = id;
    }
    free(next);
    free(table->arcs);
    table->arcs = grouped;
    table->room = table->count;
}

/* Puts arc ids into their rows, the newest first: the oldest arcs go in first and each pushes to
   the row's back end, which moves towards its start.  */
static void fill_rows(struct arc_table *table, size_t rows)
{
    uint32_t *child_end = mem_array(rows + 1, sizeof *child_end);
    uint32_t *parent_end = mem_array(rows + 1, sizeof *parent_end);
    for (size_t s = 0; s < rows; s++) {
        child_end[s] = table->child_start[s + 1];
        parent_end[s] = table->parent_start[s + 1];
    }
    for (size_t i = 0; i < table->count; i++) {
        if (i + AHEAD < table->count)
            PREFETCH(&table->arcs[table->by_age[i + AHEAD]]);
        uint32_t id = table->by_age[i];
        table->children[--child_end[table->arcs[id].caller]] = id;
        table->parents[--parent_end[table->arcs[id].callee]] = id;
    }
    free(child_end);
    free(parent_end);
}

static void sum_calls(struct arc_table *table, size_t rows)
{
    table->calls = mem_array(rows, sizeof *table->calls);
    table->self_calls = mem_array(rows, sizeof *table->self_calls);
    for (size_t i = 0; i < table->count; i++) {
        const struct arc *arc = &table->arcs[i];
        uint64_t *calls = arc->caller == arc->callee ? table->self_calls : table->calls;
        calls[arc->callee] = sum_u64(calls[arc->callee], arc->count);
    }
}

void arcs_finish(struct arc_builder *builder)
{
    struct arc_table *table = builder->table;
    size_t rows = builder->symtab->count;
    arcs_settle(builder);
    pair_map_free(&builder->pairs);
    table->child_start = mem_array(rows + 1, sizeof *table->child_start);
    table->parent_start = mem_array(rows + 1, sizeof *table->parent_start);
    for (size_t i = 0; i < table->count; i++) {
        table->child_start[table->arcs[i].caller + 1]++;
        table->parent_start[table->arcs[i].callee + 1]++;
    }
    accumulate(table->child_start, rows);
    accumulate(table->parent_start, rows);
    group_by_caller(table, rows);
    table->children = mem_array(table->count, sizeof *table->children);
    table->parents = mem_array(table->count, sizeof *table->parents);
    fill_rows(table, rows);
    sum_calls(table, rows);
}

void arcs_free(struct arc_table *table)
{
    free(table->arcs);
    free(table->by_age);
    free(table->children);
    free(table->parents);
    free(table->child_start);
    free(table->parent_start);
    free(table->calls);
    free(table->self_calls);
    *table = (struct arc_table){0};
}
