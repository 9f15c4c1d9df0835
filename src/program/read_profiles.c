/* read_profiles.c - lists profiles, and reads them into arcs and blocks of symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/read_profiles.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/address_totals.h"
#include "analysis/arcs.h"
#include "analysis/callscan.h"
#include "analysis/measure_times.h"
#include "analysis/per_file_figures.h"
#include "base/common.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/object_profiles.h"
#include "model/hist_set.h"
#include "program/find_record.h"
#include "program/hints.h"
#include "program/image_check.h"
#include "program/symbol_names.h"
#include "program/trace.h"
#include "stacks/measure_stacks.h"
#include "symbols/symtab.h"

/* ---- Profiles ---- */

bool list_profiles(struct profile_list *list, const struct request *request,
                   const struct operands *operands)
{
    const struct input_options *options = &request->options->inputs;
    *list = (struct profile_list){.diagnostics = request->diagnostics,
                                  .sum_path = operands->sum_path,
                                  .is_profile = operands->is_foreign ? foreign_is_profile : NULL,
                                  .recurses = options->recurses,
                                  .skips_bad = options->skip_bad};
    for (size_t i = 0; i < operands->count; i++)
        if (!profile_list_add(list, operands->paths[i]))
            return false;
    if (operands->list != NULL &&
        !profile_list_add_from(list, operands->list, options->is_null_separated))
        return false;
    list->has_found = list->count > operands->count;
    list->has_read_stdin = operands->list != NULL && strcmp(operands->list, "-") == 0;
    const char *object;
    size_t objects = object_profiles_remove(list, &object);
    if (objects > 0)
        note(request->diagnostics, MSG_OBJECT_PROFILES, objects, object);
    profile_list_settle(list);
    return true;
}

void skip_others(struct profile_list *list, const struct request *request, struct image *image)
{
    const struct options *options = request->options;
    struct image_check check = {.image = image,
                                .format = options->inputs.format,
                                .refuses = true,
                                .checks_builds = true,
                                .has_slide = request->has_slide,
                                .given = request->slide};
    if (options->inputs.skip_bad && request->plan->refuses_others &&
        options->analysis.symbol_table == NULL)
        image_check_skip(&check, list);
}

/* Which negative weights can be in what PLAN prints or writes: in trees, only those of stacks, as
   estimates divide times among callers.  */
static enum sign_rule signs_of(const struct plan *plan)
{
    const unsigned reports =
        REPORT_INFO | REPORT_FLAT | REPORT_GRAPH | REPORT_TOP | REPORT_TREE | REPORT_SNAPSHOT;
    unsigned traits = plan->format != NULL ? plan->format->traits : EXPORT_SIGNED;
    if (plan->mode == MODE_COMPARE || (plan->reports & ~reports) != 0 ||
        (traits & EXPORT_SIGNED) == 0)
        return SIGNS_NONE;
    bool has_tree = (plan->reports & REPORT_TREE) != 0 || (traits & EXPORT_STACKS) != 0;
    return has_tree ? SIGNS_OF_STACKS : SIGNS_ANY;
}

/* Whether what PLAN prints is only looked at.  */
static bool is_for_people(const struct plan *plan)
{
    const struct export_format *format = plan->format;
    return plan->mode == MODE_REPORT &&
           (format == NULL || format->is_for_people || format->is_page);
}

/* Leaves out of LIST the files that valgrind leaves empty, unless there are no others.  */
static void drop_bases(struct profile_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (kept + list->count - i == 1 || !foreign_is_base(list->paths[i]))
            list->paths[kept++] = list->paths[i];
    list->count = kept;
}

struct image *read_foreign(struct foreign *foreign, struct profile_list *list,
                           const struct request *request, const struct operands *operands)
{
    struct foreign_rules rules = request->options->inputs.foreign;
    struct operands profiles = *operands;
    struct symbol_names names;
    if (foreign->image != NULL) {
        profiles.paths++;
        profiles.count--;
    }
    rules.keeps_threads = request->plan->keeps_threads;
    rules.signs = signs_of(request->plan);
    rules.has_small_units = is_for_people(request->plan);
    rules.names = symbol_names_begin(&names, foreign->image, request->diagnostics);
    bool ok = rules.names != NULL && list_profiles(list, request, &profiles);
    if (ok)
        drop_bases(list);
    ok = ok && foreign_read(foreign, list->paths, list->count, &rules, request->diagnostics);
    list->has_stacks = true;
    if (ok)
        symbol_names_note_age(&names, list);
    symbol_names_free(&names);
    return ok ? image_of_list(operands->paths[0], &foreign->code, request->diagnostics) : NULL;
}

bool read_inputs(const struct request *request, struct profile *profile,
                 const struct profile_sink *sink, bool keeps_addresses, enum rate_rule rates)
{
    const struct options *options = request->options;
    const struct profile_list *inputs = request->inputs;
    const struct load_rules rules = {options->inputs.format,
                                     options->inputs.skip_bad,
                                     keeps_addresses,
                                     rates,
                                     foreign_thread(&request->options->inputs.foreign),
                                     request->run->called};
    struct loader loader = {.profile = profile,
                            .image = request->image,
                            .sink = sink,
                            .rules = &rules,
                            .opened = request->opened,
                            .diagnostics = request->diagnostics,
                            .has_read_stdin = inputs->has_read_stdin};
    profile->per_file.expected = inputs->count;
    bool ok = profile_load_all(&loader, inputs);
    if (!ok && inputs->count > 1 && inputs->has_found)
        note(request->diagnostics, MSG_MAY_SKIP, inputs->count);
    size_t skipped = loader.bad + inputs->skipped;
    if (ok && skipped > 0)
        warning(request->diagnostics, MSG_SKIPPED, skipped, inputs->count + inputs->skipped);
    profile->bad_count = skipped + inputs->unreadable;
    profile_own_paths(profile);
    return ok;
}

bool counts_all_threads(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (!profile->infos[i].counts_all_threads)
            return false;
    return profile->info_count > 0;
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
    bool has_own_rates;             /* each profile counts by its own rate and samples */
    bool has_noted;                 /* said that samples of a profile come several at a time */
    struct weights all;             /* of the samples of all profiles so far, in ticks */
    double ticks_of_one;            /* of the profile being read */
    uint64_t weight;                /* of its samples, by its rate */
    struct common_divisor common;   /* of its bins */
    struct trees_by_profile *trees; /* of each profile; or NULL */
    const struct profile_list *inputs;
    size_t input; /* the number of the next one, if none is skipped */
    const struct object_calls *object_calls;
    struct image *code; /* with -c, to find static calls in each profile; or NULL */
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
static void add_calls_of_profile(struct symbol_sink *sink, uint32_t callee, uint64_t count)
{
    sink->per_file.figures.calls = sum_u64(sink->per_file.figures.calls, count);
    if (sink->has_per_file && sink->profile->per_file.expected > 1 && callee != NO_ID)
        per_file_add_calls(&sink->per_file, symtab_function(&sink->profile->symtab, callee),
                           count); /* as arcs_record does */
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
    add_calls_of_profile(sink, symtab_find(&sink->profile->symtab, self), count);
}

static void add_block(void *context, vma addr, uint64_t count)
{
    struct symbol_sink *sink = context;
    const struct symtab *symtab = &sink->profile->symtab;
    const struct block block = {symtab_find(symtab, addr), addr, count};
    trace_block(sink->trace, symtab, &block);
    blocks_record(&sink->profile->blocks, symtab, addr, count);
}

/* Makes the rate of all samples so far a multiple of RATE.  */
static struct rate_factors match_rate(struct symbol_sink *sink, uint32_t rate)
{
    struct rate_factors factors = {1, 1};
    if (!sink->has_own_rates || !hist_rate_factors(&factors, &sink->profile->hist, rate))
        return factors;
    hist_multiply(&sink->profile->hist, factors.set);
    if (factors.set > 1)
        per_file_multiply(&sink->per_file, factors.set);
    sink->weight *= factors.set;
    sink->common.value *= factors.set;
    sink->ticks_of_one *= factors.set;
    sink->all.sum *= factors.set;
    sink->all.squares *= (double)factors.set * factors.set;
    return factors;
}

static void add_histogram(void *context, const struct hist_record *h)
{
    struct symbol_sink *sink = context;
    struct rate_factors factors = match_rate(sink, h->header.rate);
    uint64_t ticks = hist_add_record(&sink->profile->hist, h, factors.added);
    if (sink->trees != NULL)
        hist_add_record(&sink->trees->profile.hist, h, 1);
    if (sink->weight == 0 || factors.added < sink->weight)
        sink->weight = factors.added;
    sink->ticks_of_one += (double)ticks;
    if (sink->has_own_rates && sink->profile->per_file.expected > 1)
        hist_record_divisor(&sink->common, h, factors.added);
    if (!sink->has_per_file)
        return;
    hist_add_record(&sink->per_file.hist, h, factors.added);
    if (sink->per_file.figures.rate == 0)
        sink->per_file.figures.rate = h->header.rate;
}

/* Finds how many ticks the samples of a profile have that has been read, and adds them up.  */
static void weigh_samples(struct symbol_sink *sink, const char *path)
{
    const double slowest = 100; /* ticks per second of a kernel */
    uint64_t by_rate = sink->weight, weight = by_rate;
    if (by_rate > 0 && sink->has_own_rates) {
        if (sink->profile->per_file.expected == 1)
            hist_find_divisor(&sink->common, &sink->profile->hist, by_rate);
        weight = ticks_of_sample(&sink->common, by_rate, sink->profile->hist.rate / slowest);
        uint64_t multiple = weight / by_rate;
        sink->per_file.figures.rate /= (double)multiple;
        sink->all.sum += sink->ticks_of_one;
        sink->all.squares += sink->ticks_of_one * (double)weight;
    }
    sink->per_file.figures.weight = (double)weight;
    if (weight > by_rate && !sink->has_noted)
        note(sink->check.diagnostics, MSG_SEVERAL_AT_ONCE, path,
             (unsigned long long)(weight / by_rate));
    sink->has_noted |= weight > by_rate;
    sink->weight = 0;
    sink->ticks_of_one = 0;
    sink->common = (struct common_divisor){0};
}

/* Says how many of what the bins of HIST count are a sample.  All have been added.  */
static void set_fineness(struct hist_set *hist, double fineness)
{
    hist->fineness = fineness;
    hist->rate /= fineness;
}

/* Adds the samples of a foreign profile to HIST.  */
static void add_leaves(struct hist_set *hist, const struct foreign *foreign,
                       const struct foreign_leaf *leaves, size_t count)
{
    struct hist_header header = {.low = listed_address(0),
                                 .high = listed_address(foreign->code.place_count),
                                 .bin_count = (uint32_t)foreign->code.place_count,
                                 .abbreviation =
                                     strcmp(foreign->unit, "seconds") == 0 ? 's' : '\0'};
    memcpy(header.dimension, foreign->unit, sizeof header.dimension);
    struct histogram *histogram = hist_find_or_add(hist, &header);
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += (uint64_t)llabs(leaves[i].parts);
    hist->rate = foreign->rate * foreign->fineness;
    hist->value = foreign->value;
    hist->figures = foreign->figures;
    if (figures_traits(foreign->figures)->has_signs)
        most += UINT32_MAX; /* what is negative has 64 bits */
    hist_reserve(histogram, most);
    for (size_t i = 0; i < count; i++)
        hist_add(histogram, leaves[i].place, (uint64_t)leaves[i].parts);
}

/* Adds the calls of FOREIGN from number I up to, not including, END.  */
static void add_foreign_calls(struct symbol_sink *sink, const struct foreign *foreign, size_t i,
                              size_t end)
{
    for (; i < end; i++) {
        const struct foreign_call *call = &foreign->stated.calls[i];
        if (call->calls > 0)
            add_arc(sink, listed_address(call->caller), listed_address(call->callee), call->calls);
    }
}

/* Adds the foreign profiles, input after input.  */
static void add_foreign(struct symbol_sink *sink, const struct foreign *foreign)
{
    struct profile *profile = sink->profile;
    size_t at = 0, call = 0;
    profile->per_file.expected = foreign->input_count;
    profile->infos = mem_array(foreign->input_count, sizeof *profile->infos);
    for (size_t i = 0; i < foreign->input_count; i++) {
        const struct foreign_input *input = &foreign->inputs[i];
        const struct foreign_leaf *leaves = &foreign->leaves[at];
        size_t count = input->leaf_end - at;
        add_leaves(&profile->hist, foreign, leaves, count);
        if (sink->trees != NULL) {
            add_leaves(&sink->trees->profile.hist, foreign, leaves, count);
            set_fineness(&sink->trees->profile.hist, foreign->fineness);
        }
        add_foreign_calls(sink, foreign, call, input->call_end);
        if (sink->has_per_file) {
            add_leaves(&sink->per_file.hist, foreign, leaves, count);
            sink->per_file.figures.weight = foreign->fineness;
            sink->per_file.figures.rate = foreign->rate;
            per_file_end(&sink->per_file);
        }
        if (sink->trees != NULL)
            trees_by_profile_end(sink->trees);
        profile->infos[profile->info_count++] =
            (struct file_info){.path = input->path,
                               .histograms = 1,
                               .arcs = (unsigned long)count}; /* the stacks say who calls */
        at = input->leaf_end;
        call = input->call_end;
    }
    profile_own_paths(profile);
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

/* Adds what shared objects counted while the program wrote the profile at PATH, the next of the
   inputs, or one after others that were skipped.  */
static void add_object_calls(struct symbol_sink *sink, const char *path)
{
    const struct object_calls *calls = sink->object_calls;
    if (calls->ends == NULL)
        return;
    while (sink->inputs->paths[sink->input] != path)
        sink->input++;
    uint32_t outside = symtab_outside(&sink->profile->symtab);
    for (size_t i = sink->input > 0 ? calls->ends[sink->input - 1] : 0;
         i < calls->ends[sink->input]; i++) {
        const struct arc *arc = &calls->arcs[i];
        arcs_add(&sink->arcs, arc->caller != NO_ID ? arc->caller : outside, arc->callee,
                 arc->count);
        add_calls_of_profile(sink, arc->callee, arc->count);
    }
    sink->input++;
}

static void end_profile(void *context, const char *path)
{
    struct symbol_sink *sink = context;
    add_object_calls(sink, path);
    image_check_profile(&sink->check, path);
    weigh_samples(sink, path);
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
static bool find_static_calls(struct symbol_sink *sink, const struct request *request)
{
    struct image *image = request->image;
    if (!callscan_is_known(image_arch(image))) {
        warning(request->diagnostics, MSG_NO_STATIC_CALLS, image_arch_name(image));
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
static bool begin_trees(struct symbol_sink *sink, const struct request *request,
                        struct analysis *analysis)
{
    const struct options *options = request->options;
    if (!request->plan->shows_profiles)
        return true;
    sink->trees = &analysis->trees;
    trees_by_profile_begin(sink->trees, &analysis->profile, request->plan->style.has_zeros);
    if (!options->analysis.has_static_calls || !callscan_is_known(image_arch(request->image)))
        return true;
    sink->code = request->image;
    return is_text_readable(request->image);
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
static bool needs_only_calls(const struct analysis *analysis)
{
    return (analysis->needs & NEEDS_CALLERS) == 0;
}

static struct symbol_sink make_symbol_sink(const struct request *request, struct analysis *analysis)
{
    struct profile *profile = &analysis->profile;
    const char *symbol_table = request->options->analysis.symbol_table;
    bool has_functions = !profile->by_line && symbol_table == NULL;
    return (struct symbol_sink){
        .arcs = {.symtab = &profile->symtab,
                 .filters = &profile->filters,
                 .table = &profile->arcs,
                 .only_calls = needs_only_calls(analysis),
                 .has_callers = (analysis->needs & NEEDS_GRAPH) != 0},
        .profile = profile,
        .trace = &request->options->trace,
        .calls = request->plan->has_lines ? &analysis->sum : NULL,
        .per_file = {.symtab = &profile->symtab,
                     .filter = &profile->filters.flat,
                     .table = &profile->per_file},
        .has_per_file = (analysis->needs & NEEDS_PROFILE_FIGURES) != 0,
        .has_own_rates = request->plan->is_own,
        .inputs = request->inputs,
        .object_calls = &analysis->object_calls,
        .check = {.image = request->image,
                  .diagnostics = request->diagnostics,
                  .format = request->options->inputs.format,
                  .refuses = request->plan->refuses_others && symbol_table == NULL,
                  .refuses_names = !request->options->inputs.is_forced,
                  .checks_builds = request->stacks->source == STACKS_NONE && !request->stacks->adds,
                  .has_slide = request->has_slide,
                  .given = request->slide,
                  .symtab = has_functions ? &profile->symtab : NULL},
    };
}

/* Finishes the tables that the sink has filled.  All arcs except the first RECORDED are from the
   text.  */
static void finish_symbol_sink(const struct request *request, struct symbol_sink *sink,
                               size_t recorded)
{
    struct profile *profile = sink->profile;
    if (profile->recorded.counted > 0)
        measure_arcs(&sink->arcs, &profile->recorded);
    arcs_finish(&sink->arcs);
    if (sink->trace->stages != 0)
        trace_static_calls(sink, recorded);
    blocks_finish(&profile->blocks);
    trace_histograms(sink->trace, &profile->hist);
    trace_blocks(sink->trace, profile);
    if (profile->blocks.count > 0 && !profile->by_line && !request->plan->has_lines) {
        warning(request->diagnostics, MSG_BLOCKS_IGNORED);
        blocks_free(&profile->blocks);
    }
}

bool read_profiles(const struct request *request, struct analysis *analysis)
{
    struct symbol_sink symbols = make_symbol_sink(request, analysis);
    const struct profile_sink sink = {&symbols, begin_profile, add_histogram,
                                      add_arc,  add_block,     end_profile};
    bool ok = begin_trees(&symbols, request, analysis);
    if (request->foreign->input_count > 0)
        add_foreign(&symbols, request->foreign);
    else if (request->plan->sum_path != NULL)
        add_sum(&symbols, &analysis->sum);
    else
        ok = ok && read_inputs(request, &analysis->profile, &sink, false,
                               symbols.has_own_rates ? RATES_OWN : RATES_OF_FIRST);
    analysis->profile.bad_count += analysis->object_calls.bad_count;
    analysis->profile.recorded.missing.calls = !has_recorded_arcs(&analysis->profile);
    double fineness = request->foreign->input_count > 0 ? request->foreign->fineness
                                                        : weight_of_sample(&symbols.all);
    analysis->profile.per_file.own.rate = analysis->profile.hist.rate;
    set_fineness(&analysis->profile.hist, fineness);
    const struct per_file_stacks stacks = {&analysis->profile.recorded, analysis->profile.infos};
    bool is_page = request->plan->format != NULL && request->plan->format->is_page;
    bool has_stacks = ((request->plan->reports & REPORT_PER_FILE) != 0 || is_page) &&
                      recorded_has_stacks(&analysis->profile.recorded);
    per_file_finish(&symbols.per_file, fineness, has_stacks ? &stacks : NULL);
    if (symbols.trees != NULL)
        trees_by_profile_finish(symbols.trees);
    ok = image_check_end(&symbols.check) && ok;
    if (symbols.calls != NULL)
        symbols.calls->counts_all_threads = counts_all_threads(&analysis->profile);
    size_t recorded = symbols.trace->stages != 0 ? arcs_count(&symbols.arcs) : 0;
    if (ok && request->options->analysis.has_static_calls)
        ok = find_static_calls(&symbols, request);
    finish_symbol_sink(request, &symbols, recorded);
    return ok;
}
