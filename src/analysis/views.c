/* views.c - sorted lists for the reports, and the rows that are printed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/views.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/link_order.h"
#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

/* ---- Weights of arcs ----

   Calls of a function to itself weigh least, then calls inside a cycle.  The weights of a list are
   copied before it is sorted, because its arcs are far apart in memory.  */

struct weight {
    double total; /* samples */
    uint64_t count;
    uint32_t arc;
    uint8_t rank; /* a larger rank is heavier */
};

/* The weight of an arc with TIMES.  */
static struct weight weigh(const struct arc_table *arcs, const struct graph *graph, uint32_t id,
                           const struct line_times *times)
{
    const struct arc *arc = &arcs->arcs[id];
    if (is_internal_arc(graph, id))
        return (struct weight){.count = arc->count, .arc = id, .rank = arc->caller != arc->callee};
    return (struct weight){line_total(times), arc->count, id, 2};
}

static int compare_callees(const void *context, uint32_t a, uint32_t b)
{
    const struct weight *left = (const struct weight *)context + a;
    const struct weight *right = (const struct weight *)context + b;
    if (left->rank != right->rank)
        return left->rank > right->rank ? -1 : 1;
    int order = compare_descending(left->total, right->total);
    return order != 0 ? order : compare_descending_u64(left->count, right->count);
}

static int compare_callers(const void *context, uint32_t a, uint32_t b)
{
    return -compare_callees(context, a, b);
}

/* ---- Lists of an entry ---- */

/* Memory for sorting one list, with the capacity of the longest.  */
struct list_scratch {
    struct weight *weights;
    uint32_t *order, *merge; /* indexes into `weights' */
};

/* Sorts N arc ids, whose weights are in SCRATCH.  */
static void sort_list(uint32_t *list, size_t n, compare_ids *compare,
                      const struct list_scratch *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch->order[i] = (uint32_t)i;
    sort_ids_in(scratch->order, n, scratch->merge, compare, scratch->weights);
    for (size_t i = 0; i < n; i++)
        list[i] = scratch->weights[scratch->order[i]].arc;
}

/* Sorts each list in IDS, of which START has the bounds, by COMPARE, which compares weights.  TIMES
   are those of the lines in the list, by arc id.  */
static void sort_lists(uint32_t *ids, const uint32_t *start, compare_ids *compare,
                       const struct arc_table *arcs, const struct graph *graph,
                       const struct line_times *times)
{
    size_t longest = 0;
    for (size_t r = 0; r < graph->symbol_count; r++)
        if (start[r + 1] - start[r] > longest)
            longest = start[r + 1] - start[r];
    struct list_scratch scratch = {.weights = mem_uninitialised(longest, sizeof *scratch.weights),
                                   .order = mem_uninitialised(longest, sizeof *scratch.order),
                                   .merge = mem_uninitialised(longest, sizeof *scratch.merge)};
    for (size_t r = 0; r < graph->symbol_count; r++) {
        uint32_t *list = ids + start[r];
        size_t n = start[r + 1] - start[r];
        for (size_t i = 0; i < n; i++)
            scratch.weights[i] = weigh(arcs, graph, list[i], &times[list[i]]);
        sort_list(list, n, compare, &scratch);
    }
    free(scratch.weights);
    free(scratch.order);
    free(scratch.merge);
}

/* Arc ids in lists as arc_table's: callees from the heaviest arc down, callers from the lightest
   up; ties in order of first appearance.  Free with free.  */
static uint32_t *order_callees(const struct arc_table *arcs, const struct graph *graph,
                               const struct times *times)
{
    uint32_t *ids = identity_ids(arcs->count);
    sort_lists(ids, arcs->callee_start, compare_callees, arcs, graph, times->callees);
    return ids;
}

static void reverse(uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t other = list[n - 1 - i];
        list[n - 1 - i] = list[i];
        list[i] = other;
    }
}

/* The callers' ids are those of the table, sorted in place and removed from it.  */
static uint32_t *order_callers(struct arc_table *arcs, const struct graph *graph,
                               const struct times *times)
{
    uint32_t *ids = arcs->callers.ids;
    const uint32_t *start = arcs->callers.start;
    for (size_t r = 0; r < graph->symbol_count; r++)
        reverse(ids + start[r], start[r + 1] - start[r]);
    sort_lists(ids, start, compare_callers, arcs, graph, times->callers);
    arcs->callers.ids = NULL;
    return ids;
}

/* ---- Orders ---- */

/* The context of all orders.  */
struct ranking {
    const struct symtab *symtab;
    const struct graph *graph;
    const struct times *times; /* NULL: rows of the flat profile */
};

enum { NAME_LEVELS = 4 }; /* so many keys of 8 bytes each are taken from a name */

static uint64_t key_of_name(const void *context, uint32_t symbol, unsigned level)
{
    const struct ranking *by = context;
    const char *name = by->symtab->symbols[symbol].name;
    size_t skipped = (size_t)8 * level;
    return strnlen(name, skipped) < skipped ? 0 : key_of_text(name + skipped);
}

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
    const struct ranking *by = context;
    return strcmp(by->symtab->symbols[a].name, by->symtab->symbols[b].name);
}

static const struct id_order name_order = {
    .key = key_of_name, .hints = NAME_LEVELS, .compare_rest = compare_names};

/* The flat profile: by own time, calls and name.  In all orders, larger figures come first.  */
static uint64_t key_of_row(const void *context, uint32_t symbol, unsigned level)
{
    const struct ranking *by = context;
    const struct node *node = &by->graph->nodes[symbol];
    if (level == 0)
        return key_descending(node->time);
    return level == 1 ? ~node->calls : key_of_name(context, symbol, level - 2);
}

static const struct id_order flat_order = {
    .key = key_of_row, .levels = 2, .hints = 1, .compare_rest = compare_names};

/* The call graph: by total time; cycles, by number, before symbols; names without a leading
   underscore first; by calls and name.  */
static uint64_t key_of_entry(const void *context, uint32_t node, unsigned level)
{
    const struct ranking *by = context;
    if (level == 0)
        return key_descending(line_total(&by->times->nodes[node]));
    if (is_cycle(by->graph, node))
        return 0;
    if (level == 1)
        return by->symtab->symbols[node].name[0] == '_' ? 2 : 1;
    return level == 2 ? ~by->graph->nodes[node].calls : key_of_name(context, node, level - 3);
}

/* Compares nodes whose keys are equal: both are cycles, or none is.  */
static int compare_entries(const void *context, uint32_t a, uint32_t b)
{
    const struct ranking *by = context;
    return is_cycle(by->graph, a) ? 0 : compare_names(context, a, b);
}

static const struct id_order graph_order = {
    .key = key_of_entry, .levels = 3, .hints = 1, .compare_rest = compare_entries};

/* The members of a cycle: by total time, then by all calls.  */
static uint64_t key_of_member(const void *context, uint32_t symbol, unsigned level)
{
    const struct ranking *by = context;
    const struct node *node = &by->graph->nodes[symbol];
    return level == 0 ? key_descending(line_total(&by->times->nodes[symbol]))
                      : ~sum_u64(node->calls, node->self_calls);
}

static const struct id_order member_order = {.key = key_of_member, .levels = 2};

/* ---- Views ---- */

static bool is_listed(const struct ranking *by, uint32_t symbol, bool has_zeros)
{
    const struct node *node = &by->graph->nodes[symbol];
    bool has_content = node->time != 0.0 || node->calls != 0;
    const struct symbol *row = &by->symtab->symbols[symbol];
    return has_content || (has_zeros && !is_pseudo(row) && !row->is_stub);
}

void views_order_rows(struct views *views, const struct symtab *symtab, const struct graph *graph,
                      bool has_zeros)
{
    const struct ranking by = {symtab, graph, NULL};
    size_t count = 0;
    views->flat = mem_array(symtab->count, sizeof *views->flat);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (is_listed(&by, s, has_zeros))
            views->flat[count++] = s;
    sort_by_order(views->flat, count, &flat_order, &by);
    views->flat_count = count;
}

/* Whether the index has a symbol: as in the flat profile, and if a total is measured.  */
static bool is_indexed(const struct ranking *by, uint32_t symbol, bool has_zeros)
{
    return is_listed(by, symbol, has_zeros) ||
           (by->times->origin == ORIGIN_MEASURED && line_total(&by->times->nodes[symbol]) != 0);
}

static void list_by_name(struct views *views, const struct ranking *by, bool has_zeros)
{
    const struct graph *graph = by->graph;
    size_t count = 0;
    views->by_name = mem_array(graph->count, sizeof *views->by_name);
    for (uint32_t s = 0; s < graph->symbol_count; s++)
        if (is_indexed(by, s, has_zeros))
            views->by_name[count++] = s;
    sort_by_order(views->by_name, count, &name_order, by);
    for (uint32_t c = 0; c < graph->cycle_count; c++)
        views->by_name[count++] = (uint32_t)graph->symbol_count + c;
    views->by_name_count = count;
}

static void sort_members(struct views *views, const struct ranking *by)
{
    const struct graph *graph = by->graph;
    size_t total = graph->member_start[graph->cycle_count];
    views->members = mem_array(total, sizeof *views->members);
    memcpy(views->members, graph->members, total * sizeof *views->members);
    for (size_t c = 0; c < graph->cycle_count; c++)
        sort_by_order(views->members + graph->member_start[c],
                      graph->member_start[c + 1] - graph->member_start[c], &member_order, by);
}

/* Numbers the nodes in their ORDER, except for those without an entry.  */
static void number_nodes(const uint32_t *order, const struct symtab *symtab, struct graph *graph)
{
    uint32_t index = 0;
    for (size_t i = 0; i < graph->count; i++) {
        struct node *node = &graph->nodes[order[i]];
        if (is_cycle(graph, order[i]) || stands_for_code(&symtab->symbols[order[i]]))
            node->index = ++index;
        else
            node->is_shown = false;
    }
}

void views_order_entries(struct views *views, const struct symtab *symtab, struct graph *graph,
                         const struct times *times, bool has_zeros)
{
    const struct ranking by = {symtab, graph, times};
    views->graph = identity_ids(graph->count);
    sort_by_order(views->graph, graph->count, &graph_order, &by);
    number_nodes(views->graph, symtab, graph);
    list_by_name(views, &by, has_zeros);
}

void views_order_lines(struct views *views, struct arc_table *arcs, const struct graph *graph,
                       const struct times *times)
{
    const struct ranking by = {NULL, graph, times};
    views->callers = order_callers(arcs, graph, times);
    views->callees = order_callees(arcs, graph, times);
    sort_members(views, &by);
}

/* ---- Link orders ---- */

void views_order_functions(struct views *views, const struct symtab *symtab,
                           const struct arc_table *arcs)
{
    views->functions = link_order_functions(symtab, arcs, &views->function_count);
}

static int compare_objects(const void *context, uint32_t a, uint32_t b)
{
    const struct object_map *map = context;
    return strcmp(map->entries[a].object, map->entries[b].object);
}

/* Adds the objects of the map that are not among KNOWN yet.  */
static void add_unknown(struct views *views, struct string_map *known, const struct object_map *map)
{
    uint32_t *order = identity_ids(map->count);
    sort_ids(order, map->count, compare_objects, map);
    for (size_t i = 0; i < map->count; i++) {
        const char *object = map->entries[order[i]].object;
        size_t count = known->count;
        string_map_number(known, object);
        if (known->count > count)
            views->objects[views->object_count++] = object;
    }
    free(order);
}

void views_order_objects(struct views *views, const struct symtab *symtab,
                         const struct arc_table *arcs, const struct object_map *map)
{
    struct string_map known = {0};
    size_t count;
    uint32_t *order = link_order_objects(symtab, arcs, &count);
    views->objects = mem_array(count + map->count, sizeof *views->objects);
    for (size_t i = 0; i < count; i++) {
        const char *object = symtab->symbols[order[i]].name;
        string_map_number(&known, object);
        views->objects[views->object_count++] = object;
    }
    add_unknown(views, &known, map);
    string_map_free(&known);
    free(order);
}

/* ---- Order of execution counts ---- */

static int ascending(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Compares by file, line and address if both have a file, else by address.  This is not transitive,
   so the result depends on the algorithm of sort_ids_by_merging.  */
static int compare_positions(const void *context, uint32_t a, uint32_t b)
{
    const struct profile *profile = context;
    const struct symbol *left = &profile->symtab.symbols[a], *right = &profile->symtab.symbols[b];
    int order = 0;
    if (left->file != NO_ID && right->file != NO_ID) {
        if (left->file != right->file)
            order = strcmp(profile->files.paths[left->file], profile->files.paths[right->file]);
        if (order == 0)
            order = ascending(left->line, right->line);
    }
    return order != 0 ? order : ascending(left->addr, right->addr);
}

void views_order_counts(struct views *views, const struct profile *profile)
{
    views->counts = mem_array(profile->symtab.count, sizeof *views->counts);
    for (size_t i = 0; i < profile->symtab.count; i++)
        if (is_accepted(&profile->filters.counts, (uint32_t)i) &&
            !is_pseudo(&profile->symtab.symbols[i]))
            views->counts[views->counts_count++] = (uint32_t)i;
    sort_ids_by_merging(views->counts, views->counts_count, compare_positions, profile);
}

void views_free(struct views *views)
{
    free(views->flat);
    free(views->graph);
    free(views->by_name);
    free(views->callers);
    free(views->callees);
    free(views->members);
    free(views->counts);
    free(views->functions);
    free(views->objects);
    *views = (struct views){0};
}

/* ---- Rows of the flat profile ---- */

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

/* The largest time per call, callees included; of all functions, selected or not.  */
static double largest_per_call(const struct profile *profile)
{
    double largest = 0;
    for (size_t s = 0; s < profile->symtab.count; s++) {
        const struct node *node = &profile->graph.nodes[s];
        if (node->calls == 0)
            continue;
        double per_call = profile->times.inclusive[s] / (double)node->calls;
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

/* ---- Entries of the call graph ---- */

static bool has_entry(const struct profile *profile, uint32_t id, const struct select_rules *rules)
{
    const struct node *node = &profile->graph.nodes[id];
    bool is_line =
        rules->has_lines && (is_cycle(&profile->graph, id) || !profile->symtab.symbols[id].is_func);
    bool is_object = !is_cycle(&profile->graph, id) && profile->symtab.symbols[id].is_other_object;
    return node->is_shown && !is_line &&
           (has_content(node, &profile->times.nodes[id]) || (rules->has_zeros && !is_object));
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
    select_flat(selection, profile, rules->has_zeros);
    selection->per_call = choose_prefix(largest_per_call(profile) / profile->times.rate);
    select_entries(selection, profile, rules);
}

bool *views_listed(const struct profile *profile)
{
    const struct views *views = &profile->views;
    bool *is_listed = mem_array(profile->symtab.count, sizeof *is_listed);
    for (size_t i = 0; i < views->flat_count; i++)
        is_listed[views->flat[i]] = true;
    for (size_t i = 0; i < views->by_name_count; i++)
        if (!is_cycle(&profile->graph, views->by_name[i]))
            is_listed[views->by_name[i]] = true;
    for (size_t i = 0; i < profile->arcs.count; i++) {
        is_listed[profile->arcs.arcs[i].caller] = true;
        is_listed[profile->arcs.arcs[i].callee] = true;
    }
    return is_listed;
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
