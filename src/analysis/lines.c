/* lines.c - source lines as symbols (-l); samples, calls and costs by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/lines.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/annotate.h"
#include "analysis/hist.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "symbols/symtab.h"

/* ---- Symbols of lines ---- */

static bool is_same_function(const struct line_row *row, const struct symbol *symbol)
{
    return row->file == symbol->file && strcmp(row->function, symbol->name) == 0;
}

/* Whether a line belongs to a static function: as the line before says if it is of this function,
   else as the function symbol that covers the line says.  */
static bool is_static_line(const struct symtab *functions, const struct line_row *row,
                           const struct symbol *before)
{
    if (before != NULL && is_same_function(row, before))
        return before->is_static;
    uint32_t function = symtab_find(functions, row->addr);
    return function != NO_ID && functions->symbols[function].is_static;
}

/* Whether a function symbol is before a line in the table.  Labels at the address of a line come
   after it; the table sorts them into their final order.  */
static bool is_before(const struct symbol *function, const struct line_row *row)
{
    return function->addr < row->addr || (function->addr == row->addr && function->is_func);
}

/* Gives the functions that are left in TABLE the reach they had in FUNCTIONS.  */
static void restore_reach(struct symtab *table, const struct symtab *functions)
{
    for (size_t i = 0, f = 0; i < table->count; i++) {
        struct symbol *symbol = &table->symbols[i];
        while (f < functions->count && functions->symbols[f].addr < symbol->addr)
            f++;
        if (!symbol->is_line && f < functions->count)
            symbol->reach = functions->symbols[f].reach;
    }
}

void line_symbols_split(struct symtab *table, const struct line_row *rows, size_t count)
{
    struct symtab functions = *table;
    /* A last symbol after the text (`data_start') covers nothing and is dropped, unless it is all
       that there is: other stages rely on a symbol.  */
    if (functions.count > (count == 0) &&
        functions.symbols[functions.count - 1].end < functions.symbols[functions.count - 1].addr)
        functions.count--;
    struct symbol *symbols = mem_array(count + functions.count, sizeof *symbols);
    const struct symbol *before = NULL; /* the line before */
    size_t made = 0, f = 0;
    for (size_t i = 0; i < count; i++) {
        const struct line_row *row = &rows[i];
        if (before != NULL && is_same_function(row, before) && row->line == before->line)
            continue;
        while (f < functions.count && is_before(&functions.symbols[f], row)) {
            struct symbol *function = &symbols[made++];
            *function = functions.symbols[f++];
            if (function->addr == row->addr) { /* it stands for the line, too */
                function->file = row->file;
                function->line = row->line;
            }
        }
        symbols[made] = (struct symbol){.addr = row->addr,
                                        .name = row->function,
                                        .file = row->file,
                                        .line = row->line,
                                        .is_static = is_static_line(&functions, row, before),
                                        .is_line = true};
        before = &symbols[made++];
    }
    memcpy(symbols + made, functions.symbols + f, (functions.count - f) * sizeof *symbols);
    *table = (struct symtab){.entry_units = functions.entry_units};
    symtab_build_from(table, symbols, made + functions.count - f, functions.text_end);
    restore_reach(table, &functions);
    symtab_free(&functions);
}

/* Makes the table LINES of lines that divide those symbols of FUNCTIONS that stand for code, as
   line_symbols_split does in place.  Free with symtab_free.  */
static void line_symbols_build(struct symtab *lines, const struct symtab *functions,
                               const struct line_row *rows, size_t count)
{
    struct symbol *symbols = mem_array(functions->count, sizeof *symbols);
    size_t kept = 0;
    for (size_t i = 0; i < functions->count; i++)
        if (!is_pseudo(&functions->symbols[i]))
            symbols[kept++] = functions->symbols[i];
    *lines = (struct symtab){.entry_units = functions->entry_units};
    symtab_build_from(lines, symbols, kept, functions->text_end);
    line_symbols_split(lines, rows, count);
}

/* The symbols of LINES in the functions of SET.  */
static void copy_set(struct sym_set *copy, const struct sym_set *set, const struct symtab *lines,
                     const struct symtab *functions)
{
    copy->is_given = set->is_given;
    if (set->has == NULL)
        return;
    copy->has = mem_array(lines->count, sizeof *copy->has);
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t function = symtab_find(functions, lines->symbols[i].addr);
        copy->has[i] = function != NO_ID && set->has[function];
    }
}

/* Makes a filter that selects the lines of the functions that FILTER selects.  */
static void line_symbols_copy_filter(struct filter *copy, const struct filter *filter,
                                     const struct symtab *lines, const struct symtab *functions)
{
    *copy = (struct filter){0};
    copy_set(&copy->include, &filter->include, lines, functions);
    copy_set(&copy->exclude, &filter->exclude, lines, functions);
}

static void line_symbols_free_filter(struct filter *copy)
{
    free(copy->include.has);
    free(copy->exclude.has);
    *copy = (struct filter){0};
}

/* ---- Samples by line ---- */

/* The calls of the functions that begin where a symbol does, by symbol id.  */
static uint64_t *calls_of(const struct symtab *lines, const struct profile *profile)
{
    uint64_t *calls = mem_array(lines->count, sizeof *calls);
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t function = symtab_find(&profile->symtab, lines->symbols[i].addr);
        if (function != NO_ID && profile->symtab.symbols[function].addr == lines->symbols[i].addr)
            calls[i] = profile->arcs.calls[function];
    }
    return calls;
}

/* Whether a source has samples or calls.  */
static bool has_activity(const struct annotation *annotation, const struct source *source)
{
    for (uint32_t l = source->line_start; l < source->line_end; l++)
        if (annotation->lines[l].samples > 0 || annotation->lines[l].calls > 0)
            return true;
    return false;
}

static void remove_idle(struct annotation *annotation)
{
    size_t kept = 0;
    for (size_t i = 0; i < annotation->count; i++)
        if (has_activity(annotation, &annotation->sources[i]))
            annotation->sources[kept++] = annotation->sources[i];
    annotation->count = kept;
}

void line_samples_list(struct annotation *annotation, const struct profile *profile,
                       const struct line_row *rows, size_t count)
{
    static const struct filter all = {0};
    const struct annotate_rules rules = {.has_zeros = true};
    const struct filter *filter = &profile->filters.annotate;
    /* A profile by line that shares histograms and files with the one by function.  */
    struct profile lines = {.files = profile->files, .hist = profile->hist};
    line_symbols_build(&lines.symtab, &profile->symtab, rows, count);
    hist_assign(&lines.hist, &lines.symtab, &all);
    lines.arcs.calls = calls_of(&lines.symtab, profile);
    line_symbols_copy_filter(&lines.filters.annotate, filter, &lines.symtab, &profile->symtab);
    annotate_list(annotation, &lines, &rules);
    remove_idle(annotation);
    line_symbols_free_filter(&lines.filters.annotate);
    free(lines.arcs.calls);
    free(lines.hist.time);
    symtab_free(&lines.symtab);
}

/* ---- Costs by line ---- */

struct builder {
    struct line_costs *costs;
    const struct profile *profile; /* by function */
    const struct line_cost_rules *rules;
    struct symtab lines;      /* divide the functions */
    struct hist_set hist;     /* own times of the lines */
    struct pair_counts sites; /* calls by line and callee; those from outside have the line
                                 lines.count */
    struct id_lists by_line;  /* indexes of sites */
    double *per_call;         /* by callee, for one caller: time in samples */
    uint32_t caller;          /* of per_call */
};

/* ---- Own times ---- */

static void divide_own_times(struct builder *builder)
{
    const struct symtab *functions = &builder->profile->symtab;
    struct filter filter;
    line_symbols_build(&builder->lines, functions, builder->rules->rows, builder->rules->row_count);
    line_symbols_copy_filter(&filter, &builder->profile->filters.flat, &builder->lines, functions);
    builder->hist = builder->profile->hist; /* shares the bins */
    hist_assign(&builder->hist, &builder->lines, &filter);
    line_symbols_free_filter(&filter);
}

/* ---- Calls ---- */

/* The line of a call from FROM in the function CALLER.  If FROM is the return address, this is the
   line of the byte before it, which is in the call.  */
static uint32_t line_of_call(const struct builder *builder, uint32_t caller, vma from)
{
    vma call = from - builder->rules->calls->counts_all_threads;
    if (caller == symtab_outside(&builder->profile->symtab))
        return (uint32_t)builder->lines.count;
    if (symtab_find(&builder->profile->symtab, call) == caller)
        from = call;
    return symtab_find(&builder->lines, from);
}

/* Adds COUNT calls to their site; finds the ends of the arc by the rules of arcs_record.  */
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

/* Sets `per_call' for the callees of CALLER: the time of an arc divided by its calls.  */
static void price_calls(struct builder *builder, uint32_t caller)
{
    const struct arc_table *arcs = &builder->profile->arcs;
    const struct line_times *callees = builder->profile->times.callees;
    if (caller == builder->caller)
        return;
    builder->caller = caller;
    for (uint32_t i = arcs->callee_start[caller]; i < arcs->callee_start[caller + 1]; i++) {
        const struct arc *arc = &arcs->arcs[i];
        builder->per_call[arc->callee] =
            arc->count > 0 ? line_total(&callees[i]) / (double)arc->count : 0;
    }
}

/* ---- The interface ---- */

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
