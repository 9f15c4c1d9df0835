/* pipeline.c - the stages of a run in order, its demangler and its table of functions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/annotate.h"
#include "analysis/arcs.h"
#include "analysis/bounds.h"
#include "analysis/callscan.h"
#include "analysis/collect_figures.h"
#include "analysis/cycles.h"
#include "analysis/hist.h"
#include "analysis/lines.h"
#include "analysis/make_snapshot.h"
#include "analysis/measure_times.h"
#include "analysis/profile.h"
#include "analysis/propagate.h"
#include "analysis/views.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/image_traits.h"
#include "input/source_files.h"
#include "input/symbol_files.h"
#include "program/checks.h"
#include "program/output.h"
#include "program/read_profiles.h"
#include "program/read_stacks.h"
#include "program/trace.h"
#include "program/tree_report.h"
#include "report/printers.h"
#include "stacks/make_stack_tree.h"
#include "stacks/measure_stacks.h"
#include "stacks/show_snapshot.h"
#include "symbols/symbolize.h"
#include "symbols/symtab.h"
#include "tables/per_file.h"

/* ---- Demangling ---- */

/* The context of a demangler.  */
struct demangling {
    struct image *image;
    int style; /* see image_find_demangling_style */
};

static bool may_be_mangled(const void *context, const char *name)
{
    const struct demangling *demangling = context;
    return image_may_be_mangled(name, demangling->style);
}

static char *demangle(const void *context, const char *name)
{
    const struct demangling *demangling = context;
    return image_demangle(demangling->image, name, demangling->style);
}

/* Refers to DEMANGLING.  */
static struct demangler demangler_of(const struct demangling *demangling)
{
    return (struct demangler){demangling, may_be_mangled, demangle};
}

/* ---- The table of functions (--top) ---- */

static const char *plural(enum top_group by, size_t count)
{
    static const char *const words[][2] = {
        [TOP_FUNCTIONS] = {"function", "functions"},
        [TOP_LINES] = {"line", "lines"},
        [TOP_FILES] = {"file", "files"},
        [TOP_OBJECTS] = {"object", "objects"},
    };
    return words[by][count != 1];
}

/* Sets the unit of times per call: `ms', or `s' without a prefix.  */
static void set_per_call_unit(struct top *top, const struct si_prefix *prefix)
{
    const char unit[] = {top->snapshot->unit_letter, '\0'};
    const char letter[] = {prefix->letter, '\0'};
    top->table.per_call_factor = prefix->factor;
    snprintf(top->table.per_call_unit, sizeof top->table.per_call_unit, "%s%s",
             letter[0] != ' ' ? letter : "", arena_escape(&top->arena, unit));
}

/* Adds a note: `20 of 212 functions, 93.1 % of 12.62 seconds; not shown: 192 with 6.9 %'.  Credits
   of bins may add up to a little more than the samples: no share exceeds 100 %.  */
static void note_shown(struct top *top)
{
    size_t all = top->row_count + top->hidden_count;
    double total = top->snapshot->self_samples;
    char text[300], shown[200] = "", hidden[100] = "";
    if (total > 0) {
        snprintf(shown, sizeof shown, ", %.1f %% of %.2f %s",
                 top->shown < total ? 100 * top->shown / total : 100, top->snapshot->self_total,
                 top->table.time_unit);
        snprintf(hidden, sizeof hidden, " with %.1f %%", 100 * top->hidden / total);
    }
    int length = snprintf(text, sizeof text, "%zu of %zu %s%s", top->row_count, all,
                          plural(top->by, all), shown);
    if (top->hidden_count > 0)
        snprintf(text + length, sizeof text - (size_t)length, "; not shown: %zu%s",
                 top->hidden_count, hidden);
    table_add_note(&top->table, &top->arena, text);
}

void build_top(struct top *top, const struct snapshot *snapshot, const struct top_rules *rules,
               const struct si_prefix *prefix)
{
    top_build(top, snapshot, rules);
    top->table.time_unit = arena_escape(&top->arena, snapshot->unit);
    top->table.time_decimals = table_time_decimals(snapshot->rate);
    set_per_call_unit(top, prefix);
    note_shown(top);
}

void explain_top(struct top *top, const struct plan *plan, struct image *image)
{
    const char *unit = top->table.time_unit;
    bool is_single = top->by == TOP_FUNCTIONS;
    char text[300];
    if (plan->style.is_brief || plan->format != NULL || !(top->shown > 0))
        return;
    if (is_single && column_list_has(&top->columns, "total")) {
        snprintf(text, sizeof text, _(NOTE_TOTAL), unit);
        table_add_note(&top->table, &top->arena, text);
    } else if (column_list_has(&top->columns, "self")) {
        snprintf(text, sizeof text, _(NOTE_SELF), unit);
        table_add_note(&top->table, &top->arena, text);
    }
    if (column_list_has(&top->columns, "error"))
        table_add_note(&top->table, &top->arena, _(NOTE_ERROR));
    if (top->snapshot->origin == ORIGIN_MEASURED && column_list_has(&top->columns, "total-error"))
        table_add_note(&top->table, &top->arena, _(NOTE_MEASURED));
    else if (is_single && column_list_has(&top->columns, "least"))
        table_add_note(&top->table, &top->arena, _(NOTE_BOUNDS));
    if (top->table.note_count > 1 && top->snapshot->origin == ORIGIN_ESTIMATED &&
        top->by != TOP_OBJECTS && !plan->has_objects && !image_traits(image).is_static)
        table_add_note(&top->table, &top->arena, _(NOTE_PROGRAM_ONLY));
}

static bool needs(const struct run *run, unsigned need)
{
    return (run->needs & need) != 0;
}

/* ---- Symbols ---- */

static struct raw_source *locate_raw(struct run *run, const struct raw_symbol *raw, size_t count,
                                     const struct symtab_rules *rules)
{
    bool *is_wanted = mem_array(count, sizeof *is_wanted);
    for (size_t i = 0; i < count; i++)
        is_wanted[i] = symtab_is_wanted(&raw[i], rules);
    struct raw_source *sources =
        source_positions_of_raw(&run->profile.files, run->image, raw, is_wanted, count);
    free(is_wanted);
    return sources;
}

/* Prints why there are no symbols; COUNT: before options dropped some.  Returns false.  */
static bool explain_no_symbols(struct image *image, size_t count)
{
    if (count > 0)
        return problem(MSG_NO_SYMBOLS_LEFT, image_path(image));
    char *places = image_debug_places(image);
    problem(MSG_NO_SYMBOLS, image_path(image), places);
    free(places);
    return false;
}

static bool read_image_symbols(struct run *run)
{
    const struct analysis_options *options = &run->options->analysis;
    struct profile *profile = &run->profile;
    const struct symtab_rules rules = {.text_end = image_text(run->image)->all.end,
                                       .leading_char = image_leading_char(run->image),
                                       .no_static = options->no_static,
                                       .functions_only = options->functions_only,
                                       .objects = &profile->objects};
    size_t count;
    struct raw_symbol *raw = image_symbols(run->image, &count);
    struct raw_source *sources = NULL;
    if (raw == NULL)
        return false;
    if (symspecs_need_source(&options->specs) || needs(run, NEEDS_ANNOTATION))
        sources = locate_raw(run, raw, count, &rules);
    symtab_build(&profile->symtab, raw, count, sources, &rules);
    free(sources);
    free(raw);
    return profile->symtab.count > 0 || explain_no_symbols(run->image, count);
}

/* Reads the symbols of a file (-S), which have no source lines.  */
static bool read_listed_symbols(struct run *run)
{
    const struct symtab_rules rules = {.text_end = image_text(run->image)->all.end};
    struct symbol_list list = {0};
    bool ok =
        symbol_files_read_symbols(&list, &run->profile.names, run->options->analysis.symbol_table);
    for (size_t i = 0; i < list.count; i++)
        list.symbols[i].addr = image_code_address(run->image, list.symbols[i].addr);
    if (ok)
        symtab_build(&run->profile.symtab, list.symbols, list.count, NULL, &rules);
    free(list.symbols);
    return ok;
}

/* Splits functions into source lines (-l).  */
static void split_lines(struct run *run)
{
    size_t count, row_count;
    vma *addrs = image_line_addresses(run->image, &count);
    struct line_row *rows =
        source_positions_of_lines(&run->profile, run->image, addrs, count, &row_count);
    free(addrs);
    line_symbols_split(&run->profile.symtab, rows, row_count, image_text(run->image)->all.end);
    free(rows);
}

/* Resolves the symspecs, which may match printed names even if reports print raw ones (-T).  */
static void resolve_specs(struct run *run)
{
    struct profile *profile = &run->profile;
    const struct analysis_options *options = &run->options->analysis;
    const struct demangling demangling = {run->image, options->demangling_style};
    const struct demangler demangler = demangler_of(&demangling);
    const struct symspec_context context = {&profile->symtab, &profile->files,
                                            options->is_demangled ? &demangler : NULL};
    struct symspec_misses misses = {0};
    symspecs_resolve(&options->specs, &context, &profile->filters, &misses);
    check_specs(&misses, image_path(run->image), run->diagnostics);
    symspec_misses_free(&misses);
}

/* Reads the symbols and resolves the symspecs.  False after a message.  */
static bool read_symbols(struct run *run)
{
    const struct options *options = run->options;
    const struct analysis_options *analysis = &options->analysis;
    struct profile *profile = &run->profile;
    profile->by_line = run->plan->by_line;
    if (analysis->object_map != NULL &&
        !symbol_files_read_objects(&profile->objects, &profile->names, analysis->object_map))
        return false;
    if (analysis->symbol_table != NULL ? !read_listed_symbols(run) : !read_image_symbols(run))
        return false;
    if (run->plan->by_line && analysis->symbol_table == NULL)
        split_lines(run);
    if (!read_stacks(run))
        return false;
    if (analysis->has_static_calls && callscan_has_indirect(image_arch(run->image)))
        symtab_add_indirect_target(&profile->symtab, "<indirect child>");
    symtab_add_outside(&profile->symtab);
    resolve_specs(run);
    trace_symbols(&options->trace, profile);
    trace_specs(&options->trace, profile);
    return true;
}

/* ---- Reports ---- */

/* Sets the reports and their needs, as far as they are known before profiles are read.  */
static void expect_reports(struct run *run)
{
    unsigned reports = run->plan->reports;
    run->needs =
        plan_needs(run->plan, run->options, reports != 0 ? reports : REPORT_FLAT | REPORT_GRAPH);
}

static bool select_reports(struct run *run)
{
    run->reports = plan_choose_reports(run->plan, run->options, &run->profile);
    run->needs = plan_needs(run->plan, run->options, run->reports);
    if (run_is_measured(run)) /* functions in stacks that are not in the flat profile */
        run->needs |= NEEDS_ENTRIES;
    if (reports_are_possible(run->reports, &run->profile))
        return true;
    hints_explain_failure(run);
    if (may_write_output(run->diagnostics) && run->plan->output_path == NULL)
        reports_print(run->reports & REPORT_INFO, &run->profile, NULL, NULL, &run->plan->style,
                      run->out);
    return false;
}

/* ---- Times and the graph ---- */

static void order_for_linker(struct run *run)
{
    struct profile *profile = &run->profile;
    if (needs(run, NEEDS_FUNCTION_ORDER))
        views_order_functions(&profile->views, &profile->symtab, &profile->arcs);
    if (needs(run, NEEDS_OBJECT_ORDER))
        views_order_objects(&profile->views, &profile->symtab, &profile->arcs, &profile->objects);
}

static struct select_rules select_rules(const struct run *run)
{
    return (struct select_rules){.has_zeros = run->plan->style.has_zeros,
                                 .has_lines = run->profile.by_line};
}

static void analyse_graph(struct run *run)
{
    struct profile *profile = &run->profile;
    const struct trace *trace = &run->options->trace;
    const struct select_rules rules = select_rules(run);
    if (!needs(run, NEEDS_GRAPH))
        return;
    hist_assign(&profile->hist, &profile->symtab, &profile->filters.flat,
                image_entry_units(run->image));
    arcs_free_order(&profile->arcs);
    cycles_find(&profile->graph, &profile->symtab, &profile->arcs);
    propagate(&profile->times, &profile->graph, &profile->arcs, profile->hist.time,
              profile->hist.rate != 0 ? profile->hist.rate : 1, &profile->filters);
    if (run_is_measured(run))
        measure_times(&profile->times, &profile->graph, &profile->arcs, &profile->recorded,
                      symtab_outside(&profile->symtab));
    views_order_rows(&profile->views, &profile->symtab, &profile->graph, rules.has_zeros);
    if (needs(run, NEEDS_ENTRIES))
        views_order_entries(&profile->views, &profile->symtab, &profile->arcs, &profile->graph,
                            &profile->times, rules.has_zeros);
    select_times(profile, &rules);
    trace_tally(trace, profile);
    trace_graph(trace, profile);
    trace_propagation(trace, profile);
    trace_sorting(trace, profile);
}

/* ---- Positions, counts, sources, labels ---- */

static enum locate_scope locate_scope(const struct run *run)
{
    if (run->options->analysis.symbol_table != NULL)
        return LOCATE_NONE;
    if (needs(run, NEEDS_COUNTS) || run->plan->has_idle)
        return LOCATE_ALL;
    if (run->plan->style.inline_file_names || run->profile.by_line || needs(run, NEEDS_POSITIONS))
        return LOCATE_LISTED;
    return needs(run, NEEDS_STATIC_POSITIONS) ? LOCATE_STATIC : LOCATE_NONE;
}

static void locate_symbols(struct run *run)
{
    enum locate_scope scope = locate_scope(run);
    if (scope == LOCATE_NONE)
        return;
    bool *is_wanted = symbolize_to_locate(&run->profile, scope);
    source_positions_add(&run->profile, run->image, is_wanted);
    free(is_wanted);
}

static void count_executions(struct run *run)
{
    const struct select_rules rules = select_rules(run);
    if (!needs(run, NEEDS_COUNTS))
        return;
    views_order_counts(&run->profile.views, &run->profile);
    select_counts(&run->profile, &rules);
}

static void read_sources(struct run *run)
{
    const struct analysis_options *options = &run->options->analysis;
    const struct source_rules rules = {&options->source_path, &options->source_map,
                                       image_path(run->image), image_modified(run->image)};
    sources_read(&run->profile.annotation, &run->profile.files, &rules, run->diagnostics);
}

static void locate_lines(struct run *run)
{
    size_t count;
    if (run->options->analysis.symbol_table != NULL)
        return;
    vma *addrs = image_line_addresses(run->image, &count);
    run->rows = source_positions_of_lines(&run->profile, run->image, addrs, count, &run->row_count);
    free(addrs);
}

/* Lists the sources of a page: samples and calls by line.  */
static void annotate_page(struct run *run)
{
    struct profile *profile = &run->profile;
    if (run->options->analysis.symbol_table != NULL)
        return;
    locate_lines(run);
    line_samples_list(&profile->annotation, profile, run->rows, run->row_count,
                      image_text(run->image)->all.end, image_entry_units(run->image));
    read_sources(run);
}

static void annotate_sources(struct run *run)
{
    struct profile *profile = &run->profile;
    const struct style *style = &run->plan->style;
    const struct annotate_rules rules = {.has_zeros = style->has_zeros,
                                         .has_all_lines = style->has_all_lines};
    if (run->plan->has_lines)
        locate_lines(run);
    if (!needs(run, NEEDS_ANNOTATION))
        return;
    if ((run->reports & REPORT_SNAPSHOT) != 0) {
        annotate_page(run);
        return;
    }
    annotate_list(&profile->annotation, profile, &rules);
    read_sources(run);
    annotate_count(&profile->annotation, profile, &rules);
    trace_annotation(&run->options->trace, profile);
}

static void label_symbols(struct run *run)
{
    const struct analysis_options *options = &run->options->analysis;
    const struct demangling demangling = {run->image, options->demangling_style};
    const struct demangler demangler = demangler_of(&demangling);
    bool is_demangled = options->is_demangled && !run->plan->style.is_traditional;
    if (needs(run, NEEDS_LABELS))
        symbolize(&run->profile, is_demangled ? &demangler : NULL, run->plan->has_idle);
    symbolize_files(&run->profile);
}

/* Prepares the snapshot for a format with TRAITS.  */
static void prepare_snapshot(struct run *run, unsigned traits)
{
    const struct named_stacks named = run_named_stacks(run);
    const struct top_rules *top = &run->plan->top;
    const struct shown_rules rules = {.names = top->names,
                                      .focus = top->focus,
                                      .hide = top->hide,
                                      .min_share = top->min_share,
                                      .recorded = run_has_stacks(run) ? &named : NULL,
                                      .trees = run->plan->shows_profiles ? run->trees.trees : NULL,
                                      .tree_count = run->trees.count,
                                      .has_stacks = (traits & EXPORT_STACKS) != 0};
    if ((traits & EXPORT_SHOWN) != 0)
        show_snapshot(&run->snapshot, &rules, &run->tree);
}

/* Divides the costs of the snapshot among lines.  */
static void divide_costs(struct run *run)
{
    const struct line_cost_rules rules = {.ids = run->snapshot.ids,
                                          .sample_time = run->snapshot.snapshot.sample_time,
                                          .calls = &run->sum,
                                          .rows = run->rows,
                                          .row_count = run->row_count,
                                          .text_end = image_text(run->image)->all.end,
                                          .entry_units = image_entry_units(run->image)};
    line_costs_build(&run->lines, &run->profile, &rules);
    run->snapshot.snapshot.lines = &run->lines;
}

/* Adds what formats show beside the profile itself.  */
static void complete_snapshot(struct run *run)
{
    struct profile *profile = &run->profile;
    const struct export_format *format = run->plan->format;
    /* Pages show the snapshot beside the comparison.  */
    bool is_shown = format != NULL && (format->is_page || (run->reports & REPORT_COMPARISON) == 0);
    unsigned traits = is_shown ? format->traits : 0;
    if ((traits & EXPORT_BOUNDS) != 0 &&
        profile->times.origin == ORIGIN_ESTIMATED) /* of all nodes, the most important first */
    {
        bounds_compute(profile, profile->views.graph, profile->graph.count);
        snapshot_set_bounds(&run->snapshot);
    }
    trees_by_profile_number(&run->trees, &run->snapshot);
    run->build_id = image_build_id(run->image);
    struct snapshot *snapshot = &run->snapshot.snapshot;
    snapshot->tool = PACKAGE_NAME " " PACKAGE_VERSION;
    snapshot->options = run->plan->counting;
    snapshot->option_count = run->plan->counting_count;
    snapshot->image_path = image_path(run->image);
    snapshot->build_id = run->build_id;
    snapshot->machine = image_arch_name(run->image);
    prepare_snapshot(run, traits);
    if (run->plan->has_lines)
        divide_costs(run);
    snapshot->messages = run->messages;
    if (!is_shown || !format->is_page)
        return;
    snapshot_shorten_names(snapshot);
    const struct named_stacks named = run_named_stacks(run);
    if (run_has_stacks(run))
        stack_tree_of_recorded(&run->tree, &named, false, 0);
    else
        stack_tree_build(&run->tree, snapshot);
    snapshot->tree = &run->tree;
}

/* Computes bounds as far as COLUMNS have them: `least' of all functions, and `most' of those in
   rows of the table, the first of which are the most important.  */
static void bound_rows(struct run *run, const struct column_list *columns)
{
    const struct top *top = &run->top;
    bool has_most = column_list_has(columns, "most");
    if (top->by != TOP_FUNCTIONS || (!has_most && !column_list_has(columns, "least")))
        return;
    size_t count = has_most ? top->row_count : 0;
    uint32_t *nodes = mem_uninitialised(count, sizeof *nodes);
    for (size_t i = 0; i < count; i++)
        nodes[i] = node_of_symbol(&run->profile.graph, run->snapshot.symbols[top->rows[i].id]);
    bounds_compute(&run->profile, nodes, count);
    snapshot_set_bounds(&run->snapshot);
    free(nodes);
}

static uint32_t find_main(const struct symtab *symtab)
{
    for (uint32_t s = 0; s < symtab->count; s++)
        if (strcmp(symtab->symbols[s].name, "main") == 0)
            return s;
    return NO_ID;
}

/* Adds how much of the time is in functions that no counted call from `main' leads to: nobody knows
   for which functions they ran.  */
static void note_uncounted(struct run *run)
{
    struct profile *profile = &run->profile;
    uint32_t main_symbol = find_main(&profile->symtab);
    double total = run->snapshot.snapshot.self_samples;
    if (main_symbol == NO_ID || !profile->bounds.is_known || !has_arcs(profile))
        return;
    uint32_t node = node_of_symbol(&profile->graph, main_symbol);
    bounds_compute(profile, &node, 1);
    double share = 100 * (1 - profile->bounds.most[node] / total);
    char text[200];
    if (!(share >= 0.1))
        return;
    snprintf(text, sizeof text, _(NOTE_UNCOUNTED), share);
    table_add_note(&run->top.table, &run->top.arena, text);
}

static struct top_rules top_rules(const struct run *run)
{
    struct top_rules rules = run->plan->top;
    if (run_is_measured(run))
        rules.columns = run->plan->measured_columns;
    return rules;
}

/* Sorting by bounds needs those of all rows: first makes a table of these, the largest first.  */
static void bound_all_rows(struct run *run)
{
    struct top_rules rules = top_rules(run);
    rules.limit = 0;
    rules.min_share = 0;
    rules.sort = top_by_total;
    top_build(&run->top, &run->snapshot.snapshot, &rules);
    bound_rows(run, &run->plan->top.sort);
    top_free(&run->top);
}

static void make_top(struct run *run)
{
    const struct top_rules rules = top_rules(run);
    if (column_list_has(&rules.sort, "most") || column_list_has(&rules.sort, "least"))
        bound_all_rows(run);
    build_top(&run->top, &run->snapshot.snapshot, &rules, &run->profile.selection.per_call);
    explain_top(&run->top, run->plan, run->image);
    if (run_is_measured(run))
        stacks_note(&run->top.table, &run->top.arena, &run->snapshot.snapshot,
                    &run->profile.recorded);
    bound_rows(run, &rules.columns);
    bool has_bounds =
        column_list_has(&rules.columns, "least") || column_list_has(&rules.columns, "most");
    bool is_brief = run->plan->style.is_brief;
    if (rules.by == TOP_FUNCTIONS && has_bounds && !is_brief && !run_is_measured(run))
        note_uncounted(run);
}

/* The spread of inclusive times between runs, which a later comparison needs.  */
static void measure_runs(struct run *run)
{
    struct stack_runs runs;
    stacks_list_runs(&runs, &run->profile.recorded, run->snapshot.ids);
    stacks_measure_runs(&run->snapshot.snapshot, &runs);
    stacks_free_runs(&runs);
}

static void make_tables(struct run *run)
{
    if ((run->reports & REPORT_SNAPSHOT) != 0 || needs(run, NEEDS_TOP | NEEDS_TREE))
        snapshot_build(&run->snapshot, &run->profile);
    if ((run->reports & REPORT_SNAPSHOT) != 0 || needs(run, NEEDS_TREE) ||
        top_needs_arcs(&run->plan->top))
        snapshot_list_arcs(&run->snapshot);
    if (run->plan->has_idle)
        snapshot_list_idle(&run->snapshot);
    if (run->plan->has_idle && run->options->compare.base == NULL && run_is_measured(run))
        measure_runs(run);
    if ((run->reports & REPORT_SNAPSHOT) != 0)
        complete_snapshot(run);
    if (needs(run, NEEDS_TOP))
        make_top(run);
    if (needs(run, NEEDS_TREE))
        tree_report_make(run);
    if (!needs(run, NEEDS_PROFILE_FIGURES))
        return;
    per_file_name(&run->profile);
    per_file_tables(&run->profile.per_file, &run->plan->per_file);
}

/* ---- The interface ---- */

/* Warns if several annotated sources would be written to one file (-y).  */
static void warn_about_names(const struct run *run)
{
    const struct profile *profile = &run->profile;
    struct string_map names = {0};
    if (!run->plan->style.has_separate_files)
        return;
    for (size_t i = 0; i < profile->annotation.count; i++) {
        const char *path = profile->files.paths[profile->annotation.sources[i].file];
        size_t count = names.count;
        string_map_number(&names, path_base(path));
        if (names.count == count)
            warning(run->diagnostics, MSG_SAME_NAME, path_base(path));
    }
    string_map_free(&names);
}

/* Writes the sum and reads the symbols if they are needed: before the sum if options exclude arcs
   from it, after it if reports are printed.  */
static bool sum_profiles(struct run *run)
{
    bool is_filtering = symspecs_name_arcs(&run->options->analysis.specs);
    return (!is_filtering || read_symbols(run)) && read_profiles_sum(run) &&
           (is_filtering || run->plan->reports == 0 || read_symbols(run));
}

/* Runs the stages between reading the symbols and printing.  */
static bool analyse(struct run *run)
{
    if (!read_profiles(run) || !select_reports(run))
        return false;
    order_for_linker(run);
    analyse_graph(run);
    locate_symbols(run);
    count_executions(run);
    annotate_sources(run);
    label_symbols(run);
    make_tables(run);
    hints_print(run);
    warn_about_names(run);
    notes_print(run);
    return true;
}

bool run_all(struct run *run)
{
    const struct plan *plan = run->plan;
    expect_reports(run);
    if (plan->sum_path != NULL ? !sum_profiles(run) : !read_symbols(run))
        return false;
    if (plan->sum_path != NULL && plan->reports == 0) {
        notes_print(run);
        return run->profile.bad_count == 0;
    }
    if (!analyse(run) || !may_write_output(run->diagnostics))
        return false;
    output_prepare(run);
    return output_print(run) && output_write_sources(run) && run->profile.bad_count == 0;
}

bool run_snapshot(struct run *run)
{
    expect_reports(run);
    return read_symbols(run) && analyse(run);
}

void run_free(struct run *run)
{
    if (run->prepared != NULL)
        run->plan->format->exporter->release(run->prepared);
    address_totals_free(&run->sum);
    line_costs_free(&run->lines);
    free(run->rows);
    stack_tree_free(&run->tree);
    trees_by_profile_free(&run->trees);
    top_free(&run->top);
    call_tree_free(&run->calls);
    profile_snapshot_free(&run->snapshot);
    free(run->build_id);
    profile_free(&run->profile);
    profile_list_free(&run->inputs);
}
