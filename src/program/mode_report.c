/* mode_report.c - prints reports, tables, or everything in a format.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/modes.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/messages.h"
#include "base/text.h"
#include "program/analyse.h"
#include "program/explain_tables.h"
#include "program/hints.h"
#include "program/output.h"
#include "program/read_code.h"
#include "report/printers.h"
#include "stacks/show_snapshot.h"
#include "tables/code_tables.h"
#include "tables/per_file.h"

/* ---- What a format shows ---- */

/* Prepares the snapshot for the format.  */
static void prepare_snapshot(const struct request *request, struct analysis *analysis)
{
    const struct plan *plan = request->plan;
    const struct named_stacks named = analysis_stacks(analysis);
    if (plan->shows_profiles && recorded_has_stacks(named.recorded))
        trees_by_profile_take_recorded(&analysis->trees, &named,
                                       is_in_seconds(&analysis->snapshot.snapshot.unit));
    const struct snapshot *snapshot = &analysis->snapshot.snapshot;
    const struct top_rules *top = &plan->top;
    const struct shown_rules rules = {
        .names = top->names,
        .focus = top->focus,
        .hide = top->hide,
        .min_share = top->min_share,
        .recorded = recorded_has_stacks(named.recorded) ? &named : NULL,
        .threads = snapshot->extras.thread_tree != NULL ? &analysis->thread_tree : NULL,
        .trees = plan->shows_profiles ? analysis->trees.trees : NULL,
        .tree_count = analysis->trees.count,
        .has_stacks = (plan->format->traits & EXPORT_STACKS) != 0,
        .has_all_nodes = (plan->format->traits & EXPORT_WHOLE) != 0};
    show_snapshot(&analysis->snapshot, &rules, &analysis->tree);
}

/* Divides the costs of the snapshot among lines.  */
static void divide_costs(struct line_costs *lines, struct analysis *analysis)
{
    struct snapshot *snapshot = &analysis->snapshot.snapshot;
    const struct line_cost_rules rules = {.ids = analysis->snapshot.ids,
                                          .sample_time = snapshot->sample_time,
                                          .calls = &analysis->sum,
                                          .rows = analysis->rows,
                                          .row_count = analysis->row_count};
    line_costs_build(lines, &analysis->profile, &rules);
    snapshot->extras.lines = lines;
}

/* Warns if several annotated sources would be written to one file (-y).  */
static void warn_about_names(const struct request *request, const struct profile *profile)
{
    struct string_map names = {0};
    if (!request->plan->style.has_separate_files)
        return;
    for (size_t i = 0; i < profile->annotation.count; i++) {
        const char *path = profile->files.paths[profile->annotation.sources[i].file];
        size_t count = names.count;
        string_map_number(&names, path_base(path));
        if (names.count == count)
            warning(request->diagnostics, MSG_SAME_NAME, path_base(path));
    }
    string_map_free(&names);
}

/* ---- The mode ---- */

/* What is made for the reports.  */
struct tables {
    struct top top;           /* the table of functions */
    struct call_tree calls;   /* the tree of calls */
    struct line_costs lines;  /* of the snapshot, with plan->has_lines */
    struct code_listing code; /* source lines and instructions */
    struct code_tables code_tables;
};

/* Makes the tables of code.  False after a message.  */
static bool make_code_tables(struct tables *tables, const struct request *request,
                             struct analysis *analysis)
{
    const struct style *style = &request->plan->style;
    if ((analysis->needs & NEEDS_CODE) == 0)
        return true;
    read_code(&tables->code, request, analysis);
    if (!output_spares_inputs(request->plan->output_path, false, request, &tables->code.sources,
                              NULL))
        return false;
    analysis->snapshot.snapshot.extras.code = &tables->code.view;
    code_tables_build(&tables->code_tables, &tables->code.view, &analysis->snapshot.snapshot,
                      style->print_path);
    if (!style->is_brief || style->explains)
        explain_code(&tables->code_tables, request, analysis);
    return true;
}

/* False after a message.  */
static bool make_tables(struct tables *tables, const struct request *request,
                        struct analysis *analysis)
{
    const struct plan *plan = request->plan;
    bool is_whole = (analysis->reports & REPORT_SNAPSHOT) != 0;
    if (is_whole || (analysis->needs & (NEEDS_TOP | NEEDS_TREE | NEEDS_CODE)) != 0)
        analyse_snapshot(request, analysis, is_whole ? plan->format : NULL);
    if (is_whole && (plan->format->traits & EXPORT_SHOWN) != 0)
        prepare_snapshot(request, analysis);
    if (is_whole && plan->has_lines)
        divide_costs(&tables->lines, analysis);
    bool ok = true;
    if ((analysis->needs & NEEDS_TOP) != 0)
        ok = make_top(&tables->top, request, analysis);
    if ((analysis->needs & NEEDS_TREE) != 0 && ok)
        ok = make_call_tree(&tables->calls, request, analysis);
    if ((analysis->needs & NEEDS_PROFILE_FIGURES) != 0)
        per_file_tables(&analysis->profile.per_file, &plan->per_file, &analysis->profile.symtab,
                        &analysis->profile.names);
    return ok && make_code_tables(tables, request, analysis);
}

bool report(const struct request *request, struct analysis *analysis)
{
    const struct plan *plan = request->plan;
    struct tables *tables = mem_array(1, sizeof *tables); /* too large for the smallest stacks */
    bool ok = analyse(request, analysis) && make_tables(tables, request, analysis);
    if (ok) {
        hints_print(request, analysis, tables->top.row_count);
        warn_about_names(request, &analysis->profile);
        hints_print_notes(request, analysis);
        note_objects(request, analysis);
        const struct output output = {.reports = analysis->reports,
                                      .profile = &analysis->profile,
                                      .sources = &analysis->profile.annotation,
                                      .tables = {&tables->top.table, &tables->calls.table,
                                                 tables->code_tables.list,
                                                 tables->code_tables.count},
                                      .snapshot = &analysis->snapshot.snapshot};
        ok = may_write_output(request->diagnostics) && output_print(request, &output) &&
             output_write_sources(plan, &analysis->profile) && analysis->profile.bad_count == 0;
    }
    code_tables_free(&tables->code_tables);
    code_listing_free(&tables->code);
    line_costs_free(&tables->lines);
    top_free(&tables->top);
    call_tree_free(&tables->calls);
    free(tables);
    return ok;
}

int mode_report(const struct request *request)
{
    struct analysis analysis = {.reports = request->plan->reports};
    bool ok = report(request, &analysis);
    analysis_free(&analysis);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
