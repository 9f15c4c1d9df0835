/* views.c - the orders in which the reports list symbols, cycles and files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/views.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/arc_order.h"
#include "analysis/link_order.h"
#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

/* The context of all orders.  */
struct ranking {
    const struct symtab *symtab;
    const struct graph *graph;
};

/* ---- Orders.  Larger figures come first. ---- */

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

/* The flat profile: by own time, calls and name.  */
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

static double total_of(const struct node *node)
{
    return node->self + node->child;
}

/* The call graph: by total time; cycles, by number, before symbols; names without a leading
   underscore first; by calls and name.  */
static uint64_t key_of_entry(const void *context, uint32_t node, unsigned level)
{
    const struct ranking *by = context;
    if (level == 0)
        return key_descending(total_of(&by->graph->nodes[node]));
    if (is_cycle(by->graph, node))
        return 0;
    if (level == 1)
        return by->symtab->symbols[node].name[0] == '_' ? 2 : 1;
    return level == 2 ? ~by->graph->nodes[node].calls : key_of_name(context, node, level - 3);
}

/* Of nodes whose keys are equal: both are cycles, or none is.  */
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
    return level == 0 ? key_descending(total_of(node)) : ~sum_u64(node->calls, node->self_calls);
}

static const struct id_order member_order = {.key = key_of_member, .levels = 2};

/* ---- Views ---- */

static bool is_listed(const struct ranking *by, uint32_t symbol, bool has_zeros)
{
    const struct node *node = &by->graph->nodes[symbol];
    bool has_content = node->time != 0.0 || node->calls != 0;
    return has_content || (has_zeros && !is_pseudo(&by->symtab->symbols[symbol]));
}

void views_order_rows(struct views *views, const struct symtab *symtab, const struct graph *graph,
                      bool has_zeros)
{
    const struct ranking by = {symtab, graph};
    size_t count = 0;
    views->flat = mem_array(symtab->count, sizeof *views->flat);
    for (uint32_t s = 0; s < symtab->count; s++)
        if (is_listed(&by, s, has_zeros))
            views->flat[count++] = s;
    sort_by_order(views->flat, count, &flat_order, &by);
    views->flat_count = count;
}

static void list_by_name(struct views *views, const struct ranking *by, bool has_zeros)
{
    const struct graph *graph = by->graph;
    size_t count = 0;
    views->by_name = mem_array(graph->count, sizeof *views->by_name);
    for (uint32_t s = 0; s < graph->symbol_count; s++)
        if (is_listed(by, s, has_zeros))
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

/* Numbers the nodes in their ORDER, except for the target of indirect calls, which has no entry. */
static void number_nodes(const uint32_t *order, const struct symtab *symtab, struct graph *graph)
{
    uint32_t index = 0;
    for (size_t i = 0; i < graph->count; i++) {
        struct node *node = &graph->nodes[order[i]];
        if (is_cycle(graph, order[i]) || !is_pseudo(&symtab->symbols[order[i]]))
            node->index = ++index;
        else
            node->is_shown = false;
    }
}

void views_order_entries(struct views *views, const struct symtab *symtab, struct arc_table *arcs,
                         struct graph *graph, bool has_zeros)
{
    const struct ranking by = {symtab, graph};
    views->graph = identity_ids(graph->count);
    sort_by_order(views->graph, graph->count, &graph_order, &by);
    number_nodes(views->graph, symtab, graph);
    list_by_name(views, &by, has_zeros);
    views->callers = arc_order_callers(arcs, graph);
    views->callees = arc_order_callees(arcs, graph);
    sort_members(views, &by);
}

/* ---- Suggested orders ---- */

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

/* ---- Execution counts ---- */

static int ascending(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By file, line and address if both have a file, else by address.  This is not transitive, so the
   result depends on the algorithm of sort_ids_by_merging.  */
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
