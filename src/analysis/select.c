/* select.c - selects what reports print.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/select.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"

/* ---- Flat profile ---- */

static bool has_flat_row(const struct profile *profile, uint32_t symbol, bool has_zeros)
{
    const struct node *node = &profile->graph.nodes[symbol];
    return is_accepted(&profile->filters.flat, symbol) &&
           (has_zeros || node->calls != 0 || node->time != 0);
}

static void select_flat(struct selection *selection, const struct profile *profile, bool has_zeros)
{
    const struct views *views = &profile->views;
    double cumulative = 0;
    selection->flat = mem_uninitialised(views->flat_count, sizeof *selection->flat);
    for (size_t i = 0; i < views->flat_count; i++) {
        uint32_t symbol = views->flat[i];
        if (!has_flat_row(profile, symbol, has_zeros))
            continue;
        cumulative += profile->graph.nodes[symbol].time;
        selection->flat[selection->flat_count++] = (struct flat_row){symbol, cumulative};
    }
}

/* The largest time per call, callees included, in ticks; of all functions, selected or not.  */
static double largest_per_call(const struct profile *profile)
{
    double largest = 0;
    for (size_t s = 0; s < profile->symtab.count; s++) {
        const struct node *node = &profile->graph.nodes[s];
        if (node->calls == 0)
            continue;
        double per_call = (node->time + node->inherited) / (double)node->calls;
        if (per_call > largest)
            largest = per_call;
    }
    return largest;
}

/* The SI prefix (tera to atto) that shows LARGEST, in units, as at least 1 and below 1000; tera if
   there is none.  */
static struct si_prefix choose_prefix(double largest)
{
    static const struct si_prefix prefixes[] = {{'T', 1e-12}, {'G', 1e-9}, {'M', 1e-6}, {'K', 1e-3},
                                                {' ', 1.0},   {'m', 1e3},  {'u', 1e6},  {'n', 1e9},
                                                {'p', 1e12},  {'f', 1e15}, {'a', 1e18}};
    size_t best = 0;
    for (size_t i = ARRAY_LENGTH(prefixes); i-- > 0;) {
        double shown = prefixes[i].factor * largest;
        if (shown >= 1.0 && shown < 1000.0)
            best = i;
    }
    return prefixes[best];
}

/* ---- Call graph ---- */

static bool has_entry(const struct profile *profile, uint32_t id, const struct select_rules *rules)
{
    const struct node *node = &profile->graph.nodes[id];
    bool is_line =
        rules->has_lines && (is_cycle(&profile->graph, id) || !profile->symtab.symbols[id].is_func);
    return node->is_shown && !is_line && (has_content(node) || rules->has_zeros);
}

static void select_entries(struct selection *selection, const struct profile *profile,
                           const struct select_rules *rules)
{
    const uint32_t *ids = profile->views.graph;
    size_t count = ids != NULL ? profile->graph.count : 0;
    selection->entries = mem_uninitialised(count, sizeof *selection->entries);
    for (size_t i = 0; i < count; i++)
        if (has_entry(profile, ids[i], rules))
            selection->entries[selection->entry_count++] = ids[i];
}

void select_times(struct profile *profile, const struct select_rules *rules)
{
    struct selection *selection = &profile->selection;
    double rate = profile->hist.rate != 0 ? (double)profile->hist.rate : 1.0;
    select_flat(selection, profile, rules->has_zeros);
    selection->per_call = choose_prefix(largest_per_call(profile) / rate);
    select_entries(selection, profile, rules);
}

/* ---- Execution counts ---- */

static void add_count(struct selection *selection, size_t *capacity, uint32_t symbol, vma addr,
                      uint64_t count)
{
    selection->counts = mem_grow(selection->counts, capacity, selection->count_count + 1,
                                 sizeof *selection->counts);
    selection->counts[selection->count_count++] = (struct count_row){symbol, addr, count};
}

void select_counts(struct profile *profile, const struct select_rules *rules)
{
    struct selection *selection = &profile->selection;
    size_t capacity = 0, block_count;
    for (size_t i = 0; i < profile->views.counts_count; i++) {
        uint32_t s = profile->views.counts[i];
        const struct block *blocks = blocks_of(&profile->blocks, s, &block_count);
        if (profile->arcs.calls[s] > 0 || rules->has_zeros)
            add_count(selection, &capacity, s, profile->symtab.symbols[s].addr,
                      profile->arcs.calls[s]);
        for (size_t b = 0; b < block_count; b++)
            if (blocks[b].count > 0 || rules->has_zeros)
                add_count(selection, &capacity, s, blocks[b].addr, blocks[b].count);
    }
}

void selection_free(struct selection *selection)
{
    free(selection->flat);
    free(selection->entries);
    free(selection->counts);
    *selection = (struct selection){0};
}
