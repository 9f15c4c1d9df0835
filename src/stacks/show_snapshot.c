/* show_snapshot.c - prepares a snapshot for exporters of graphs and stacks, and for the tree of
 * calls.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/show_snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/measure_times.h"
#include "base/hash.h"
#include "base/homonyms.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/model.h"
#include "stacks/make_stack_tree.h"
#include "stacks/measure_stacks.h"

/* ---- Unique names ---- */

/* Gives the functions the names that STYLE has, in UTF-8.  */
static void choose_names(struct snapshot *snapshot, enum name_style style)
{
    struct arena *arena = &snapshot->arena;
    struct short_names shorts = {0};
    for (size_t f = 0; f < snapshot->function_count; f++) {
        struct snapshot_function *function = &snapshot->functions[f];
        if (style == NAMES_RAW)
            function->name = arena_escape(arena, function->raw);
        if (style == NAMES_SHORT)
            short_names_add(&shorts, function->name);
    }
    for (size_t f = 0; f < snapshot->function_count; f++) {
        struct snapshot_function *function = &snapshot->functions[f];
        if (style == NAMES_SHORT)
            function->name = short_names_of(&shorts, arena, function->name);
        function->name = arena_utf8(arena, function->name);
    }
    short_names_free(&shorts);
}

/* The function that each of those of SNAPSHOT is a source line of, by number; free with free.  */
static uint32_t *number_by_line(const struct snapshot *snapshot)
{
    struct string_map texts = {0};
    struct pair_map functions = {0};
    uint32_t *numbers = mem_uninitialised(snapshot->function_count, sizeof *numbers);
    for (size_t f = 0; f < snapshot->function_count; f++) {
        const struct snapshot_function *function = &snapshot->functions[f];
        uint32_t name = string_map_number(&texts, function->raw);
        uint32_t file = string_map_number(&texts, function->file != NULL ? function->file : "");
        numbers[f] = pair_map_number(&functions, name, file);
    }
    string_map_free(&texts);
    pair_map_free(&functions);
    return numbers;
}

/* Makes the names of all functions unique, and UTF-8.  All source lines of a function have one
   name.  */
static void make_names_unique(struct snapshot *snapshot, enum name_style style)
{
    size_t count = snapshot->function_count;
    choose_names(snapshot, style);
    struct homonym *functions = mem_uninitialised(count, sizeof *functions);
    uint32_t *numbers = snapshot->is_by_line ? number_by_line(snapshot) : identity_ids(count);
    for (size_t f = 0; f < count; f++) {
        const struct snapshot_function *function = &snapshot->functions[f];
        functions[f] = (struct homonym){.name = function->name,
                                        .file = function->file,
                                        .address = function->address,
                                        .function = numbers[f]};
    }
    tell_apart(functions, count, &snapshot->arena);
    for (size_t f = 0; f < count; f++)
        if (functions[f].name != snapshot->functions[f].name)
            snapshot->functions[f].name = arena_utf8(&snapshot->arena, functions[f].name);
    free(functions);
    free(numbers);
}

/* ---- Focus and hide ---- */

static bool is_selecting(const struct shown_rules *rules)
{
    return rules->focus != NULL || rules->hide != NULL;
}

static bool matches_function(const regex_t *expression, const struct snapshot_function *function,
                             const char *whole)
{
    return name_matches(expression, function->name, function->file) ||
           name_form_matches(expression, whole, function->file);
}

/* Which functions EXPRESSION matches, by function id; none if it is NULL.  WHOLE: their names
   before any were shortened.  Free with free.  */
static bool *find_matches(const struct snapshot *snapshot, const char *const *whole,
                          const regex_t *expression)
{
    bool *matches = mem_uninitialised(snapshot->function_count, sizeof *matches);
    for (size_t f = 0; f < snapshot->function_count; f++)
        matches[f] =
            expression != NULL && matches_function(expression, &snapshot->functions[f], whole[f]);
    return matches;
}

/* Sets IS_KEPT of the COUNT functions that match, and of those that are reached from them along the
   arcs in LISTS.  */
static void keep_reached(bool *is_kept, size_t count, const bool *matches,
                         const struct id_lists *lists)
{
    size_t reached_count = 0;
    uint32_t *reached = mem_uninitialised(count, sizeof *reached);
    bool *is_reached = mem_array(count, sizeof *is_reached);
    for (uint32_t f = 0; f < count; f++)
        if (matches[f]) {
            is_reached[f] = true;
            reached[reached_count++] = f;
        }
    for (size_t i = 0; i < reached_count; i++) {
        is_kept[reached[i]] = true;
        for (uint32_t n = lists->start[reached[i]]; n < lists->start[reached[i] + 1]; n++)
            if (!is_reached[lists->ids[n]]) {
                is_reached[lists->ids[n]] = true;
                reached[reached_count++] = lists->ids[n];
            }
    }
    free(reached);
    free(is_reached);
}

/* Sets IS_KEPT of the functions that match, and of those that call them or that they call, also
   indirectly.  */
static void keep_related(bool *is_kept, const struct snapshot *snapshot, const bool *matches)
{
    size_t count = snapshot->function_count, arc_count = snapshot->arc_count;
    uint32_t *callers = mem_uninitialised(arc_count, sizeof *callers);
    uint32_t *callees = mem_uninitialised(arc_count, sizeof *callees);
    for (size_t i = 0; i < arc_count; i++) {
        callers[i] = snapshot->arcs[i].caller;
        callees[i] = snapshot->arcs[i].callee;
    }
    struct id_lists by_caller = id_lists_make(callers, callees, arc_count, count);
    struct id_lists by_callee = id_lists_make(callees, callers, arc_count, count);
    keep_reached(is_kept, count, matches, &by_caller);
    keep_reached(is_kept, count, matches, &by_callee);
    id_lists_free(&by_caller);
    id_lists_free(&by_callee);
    free(callers);
    free(callees);
}

/* ---- Stacks, for which all functions are kept ---- */

/* Which nodes of TREE are of functions that MATCHES has, or of other frames that EXPRESSION
   matches.  Free with free.  */
static bool *match_nodes(const struct stack_tree *tree, const bool *matches,
                         const regex_t *expression)
{
    bool *is_match = mem_array(tree->stacks.count, sizeof *is_match);
    for (size_t i = 0; i < tree->stacks.count; i++) {
        uint32_t label = tree->stacks.label[i];
        if (stack_tree_function(tree, i) != NO_ID)
            is_match[i] = matches[label];
        else if (tree->is_recorded && stack_tree_is_named(tree, i) && expression != NULL)
            is_match[i] =
                name_form_matches(expression, tree->names[label - tree->function_count], NULL);
    }
    return is_match;
}

/* Of stacks by thread, the roots are threads, which no name of a function means.  */
static void select_stacks(struct stack_tree *tree, const struct shown_rules *rules,
                          const bool *focus, const bool *hide)
{
    bool *in_focus = match_nodes(tree, focus, rules->focus);
    bool *is_hidden = match_nodes(tree, hide, rules->hide);
    for (size_t i = 0; i < tree->stacks.count; i++) {
        bool is_thread = tree == rules->threads && tree->stacks.parent[i] == NO_ID;
        in_focus[i] = rules->focus == NULL || (in_focus[i] && !is_thread);
        is_hidden[i] &= !is_thread;
    }
    stack_tree_select(tree, in_focus, is_hidden);
    free(in_focus);
    free(is_hidden);
}

static void make_stacks(struct snapshot *snapshot, const char *const *whole,
                        const struct shown_rules *rules, struct stack_tree *tree)
{
    bool selects = is_selecting(rules);
    bool *focus = find_matches(snapshot, whole, rules->focus);
    bool *hide = find_matches(snapshot, whole, rules->hide);
    for (size_t i = 0; rules->trees != NULL && i < rules->tree_count && selects; i++)
        select_stacks(&rules->trees[i].tree, rules, focus, hide);
    if (rules->trees == NULL && rules->recorded != NULL)
        stack_tree_of_recorded(tree, rules->recorded, &rules->recorded->recorded->tree,
                               rules->has_all_nodes, selects ? 0 : rules->least_parent);
    else if (rules->trees == NULL)
        stack_tree_build(tree, snapshot);
    if (rules->trees == NULL && selects)
        select_stacks(tree, rules, focus, hide);
    if (rules->threads != NULL && selects)
        select_stacks(rules->threads, rules, focus, hide);
    snapshot->extras.tree = rules->trees == NULL ? tree : NULL;
    snapshot->extras.profile_trees = rules->trees;
    free(focus);
    free(hide);
}

/* ---- Graphs, which show some functions ---- */

/* Removes the functions that are not kept, and their arcs.  Graphs do not show the times that
   callers have in the entry of a callee.  */
static void remove_functions(struct profile_snapshot *made, const bool *is_kept)
{
    struct snapshot *snapshot = &made->snapshot;
    size_t functions = snapshot->function_count, arcs = snapshot->arc_count;
    uint32_t *ids = mem_uninitialised(functions, sizeof *ids); /* new, by old */
    snapshot->function_count = snapshot->arc_count = 0;
    free(snapshot->arc_entries);
    snapshot->arc_entries = NULL;
    for (size_t f = 0; f < functions; f++) {
        uint32_t id = is_kept[f] ? (uint32_t)snapshot->function_count++ : NO_ID;
        ids[f] = made->ids[made->symbols[f]] = id;
        if (id == NO_ID)
            continue;
        snapshot->functions[id] = snapshot->functions[f];
        snapshot->runs.own[id] = snapshot->runs.own[f];
        if (snapshot->runs.inclusive != NULL)
            snapshot->runs.inclusive[id] = snapshot->runs.inclusive[f];
        made->symbols[id] = made->symbols[f];
    }
    for (size_t i = 0; i < arcs; i++) {
        struct arc arc = snapshot->arcs[i];
        arc.caller = ids[arc.caller];
        arc.callee = ids[arc.callee];
        if (arc.caller == NO_ID || arc.callee == NO_ID)
            continue;
        snapshot->arc_times[snapshot->arc_count] = snapshot->arc_times[i];
        snapshot->arcs[snapshot->arc_count++] = arc;
    }
    for (size_t c = 0; c < snapshot->cycle_count; c++) {
        struct snapshot_cycle *cycle = &snapshot->cycles[c];
        size_t members = cycle->count;
        cycle->count = 0;
        for (size_t m = 0; m < members; m++)
            if (is_kept[cycle->members[m]])
                cycle->members[cycle->count++] = ids[cycle->members[m]];
    }
    free(ids);
}

/* ---- Graphs of recorded stacks, which show what is on some stacks ---- */

/* Gives the functions of SNAPSHOT the times that were MEASURED.  */
static void set_times(struct snapshot *snapshot, const struct measured *measured)
{
    for (size_t f = 0; f < snapshot->function_count; f++) {
        struct snapshot_function *function = &snapshot->functions[f];
        struct line_times line =
            measured_line(&measured->functions[f], snapshot->inclusive_samples);
        function->self_samples = line.self;
        function->total_samples = line_total(&line);
    }
}

/* Gives the arcs of SNAPSHOT the times that were MEASURED, adds those that only these have, because
   what was between the two functions is hidden, and removes those that are not measured, unless
   both their ends are kept, and one of them HAS_ALL its calls.  */
static void set_arcs(struct snapshot *snapshot, const struct measured *measured,
                     const bool *has_all)
{
    struct pair_map numbers = {0};
    size_t most = snapshot->arc_count + measured->arc_count + 1, kept = 0; /* not 0 */
    struct arc *arcs = snapshot->arcs = mem_resize(snapshot->arcs, most, sizeof *arcs);
    struct line_times *times = snapshot->arc_times =
        mem_resize(snapshot->arc_times, most, sizeof *times);
    bool *is_kept = mem_array(most, sizeof *is_kept);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        pair_map_number(&numbers, arcs[i].caller, arcs[i].callee);
        times[i] = (struct line_times){0, 0};
        is_kept[i] = has_all[arcs[i].caller] || has_all[arcs[i].callee];
    }
    for (size_t i = 0; i < measured->arc_count; i++) {
        const struct measured_arc *arc = &measured->arcs[i];
        if (arc->caller >= snapshot->function_count || arc->callee >= snapshot->function_count)
            continue; /* a stack begins with the callee, or an end is no function */
        uint32_t number = pair_map_number(&numbers, arc->caller, arc->callee);
        if (number == snapshot->arc_count)
            arcs[snapshot->arc_count++] = (struct arc){arc->caller, arc->callee, 0};
        times[number] = measured_line(&arc->inner, snapshot->inclusive_samples);
        times[number].self /= snapshot->rate;
        times[number].children /= snapshot->rate;
        is_kept[number] = true;
    }
    for (size_t i = 0; i < snapshot->arc_count; i++)
        if (is_kept[i]) {
            times[kept] = times[i];
            arcs[kept++] = arcs[i];
        }
    snapshot->arc_count = kept;
    pair_map_free(&numbers);
    free(is_kept);
}

/* Measures the stacks that FOCUS and HIDE, functions that match, leave, as they do in formats of
   stacks.  Keeps the functions on these; those that match FOCUS, whose calls may have no samples;
   and, if all stacks are left, functions without stacks.  */
static void choose_by_stacks(bool *is_kept, struct snapshot *snapshot,
                             const struct shown_rules *rules, const bool *focus, const bool *hide)
{
    const struct recorded_stacks *recorded = rules->recorded->recorded;
    struct stack_tree tree;
    stack_tree_of_recorded(&tree, rules->recorded, &recorded->tree, true, 0);
    select_stacks(&tree, rules, focus, hide);
    struct measured measured =
        stacks_measure(&tree.stacks, tree.function_count + frames_count(&recorded->frames));
    for (size_t f = 0; f < snapshot->function_count; f++)
        is_kept[f] = rules->focus == NULL || focus[f];
    set_times(snapshot, &measured);
    set_arcs(snapshot, &measured, is_kept);
    for (size_t i = 0; i < tree.stacks.count; i++)
        if (stack_tree_function(&tree, i) != NO_ID)
            is_kept[tree.stacks.label[i]] = true;
    measured_free(&measured);
    stack_tree_free(&tree);
}

static void choose_functions(struct profile_snapshot *made, const char *const *whole,
                             const struct shown_rules *rules)
{
    struct snapshot *snapshot = &made->snapshot;
    if (!is_selecting(rules))
        return;
    bool *is_kept = mem_uninitialised(snapshot->function_count, sizeof *is_kept);
    bool *focus = find_matches(snapshot, whole, rules->focus);
    bool *hide = find_matches(snapshot, whole, rules->hide);
    for (size_t f = 0; f < snapshot->function_count; f++)
        is_kept[f] = rules->focus == NULL;
    if (rules->recorded != NULL)
        choose_by_stacks(is_kept, snapshot, rules, focus, hide);
    else if (rules->focus != NULL)
        keep_related(is_kept, snapshot, focus);
    for (size_t f = 0; f < snapshot->function_count; f++)
        is_kept[f] = is_kept[f] && !hide[f];
    remove_functions(made, is_kept);
    free(is_kept);
    free(focus);
    free(hide);
}

/* ---- The interface ---- */

/* Whether `focus' matches some function, if there are any, or another object in stacks.  */
static bool has_match(const struct snapshot *snapshot, const char *const *whole,
                      const struct shown_rules *rules)
{
    bool has_any = rules->focus == NULL || snapshot->function_count == 0;
    for (size_t f = 0; f < snapshot->function_count && !has_any; f++)
        has_any = matches_function(rules->focus, &snapshot->functions[f], whole[f]);
    const struct recorded_stacks *stacks =
        rules->recorded != NULL ? rules->recorded->recorded : NULL;
    for (size_t i = 0; stacks != NULL && i < stacks->frames.other_count && !has_any; i++)
        has_any = name_form_matches(rules->focus, stacks->frames.others[i].name, NULL);
    return has_any;
}

bool show_snapshot(struct profile_snapshot *made, const struct shown_rules *rules,
                   struct stack_tree *tree)
{
    struct snapshot *snapshot = &made->snapshot;
    const char **whole = mem_uninitialised(snapshot->function_count, sizeof *whole);
    for (size_t f = 0; f < snapshot->function_count; f++)
        whole[f] = snapshot->functions[f].name;
    make_names_unique(snapshot, rules->names);
    snapshot->extras.min_share = rules->min_share;
    bool is_matched = has_match(snapshot, whole, rules);
    if (rules->has_stacks)
        make_stacks(snapshot, whole, rules, tree);
    else
        choose_functions(made, whole, rules);
    free(whole);
    return is_matched;
}
