/* tree_report.c - makes the tree of calls of a run, with what people see around it (--tree).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/tree_report.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "program/read_stacks.h"
#include "stacks/show_snapshot.h"

/* ---- Whose callers ---- */

static bool has_functions(const struct run *run)
{
    const struct symspecs *specs = &run->options->analysis.specs;
    for (size_t i = 0; i < specs->count; i++)
        if (specs->specs[i].target == SPEC_TREE)
            return true;
    return false;
}

/* Which functions and other frames the specs match, as struct call_tree_rules has them.  Free with
   free.  */
static bool *find_wanted(const struct run *run, size_t *count)
{
    const struct profile_snapshot *made = &run->snapshot;
    const struct sym_set *set = &run->profile.filters.tree;
    size_t functions = made->snapshot.function_count, symbols = run->profile.symtab.count;
    bool *is_wanted = mem_uninitialised(functions + symbols, sizeof *is_wanted);
    for (size_t f = 0; f < functions; f++)
        is_wanted[f] = is_in(set, made->symbols[f]);
    for (uint32_t s = 0; s < symbols; s++)
        is_wanted[functions + s] = is_in(set, s);
    *count = functions + symbols;
    return is_wanted;
}

/* ---- Texts ---- */

/* `Call tree', or `Callers of' the specs.  */
static const char *subject_of(const struct run *run, struct arena *arena)
{
    const struct symspecs *specs = &run->options->analysis.specs;
    const char *text = "Callers of ", *separator = "";
    if (!has_functions(run))
        return "Call tree";
    for (size_t i = 0; i < specs->count; i++) {
        if (specs->specs[i].target != SPEC_TREE)
            continue;
        text = arena_join(arena, text, separator, arena_escape(arena, specs->specs[i].text));
        separator = ", ";
    }
    return text;
}

static const char *title_of(const struct run *run, struct arena *arena)
{
    char origin[80] = ", estimated from numbers of calls";
    if (run_is_measured(run))
        snprintf(origin, sizeof origin, ", measured by %.0f stacks", run->profile.recorded.counted);
    return arena_join(arena, subject_of(run, arena), origin);
}

/* Adds notes on what is not shown.  */
static void note_hidden(struct call_tree *tree, struct arena *arena)
{
    char text[200];
    if (tree->row_count == 0)
        table_add_note(&tree->table, arena, "no stack has time");
    if (tree->hidden_count > 0) {
        snprintf(text, sizeof text, "not shown: %zu with less than %g %% each, %.2f %% together",
                 tree->hidden_count, tree->rules.min_share,
                 100 * tree->hidden / call_tree_whole(tree));
        table_add_note(&tree->table, arena, text);
    }
    if (tree->deep_count > 0) {
        snprintf(text, sizeof text, "not shown: %zu deeper than %u levels", tree->deep_count,
                 tree->rules.depth);
        table_add_note(&tree->table, arena, text);
    }
}

/* ---- The tree ---- */

/* Whether the user's locale has box-drawing characters.  */
static bool is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool is = locale != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale != (locale_t)0)
        freelocale(locale);
    return is;
}

void tree_report_make(struct run *run)
{
    const struct named_stacks named = run_named_stacks(run);
    const struct top_rules *top = &run->plan->top;
    struct call_tree *tree = &run->calls;
    struct shown_rules shown = {.names = top->names,
                                .focus = top->focus,
                                .hide = top->hide,
                                .recorded = run_is_measured(run) ? &named : NULL,
                                .has_stacks = true,
                                .has_all_nodes = true};
    struct call_tree_rules rules = {.min_share = top->min_share < 0 ? 1 : top->min_share,
                                    .depth = run->options->top.depth,
                                    .has_boxes = is_utf8()};
    bool *is_wanted = NULL;
    if (has_functions(run))
        rules.is_wanted = is_wanted = find_wanted(run, &rules.wanted_count);
    else /* what is too small for a row; 1: rounding */
        shown.least_parent = rules.min_share / 100 * run->profile.recorded.counted - 1;
    struct snapshot *snapshot = &run->snapshot.snapshot;
    show_snapshot(&run->snapshot, &shown, &run->tree);
    call_tree_build(tree, snapshot, &run->tree, &rules);
    tree->table.title = title_of(run, &snapshot->arena);
    note_hidden(tree, &snapshot->arena);
    if (run_is_measured(run))
        stacks_note(&tree->table, &snapshot->arena, snapshot, &run->profile.recorded);
    tree->rules.is_wanted = NULL;
    free(is_wanted);
}
