/* make_snapshot.c - makes a snapshot of a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/make_snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/views.h"
#include "base/common.h"
#include "base/memory.h"
#include "base/short_names.h"
#include "base/sort.h"

/* ---- Parts of the snapshot ---- */

/* SAMPLES, or NaN if the profile has no histogram.  */
static double known_samples(const struct profile *profile, double samples)
{
    return profile->hist.count != 0 ? samples : (double)NAN;
}

/* The time of SAMPLES.  NaN if the profile has no histogram.  */
static double time_of(const struct profile *profile, double samples)
{
    return known_samples(profile, samples) / (profile->hist.rate != 0 ? profile->hist.rate : 1);
}

static void list_inputs(struct snapshot *snapshot, const struct profile *profile)
{
    snapshot->input_count = profile->per_file.count;
    snapshot->inputs = mem_uninitialised(snapshot->input_count, sizeof *snapshot->inputs);
    for (size_t i = 0; i < snapshot->input_count; i++) {
        const struct file_figures *figures = &profile->per_file.files[i];
        snapshot->inputs[i] =
            (struct snapshot_input){.path = profile->infos[i].path,
                                    .rate = figures->rate,
                                    .samples = per_file_samples(figures->weight, figures->samples),
                                    .calls = figures->calls};
    }
}

static const char *file_of(const struct profile *profile, const struct symbol *symbol)
{
    return symbol->file != NO_ID ? profile->files.paths[symbol->file] : NULL;
}

static enum binding binding_of(const struct symbol *symbol)
{
    return symbol->is_static ? BINDING_STATIC : BINDING_GLOBAL;
}

static enum function_kind kind_of(const struct symbol *symbol)
{
    bool is_program = symbol->is_other_object && strcmp(symbol->name, PROGRAM_SHOWN) == 0;
    return symbol->is_indirect_target || is_program ? FUNCTION_NO_CODE
           : symbol->is_other_object                ? FUNCTION_OTHER
           : symbol->is_outside                     ? FUNCTION_OUTSIDE
                                                    : FUNCTION_CODE;
}

static void fill_place(struct snapshot_function *function, const struct profile *profile,
                       const struct symbol *symbol)
{
    function->name = label_of_symbol(symbol);
    function->raw = symbol->name;
    function->file = file_of(profile, symbol);
    function->line = symbol->file != NO_ID ? symbol->line : 0;
    function->address = symbol->addr;
    function->kind = kind_of(symbol);
    function->binding = binding_of(symbol);
}

/* How the figures of FUNCTION vary.  The profile is one of several if it has no figures of each
   (trees_by_profile.h).  */
static struct function_spread spread_of(const struct snapshot_function *function,
                                        const struct profile *profile, uint32_t symbol)
{
    const struct per_file *figures = &profile->per_file;
    uint64_t calls = sum_u64(function->calls, function->self_calls);
    if (figures->spreads == NULL || (figures->count == 1 && figures->calls == NULL))
        return (struct function_spread){{function->samples, NAN}, calls, calls};
    const struct spread *samples = &figures->spreads[symbol];
    struct call_range range = {figures->count > 1 ? 0 : calls, calls};
    if (figures->calls != NULL)
        range = figures->calls[symbol];
    return (struct function_spread){
        {known_samples(profile, samples->mean), known_samples(profile, samples->variance)},
        range.lowest,
        range.highest};
}

/* Lists the functions that vary: VARYING, as number I of the lists.  */
static void list_varying(struct profile_snapshot *made, const struct varying *varying, size_t i)
{
    struct snapshot *snapshot = &made->snapshot;
    struct snapshot_varying *list = mem_uninitialised(varying->count + 1, sizeof *list);
    snapshot->runs.varying[i].functions = list;
    for (size_t v = 0; v < varying->count; v++) {
        const struct variation *of = &varying->functions[v];
        if (of->symbol < made->profile->symtab.count && made->ids[of->symbol] != NO_ID)
            list[snapshot->runs.varying[i].count++] =
                (struct snapshot_varying){made->ids[of->symbol],
                                          of->deviation / varying->rate,
                                          of->chance / varying->rate,
                                          of->mean / varying->rate,
                                          of->lowest_file,
                                          of->highest_file};
    }
}

/* The inclusive samples of a node as the call graph has them.  There, a cycle that nobody calls
   from outside lacks its own time.  */
static double total_of(const struct profile *profile, uint32_t id)
{
    const struct node *node = &profile->graph.nodes[id];
    const struct line_times *line = &profile->times.nodes[id];
    bool is_uncalled = is_cycle(&profile->graph, id) && node->fraction == 0.0;
    return (is_uncalled ? node->time : line->self) + line->children;
}

static void fill_function(struct snapshot_function *function, const struct profile *profile,
                          uint32_t symbol)
{
    uint32_t node = node_of_symbol(&profile->graph, symbol);
    const struct node *own = &profile->graph.nodes[symbol];
    *function = (struct snapshot_function){.least = NAN, .most = NAN};
    fill_place(function, profile, &profile->symtab.symbols[symbol]);
    function->is_listed = is_accepted(&profile->filters.flat, symbol) &&
                          stands_for_code(&profile->symtab.symbols[symbol]);
    function->samples = known_samples(profile, own->time);
    bool has_stacks = profile->recorded.counted > 0, has_total = has_arcs(profile) || has_stacks;
    function->self_samples = has_stacks ? profile->times.nodes[symbol].self : function->samples;
    function->total_samples = has_total ? total_of(profile, node) : (double)NAN;
    function->calls = own->calls;
    function->self_calls = own->self_calls;
    function->cycle = profile->graph.cycle[symbol];
    function->left_out = 1 - own->fraction;
}

/* Lists the functions, and numbers them.  */
static void list_functions(struct profile_snapshot *made)
{
    const struct profile *profile = made->profile;
    struct snapshot *snapshot = &made->snapshot;
    bool *is_listed = views_listed(profile);
    made->symbols = mem_uninitialised(profile->symtab.count, sizeof *made->symbols);
    made->ids = mem_uninitialised(profile->symtab.count, sizeof *made->ids);
    for (uint32_t s = 0; s < profile->symtab.count; s++) {
        made->ids[s] = is_listed[s] ? (uint32_t)snapshot->function_count : NO_ID;
        if (is_listed[s])
            made->symbols[snapshot->function_count++] = s;
    }
    free(is_listed);
    snapshot->functions = mem_uninitialised(snapshot->function_count, sizeof *snapshot->functions);
    snapshot->runs.own = mem_uninitialised(snapshot->function_count, sizeof *snapshot->runs.own);
    for (size_t id = 0; id < snapshot->function_count; id++) {
        struct snapshot_function *function = &snapshot->functions[id];
        fill_function(function, profile, made->symbols[id]);
        snapshot->runs.own[id] = spread_of(function, profile, made->symbols[id]);
    }
}

static void list_cycles(struct profile_snapshot *made)
{
    const struct graph *graph = &made->profile->graph;
    struct snapshot *snapshot = &made->snapshot;
    snapshot->cycle_count = graph->cycle_count;
    snapshot->cycles = mem_uninitialised(graph->cycle_count, sizeof *snapshot->cycles);
    for (size_t c = 0; c < graph->cycle_count; c++) {
        const uint32_t *symbols = graph->members + graph->member_start[c];
        size_t count = graph->member_start[c + 1] - graph->member_start[c];
        uint32_t *members = arena_alloc(&snapshot->arena, count * sizeof *members);
        for (size_t i = 0; i < count; i++)
            members[i] = made->ids[symbols[i]];
        snapshot->cycles[c] =
            (struct snapshot_cycle){members, count, graph->nodes[graph->symbol_count + c].calls};
    }
}

/* ---- The snapshot ---- */

static void set_range(struct snapshot *snapshot, const struct hist_set *hist)
{
    if (hist->count == 0)
        return;
    snapshot->image.low = hist->hists[0].low;
    snapshot->image.high = hist->hists[hist->count - 1].high;
}

/* What times are in: seconds, if stacks of our own measured them.  */
static struct snapshot_unit unit_of(const struct profile *profile)
{
    const struct hist_set *hist = &profile->hist;
    if (profile->times.origin == ORIGIN_MEASURED && !profile->recorded.rules.is_foreign)
        return (struct snapshot_unit){"seconds", hist->value, "s"};
    if (hist->rate == 0)
        return (struct snapshot_unit){"ticks", hist->value, "t"};
    struct snapshot_unit unit = {hist->dimension, hist->value, {hist->abbreviation}};
    if (hist->abbreviation == '\0')
        memcpy(unit.abbreviation, hist->dimension, sizeof hist->dimension);
    return unit;
}

/* Sets the unit of times, and what is 100 % of them.  */
static void set_units(struct snapshot *snapshot, const struct profile *profile)
{
    const struct hist_set *hist = &profile->hist;
    const struct times *times = &profile->times;
    snapshot->unit = unit_of(profile);
    snapshot->origin = times->origin;
    snapshot->figures = hist->figures;
    snapshot->rate = known_samples(profile, times->rate);
    snapshot->self_samples = hist->total;
    snapshot->inclusive_samples = times->total;
    if (times->origin == ORIGIN_MEASURED) {
        snapshot->rate = times->rate;
        snapshot->self_samples = times->total;
    }
}

void snapshot_build(struct profile_snapshot *made, const struct profile *profile)
{
    *made = (struct profile_snapshot){.profile = profile};
    struct snapshot *snapshot = &made->snapshot;
    snapshot->totals.samples = known_samples(profile, profile->hist.samples);
    snapshot->totals.time = time_of(profile, profile->hist.samples);
    snapshot->has_weights = profile->hist.fineness > 1;
    snapshot->sample_time = time_of(profile, 1);
    /* Credits of symbols may exceed the samples by rounding of bins.  */
    snapshot->totals.outside =
        known_samples(profile, profile->hist.outside > 0 ? profile->hist.outside : 0);
    snapshot->totals.calls = profile->per_file.all_calls.sum;
    snapshot->is_by_line = profile->by_line;
    snapshot->is_uncounted = profile->is_uncounted;
    snapshot->totals.unsampled = profile->recorded.missing.unsampled;
    set_range(snapshot, &profile->hist);
    set_units(snapshot, profile);
    list_inputs(snapshot, profile);
    list_functions(made);
    list_varying(made, &made->profile->per_file.own, 0);
    list_varying(made, &made->profile->per_file.inclusive, 1);
    list_cycles(made);
    snapshot->extras.annotation = &profile->annotation;
    snapshot->extras.files = &profile->files;
}

/* ---- Groups of functions ---- */

void snapshot_begin_groups(struct snapshot *groups, const struct snapshot *whole, size_t count)
{
    *groups = (struct snapshot){.unit = whole->unit,
                                .rate = whole->rate,
                                .origin = ORIGIN_MEASURED,
                                .figures = whole->figures,
                                .is_uncounted = true,
                                .self_samples = whole->self_samples,
                                .inclusive_samples = whole->inclusive_samples,
                                .functions = mem_array(count, sizeof *groups->functions)};
}

void snapshot_add_group(struct snapshot *groups, const char *name, double samples, double total)
{
    if (fabs(samples) > 0 || fabs(total) > 0)
        groups->functions[groups->function_count++] =
            (struct snapshot_function){.name = name,
                                       .raw = name,
                                       .kind = FUNCTION_NO_CODE,
                                       .is_listed = true,
                                       .samples = samples,
                                       .self_samples = samples,
                                       .total_samples = total};
}

/* ---- Arcs ---- */

/* Lists the times in the entries of callees, where they are other ones: those of CALLERS, at
   RATE.  */
static void list_arc_entries(struct snapshot *snapshot, const struct line_times *callers,
                             double rate)
{
    snapshot->arc_entries = mem_uninitialised(snapshot->arc_count, sizeof *snapshot->arc_entries);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        double entry = callers[i].self / rate + callers[i].children / rate;
        double sum = line_total(&snapshot->arc_times[i]);
        snapshot->arc_entries[i] = entry != sum ? entry : NAN;
    }
}

/* Fills the arcs of the snapshot, and their times, from those of the profile, which may be the same
   arrays.  */
static void fill_arcs(struct profile_snapshot *made)
{
    const struct arc *arcs = made->profile->arcs.arcs;
    const struct times *times = &made->profile->times;
    struct snapshot *snapshot = &made->snapshot;
    double rate = snapshot->rate;
    snapshot->arc_count = made->profile->arcs.count;
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        const struct line_times *line = &times->callees[i];
        snapshot->arcs[i] =
            (struct arc){made->ids[arcs[i].caller], made->ids[arcs[i].callee], arcs[i].count};
        snapshot->arc_times[i] = (struct line_times){line->self / rate, line->children / rate};
    }
    if (times->callers != times->callees)
        list_arc_entries(snapshot, times->callers, rate);
}

void snapshot_list_arcs(struct profile_snapshot *made)
{
    size_t count = made->profile->arcs.count;
    struct snapshot *snapshot = &made->snapshot;
    snapshot->arcs = mem_uninitialised(count, sizeof *snapshot->arcs);
    snapshot->arc_times = mem_uninitialised(count, sizeof *snapshot->arc_times);
    fill_arcs(made);
}

void snapshot_take_arcs(struct profile_snapshot *made, struct profile *profile)
{
    struct times *times = &profile->times;
    made->snapshot.arcs = profile->arcs.arcs;
    made->snapshot.arc_times = times->callees;
    fill_arcs(made);
    if (times->callers != times->callees)
        free(times->callers);
    times->callers = times->callees = NULL;
    profile->arcs.arcs = NULL;
    profile->arcs.count = 0;
}

/* ---- Bounds, idle functions, short names ---- */

void snapshot_set_bounds(struct profile_snapshot *made)
{
    const struct profile *profile = made->profile;
    for (size_t id = 0; id < made->snapshot.function_count && has_arcs(profile); id++) {
        struct snapshot_function *function = &made->snapshot.functions[id];
        uint32_t symbol = made->symbols[id], node = node_of_symbol(&profile->graph, symbol);
        function->least = time_of(profile, profile->bounds.least[symbol]);
        function->most = time_of(profile, profile->bounds.most[node]);
    }
}

/* The order of idle functions: by file, global ones first, then by address.  */
static int compare_idle(const void *context, uint32_t a, uint32_t b)
{
    const struct symbol *symbols = context, *x = &symbols[a], *y = &symbols[b];
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->is_static != y->is_static)
        return x->is_static ? 1 : -1;
    return a < b ? -1 : a > b;
}

void snapshot_list_idle(struct profile_snapshot *made)
{
    const struct profile *profile = made->profile;
    const struct symbol *symbols = profile->symtab.symbols;
    struct snapshot *snapshot = &made->snapshot;
    uint32_t *idle = mem_uninitialised(profile->symtab.count, sizeof *idle);
    for (uint32_t s = 0; s < profile->symtab.count; s++)
        if (made->ids[s] == NO_ID && !is_pseudo(&symbols[s]) && !symbols[s].is_stub &&
            !profile->by_line && is_accepted(&profile->filters.flat, s))
            idle[snapshot->idle_count++] = s;
    sort_ids(idle, snapshot->idle_count, compare_idle, symbols);
    snapshot->idle = mem_uninitialised(snapshot->idle_count, sizeof *snapshot->idle);
    for (size_t i = 0; i < snapshot->idle_count; i++) {
        const struct symbol *symbol = &symbols[idle[i]];
        snapshot->idle[i] = (struct snapshot_idle){label_of_symbol(symbol),
                                                   file_of(profile, symbol), binding_of(symbol)};
    }
    free(idle);
}

void snapshot_shorten_names(struct snapshot *snapshot)
{
    struct short_names names = {0};
    for (size_t id = 0; id < snapshot->function_count; id++)
        short_names_add(&names, snapshot->functions[id].name);
    for (size_t id = 0; id < snapshot->function_count; id++)
        snapshot->functions[id].short_name =
            short_names_of(&names, &snapshot->arena, snapshot->functions[id].name);
    short_names_free(&names);
}

void profile_snapshot_free(struct profile_snapshot *made)
{
    free(made->symbols);
    free(made->ids);
    snapshot_free(&made->snapshot);
    *made = (struct profile_snapshot){0};
}
