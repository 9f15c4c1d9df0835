#include "arcs.h"

#include <stdlib.h>

#include "symtab.h"

/* ---- Collecting ---- */

static void add(struct arc_builder *builder, uint32_t caller, uint32_t callee, uint64_t count)
{
    uint32_t number = pair_map_number(&builder->pairs, caller, callee);
    if (number == builder->table->count) {
        builder->counts =
            mem_grow(builder->counts, &builder->room, (size_t)number + 1, sizeof *builder->counts);
        builder->counts[builder->table->count++] = 0;
    }
    builder->counts[number] = sum_u64(builder->counts[number], count);
}

static void find_ends(struct arc_builder *builder, struct recorded_arc *arc)
{
    uint32_t caller = symtab_find(builder->symtab, arc->from);
    uint32_t callee = symtab_find(builder->symtab, arc->self);
    if (callee != NO_ID)
        callee = symtab_function(builder->symtab, callee);
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

/* Where a symbol's rows are filled next.  */
struct filling {
    uint32_t next_child;
    uint32_t parent_end; /* the oldest go in first, each to the back end of the row */
    uint64_t calls, self_calls;
};

static struct filling *begin_filling(const struct arc_table *table, size_t rows)
{
    struct filling *filling = mem_array(rows, sizeof *filling);
    for (size_t s = 0; s < rows; s++) {
        filling[s].next_child = table->child_start[s];
        filling[s].parent_end = table->parent_start[s + 1];
    }
    return filling;
}

/* Keeps the calls.  */
static void end_filling(struct arc_table *table, struct filling *filling, size_t rows)
{
    table->calls = mem_array(rows, sizeof *table->calls);
    table->self_calls = mem_array(rows, sizeof *table->self_calls);
    for (size_t s = 0; s < rows; s++) {
        table->calls[s] = filling[s].calls;
        table->self_calls[s] = filling[s].self_calls;
    }
    free(filling);
}

/* Puts the arcs of each caller together, so that walking its callees is walking memory, and their
   ids into the rows of their callees.  */
static void fill_rows(struct arc_table *table, const struct arc_builder *builder, size_t rows)
{
    enum { FAR = 32, NEAR = 16 }; /* arcs: how early something is asked for */
    const struct pair *pairs = builder->pairs.pairs;
    struct filling *filling = begin_filling(table, rows);
    for (size_t i = 0; i < table->count; i++) {
        if (i + FAR < table->count) {
            PREFETCH(&filling[pairs[i + FAR].a]);
            PREFETCH(&filling[pairs[i + FAR].b]);
        }
        if (i + NEAR < table->count) {
            PREFETCH(&table->arcs[filling[pairs[i + NEAR].a].next_child]);
            PREFETCH(&table->parents[filling[pairs[i + NEAR].b].parent_end]);
        }
        uint32_t caller = (uint32_t)pairs[i].a, callee = (uint32_t)pairs[i].b;
        uint32_t id = filling[caller].next_child++;
        uint64_t *calls = caller == callee ? &filling[callee].self_calls : &filling[callee].calls;
        *calls = sum_u64(*calls, builder->counts[i]);
        table->arcs[id] =
            (struct arc){.caller = caller, .callee = callee, .count = builder->counts[i]};
        table->by_age[i] = id;
        table->parents[--filling[callee].parent_end] = id;
    }
    end_filling(table, filling, rows);
}

void arcs_finish(struct arc_builder *builder)
{
    struct arc_table *table = builder->table;
    size_t rows = builder->symtab->count;
    enum { AHEAD = 32 };
    arcs_settle(builder);
    pair_map_close(&builder->pairs);
    table->child_start = mem_array(rows + 1, sizeof *table->child_start);
    table->parent_start = mem_array(rows + 1, sizeof *table->parent_start);
    for (size_t i = 0; i < table->count; i++) {
        if (i + AHEAD < table->count) {
            PREFETCH(&table->child_start[builder->pairs.pairs[i + AHEAD].a + 1]);
            PREFETCH(&table->parent_start[builder->pairs.pairs[i + AHEAD].b + 1]);
        }
        table->child_start[builder->pairs.pairs[i].a + 1]++;
        table->parent_start[builder->pairs.pairs[i].b + 1]++;
    }
    accumulate(table->child_start, rows);
    accumulate(table->parent_start, rows);
    table->arcs = mem_array(table->count, sizeof *table->arcs);
    table->by_age = mem_array(table->count, sizeof *table->by_age);
    table->parents = mem_array(table->count, sizeof *table->parents);
    fill_rows(table, builder, rows);
    pair_map_free(&builder->pairs);
    free(builder->counts);
}

void arcs_free(struct arc_table *table)
{
    free(table->arcs);
    free(table->times);
    free(table->by_age);
    free(table->parents);
    free(table->child_start);
    free(table->parent_start);
    free(table->calls);
    free(table->self_calls);
    *table = (struct arc_table){0};
}
