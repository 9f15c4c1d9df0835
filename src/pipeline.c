#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "arcs.h"
#include "blocks.h"
#include "callscan.h"
#include "counts.h"
#include "cycles.h"
#include "hist.h"
#include "load.h"
#include "merge.h"
#include "messages.h"
#include "names.h"
#include "perfile.h"
#include "printers.h"
#include "progress.h"
#include "propagate.h"
#include "symtab.h"
#include "textfile.h"
#include "views.h"

static bool take_image_symbols(struct profile *profile, struct image *image,
                               const struct options *options)
{
    const struct symtab_rules rules = {.text_end = image_text(image).end,
                                       .leading_char = image_leading_char(image),
                                       .no_static = options->no_static,
                                       .functions_only = options->functions_only,
                                       .objects = &profile->objects};
    size_t count;
    const struct raw_symbol *raw = image_symbols(image, &count);
    struct raw_source *sources = NULL;
    if (symspecs_need_source(&options->specs) || (options->kinds_on & REPORT_SOURCE) != 0)
        sources = names_locate_all(&profile->files, image, raw, count, &rules);
    symtab_build(&profile->symtab, raw, count, sources, &rules);
    free(sources);
    if (profile->symtab.count == 0)
        return problem(MSG_NO_SYMBOLS, image_path(image));
    if (options->style.has_lines)
        names_split_lines(profile, image);
    return true;
}

/* A symbol table in a file of its own is taken as it is; no source lines go with it.  */
static bool take_listed_symbols(struct profile *profile, const struct image *image,
                                const char *path)
{
    const struct symtab_rules rules = {.text_end = image_text(image).end};
    struct symbol_list list = {0};
    bool is_fine = textfile_read_symbols(&list, &profile->names, path);
    if (is_fine)
        symtab_build(&profile->symtab, list.symbols, list.count, NULL, &rules);
    free(list.symbols);
    return is_fine;
}

bool pipeline_symbols(struct profile *profile, struct image *image, const struct options *options)
{
    if (options->object_map != NULL &&
        !textfile_read_objects(&profile->objects, &profile->names, options->object_map))
        return false;
    if (options->symbol_table != NULL ? !take_listed_symbols(profile, image, options->symbol_table)
                                      : !take_image_symbols(profile, image, options))
        return false;
    if (options->has_static_calls && callscan_has_indirect(image_arch(image)))
        symtab_add_nowhere(&profile->symtab, "<indirect child>");
    symspecs_resolve(&options->specs, &profile->symtab, &profile->files, &profile->filters);
    return true;
}

/* ---- Profiles ---- */

static bool find_inputs(struct inputs *inputs, const struct options *options)
{
    for (size_t i = 0; i < options->profile_count; i++)
        if (!inputs_add(inputs, options->profiles[i]))
            return false;
    return options->list == NULL ||
           inputs_add_list(inputs, options->list, options->is_null_separated);
}

static bool is_list_on_stdin(const struct options *options)
{
    return options->list != NULL && strcmp(options->list, "-") == 0;
}

/* Reads what the options name into PROFILE and, through SINK, into SUM or the profile's tables.  */
static bool read_inputs(struct profile *profile, const struct image *image,
                        const struct options *options, const struct load_sink *sink,
                        struct sum *sum)
{
    struct inputs inputs = {.sum_path = options->is_summing ? options->sum_path : NULL};
    struct progress progress = {0};
    const struct load_rules rules = {options->format, options->skip_bad};
    struct loader loader = {.profile = profile,
                            .image = image,
                            .sink = sink,
                            .rules = &rules,
                            .progress = &progress,
                            .has_read_stdin = is_list_on_stdin(options)};
    bool is_fine = find_inputs(&inputs, options);
    if (is_fine) {
        progress_begin(&progress, inputs.count, options->is_quiet);
        is_fine = sum != NULL ? merge_read(&loader, sum, &inputs, options->jobs)
                              : load_profiles(&loader, &inputs);
        progress_end(&progress);
    }
    if (is_fine && loader.bad > 0)
        warning(MSG_SKIPPED, loader.bad, inputs.count);
    profile->bad_count = loader.bad;
    profile_own_paths(profile);
    loader_free(&loader);
    inputs_free(&inputs);
    return is_fine;
}

/* ---- Sums ---- */

/* Where arcs go that are added up by address.  */
struct sum_intake {
    struct sum *sum;
    const struct profile *filtering; /* NULL unless some arcs are to be left out */
};

static bool is_wanted_arc(const struct profile *profile, vma from, vma self)
{
    uint32_t caller = symtab_find(&profile->symtab, from);
    uint32_t callee = symtab_find(&profile->symtab, self);
    if (callee != NO_ID)
        callee = profile->symtab.symbols[callee].function; /* as arcs_record does */
    if (caller == NO_ID || callee == NO_ID)
        return profile->filters.include_arcs.count == 0;
    return is_arc_accepted(&profile->filters, caller, callee);
}

static void sum_up_arc(void *context, vma from, vma self, uint64_t count)
{
    const struct sum_intake *intake = context;
    if (intake->filtering == NULL || is_wanted_arc(intake->filtering, from, self))
        sum_arc(intake->sum, from, self, count);
}

static void sum_up_block(void *context, vma addr, uint64_t count)
{
    const struct sum_intake *intake = context;
    sum_block(intake->sum, addr, count);
}

bool pipeline_sum(struct profile *profile, struct sum *sum, const struct image *image,
                  const struct options *options)
{
    const struct gmon_layout layout = image_layout(image);
    struct sum_intake intake = {sum, symspecs_name_arcs(&options->specs) ? profile : NULL};
    const struct load_sink sink = {.context = &intake, .arc = sum_up_arc, .block = sum_up_block};
    if (!read_inputs(profile, image, options, &sink, sum))
        return false;
    if (profile->info_count == 0)
        return problem(MSG_NOTHING_TO_ADD, options->sum_path);
    return merge_write(&profile->hist, sum, &layout, options->format, options->sum_path);
}

/* ---- Arcs and blocks between symbols ---- */

static unsigned entry_units(const struct image *image)
{
    return image_arch(image) == ARCH_VAX ? 1 : 0;
}

struct intake {
    struct arc_builder arcs;
    struct profile *profile;
    struct perfile_builder per_file;
};

static void take_arc(void *context, vma from, vma self, uint64_t count)
{
    struct intake *intake = context;
    arcs_record(&intake->arcs, from, self, count);
    intake->per_file.calls = sum_u64(intake->per_file.calls, count);
}

static void take_block(void *context, vma addr, uint64_t count)
{
    struct intake *intake = context;
    blocks_record(&intake->profile->blocks, &intake->profile->symtab, addr, count);
}

static void take_histogram(void *context, const struct gmon_histogram *h)
{
    struct intake *intake = context;
    gmon_add_bins(h, hist_open(&intake->per_file.hist, &h->header)->bins);
}

static void take_end(void *context)
{
    struct intake *intake = context;
    perfile_end(&intake->per_file);
}

static void take_sum(struct intake *intake, const struct sum *sum)
{
    for (size_t i = 0; i < sum->arcs.count; i++)
        take_arc(intake, sum->arcs.pairs[i].a, sum->arcs.pairs[i].b, sum->arc_counts[i]);
    for (size_t i = 0; i < sum->blocks.count; i++)
        take_block(intake, sum->blocks.pairs[i].a, sum->block_counts[i]);
}

/* Adds the calls that stand in the text.  */
static bool find_static_calls(struct intake *intake, struct image *image)
{
    const struct gmon_layout layout = image_layout(image);
    const struct text_range text = image_text(image);
    const struct symtab *symtab = &intake->profile->symtab;
    struct code code = {.arch = image_arch(image),
                        .is_big_endian = layout.is_big_endian,
                        .sign_extends = layout.sign_extends,
                        .pointer_size = layout.pointer_size,
                        .start = text.start,
                        .size = (size_t)(text.end - text.start)};
    if (!callscan_is_known(code.arch)) {
        warning(MSG_NO_STATIC_CALLS, image_arch_name(image));
        return true;
    }
    code.bytes = image_text_bytes(image);
    if (code.bytes != NULL)
        callscan_add_arcs(&intake->arcs, &code, &intake->profile->hist,
                          (uint32_t)symtab->count - 1);
    return code.bytes != NULL;
}

bool pipeline_read(struct profile *profile, struct image *image, const struct options *options,
                   const struct sum *sum)
{
    struct intake intake = {
        .arcs = {&profile->symtab, &profile->filters, &profile->arcs, {0}},
        .profile = profile,
        .per_file = {&profile->symtab, &profile->filters.flat, entry_units(image),
                     &profile->per_file},
    };
    struct load_sink sink = {.context = &intake, .arc = take_arc, .block = take_block};
    bool is_fine = true;
    if ((options->kinds_on & REPORT_PER_FILE) != 0) {
        sink.histogram = take_histogram;
        sink.end = take_end;
    }
    if (sum != NULL)
        take_sum(&intake, sum);
    else
        is_fine = read_inputs(profile, image, options, &sink, NULL);
    perfile_finish(&intake.per_file);
    if (is_fine && options->has_static_calls)
        is_fine = find_static_calls(&intake, image);
    arcs_finish(&intake.arcs);
    blocks_finish(&profile->blocks);
    if (profile->blocks.count > 0 && !options->style.has_lines) {
        warning(MSG_BLOCKS_IGNORED);
        blocks_free(&profile->blocks);
    }
    return is_fine;
}

/* ---- Results ---- */

void pipeline_analyse(struct profile *profile, const struct image *image,
                      const struct options *options)
{
    hist_assign(&profile->hist, &profile->symtab, &profile->filters.flat, entry_units(image));
    cycles_find(&profile->graph, &profile->symtab, &profile->arcs);
    propagate(&profile->graph, &profile->arcs, profile->hist.time, &profile->filters);
    views_compute(&profile->views, &profile->symtab, &profile->arcs, &profile->graph,
                  options->style.has_zeros);
    if ((options->kinds_on & REPORT_FUNCTION_ORDER) != 0)
        views_order_functions(&profile->views, &profile->symtab, &profile->arcs);
    if ((options->kinds_on & REPORT_FILE_ORDER) != 0)
        views_order_objects(&profile->views, &profile->symtab, &profile->arcs, &profile->objects);
}

static void annotate_sources(struct profile *profile, const struct options *options)
{
    const struct annotate_rules rules = {.has_zeros = options->style.has_zeros,
                                         .has_all_lines = options->style.has_all_lines};
    annotate_list(&profile->annotation, profile, &rules);
    sources_read(&profile->annotation, &profile->files, &options->source_path);
    annotate_count(&profile->annotation, profile, &rules);
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
    names_locate(profile, image, scope);
    if ((kinds & REPORT_COUNTS) != 0)
        counts_order(&profile->views, profile);
    if ((kinds & REPORT_SOURCE) != 0)
        annotate_sources(profile, options);
    names_label(profile, image, options->is_demangled && !options->style.is_traditional);
}

bool pipeline_write_sources(const struct profile *profile, const struct style *style)
{
    bool is_fine = true;
    for (size_t i = 0; i < profile->annotation.count; i++) {
        const char *path = profile->files.paths[profile->annotation.sources[i].file];
        FILE *file = source_create(path);
        if (file != NULL)
            print_source(profile, style, i, file);
        is_fine = file != NULL && source_close(file, path) && is_fine;
    }
    return is_fine;
}
