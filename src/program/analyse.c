/* analyse.c - reads an image and its profiles, and computes what reports need of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/analyse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/annotate.h"
#include "analysis/arcs.h"
#include "analysis/bounds.h"
#include "analysis/callscan.h"
#include "analysis/cycles.h"
#include "analysis/free_profile.h"
#include "analysis/hist.h"
#include "analysis/lines.h"
#include "analysis/make_snapshot.h"
#include "analysis/measure_times.h"
#include "analysis/per_file_figures.h"
#include "analysis/place_functions.h"
#include "analysis/propagate.h"
#include "analysis/views.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/image_traits.h"
#include "input/object_code.h"
#include "input/source_files.h"
#include "input/symbol_files.h"
#include "program/group_rows.h"
#include "program/hints.h"
#include "program/read_objects.h"
#include "program/read_profiles.h"
#include "program/read_stacks.h"
#include "program/symbol_names.h"
#include "program/trace.h"
#include "report/printers.h"
#include "stacks/make_stack_tree.h"
#include "stacks/stack_runs.h"
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

static bool needs(const struct analysis *analysis, unsigned need)
{
    return (analysis->needs & need) != 0;
}

/* ---- Symbols ---- */

static struct raw_source *locate_raw(struct image *image, struct profile *profile,
                                     const struct raw_symbol *raw, size_t count,
                                     const struct symtab_rules *rules)
{
    bool *is_wanted = mem_array(count, sizeof *is_wanted);
    for (size_t i = 0; i < count; i++)
        is_wanted[i] = symtab_is_wanted(&raw[i], rules);
    struct raw_source *sources =
        source_positions_of_raw(&profile->files, image, raw, is_wanted, count);
    free(is_wanted);
    return sources;
}

/* Prints why there are no symbols; COUNT: before options dropped some.  Returns false.  */
static bool explain_no_symbols(const struct request *request, size_t count)
{
    if (count > 0)
        return problem(MSG_NO_SYMBOLS_LEFT, image_path(request->image));
    return symbol_names_explain_none(request->image);
}

/* A symbol of the code at RANGE.  */
static struct raw_symbol symbol_of_range(const struct named_range *range, const char *name)
{
    return (struct raw_symbol){.addr = range->start,
                               .name = name,
                               .is_static = true,
                               .is_func = true,
                               .has_function_mark = true};
}

/* Adds the stubs of IMAGE to the COUNT symbols RAW, which it returns.  */
static struct raw_symbol *add_stubs(struct image *image, struct raw_symbol *raw, size_t *count)
{
    size_t stub_count;
    struct named_range *stubs = image_stubs(image, &stub_count);
    if (stub_count > 0)
        raw = mem_resize(raw, *count + stub_count, sizeof *raw);
    for (size_t i = 0; i < stub_count; i++) {
        raw[*count] = symbol_of_range(&stubs[i], stubs[i].name);
        raw[(*count)++].is_stub = true;
    }
    free(stubs);
    return raw;
}

/* The symbols of a stripped image, under construction.  */
struct stripped {
    struct image *image;
    struct arena *names; /* gets the names */
    const char *base;    /* of the image */
    struct raw_symbol *raw;
    size_t count;
    vma end; /* of the code that has symbols */
};

/* Adds a symbol for the code at RANGE, which is called after its address unless it has a name.  */
static void add_stripped(struct stripped *stripped, const struct named_range *range)
{
    const char *name = range->name;
    if (name != NULL)
        name = arena_copy(stripped->names, name, strlen(name));
    else if (range->start == image_entry(stripped->image))
        name = "_start";
    else
        name = arena_format(stripped->names, "%s+0x%llx", stripped->base,
                            (unsigned long long)range->start);
    stripped->raw[stripped->count++] = symbol_of_range(range, name);
    stripped->end = range->end;
}

/* Adds a symbol for what lies between the code so far and NEXT, unless that is padding: else it
   would be part of the function before it.  */
static void add_gap(struct stripped *stripped, vma next)
{
    enum { LARGEST_PADDING = 64 }; /* bytes */
    const struct named_range gap = {.start = stripped->end, .end = next};
    if (stripped->count > 0 && next > gap.start && next - gap.start > LARGEST_PADDING)
        add_stripped(stripped, &gap);
}

/* The symbols of a stripped IMAGE: those that the loader needs, and between them what .eh_frame
   knows.  NAMES gets the names.  */
static struct raw_symbol *stripped_symbols(struct image *image, struct arena *names, size_t *count)
{
    char *texts;
    struct object_code code = object_code_read(image, &texts);
    struct stripped stripped = {.image = image,
                                .names = names,
                                .base = arena_escape(names, path_base(image_path(image))),
                                .raw = mem_array(2 * code.count + 1, sizeof *stripped.raw)};
    for (size_t i = 0; i < code.count; i++) {
        add_gap(&stripped, code.ranges[i].start);
        add_stripped(&stripped, &code.ranges[i]);
    }
    add_gap(&stripped, image_text(image)->all.end);
    *count = stripped.count;
    free(code.ranges);
    free(texts);
    return stripped.raw;
}

static bool read_image_symbols(const struct request *request, struct analysis *analysis)
{
    const struct analysis_options *options = &request->options->analysis;
    struct profile *profile = &analysis->profile;
    const struct symtab_rules rules = {.text_end = image_text(request->image)->all.end,
                                       .entry_units = image_entry_units(request->image),
                                       .leading_char = image_leading_char(request->image),
                                       .no_static = options->no_static,
                                       .functions_only = options->functions_only,
                                       .objects = &profile->objects};
    size_t count;
    struct raw_symbol *raw = image_symbols(request->image, &count);
    struct raw_source *sources = NULL;
    if (raw == NULL)
        return false;
    if (request->plan->has_stubs && image_lacks_symbols(request->image)) {
        bool is_known = count > 0; /* to be stripped */
        free(raw);
        raw = stripped_symbols(request->image, &profile->names, &count);
        if (!is_known && count > 0)
            image_warn_of_strip(request->image);
    } else if (request->plan->has_stubs) {
        raw = add_stubs(request->image, raw, &count);
    }
    if (request->plan->has_files)
        sources = locate_raw(request->image, &analysis->profile, raw, count, &rules);
    symtab_build(&profile->symtab, raw, count, sources, &rules);
    free(sources);
    free(raw);
    return profile->symtab.count > 0 || explain_no_symbols(request, count);
}

/* Reads the symbols of a file (-S), which have no source lines.  */
static bool read_listed_symbols(const struct request *request, struct profile *profile)
{
    const struct symtab_rules rules = {.text_end = image_text(request->image)->all.end,
                                       .entry_units = image_entry_units(request->image)};
    struct symbol_list list = {0};
    bool ok =
        symbol_files_read_symbols(&list, &profile->names, request->options->analysis.symbol_table);
    for (size_t i = 0; i < list.count; i++)
        list.symbols[i].addr = image_code_address(request->image, list.symbols[i].addr);
    if (ok)
        symtab_build(&profile->symtab, list.symbols, list.count, NULL, &rules);
    free(list.symbols);
    return ok;
}

/* Splits functions into source lines (-l).  */
static void split_lines(struct image *image, struct profile *profile)
{
    size_t count, row_count;
    vma *addrs = image_line_addresses(image, 0, UINT64_MAX, &count);
    struct line_row *rows = source_positions_of_lines(profile, image, addrs, count, &row_count);
    free(addrs);
    line_symbols_split(&profile->symtab, rows, row_count);
    free(rows);
}

/* Resolves the symspecs, which may match printed names even if reports print raw ones (-T).  False
   after a message.  */
static bool resolve_specs(const struct request *request, struct profile *profile)
{
    const struct analysis_options *options = &request->options->analysis;
    const struct demangling demangling = {request->image, options->demangling_style};
    const struct demangler demangler = demangler_of(&demangling);
    const struct symspec_context context = {&profile->symtab, &profile->files,
                                            options->is_demangled ? &demangler : NULL};
    struct symspec_misses misses = {0};
    symspecs_resolve(&options->specs, &context, &profile->filters, &misses);
    bool ok = hints_check_specs(&misses, request);
    symspec_misses_free(&misses);
    return ok;
}

void find_similar(const struct request *request, const struct analysis *analysis,
                  struct symspec_miss *miss, struct arena *arena)
{
    const struct analysis_options *options = &request->options->analysis;
    const struct demangling demangling = {request->image, options->demangling_style};
    const struct demangler demangler = demangler_of(&demangling);
    struct spec_names names = {&analysis->profile.symtab,
                               &analysis->profile.files,
                               options->is_demangled ? &demangler : NULL,
                               {0}};
    const char *word = miss->text + (miss->text[0] == '^');
    size_t size = strcspn(word, "\\[](){}*+?|^$");
    if (size > 0 && (word[size] == '\0' || strcmp(word + size, "$") == 0))
        miss->nearest_count = spec_nearest(&names, word, size, arena, miss->nearest);
    spec_names_free(&names);
}

bool analyse_symbols(const struct request *request, struct analysis *analysis)
{
    const struct options *options = request->options;
    const struct analysis_options *rules = &options->analysis;
    struct profile *profile = &analysis->profile;
    analysis->has_read_symbols = true;
    analysis->needs = request->plan->needs;
    profile->by_line = request->plan->by_line;
    if (rules->object_map != NULL &&
        !symbol_files_read_objects(&profile->objects, &profile->names, rules->object_map))
        return false;
    if (rules->symbol_table != NULL ? !read_listed_symbols(request, profile)
                                    : !read_image_symbols(request, analysis))
        return false;
    if (request->plan->by_line && rules->symbol_table == NULL)
        split_lines(request->image, profile);
    if (!read_stacks(request, analysis))
        return false;
    if (rules->has_static_calls && callscan_has_indirect(image_arch(request->image)))
        symtab_add_indirect_target(&profile->symtab, "<indirect child>");
    symtab_add_outside(&profile->symtab);
    if (!resolve_specs(request, profile))
        return false;
    trace_symbols(&options->trace, profile);
    trace_specs(&options->trace, profile);
    return true;
}

/* ---- Reports ---- */

static bool select_reports(const struct request *request, struct analysis *analysis)
{
    if (plan_settle_reports(request->plan, request->options, &analysis->profile, &analysis->reports,
                            &analysis->needs))
        return true;
    hints_explain_failure(request, analysis);
    if (may_write_output(request->diagnostics) && request->plan->output_path == NULL)
        reports_print(analysis->reports & REPORT_INFO, &analysis->profile,
                      &(const struct report_tables){0}, &request->plan->style, request->out);
    return false;
}

/* ---- Times and the graph ---- */

static void analyse_graph(const struct request *request, struct analysis *analysis,
                          const struct select_rules *rules)
{
    struct profile *profile = &analysis->profile;
    const struct trace *trace = &request->options->trace;
    if (!needs(analysis, NEEDS_GRAPH))
        return;
    hist_assign(&profile->hist, &profile->symtab, &profile->filters.flat);
    arcs_free_order(&profile->arcs);
    cycles_find(&profile->graph, &profile->symtab, &profile->arcs);
    propagate(&profile->times, &profile->graph, &profile->arcs, profile->hist.time,
              profile->hist.rate != 0 ? profile->hist.rate : 1, &profile->filters);
    if (profile->recorded.counted > 0)
        measure_times(&profile->times, &profile->graph, &profile->arcs, &profile->recorded,
                      symtab_outside(&profile->symtab));
    views_order_rows(&profile->views, &profile->symtab, &profile->graph, rules->has_zeros);
    if (needs(analysis, NEEDS_ENTRIES))
        views_order_entries(&profile->views, &profile->symtab, &profile->graph, &profile->times,
                            rules->has_zeros);
    if (needs(analysis, NEEDS_ENTRY_LINES))
        views_order_lines(&profile->views, &profile->arcs, &profile->graph, &profile->times);
    else
        id_lists_free(&profile->arcs.callers);
    select_times(profile, rules);
    trace_tally(trace, profile);
    trace_graph(trace, profile);
    trace_propagation(trace, profile);
    trace_sorting(trace, profile);
}

/* ---- Positions, counts, sources, labels ---- */

/* Adds the source positions that some report prints: of all symbols, of those LISTED, or of the
   static ones among these.  */
static void locate_symbols(const struct request *request, struct analysis *analysis,
                           const bool *listed)
{
    const struct symtab *symtab = &analysis->profile.symtab;
    bool are_all = needs(analysis, NEEDS_COUNTS) || request->plan->has_idle;
    bool are_listed = request->plan->style.inline_file_names || analysis->profile.by_line ||
                      needs(analysis, NEEDS_POSITIONS);
    bool are_static = needs(analysis, NEEDS_STATIC_POSITIONS);
    if (request->options->analysis.symbol_table != NULL || (!are_all && !are_listed && !are_static))
        return;
    bool *is_wanted = mem_uninitialised(symtab->count, sizeof *is_wanted);
    for (size_t s = 0; s < symtab->count; s++) {
        const struct symbol *symbol = &symtab->symbols[s];
        is_wanted[s] =
            !is_pseudo(symbol) && (are_all || (listed[s] && (are_listed || symbol->is_static)));
    }
    source_positions_add(&analysis->profile, request->image, is_wanted);
    free(is_wanted);
}

static void read_sources(const struct request *request, struct profile *profile)
{
    const struct analysis_options *options = &request->options->analysis;
    const struct source_rules rules = {&options->source_path, &options->source_map,
                                       image_path(request->image), image_modified(request->image),
                                       SOURCES_WARN};
    sources_read(&profile->annotation, &profile->files, &rules, request->diagnostics);
}

static void locate_lines(const struct request *request, struct analysis *analysis)
{
    size_t count;
    if (request->options->analysis.symbol_table != NULL)
        return;
    vma *addrs = image_line_addresses(request->image, 0, UINT64_MAX, &count);
    analysis->rows = source_positions_of_lines(&analysis->profile, request->image, addrs, count,
                                               &analysis->row_count);
    free(addrs);
}

/* Lists the sources of a page: samples and calls by line.  */
static void annotate_page(const struct request *request, struct analysis *analysis)
{
    struct profile *profile = &analysis->profile;
    if (request->options->analysis.symbol_table != NULL)
        return;
    locate_lines(request, analysis);
    line_samples_list(&profile->annotation, profile, analysis->rows, analysis->row_count);
    read_sources(request, &analysis->profile);
}

static void annotate_sources(const struct request *request, struct analysis *analysis)
{
    struct profile *profile = &analysis->profile;
    const struct style *style = &request->plan->style;
    const struct annotate_rules rules = {.has_zeros = style->has_zeros,
                                         .has_all_lines = style->has_all_lines};
    if (request->plan->has_lines)
        locate_lines(request, analysis);
    if (!needs(analysis, NEEDS_ANNOTATION))
        return;
    if ((analysis->reports & REPORT_SNAPSHOT) != 0) {
        annotate_page(request, analysis);
        return;
    }
    annotate_list(&profile->annotation, profile, &rules);
    read_sources(request, &analysis->profile);
    annotate_count(&profile->annotation, profile, &rules);
    trace_annotation(&request->options->trace, profile);
}

static void label_symbols(const struct request *request, struct analysis *analysis,
                          const bool *listed)
{
    const struct analysis_options *options = &request->options->analysis;
    const struct demangling demangling = {request->image, options->demangling_style};
    const struct demangler demangler = demangler_of(&demangling);
    bool is_demangled = options->is_demangled && !request->plan->style.is_traditional;
    if (needs(analysis, NEEDS_LABELS))
        symbolize(&analysis->profile, is_demangled ? &demangler : NULL,
                  request->plan->has_idle ? NULL : listed);
    symbolize_files(&analysis->profile);
}

/* ---- The interface ---- */

/* Whether the profiles have samples and no calls, and nobody counted any: the image was built
   without -pg, or its processes are read from stacks alone.  */
static bool counts_no_calls(const struct request *request, const struct profile *profile)
{
    bool has_samples = false, has_only_stacks = true;
    for (size_t i = 0; i < profile->info_count; i++) {
        const struct file_info *info = &profile->infos[i];
        if (info->arcs > 0 || info->blocks > 0 || info->is_bsd)
            return false;
        has_samples |= info->histograms > 0;
        has_only_stacks &= stack_file_is_named(info->path);
    }
    return has_samples && (has_only_stacks || image_counts_no_calls(request->image));
}

bool analyse(const struct request *request, struct analysis *analysis)
{
    if (!analysis->has_read_symbols && !analyse_symbols(request, analysis))
        return false;
    if (!read_profiles(request, analysis))
        return false;
    analysis->profile.is_uncounted = counts_no_calls(request, &analysis->profile);
    if (!select_reports(request, analysis))
        return false;
    struct profile *profile = &analysis->profile;
    const struct select_rules rules = {.has_zeros = request->plan->style.has_zeros,
                                       .has_lines = profile->by_line};
    if (needs(analysis, NEEDS_FUNCTION_ORDER))
        views_order_functions(&profile->views, &profile->symtab, &profile->arcs);
    if (needs(analysis, NEEDS_OBJECT_ORDER))
        views_order_objects(&profile->views, &profile->symtab, &profile->arcs, &profile->objects);
    analyse_graph(request, analysis, &rules);
    bool *listed = views_listed(profile);
    locate_symbols(request, analysis, listed);
    if (needs(analysis, NEEDS_COUNTS)) {
        views_order_counts(&profile->views, profile);
        select_counts(profile, &rules);
    }
    annotate_sources(request, analysis);
    label_symbols(request, analysis, listed);
    free(listed);
    if (needs(analysis, NEEDS_PROFILE_FIGURES))
        per_file_name(profile);
    return true;
}

/* What a later comparison needs: the spread of inclusive times between runs, and the stacks.  In
   JSON these are shorter than the functions and calls, of which a line has 200 bytes and more, and
   100: a value of stacks has three, mostly.  */
static void measure_runs(struct analysis *analysis)
{
    const size_t of_function = 60, of_arc = 20, least = 600;
    struct snapshot *snapshot = &analysis->snapshot.snapshot;
    struct stacks runs = stacks_list_runs(&analysis->profile.recorded, analysis->snapshot.ids);
    stacks_measure_runs(snapshot, &runs);
    analysis->cut = stacks_cut(&runs, of_function * snapshot->function_count +
                                          of_arc * snapshot->arc_count + least);
    snapshot->runs.stacks = &analysis->cut;
    stacks_free_runs(&runs);
}

/* The addresses in the image's list of constructors, where the linker wrote them there; *COUNT of
   them, on the heap.  */
static vma *list_constructors(struct image *image, size_t *count)
{
    const struct gmon_layout layout = image_layout(image);
    size_t size = 0, width = (size_t)layout.pointer_size;
    vma addr;
    unsigned char *bytes = (unsigned char *)image_section(image, ".init_array", &size, &addr);
    vma *addrs = mem_array(size / width, sizeof *addrs);
    *count = size / width;
    for (size_t i = 0; i < *count; i++)
        addrs[i] = gmon_number(bytes + i * width, &layout);
    free(bytes);
    return addrs;
}

/* Orders the functions for linkers.  */
static void order_functions(const struct request *request, struct analysis *analysis)
{
    struct placed_image image = {.text = image_text(request->image),
                                 .has_sizes = image_has_code(request->image)};
    struct raw_symbol *symbols = image_symbols(request->image, &image.symbol_count);
    vma *constructors = list_constructors(request->image, &image.constructor_count);
    image.symbols = symbols;
    image.constructors = constructors;
    place_functions(&analysis->placement, &analysis->snapshot, &image);
    analysis->snapshot.snapshot.extras.placement = &analysis->placement;
    free(symbols);
    free(constructors);
}

/* Gives the threads in TREE their own names, without how many have them.  */
static void name_threads(struct stack_tree *tree, const struct recorded_stacks *stacks,
                         struct arena *arena)
{
    for (size_t i = 0; i < stacks->threads.names.count; i++)
        if (stacks->threads.names.strings[i][0] != '\0')
            tree->names[stacks->threads.first_id + i + 1] =
                arena_escape(arena, stacks->threads.names.strings[i]);
}

/* Lists the threads of the names in TREE that several have, of which each is known.  */
static void list_threads(struct stack_tree *tree, const struct recorded_stacks *stacks,
                         struct arena *arena)
{
    const struct recorded_threads *threads = &stacks->threads;
    struct thread_sums *sums = sum_threads(stacks);
    struct tree_thread *list = arena_alloc(arena, threads->numbers.count * sizeof *list);
    for (size_t i = 0; i < threads->numbers.count; i++) {
        const struct pair *pair = &threads->numbers.pairs[i];
        const struct thread_sums *of = &sums[pair->a >> 32];
        if (of->count > 1 && of->lowest > 0)
            list[tree->thread_count++] = (struct tree_thread){
                threads->first_id + (uint32_t)(pair->a >> 32), pair->b, threads->samples[i + 1]};
    }
    tree->threads = list;
    free(sums);
}

/* Makes the tree of the stacks of each thread, if they are known.  All of it: what is small among
   the samples of all threads need not be in its own.  */
static void make_thread_tree(struct analysis *analysis, bool is_counted)
{
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    struct named_stacks named = analysis_stacks(analysis);
    struct stack_tree *tree = &analysis->thread_tree;
    struct arena *arena = &analysis->snapshot.snapshot.arena;
    if (!recorded_has_stacks(stacks) || stacks->threads.tree.samples == NULL)
        return;
    stack_tree_of_recorded(tree, &named, &stacks->threads.tree, !is_counted, 0);
    list_threads(tree, stacks, arena);
    if (!is_counted)
        name_threads(tree, stacks, arena);
    analysis->snapshot.snapshot.extras.thread_tree = tree;
}

void analyse_snapshot(const struct request *request, struct analysis *analysis,
                      const struct export_format *format)
{
    struct profile *profile = &analysis->profile;
    struct snapshot *snapshot = &analysis->snapshot.snapshot;
    bool has_bounds = format != NULL && (format->traits & EXPORT_BOUNDS) != 0 &&
                      origin_traits(profile->times.origin)->has_bounds;
    if (has_bounds) /* of all nodes, the most important first */
        bounds_compute(profile, profile->views.graph, profile->graph.count);
    snapshot_build(&analysis->snapshot, profile);
    if (has_bounds)
        snapshot_set_bounds(&analysis->snapshot);
    if ((analysis->reports & REPORT_SNAPSHOT) != 0 && !request->plan->has_lines)
        snapshot_take_arcs(&analysis->snapshot, profile); /* nothing else needs them */
    else if ((analysis->reports & ~(unsigned)REPORT_TOP) != 0 ||
             top_needs_arcs(&request->plan->top))
        snapshot_list_arcs(&analysis->snapshot);
    if (request->plan->has_idle)
        snapshot_list_idle(&analysis->snapshot);
    bool has_stacks = recorded_has_stacks(&profile->recorded);
    bool is_compared = request->plan->has_idle && has_stacks;
    if (is_compared && request->options->compare.base == NULL)
        measure_runs(analysis);
    if (is_compared && !profile->recorded.rules.folds_libraries)
        stacks_count_others(snapshot, &profile->recorded, analysis->snapshot.ids);
    trees_by_profile_number(&analysis->trees, &analysis->snapshot);
    analysis->build_id = image_build_id(request->image);
    snapshot->tool = PACKAGE_NAME " " PACKAGE_VERSION;
    snapshot->options.texts = request->plan->counting;
    snapshot->options.count = request->plan->counting_count;
    snapshot->image.path = image_path(request->image);
    snapshot->image.build_id = analysis->build_id;
    snapshot->image.machine = image_arch_name(request->image);
    snapshot->extras.messages = request->messages;
    if (format != NULL && (format->traits & EXPORT_ORDER) != 0)
        order_functions(request, analysis);
    make_thread_tree(analysis, format != NULL && format->is_page);
    if (format == NULL || !format->is_page)
        return;
    snapshot_shorten_names(snapshot);
    const struct named_stacks named = analysis_stacks(analysis);
    if (has_stacks)
        stack_tree_of_recorded(&analysis->tree, &named, &named.recorded->tree, false, 0);
    else
        stack_tree_build(&analysis->tree, snapshot);
    snapshot->extras.tree = &analysis->tree;
}

void analysis_free(struct analysis *analysis)
{
    address_totals_free(&analysis->sum);
    free_objects(&analysis->objects);
    free(analysis->object_calls.arcs);
    free(analysis->object_calls.ends);
    free(analysis->rows);
    snapshot_free(&analysis->groups);
    placement_free(&analysis->placement);
    stack_tree_free(&analysis->tree);
    stack_tree_free(&analysis->thread_tree);
    stacks_free(&analysis->cut);
    trees_by_profile_free(&analysis->trees);
    profile_snapshot_free(&analysis->snapshot);
    free(analysis->build_id);
    profile_free(&analysis->profile);
}
