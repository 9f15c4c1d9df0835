/* shown_snapshot.c - a snapshot as exporters of graphs and stacks show it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/shown_snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/model.h"
#include "stacks/make_stack_tree.h"

/* ---- Unique names ---- */

static const char *with_address(struct arena *arena, const char *name, uint64_t address)
{
    char digits[20];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[address % 16];
    while ((address /= 16) != 0);
    digits[--at] = 'x';
    digits[--at] = '0';
    return arena_join(arena, name, " (", digits + at, ")");
}

/* The names as STYLE has them.  */
static const char **plain_names(const struct snapshot *snapshot, enum name_style style,
                                struct arena *arena)
{
    const char **names = arena_alloc(arena, (snapshot->function_count + 1) * sizeof *names);
    struct snapshot_function function;
    struct short_names shorts = {0};
    for (size_t f = 0; f < snapshot->function_count; f++) {
        snapshot->function(snapshot, f, &function);
        names[f] = style == NAMES_RAW ? arena_escape(arena, function.raw) : function.name;
        if (style == NAMES_SHORT)
            short_names_add(&shorts, names[f]);
    }
    for (size_t f = 0; f < snapshot->function_count; f++) {
        if (style == NAMES_SHORT)
            names[f] = short_names_of(&shorts, arena, names[f]);
        names[f] = arena_utf8(arena, names[f]);
    }
    short_names_free(&shorts);
    return names;
}

/* The functions of one name.  */
struct homonym {
    struct snapshot_function first;
    bool is_ambiguous;
};

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether two symbols of one name are one function: itself, or a source line of it.  */
static bool is_same_function(const struct snapshot *snapshot, const struct snapshot_function *a,
                             const struct snapshot_function *b)
{
    return snapshot->is_by_line && strcmp(a->raw, b->raw) == 0 && is_same_text(a->file, b->file);
}

/* Adds to each name that several functions have the file, if it is known and WITH_FILES is set,
   else the address.  Returns whether there were any.  */
static bool tell_apart(const struct snapshot *snapshot, const char **names, bool with_files,
                       struct arena *arena)
{
    struct string_map map = {0};
    size_t capacity = 0, count = 0;
    struct homonym *homonyms = NULL;
    struct snapshot_function function;
    bool has_any = false;
    uint32_t *numbers = mem_uninitialised(snapshot->function_count, sizeof *numbers);
    for (size_t f = 0; f < snapshot->function_count; f++) {
        uint32_t n = numbers[f] = string_map_number(&map, names[f]);
        snapshot->function(snapshot, f, &function);
        homonyms = mem_grow(homonyms, &capacity, map.count, sizeof *homonyms);
        if (map.count > count)
            homonyms[n] = (struct homonym){function, false};
        else if (!is_same_function(snapshot, &homonyms[n].first, &function))
            has_any = homonyms[n].is_ambiguous = true;
        count = map.count;
    }
    for (size_t f = 0; has_any && f < snapshot->function_count; f++) {
        if (!homonyms[numbers[f]].is_ambiguous)
            continue;
        snapshot->function(snapshot, f, &function);
        names[f] = with_files && function.file != NULL
                       ? arena_join(arena, names[f], " (",
                                    arena_utf8(arena, path_base(function.file)), ")")
                       : with_address(arena, names[f], function.address);
    }
    string_map_free(&map);
    free(homonyms);
    free(numbers);
    return has_any;
}

/* The names of all functions of SNAPSHOT in UTF-8, by function id; the array and its texts may be
   in ARENA.  Functions of one name have their file behind it, `parse (lex.c)', or if that is not
   enough, their address.  All source lines of a function have one name.  */
static const char **unique_names(const struct snapshot *snapshot, enum name_style style,
                                 struct arena *arena)
{
    const char **names = plain_names(snapshot, style, arena);
    if (tell_apart(snapshot, names, true, arena))
        tell_apart(snapshot, names, false, arena);
    return names;
}

static const struct shown_snapshot *view_of(const struct snapshot *snapshot)
{
    return snapshot->context;
}

/* ---- Parts of the view ---- */

static void view_input(const struct snapshot *snapshot, size_t i, struct snapshot_input *input)
{
    const struct snapshot *base = view_of(snapshot)->base;
    base->input(base, i, input);
}

static void view_function(const struct snapshot *snapshot, size_t id,
                          struct snapshot_function *function)
{
    const struct shown_snapshot *view = view_of(snapshot);
    view->base->function(view->base, view->functions[id], function);
    function->name = view->names[view->functions[id]];
}

static void view_arc(const struct snapshot *snapshot, size_t i, struct snapshot_arc *arc)
{
    const struct shown_snapshot *view = view_of(snapshot);
    view->base->arc(view->base, view->arcs[i], arc);
    arc->from = view->ids[arc->from];
    arc->to = view->ids[arc->to];
}

static void view_cycle(const struct snapshot *snapshot, size_t i, struct snapshot_cycle *cycle)
{
    const struct shown_snapshot *view = view_of(snapshot);
    *cycle = (struct snapshot_cycle){view->members + view->member_start[i],
                                     view->member_start[i + 1] - view->member_start[i]};
}

/* ---- Focus and hide ---- */

/* Whether EXPRESSION matches the name, or `file:name'.  */
static bool is_match(const regex_t *expression, const char *name, const char *file)
{
    if (regexec(expression, name, 0, NULL, 0) == 0)
        return true;
    if (file == NULL)
        return false;
    size_t length = strlen(file), size = strlen(name) + 1;
    char *both = mem_uninitialised(length + 1 + size, 1);
    memcpy(both, file, length);
    both[length] = ':';
    memcpy(both + length + 1, name, size);
    bool ok = regexec(expression, both, 0, NULL, 0) == 0;
    free(both);
    return ok;
}

/* Which functions EXPRESSION matches, by function id of the base; all are IF_NONE if it is NULL.
   Free with free.  */
static bool *find_matches(const struct shown_snapshot *view, const regex_t *expression,
                          bool if_none)
{
    size_t count = view->base->function_count;
    bool *matches = mem_uninitialised(count, sizeof *matches);
    struct snapshot_function function;
    for (size_t f = 0; f < count; f++) {
        view->base->function(view->base, f, &function);
        matches[f] =
            expression != NULL ? is_match(expression, view->names[f], function.file) : if_none;
    }
    return matches;
}

/* Keeps the functions that match, and those that are reached from them along the arcs in LISTS.  */
static void keep_reached(struct shown_snapshot *view, const bool *matches,
                         const struct id_lists *lists)
{
    size_t count = view->base->function_count, reached_count = 0;
    uint32_t *reached = mem_uninitialised(count, sizeof *reached);
    bool *is_reached = mem_array(count, sizeof *is_reached);
    for (uint32_t f = 0; f < count; f++)
        if (matches[f]) {
            is_reached[f] = true;
            reached[reached_count++] = f;
        }
    for (size_t i = 0; i < reached_count; i++) {
        view->is_kept[reached[i]] = true;
        for (uint32_t n = lists->start[reached[i]]; n < lists->start[reached[i] + 1]; n++)
            if (!is_reached[lists->ids[n]]) {
                is_reached[lists->ids[n]] = true;
                reached[reached_count++] = lists->ids[n];
            }
    }
    free(reached);
    free(is_reached);
}

/* Keeps the functions that match, and those that call them or that they call, also indirectly.
 */
static void keep_related(struct shown_snapshot *view, const bool *matches)
{
    const struct snapshot *base = view->base;
    uint32_t *callers = mem_uninitialised(base->arc_count, sizeof *callers);
    uint32_t *callees = mem_uninitialised(base->arc_count, sizeof *callees);
    struct snapshot_arc arc;
    for (size_t i = 0; i < base->arc_count; i++) {
        base->arc(base, i, &arc);
        callers[i] = arc.from;
        callees[i] = arc.to;
    }
    struct id_lists by_caller =
        id_lists_make(callers, callees, base->arc_count, base->function_count);
    struct id_lists by_callee =
        id_lists_make(callees, callers, base->arc_count, base->function_count);
    keep_reached(view, matches, &by_caller);
    keep_reached(view, matches, &by_callee);
    id_lists_free(&by_caller);
    id_lists_free(&by_callee);
    free(callers);
    free(callees);
}

/* Makes the stacks, and selects those that RULES choose.  */
static void make_stacks(struct shown_snapshot *view, const struct shown_rules *rules,
                        const bool *focus, const bool *hide)
{
    bool is_selecting = rules->focus != NULL || rules->hide != NULL;
    size_t count = rules->trees != NULL ? rules->tree_count : 0;
    for (size_t i = 0; i < count && is_selecting; i++)
        stack_tree_select(&rules->trees[i].tree, focus, hide);
    if (rules->trees != NULL)
        return;
    if (rules->recorded != NULL)
        stack_tree_of_recorded(&view->tree, rules->recorded, rules->has_all_nodes,
                               is_selecting ? 0 : rules->least_parent);
    else
        stack_tree_build(&view->tree, view->base);
    if (is_selecting)
        stack_tree_select(&view->tree, focus, hide);
}

static void choose_functions(struct shown_snapshot *view, const struct shown_rules *rules)
{
    size_t count = view->base->function_count;
    bool *focus = find_matches(view, rules->focus, true);
    bool *hide = find_matches(view, rules->hide, false);
    for (size_t f = 0; f < count; f++)
        view->is_kept[f] = rules->focus == NULL || rules->has_stacks;
    if (rules->focus != NULL && !rules->has_stacks)
        keep_related(view, focus);
    for (size_t f = 0; f < count && !rules->has_stacks; f++)
        view->is_kept[f] = view->is_kept[f] && !hide[f];
    if (rules->has_stacks)
        make_stacks(view, rules, focus, hide);
    free(focus);
    free(hide);
}

/* ---- The interface ---- */

static void number_kept(struct shown_snapshot *view)
{
    const struct snapshot *base = view->base;
    struct snapshot *snapshot = &view->snapshot;
    struct snapshot_arc arc;
    snapshot->function_count = snapshot->arc_count = 0;
    view->functions = mem_uninitialised(base->function_count, sizeof *view->functions);
    view->ids = mem_uninitialised(base->function_count, sizeof *view->ids);
    view->arcs = mem_uninitialised(base->arc_count, sizeof *view->arcs);
    for (uint32_t f = 0; f < base->function_count; f++) {
        view->ids[f] = view->is_kept[f] ? (uint32_t)snapshot->function_count : NO_ID;
        if (view->is_kept[f])
            view->functions[snapshot->function_count++] = f;
    }
    for (uint32_t i = 0; i < base->arc_count; i++) {
        base->arc(base, i, &arc);
        if (view->is_kept[arc.from] && view->is_kept[arc.to])
            view->arcs[snapshot->arc_count++] = i;
    }
}

static void list_members(struct shown_snapshot *view)
{
    const struct snapshot *base = view->base;
    struct snapshot_cycle cycle;
    uint32_t count = 0;
    view->member_start = mem_uninitialised(base->cycle_count + 1, sizeof *view->member_start);
    view->members = mem_uninitialised(base->function_count, sizeof *view->members);
    for (size_t c = 0; c < base->cycle_count; c++) {
        base->cycle(base, c, &cycle);
        view->member_start[c] = count;
        for (size_t m = 0; m < cycle.count; m++)
            if (view->is_kept[cycle.members[m]])
                view->members[count++] = view->ids[cycle.members[m]];
    }
    view->member_start[base->cycle_count] = count;
}

void shown_snapshot_build(struct shown_snapshot *view, const struct snapshot *base,
                          const struct shown_rules *rules)
{
    *view = (struct shown_snapshot){.snapshot = *base, .base = base};
    view->names = unique_names(base, rules->names, &view->arena);
    view->is_kept = mem_uninitialised(base->function_count, sizeof *view->is_kept);
    choose_functions(view, rules);
    number_kept(view);
    list_members(view);
    view->snapshot.input = view_input;
    view->snapshot.function = view_function;
    view->snapshot.arc = view_arc;
    view->snapshot.cycle = view_cycle;
    view->snapshot.context = view;
    view->snapshot.min_share = rules->min_share;
    view->snapshot.tree = rules->has_stacks && rules->trees == NULL ? &view->tree : NULL;
    view->snapshot.profile_trees = rules->trees;
}

uint32_t *shown_snapshot_ids(const struct shown_snapshot *view, const struct profile_snapshot *made)
{
    size_t count = made->profile->symtab.count;
    uint32_t *ids = mem_uninitialised(count, sizeof *ids);
    for (size_t s = 0; s < count; s++)
        ids[s] = made->ids[s] != NO_ID ? view->ids[made->ids[s]] : NO_ID;
    return ids;
}

void shown_snapshot_free(struct shown_snapshot *view)
{
    free(view->is_kept);
    free(view->functions);
    free(view->ids);
    free(view->arcs);
    free(view->members);
    free(view->member_start);
    stack_tree_free(&view->tree);
    arena_free(&view->arena);
    *view = (struct shown_snapshot){0};
}
