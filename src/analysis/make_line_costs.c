/* make_line_costs.c - own times and calls of functions by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/make_line_costs.h"

#include <stdlib.h>

#include "analysis/hist.h"
#include "analysis/line_symbols.h"
#include "analysis/symtab.h"
#include "base/hash.h"
#include "base/id_lists.h"
#include "base/memory.h"

struct builder {
    struct line_costs *costs;
    const struct profile *profile; /* by function */
    const struct line_cost_rules *rules;
    struct symtab lines;      /* divide the functions */
    struct hist_set hist;     /* own times of the lines */
    struct pair_counts sites; /* calls by line and callee; those from outside have the line
                                 lines.count */
    struct id_lists by_line;  /* indexes of sites */
    double *per_call;         /* by callee, for one caller: time in ticks */
    uint32_t caller;          /* of per_call */
};

/* ---- Own times ---- */

static void divide_own_times(struct builder *builder)
{
    const struct symtab *functions = &builder->profile->symtab;
    struct filter filter;
    line_symbols_build(&builder->lines, functions, builder->rules->rows, builder->rules->row_count,
                       builder->rules->text_end);
    line_symbols_copy_filter(&filter, &builder->profile->filters.flat, &builder->lines, functions);
    builder->hist = builder->profile->hist; /* shares the bins */
    hist_assign(&builder->hist, &builder->lines, &filter, builder->rules->entry_units);
    line_symbols_free_filter(&filter);
}

/* ---- Calls ---- */

/* The line of a call from FROM in the function CALLER.  If FROM is the return address, this is the
   line of the byte before it, which is in the call.  */
static uint32_t line_of_call(const struct builder *builder, uint32_t caller, vma from)
{
    vma call = from - builder->rules->calls->is_exact;
    if (caller == symtab_outside(&builder->profile->symtab))
        return (uint32_t)builder->lines.count;
    if (symtab_find(&builder->profile->symtab, call) == caller)
        from = call;
    return symtab_find(&builder->lines, from);
}

/* As arcs_record finds the ends of an arc.  */
static void add_site(struct builder *builder, vma from, vma self, uint64_t count)
{
    const struct symtab *functions = &builder->profile->symtab;
    uint32_t caller = symtab_find(functions, from), callee = symtab_find(functions, self);
    if (caller == NO_ID && from == 0)
        caller = symtab_outside(functions);
    if (callee != NO_ID)
        callee = symtab_function(functions, callee);
    if (count == 0 || caller == NO_ID || callee == NO_ID ||
        !is_arc_accepted(&builder->profile->filters, caller, callee))
        return;
    uint32_t line = line_of_call(builder, caller, from);
    if (line != NO_ID)
        pair_counts_add(&builder->sites, line, callee, count);
}

static void list_sites(struct builder *builder)
{
    const struct address_totals *calls = builder->rules->calls;
    for (size_t i = 0; i < calls->arcs.count; i++)
        add_site(builder, calls->arcs.pairs[i].a, calls->arcs.pairs[i].b, calls->arc_counts[i]);
    pair_counts_close(&builder->sites);
    uint32_t *lines = mem_uninitialised(builder->sites.count, sizeof *lines);
    for (size_t i = 0; i < builder->sites.count; i++)
        lines[i] = builder->sites.pairs[i].a;
    builder->by_line = id_lists_make(lines, NULL, builder->sites.count, builder->lines.count + 1);
    free(lines);
}

/* Each call of an arc has the same time.  */
static void price_calls(struct builder *builder, uint32_t caller)
{
    const struct arc_table *arcs = &builder->profile->arcs;
    if (caller == builder->caller)
        return;
    builder->caller = caller;
    for (uint32_t i = arcs->callee_start[caller]; i < arcs->callee_start[caller + 1]; i++) {
        const struct arc *arc = &arcs->arcs[i];
        double time = arcs->times[i].time + arcs->times[i].inherited;
        builder->per_call[arc->callee] = arc->count > 0 ? time / (double)arc->count : 0;
    }
}

/* ---- All ---- */

static struct line_cost *add_cost(struct builder *builder, uint32_t function, uint32_t line)
{
    const struct symtab *lines = &builder->lines;
    struct line_costs *costs = builder->costs;
    costs->costs = mem_grow(costs->costs, &costs->capacity, costs->count + 1, sizeof *costs->costs);
    struct line_cost *cost = &costs->costs[costs->count++];
    *cost = (struct line_cost){.function = function, .callee = NO_ID};
    if (line < lines->count && lines->symbols[line].is_line) {
        cost->file = builder->profile->files.paths[lines->symbols[line].file];
        cost->line = lines->symbols[line].line;
    }
    return cost;
}

static void add_line(struct builder *builder, uint32_t line, uint32_t function)
{
    const uint32_t *ids = builder->rules->ids;
    double unit = builder->rules->sample_time;
    if (function == NO_ID || ids[function] == NO_ID)
        return;
    if (line < builder->lines.count && builder->hist.time[line] > 0)
        add_cost(builder, ids[function], line)->time = builder->hist.time[line] * unit;
    for (uint32_t i = builder->by_line.start[line]; i < builder->by_line.start[line + 1]; i++) {
        const struct pair_count *site = &builder->sites.pairs[builder->by_line.ids[i]];
        if (ids[site->b] == NO_ID)
            continue;
        price_calls(builder, function);
        struct line_cost *cost = add_cost(builder, ids[function], line);
        cost->is_call = true;
        cost->callee = ids[site->b];
        cost->calls = site->count;
        cost->time = builder->per_call[site->b] * (double)site->count * unit;
    }
}

void line_costs_build(struct line_costs *costs, const struct profile *profile,
                      const struct line_cost_rules *rules)
{
    const struct symtab *functions = &profile->symtab;
    struct builder builder = {.costs = costs, .profile = profile, .rules = rules, .caller = NO_ID};
    builder.per_call = mem_array(functions->count, sizeof *builder.per_call);
    divide_own_times(&builder);
    list_sites(&builder);
    for (uint32_t l = 0; l < builder.lines.count; l++)
        add_line(&builder, l, symtab_find(functions, builder.lines.symbols[l].addr));
    add_line(&builder, (uint32_t)builder.lines.count, symtab_outside(functions));
    pair_counts_free(&builder.sites);
    id_lists_free(&builder.by_line);
    free(builder.per_call);
    free(builder.hist.time);
    symtab_free(&builder.lines);
}

void line_costs_free(struct line_costs *costs)
{
    free(costs->costs);
    *costs = (struct line_costs){0};
}
