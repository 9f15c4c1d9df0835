#include "pipeline.h"

#include <stdlib.h>

#include "arcs.h"
#include "blocks.h"
#include "cycles.h"
#include "hist.h"
#include "load.h"
#include "merge.h"
#include "messages.h"
#include "names.h"
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
    if (symspecs_need_source(&options->specs))
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

/* Reads what the options name into PROFILE and, through SINK, into SUM or the profile's tables.  */
static bool read_inputs(struct profile *profile, const struct image *image,
                        const struct options *options, const struct load_sink *sink,
                        struct sum *sum)
{
    struct inputs inputs = {0};
    struct progress progress = {0};
    const struct load_rules rules = {options->format, options->skip_bad};
    struct loader loader = {.profile = profile,
                            .image = image,
                            .sink = sink,
                            .rules = &rules,
                            .progress = &progress};
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
    const struct load_sink sink = {&intake, sum_up_arc, sum_up_block};
    return read_inputs(profile, image, options, &sink, sum) &&
           merge_write(&profile->hist, sum, &layout, options->format, options->sum_path);
}

/* ---- Arcs and blocks between symbols ---- */

struct intake {
    struct arc_builder arcs;
    struct profile *profile;
};

static void take_arc(void *context, vma from, vma self, uint64_t count)
{
    struct intake *intake = context;
    arcs_record(&intake->arcs, from, self, count);
}

static void take_block(void *context, vma addr, uint64_t count)
{
    struct intake *intake = context;
    blocks_record(&intake->profile->blocks, &intake->profile->symtab, addr, count);
}

static void take_sum(struct intake *intake, const struct sum *sum)
{
    for (size_t i = 0; i < sum->arcs.count; i++)
        take_arc(intake, sum->arcs.pairs[i].a, sum->arcs.pairs[i].b, sum->arc_counts[i]);
    for (size_t i = 0; i < sum->blocks.count; i++)
        take_block(intake, sum->blocks.pairs[i].a, sum->block_counts[i]);
}

bool pipeline_read(struct profile *profile, struct image *image, const struct options *options,
                   const struct sum *sum)
{
    struct intake intake = {{&profile->symtab, &profile->filters, &profile->arcs, {0}}, profile};
    const struct load_sink sink = {&intake, take_arc, take_block};
    bool is_fine = true;
    if (sum != NULL)
        take_sum(&intake, sum);
    else
        is_fine = read_inputs(profile, image, options, &sink, NULL);
    arcs_finish(&intake.arcs);
    blocks_finish(&profile->blocks);
    return is_fine;
}

/* ---- Results ---- */

void pipeline_analyse(struct profile *profile, const struct image *image,
                      const struct options *options)
{
    unsigned entry_units = image_arch(image) == ARCH_VAX ? 1 : 0;
    hist_assign(&profile->hist, &profile->symtab, &profile->filters.flat, entry_units);
    cycles_find(&profile->graph, &profile->symtab, &profile->arcs);
    propagate(&profile->graph, &profile->arcs, profile->hist.time, &profile->filters);
    views_compute(&profile->views, &profile->symtab, &profile->arcs, &profile->graph,
                  options->style.has_zeros);
    if ((options->kinds_on & REPORT_FUNCTION_ORDER) != 0)
        views_order_functions(&profile->views, &profile->symtab, &profile->arcs);
    if ((options->kinds_on & REPORT_FILE_ORDER) != 0)
        views_order_objects(&profile->views, &profile->symtab, &profile->arcs, &profile->objects);
}

void pipeline_name(struct profile *profile, struct image *image, const struct options *options,
                   unsigned kinds)
{
    enum locate_scope scope = options->symbol_table != NULL ? LOCATE_NONE
                              : options->style.inline_file_names || options->style.has_lines
                                  ? LOCATE_LISTED
                              : kinds & REPORT_GRAPH ? LOCATE_STATIC
                                                     : LOCATE_NONE;
    names_locate(profile, image, scope);
    names_label(profile, image, options->is_demangled && !options->style.is_traditional);
}
