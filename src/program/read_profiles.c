/* read_profiles.c - reads profiles into arcs and blocks of symbols, or into a sum.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/read_profiles.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/address_totals.h"
#include "analysis/arcs.h"
#include "analysis/callscan.h"
#include "analysis/collect_figures.h"
#include "analysis/measure_times.h"
#include "analysis/profile.h"
#include "base/common.h"
#include "base/diagnostics.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/profile_load.h"
#include "model/hist_set.h"
#include "program/checks.h"
#include "program/find_profiles.h"
#include "program/image_check.h"
#include "program/read_stacks.h"
#include "program/trace.h"
#include "program/write_sum.h"
#include "stacks/measure_stacks.h"
#include "symbols/symtab.h"

/* ---- Profiles ---- */

static bool is_list_on_stdin(const struct input_options *options)
{
    return options->list != NULL && strcmp(options->list, "-") == 0;
}

/* Reads the profiles of the options, and passes their records to SINK, without their slide or, if
   KEEPS_ADDRESSES, with the addresses as they were recorded.  False after a message.  */
static bool read_inputs(struct run *run, const struct profile_sink *sink, bool keeps_addresses)
{
    const struct options *options = run->options;
    struct profile *profile = &run->profile;
    const struct profile_list *inputs = &run->inputs;
    struct progress progress = {0};
    const struct load_rules rules = {options->inputs.format, options->inputs.skip_bad,
                                     keeps_addresses};
    struct loader loader = {.profile = profile,
                            .image = run->image,
                            .sink = sink,
                            .rules = &rules,
                            .diagnostics = run->diagnostics,
                            .progress = &progress,
                            .has_read_stdin = is_list_on_stdin(&options->inputs)};
    bool ok = find_profiles(run);
    if (ok) {
        profile->per_file.expected = inputs->count;
        progress_begin(&progress, inputs->count, options->inputs.is_quiet);
        ok = profile_load_all(&loader, inputs);
        progress_end(&progress);
        if (!ok && inputs->count > 1 && inputs->count > options->inputs.profile_count)
            note(run->diagnostics, MSG_MAY_SKIP, inputs->count);
    }
    if (ok && loader.bad > 0)
        warning(run->diagnostics, MSG_SKIPPED, loader.bad, inputs->count);
    profile->bad_count = loader.bad + inputs->unreadable;
    profile_own_paths(profile);
    loader_free(&loader);
    return ok;
}

/* ---- Sums ---- */

/* The sink of records that are added up by address.  */
struct sum_sink {
    struct profile *profile;         /* receives the histograms */
    const struct profile *filtering; /* its filters select arcs */
    struct address_totals *sum;
    bool is_filtering;
    struct image_check check;
};

static bool is_wanted_arc(const struct profile *profile, vma from, vma self)
{
    uint32_t caller = symtab_find(&profile->symtab, from);
    uint32_t callee = symtab_find(&profile->symtab, self);
    if (callee != NO_ID)
        callee = symtab_function(&profile->symtab, callee); /* as arcs_record does */
    if (caller == NO_ID || callee == NO_ID)
        return profile->filters.include_arcs.count == 0;
    return is_arc_accepted(&profile->filters, caller, callee);
}

static bool begin_sum(void *context, struct gmon_bytes *file, vma *slide)
{
    struct sum_sink *sink = context;
    bool ok = image_check_begin(&sink->check, file);
    *slide = sink->check.slide;
    return ok;
}

static void sum_up_arc(void *context, vma from, vma self, uint64_t count)
{
    struct sum_sink *sink = context;
    struct image_check *check = &sink->check;
    vma callee = image_slid(check->image, self, check->slide);
    image_check_callee(check, callee);
    if (!sink->is_filtering ||
        is_wanted_arc(sink->filtering, image_slid(check->image, from, check->slide), callee))
        address_totals_add_arc(sink->sum, from, self, count);
}

static void sum_up_block(void *context, vma addr, uint64_t count)
{
    const struct sum_sink *sink = context;
    address_totals_add_block(sink->sum, addr, count);
}

static void sum_up_histogram(void *context, const struct gmon_histogram *h)
{
    const struct sum_sink *sink = context;
    gmon_add_bins(h, hist_find_or_add(&sink->profile->hist, &h->header));
}

static void end_sum(void *context, const char *path)
{
    struct sum_sink *sink = context;
    image_check_profile(&sink->check, path);
}

/* Whether the calls of all profiles were counted exactly.  */
static bool are_exact(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (!profile->infos[i].is_exact)
            return false;
    return profile->info_count > 0;
}

/* Reads the profiles of RUN and adds their counts to run->sum; the filters of FILTERING select
   arcs.  */
static bool add_up(struct run *run, const struct profile *filtering)
{
    struct sum_sink totals = {
        .profile = &run->profile,
        .filtering = filtering,
        .sum = &run->sum,
        .is_filtering = symspecs_name_arcs(&run->options->analysis.specs),
        .check = {.image = run->image, .diagnostics = run->diagnostics, .options = run->options}};
    const struct profile_sink sink = {&totals,    begin_sum,    sum_up_histogram,
                                      sum_up_arc, sum_up_block, end_sum};
    bool ok = read_inputs(run, &sink, true);
    image_check_end(&totals.check);
    return ok;
}

/* Subtracts BASE, a run whose profiles have been added up, from the sum of RUN.  */
static bool subtract(struct run *run, struct run *base)
{
    struct shortfall shortfall = {0};
    const char *name = run->options->sum.subtracted.texts[0];
    if (base->profile.info_count == 0)
        return problem(MSG_NOTHING_TO_SUBTRACT, name);
    if (run->profile.hist.count > 0 && base->profile.hist.count > 0 &&
        !hist_is_compatible(&run->profile.hist, &base->profile.hist))
        return problem(MSG_CANNOT_SUBTRACT, name);
    shortfall.samples = hist_subtract_set(&run->profile.hist, &base->profile.hist);
    subtract_counts(&run->sum, &base->sum, &shortfall);
    if (shortfall.samples > 0 || shortfall.calls > 0 || shortfall.executions > 0)
        warning(run->diagnostics, MSG_SHORTFALL, (unsigned long long)shortfall.samples,
                (unsigned long long)shortfall.calls, (unsigned long long)shortfall.executions);
    return true;
}

/* Reads the profiles of --subtract and subtracts them from the sum.  False after a message.  */
static bool subtract_base(struct run *run)
{
    struct options options = *run->options;
    struct plan plan = *run->plan;
    struct run base = {
        .options = &options, .plan = &plan, .image = run->image, .diagnostics = run->diagnostics};
    options.inputs.profiles = options.sum.subtracted.texts;
    options.inputs.profile_count = options.sum.subtracted.count;
    options.inputs.list = NULL;
    plan.sum_path = NULL; /* a sum that was written before may be subtracted */
    bool ok = add_up(&base, &run->profile) && subtract(run, &base);
    address_totals_free(&base.sum);
    profile_free(&base.profile);
    profile_list_free(&base.inputs);
    return ok;
}

bool read_profiles_sum(struct run *run)
{
    const struct options *options = run->options;
    struct profile *profile = &run->profile;
    const struct gmon_layout layout = image_layout(run->image);
    if (!add_up(run, profile))
        return false;
    if (profile->info_count == 0)
        return problem(MSG_NOTHING_TO_ADD, run->plan->sum_path);
    if (options->sum.subtracted.count > 0 && !subtract_base(run))
        return false;
    if (!read_stack_files(run))
        return false;
    run->sum.is_exact = are_exact(profile);
    return may_write_output(run->diagnostics) &&
           write_sum(&profile->hist, &run->sum, &layout, options->inputs.format,
                     run->plan->sum_path) &&
           write_stacks_of_sum(run);
}

/* ---- Arcs and blocks of symbols ---- */

/* The sink of records for reports, which looks up the symbols of their addresses.  */
struct symbol_sink {
    struct arc_builder arcs;
    struct profile *profile;
    const struct trace *trace;
    struct address_totals *calls; /* gets all calls by address, or NULL */
    struct per_file_builder per_file;
    bool has_per_file;
    struct trees_by_profile *trees; /* of each profile; or NULL */
    struct image *code;             /* with -c, to find static calls in each profile; or NULL */
    struct image_check check;
};

static void trace_recorded_arc(const struct symbol_sink *sink, vma from, vma self, uint64_t count)
{
    const struct symtab *symtab = &sink->profile->symtab;
    const struct traced_arc arc = {from, self, count, symtab_find(symtab, from),
                                   symtab_find(symtab, self)};
    trace_arc(sink->trace, symtab, &arc);
}

/* Adds COUNT calls to the figures of the profile and, with several profiles, of the callee.  */
static void add_calls_of_profile(struct symbol_sink *sink, vma self, uint64_t count)
{
    const struct symtab *symtab = &sink->profile->symtab;
    sink->per_file.calls = sum_u64(sink->per_file.calls, count);
    if (!sink->has_per_file || sink->profile->per_file.expected < 2)
        return;
    uint32_t callee = symtab_find(symtab, self);
    if (callee != NO_ID)
        callee = symtab_function(symtab, callee); /* as arcs_record does */
    if (callee != NO_ID)
        per_file_add_calls(&sink->per_file, callee, count);
}

static bool begin_profile(void *context, struct gmon_bytes *file, vma *slide)
{
    struct symbol_sink *sink = context;
    bool ok = image_check_begin(&sink->check, file);
    *slide = sink->check.slide;
    return ok;
}

static void add_arc(void *context, vma from, vma self, uint64_t count)
{
    struct symbol_sink *sink = context;
    if (sink->trace->stages != 0)
        trace_recorded_arc(sink, from, self, count);
    image_check_callee(&sink->check, self);
    arcs_record(&sink->arcs, from, self, count);
    if (sink->calls != NULL)
        address_totals_add_arc(sink->calls, from, self, count);
    if (sink->trees != NULL)
        arcs_record(&sink->trees->arcs, from, self, count);
    add_calls_of_profile(sink, self, count);
}

static void add_block(void *context, vma addr, uint64_t count)
{
    struct symbol_sink *sink = context;
    const struct symtab *symtab = &sink->profile->symtab;
    const struct block block = {symtab_find(symtab, addr), addr, count};
    trace_block(sink->trace, symtab, &block);
    blocks_record(&sink->profile->blocks, symtab, addr, count);
}

static void add_histogram(void *context, const struct gmon_histogram *h)
{
    struct symbol_sink *sink = context;
    gmon_add_bins(h, hist_find_or_add(&sink->profile->hist, &h->header));
    if (sink->trees != NULL)
        gmon_add_bins(h, hist_find_or_add(&sink->trees->profile.hist, &h->header));
    if (!sink->has_per_file)
        return;
    gmon_add_bins(h, hist_find_or_add(&sink->per_file.hist, &h->header));
    if (sink->per_file.rate == 0)
        sink->per_file.rate = h->header.rate;
}

/* Adds the calls found in the text of IMAGE.  False after a message if it cannot be read.  */
static bool scan_text(struct image *image, struct arc_builder *arcs, const struct hist_set *hist)
{
    const struct gmon_layout layout = image_layout(image);
    const struct text_ranges *text = image_text(image);
    struct code code = {.arch = image_arch(image),
                        .is_big_endian = layout.is_big_endian,
                        .sign_extends = layout.sign_extends,
                        .pointer_size = layout.pointer_size};
    for (size_t i = 0; i < text->count; i++) {
        code.start = text->ranges[i].start;
        code.size = (size_t)(text->ranges[i].end - code.start);
        code.bytes = image_text_bytes(image, i);
        if (code.bytes == NULL)
            return false;
        callscan_add_arcs(arcs, &code, hist, symtab_indirect_target(arcs->symtab));
    }
    return true;
}

static void end_profile(void *context, const char *path)
{
    struct symbol_sink *sink = context;
    image_check_profile(&sink->check, path);
    if (sink->has_per_file)
        per_file_end(&sink->per_file);
    if (sink->trees == NULL)
        return;
    if (sink->code != NULL)
        scan_text(sink->code, &sink->trees->arcs, &sink->trees->profile.hist);
    trees_by_profile_end(sink->trees);
}

/* Adds SUM, and moves the histograms of the profile, without their slide.  */
static void add_sum(struct symbol_sink *sink, const struct address_totals *sum)
{
    const struct image *image = sink->check.image;
    struct hist_set *hist = &sink->profile->hist;
    image_check_sum(&sink->check, &sum->arcs, hist);
    vma slide = sink->check.slide;
    for (size_t i = 0; i < sum->arcs.count; i++) {
        vma from = sum->arcs.pairs[i].a;
        add_arc(sink, from != 0 ? image_slid(image, from, slide) : 0,
                image_slid(image, sum->arcs.pairs[i].b, slide), sum->arc_counts[i]);
    }
    for (size_t i = 0; i < sum->blocks.count; i++)
        add_block(sink, image_slid(image, sum->blocks.pairs[i].a, slide), sum->block_counts[i]);
    for (size_t i = 0; i < hist->count && slide != 0; i++) {
        vma low = image_slid(image, hist->hists[i].low, slide);
        hist->hists[i].high = low + (hist->hists[i].high - hist->hists[i].low);
        hist->hists[i].low = low;
    }
}

/* Adds the calls found in the text.  False after a message; warns if the processor is unknown.  */
static bool find_static_calls(struct symbol_sink *sink, const struct run *run)
{
    struct image *image = run->image;
    if (!callscan_is_known(image_arch(image))) {
        warning(run->diagnostics, MSG_NO_STATIC_CALLS, image_arch_name(image));
        return true;
    }
    return scan_text(image, &sink->arcs, &sink->profile->hist);
}

/* Whether the text can be read; else prints a message.  */
static bool is_text_readable(struct image *image)
{
    for (size_t i = 0; i < image_text(image)->count; i++)
        if (image_text_bytes(image, i) == NULL)
            return false;
    return true;
}

/* Prepares the stacks of each profile, if the format shows them.  False after a message.  */
static bool begin_trees(struct symbol_sink *sink, struct run *run)
{
    const struct options *options = run->options;
    if (!run->plan->shows_profiles)
        return true;
    sink->trees = &run->trees;
    trees_by_profile_begin(sink->trees, &run->profile, image_entry_units(run->image),
                           run->plan->style.has_zeros);
    if (!options->analysis.has_static_calls || !callscan_is_known(image_arch(run->image)))
        return true;
    sink->code = run->image;
    return is_text_readable(run->image);
}

/* Prints the arcs found in the text: all except the first RECORDED.  */
static void trace_static_calls(const struct symbol_sink *sink, size_t recorded)
{
    const struct arc_table *arcs = &sink->profile->arcs;
    for (size_t i = recorded; i < arcs->count; i++)
        trace_static_call(sink->trace, &sink->profile->symtab, &arcs->arcs[arcs->by_age[i]]);
}

/* Whether counting the calls of each symbol is enough, without arcs.  With -l it is not: arcs
   decide which lines are symbols.  */
static bool needs_only_calls(const struct run *run)
{
    return (run->needs & NEEDS_CALLERS) == 0;
}

static struct symbol_sink make_symbol_sink(struct run *run)
{
    struct profile *profile = &run->profile;
    bool has_functions = !profile->by_line && run->options->analysis.symbol_table == NULL;
    return (struct symbol_sink){
        .arcs = {.symtab = &profile->symtab,
                 .filters = &profile->filters,
                 .table = &profile->arcs,
                 .only_calls = needs_only_calls(run),
                 .has_callers = (run->needs & NEEDS_GRAPH) != 0},
        .profile = profile,
        .trace = &run->options->trace,
        .calls = run->plan->has_lines ? &run->sum : NULL,
        .per_file = {.symtab = &profile->symtab,
                     .filter = &profile->filters.flat,
                     .entry_units = image_entry_units(run->image),
                     .table = &profile->per_file},
        .has_per_file = (run->needs & NEEDS_PROFILE_FIGURES) != 0,
        .check = {.image = run->image,
                  .diagnostics = run->diagnostics,
                  .options = run->options,
                  .symtab = has_functions ? &profile->symtab : NULL},
    };
}

/* Finishes the tables that the sink has filled.  All arcs except the first RECORDED are from the
   text.  */
static void finish_symbol_sink(const struct run *run, struct symbol_sink *sink, size_t recorded)
{
    struct profile *profile = sink->profile;
    if (run_is_measured(run))
        measure_arcs(&sink->arcs, &profile->recorded);
    arcs_finish(&sink->arcs);
    if (sink->trace->stages != 0)
        trace_static_calls(sink, recorded);
    blocks_finish(&profile->blocks);
    trace_histograms(sink->trace, &profile->hist);
    trace_blocks(sink->trace, profile);
    if (profile->blocks.count > 0 && !profile->by_line && !run->plan->has_lines) {
        warning(run->diagnostics, MSG_BLOCKS_IGNORED);
        blocks_free(&profile->blocks);
    }
}

bool read_profiles(struct run *run)
{
    struct symbol_sink symbols = make_symbol_sink(run);
    const struct profile_sink sink = {&symbols, begin_profile, add_histogram,
                                      add_arc,  add_block,     end_profile};
    bool ok = begin_trees(&symbols, run);
    if (run->plan->sum_path != NULL)
        add_sum(&symbols, &run->sum);
    else
        ok = ok && read_inputs(run, &sink, false);
    const struct per_file_stacks stacks = {&run->profile.recorded, run->profile.infos};
    bool has_stacks = (run->plan->reports & REPORT_PER_FILE) != 0 && run_is_measured(run);
    per_file_finish(&symbols.per_file, has_stacks ? &stacks : NULL);
    if (symbols.trees != NULL)
        trees_by_profile_finish(symbols.trees);
    image_check_end(&symbols.check);
    if (symbols.calls != NULL)
        symbols.calls->is_exact = are_exact(&run->profile);
    size_t recorded = symbols.trace->stages != 0 ? arcs_count(&symbols.arcs) : 0;
    if (ok && run->options->analysis.has_static_calls)
        ok = find_static_calls(&symbols, run);
    finish_symbol_sink(run, &symbols, recorded);
    return ok;
}
