/* pipeline.c - runs the stages of a report in their order.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/annotate.h"
#include "analysis/arcs.h"
#include "analysis/callscan.h"
#include "analysis/cycles.h"
#include "analysis/hist.h"
#include "analysis/line_symbols.h"
#include "analysis/propagate.h"
#include "analysis/select.h"
#include "analysis/symbolize.h"
#include "analysis/symtab.h"
#include "analysis/views.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/source_positions.h"
#include "input/symbol_files.h"
#include "program/trace.h"
#include "report/printers.h"

static struct raw_source *locate_raw(struct files *files, struct image *image,
                                     const struct raw_symbol *raw, size_t count,
                                     const struct symtab_rules *rules)
{
    bool *is_wanted = mem_array(count, sizeof *is_wanted);
    for (size_t i = 0; i < count; i++)
        is_wanted[i] = symtab_is_wanted(&raw[i], rules);
    struct raw_source *sources = source_positions_of_raw(files, image, raw, is_wanted, count);
    free(is_wanted);
    return sources;
}

/* Splits the function symbols of PROFILE into source lines (-l).  */
static void split_lines(struct profile *profile, struct image *image)
{
    size_t count, row_count;
    vma *addrs = image_line_addresses(image, &count);
    image_settle_lines(image, addrs, count);
    struct line_row *rows = source_positions_of_lines(profile, image, addrs, count, &row_count);
    free(addrs);
    line_symbols_split(&profile->symtab, rows, row_count, image_text(image).end);
    free(rows);
}

static bool take_image_symbols(struct profile *profile, struct image *image,
                               const struct options *options)
{
    const struct symtab_rules rules = {.text_end = image_text(image).end,
                                       .leading_char = image_leading_char(image),
                                       .no_static = options->no_static,
                                       .functions_only = options->functions_only,
                                       .objects = &profile->objects};
    size_t count;
    struct raw_symbol *raw = image_symbols(image, &count);
    struct raw_source *sources = NULL;
    if (symspecs_need_source(&options->specs) || (options->reports_on & REPORT_SOURCE) != 0)
        sources = locate_raw(&profile->files, image, raw, count, &rules);
    symtab_build(&profile->symtab, raw, count, sources, &rules);
    free(sources);
    free(raw);
    if (profile->symtab.count == 0)
        return problem(MSG_NO_SYMBOLS, image_path(image));
    if (options->style.has_lines)
        split_lines(profile, image);
    return true;
}

/* A symbol table in a file of its own is taken as it is; no source lines go with it.  */
static bool take_listed_symbols(struct profile *profile, const struct image *image,
                                const char *path)
{
    const struct symtab_rules rules = {.text_end = image_text(image).end};
    struct symbol_list list = {0};
    bool ok = symbol_files_read_symbols(&list, &profile->names, path);
    if (ok)
        symtab_build(&profile->symtab, list.symbols, list.count, NULL, &rules);
    free(list.symbols);
    return ok;
}

bool pipeline_symbols(struct profile *profile, struct image *image, const struct options *options)
{
    if (options->object_map != NULL &&
        !symbol_files_read_objects(&profile->objects, &profile->names, options->object_map))
        return false;
    if (options->symbol_table != NULL ? !take_listed_symbols(profile, image, options->symbol_table)
                                      : !take_image_symbols(profile, image, options))
        return false;
    if (options->has_static_calls && callscan_has_indirect(image_arch(image)))
        symtab_add_indirect_target(&profile->symtab, "<indirect child>");
    symspecs_resolve(&options->specs, &profile->symtab, &profile->files, &profile->filters);
    trace_symbols(&options->trace, profile);
    trace_specs(&options->trace, profile);
    return true;
}

static bool is_graph_needed(const struct options *options, unsigned kinds)
{
    return (kinds & ~(unsigned)REPORTS_WITHOUT_GRAPH) != 0 || options->trace.stages != 0;
}

/* Times, the graph and what is listed of them.  */
static void analyse_graph(struct profile *profile, const struct image *image,
                          const struct options *options)
{
    hist_assign(&profile->hist, &profile->symtab, &profile->filters.flat, image_entry_units(image));
    profile->arcs.parents = arcs_parents(&profile->arcs, profile->symtab.count, NULL);
    arcs_forget_ages(&profile->arcs);
    cycles_find(&profile->graph, &profile->symtab, &profile->arcs);
    propagate(&profile->graph, &profile->arcs, profile->hist.time, &profile->filters);
    views_compute(&profile->views, &profile->symtab, &profile->arcs, &profile->graph,
                  options->style.has_zeros);
    const struct select_rules rules = {options->style.has_zeros, options->style.has_lines};
    select_times(profile, &rules);
    trace_tally(&options->trace, profile);
    trace_graph(&options->trace, profile);
    trace_propagation(&options->trace, profile);
    trace_sorting(&options->trace, profile);
}

void pipeline_analyse(struct profile *profile, const struct image *image,
                      const struct options *options, unsigned kinds)
{
    if ((options->reports_on & REPORT_FUNCTION_ORDER) != 0)
        views_order_functions(&profile->views, &profile->symtab, &profile->arcs);
    if ((options->reports_on & REPORT_FILE_ORDER) != 0)
        views_order_objects(&profile->views, &profile->symtab, &profile->arcs, &profile->objects);
    if (is_graph_needed(options, kinds))
        analyse_graph(profile, image, options);
}

static void annotate_sources(struct profile *profile, const struct options *options)
{
    const struct annotate_rules rules = {.has_zeros = options->style.has_zeros,
                                         .has_all_lines = options->style.has_all_lines};
    annotate_list(&profile->annotation, profile, &rules);
    sources_read(&profile->annotation, &profile->files, &options->source_path);
    annotate_count(&profile->annotation, profile, &rules);
    trace_annotation(&options->trace, profile);
}

/* What image_demangle gets besides the name.  */
struct demangling {
    const struct image *image;
    int style;
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

static void label(struct profile *profile, const struct image *image, const struct options *options)
{
    const struct demangling demangling = {image, options->demangling_style};
    const struct demangler demangler = {&demangling, may_be_mangled, demangle};
    bool is_demangled = options->is_demangled && !options->style.is_traditional;
    symbolize(profile, is_demangled ? &demangler : NULL);
}

void pipeline_name(struct profile *profile, struct image *image, const struct options *options,
                   unsigned kinds)
{
    enum locate_scope scope = options->symbol_table != NULL ? LOCATE_NONE
                              : kinds & REPORT_COUNTS       ? LOCATE_ALL
                              : options->style.inline_file_names || options->style.has_lines
                                  ? LOCATE_LISTED
                              : kinds & REPORT_GRAPH ? LOCATE_STATIC
                                                     : LOCATE_NONE;
    if (scope != LOCATE_NONE) {
        bool *is_wanted = symbolize_to_locate(profile, scope);
        source_positions_add(profile, image, is_wanted);
        free(is_wanted);
    }
    if ((kinds & REPORT_COUNTS) != 0) {
        const struct select_rules rules = {options->style.has_zeros, options->style.has_lines};
        views_order_counts(&profile->views, profile);
        select_counts(profile, &rules);
    }
    if ((kinds & REPORT_SOURCE) != 0)
        annotate_sources(profile, options);
    if (is_graph_needed(options, kinds))
        label(profile, image, options);
    symbolize_files(profile);
}

bool pipeline_write_sources(const struct profile *profile, const struct style *style)
{
    bool ok = true;
    struct string_map names = {0};
    for (size_t i = 0; i < profile->annotation.count; i++) {
        const char *path = profile->files.paths[profile->annotation.sources[i].file];
        size_t count = names.count;
        string_map_number(&names, path_base(path));
        if (names.count == count)
            warning(MSG_SAME_NAME, path_base(path));
        FILE *file = source_create(path);
        if (file != NULL)
            print_source(profile, style, i, file);
        ok = file != NULL && source_close(file, path) && ok;
    }
    string_map_free(&names);
    return ok;
}
