/* make_snapshot.c - makes a snapshot of a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/make_snapshot.h"

#include <math.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "symbols/symbolize.h"

/* ---- Parts of the snapshot ---- */

static const struct profile_snapshot *made_of(const struct snapshot *snapshot)
{
    return snapshot->context;
}

/* NaN if the profile has no histogram.  */
static double time_of(const struct profile *profile, double ticks)
{
    if (profile->hist.count == 0)
        return NAN;
    return ticks / (profile->hist.rate != 0 ? (double)profile->hist.rate : 1.0);
}

/* The time of SAMPLES of the call graph, which are ticks or stacks.  */
static double graph_time(const struct profile *profile, double samples)
{
    const struct graph *graph = &profile->graph;
    return graph->is_measured ? samples / graph->rate : time_of(profile, samples);
}

static double known_samples(const struct profile *profile, double samples)
{
    return profile->hist.count != 0 ? samples : NAN;
}

static void fill_input(const struct snapshot *snapshot, size_t i, struct snapshot_input *input)
{
    const struct profile *profile = made_of(snapshot)->profile;
    const struct file_figures *figures = &profile->per_file.files[i];
    *input = (struct snapshot_input){.path = profile->infos[i].path,
                                     .rate = figures->rate,
                                     .samples = figures->samples,
                                     .calls = figures->calls};
}

static const char *file_of(const struct profile *profile, const struct symbol *symbol)
{
    return symbol->file != NO_ID ? profile->files.paths[symbol->file] : NULL;
}

static enum binding binding_of(const struct symbol *symbol)
{
    return symbol->is_static ? BINDING_STATIC : BINDING_GLOBAL;
}

static void fill_place(struct snapshot_function *function, const struct profile *profile,
                       const struct symbol *symbol)
{
    function->name = label_of_symbol(symbol);
    function->raw = symbol->name;
    function->file = file_of(profile, symbol);
    function->line = symbol->file != NO_ID ? symbol->line : 0;
    function->address = symbol->addr;
    function->has_address = !symbol->is_indirect_target && !symbol->is_other_object;
    function->binding = binding_of(symbol);
}

static void fill_runs(struct snapshot_function *function, const struct profile *profile,
                      uint32_t symbol)
{
    const struct spread none = {NAN, NAN}; /* one of several profiles (trees_by_profile.h) */
    const struct spread *spread =
        profile->per_file.spreads != NULL ? &profile->per_file.spreads[symbol] : &none;
    function->runs = profile->per_file.count;
    function->mean = known_samples(profile, spread->mean);
    function->variance = known_samples(profile, spread->variance);
    const struct node *node = &profile->graph.nodes[symbol];
    uint64_t calls = sum_u64(node->calls, node->self_calls);
    struct call_range range = {profile->per_file.count > 1 ? 0 : calls, calls};
    if (profile->per_file.calls != NULL)
        range = profile->per_file.calls[symbol];
    function->lowest_calls = range.lowest;
    function->highest_calls = range.highest;
}

/* The inclusive time of a node as the call graph has it.  There, a cycle that nobody calls from
   outside lacks its own time.  */
static double total_of(const struct graph *graph, uint32_t id)
{
    const struct node *node = &graph->nodes[id];
    bool is_uncalled = is_cycle(graph, id) && node->fraction == 0.0;
    return (is_uncalled ? node->time : node->self) + node->child;
}

static void fill_function(const struct snapshot *snapshot, size_t id,
                          struct snapshot_function *function)
{
    const struct profile_snapshot *made = made_of(snapshot);
    const struct profile *profile = made->profile;
    uint32_t symbol = made->symbols[id], node = node_of_symbol(&profile->graph, symbol);
    const struct node *own = &profile->graph.nodes[symbol], *whole = &profile->graph.nodes[node];
    fill_place(function, profile, &profile->symtab.symbols[symbol]);
    function->short_name = made->short_names != NULL ? made->short_names[id] : NULL;
    fill_runs(function, profile, symbol);
    function->is_listed =
        is_accepted(&profile->filters.flat, symbol) && !is_pseudo(&profile->symtab.symbols[symbol]);
    function->samples = known_samples(profile, own->time);
    bool is_measured = profile->graph.is_measured;
    bool has_total = made->has_calls || is_measured;
    function->self_samples = is_measured ? own->self : function->samples;
    function->total_samples = has_total ? total_of(&profile->graph, node) : NAN;
    function->self = is_measured ? graph_time(profile, own->self) : time_of(profile, own->time);
    function->total = has_total ? graph_time(profile, function->total_samples) : NAN;
    bool has_bounds = made->has_calls && profile->bounds.least != NULL;
    function->least = has_bounds ? time_of(profile, profile->bounds.least[symbol]) : NAN;
    function->most = has_bounds ? time_of(profile, profile->bounds.most[node]) : NAN;
    function->calls = own->calls;
    function->outside_calls = whole->calls;
    function->self_calls = own->self_calls;
    function->cycle = profile->graph.cycle[symbol];
    function->left_out = 1 - own->fraction;
}

static void fill_idle(const struct snapshot *snapshot, size_t i, struct snapshot_idle *idle)
{
    const struct profile_snapshot *made = made_of(snapshot);
    const struct profile *profile = made->profile;
    const struct symbol *symbol = &profile->symtab.symbols[made->idle[i]];
    *idle = (struct snapshot_idle){label_of_symbol(symbol), file_of(profile, symbol),
                                   binding_of(symbol)};
}

static void fill_arc(const struct snapshot *snapshot, size_t i, struct snapshot_arc *arc)
{
    const struct profile_snapshot *made = made_of(snapshot);
    const struct arc *from = &made->profile->arcs.arcs[i];
    const struct arc_times *times = &made->profile->arcs.times[i];
    const struct arc_times *entry = times_of_caller(&made->profile->arcs, (uint32_t)i);
    *arc = (struct snapshot_arc){.from = made->ids[from->caller],
                                 .to = made->ids[from->callee],
                                 .calls = from->count,
                                 .self = graph_time(made->profile, times->time),
                                 .children = graph_time(made->profile, times->inherited),
                                 .in_entry = graph_time(made->profile, entry->time) +
                                             graph_time(made->profile, entry->inherited)};
}

static void fill_cycle(const struct snapshot *snapshot, size_t i, struct snapshot_cycle *cycle)
{
    const struct profile_snapshot *made = made_of(snapshot);
    const uint32_t *start = made->profile->graph.member_start;
    *cycle = (struct snapshot_cycle){made->members + start[i], start[i + 1] - start[i]};
}

static void fill_source(const struct snapshot *snapshot, size_t i, struct snapshot_source *source)
{
    const struct profile *profile = made_of(snapshot)->profile;
    const struct source *from = &profile->annotation.sources[i];
    *source = (struct snapshot_source){.path = profile->files.paths[from->file],
                                       .text = from->text,
                                       .size = from->size,
                                       .lines = profile->annotation.lines + from->line_start,
                                       .line_count = from->line_end - from->line_start};
}

/* ---- The snapshot ---- */

static void number_functions(struct profile_snapshot *made)
{
    const struct profile *profile = made->profile;
    bool *is_listed = symbolize_listed(profile);
    made->symbols = mem_uninitialised(profile->symtab.count, sizeof *made->symbols);
    made->ids = mem_uninitialised(profile->symtab.count, sizeof *made->ids);
    for (uint32_t s = 0; s < profile->symtab.count; s++) {
        made->ids[s] = is_listed[s] ? (uint32_t)made->snapshot.function_count : NO_ID;
        if (is_listed[s])
            made->symbols[made->snapshot.function_count++] = s;
    }
    free(is_listed);
}

static void list_members(struct profile_snapshot *made)
{
    const struct graph *graph = &made->profile->graph;
    size_t count = graph->cycle_count > 0 ? graph->member_start[graph->cycle_count] : 0;
    made->members = mem_uninitialised(count, sizeof *made->members);
    for (size_t i = 0; i < count; i++)
        made->members[i] = made->ids[graph->members[i]];
}

static void set_range(struct snapshot *snapshot, const struct hist_set *hist)
{
    if (hist->count == 0)
        return;
    snapshot->low = hist->hists[0].low;
    snapshot->high = hist->hists[hist->count - 1].high;
}

void snapshot_build(struct profile_snapshot *made, const struct profile *profile)
{
    *made = (struct profile_snapshot){.profile = profile, .has_calls = has_arcs(profile)};
    number_functions(made);
    list_members(made);
    struct snapshot *snapshot = &made->snapshot;
    bool is_measured = profile->graph.is_measured;
    snapshot->unit = is_measured               ? "seconds"
                     : profile->hist.rate != 0 ? profile->hist.dimension
                                               : "ticks";
    snapshot->samples = known_samples(profile, profile->hist.samples);
    snapshot->time = time_of(profile, profile->hist.samples);
    /* Credits of symbols may exceed the samples by rounding of bins.  */
    snapshot->outside =
        known_samples(profile, profile->hist.outside > 0 ? profile->hist.outside : 0);
    snapshot->calls = profile->per_file.sum.calls;
    set_range(snapshot, &profile->hist);
    snapshot->unit_letter = is_measured               ? 's'
                            : profile->hist.rate != 0 ? profile->hist.abbreviation
                                                      : 't';
    snapshot->sample_time = time_of(profile, 1);
    snapshot->is_measured = is_measured;
    snapshot->rate = is_measured
                         ? profile->graph.rate
                         : known_samples(profile, profile->hist.rate != 0 ? profile->hist.rate : 1);
    snapshot->self_samples = is_measured ? profile->graph.total : profile->hist.total;
    snapshot->inclusive_samples = profile->graph.total;
    snapshot->self_total = is_measured ? graph_time(profile, profile->graph.total)
                                       : time_of(profile, profile->hist.total);
    snapshot->inclusive_total = graph_time(profile, profile->graph.total);
    snapshot->is_by_line = profile->by_line;
    snapshot->input_count = profile->per_file.count;
    snapshot->arc_count = profile->arcs.count;
    snapshot->cycle_count = profile->graph.cycle_count;
    snapshot->source_count = profile->annotation.count;
    snapshot->source = fill_source;
    snapshot->input = fill_input;
    snapshot->function = fill_function;
    snapshot->arc = fill_arc;
    snapshot->cycle = fill_cycle;
    snapshot->context = made;
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
    size_t count = 0;
    made->idle = mem_uninitialised(profile->symtab.count, sizeof *made->idle);
    for (uint32_t s = 0; s < profile->symtab.count; s++)
        if (made->ids[s] == NO_ID && !is_pseudo(&symbols[s]) && !profile->by_line &&
            is_accepted(&profile->filters.flat, s))
            made->idle[count++] = s;
    sort_ids(made->idle, count, compare_idle, symbols);
    made->snapshot.idle_count = count;
    made->snapshot.idle = fill_idle;
}

void snapshot_shorten_names(struct profile_snapshot *made)
{
    const struct symbol *symbols = made->profile->symtab.symbols;
    size_t count = made->snapshot.function_count;
    struct short_names names = {0};
    made->short_names = mem_uninitialised(count, sizeof *made->short_names);
    for (size_t id = 0; id < count; id++)
        short_names_add(&names, label_of_symbol(&symbols[made->symbols[id]]));
    for (size_t id = 0; id < count; id++)
        made->short_names[id] =
            short_names_of(&names, &made->arena, label_of_symbol(&symbols[made->symbols[id]]));
    short_names_free(&names);
}

void snapshot_free(struct profile_snapshot *made)
{
    free(made->symbols);
    free(made->ids);
    free(made->members);
    free(made->idle);
    free(made->short_names);
    arena_free(&made->arena);
    *made = (struct profile_snapshot){0};
}
