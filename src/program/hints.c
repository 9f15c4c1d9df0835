/* hints.c - warnings, hints and notes about an image, its profiles and reports.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/hints.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/image_traits.h"
#include "options/options.h"
#include "symbols/symtab.h"

/* ---- Specs that match nothing ---- */

/* The similar names, separated by commas; on the heap.  */
static char *list_names(const struct symspec_miss *miss)
{
    size_t size = 1;
    for (size_t i = 0; i < miss->nearest_count; i++)
        size += strlen(miss->nearest[i]) + 2;
    char *list = mem_array(size, 1);
    for (size_t i = 0; i < miss->nearest_count; i++) {
        if (i > 0)
            strcat(list, ", ");
        strcat(list, miss->nearest[i]);
    }
    return list;
}

bool hints_refuse_spec(const char *option, const struct symspec_miss *miss)
{
    int size = miss->size < INT_MAX ? (int)miss->size : INT_MAX;
    if (miss->nearest_count == 0)
        return problem(MSG_SPEC_NOT_FOUND, option, size, miss->text);
    char *names = list_names(miss);
    problem(MSG_SPEC_NEAREST, option, size, miss->text, names);
    free(names);
    return false;
}

/* Writes the option of MISS into TEXT: the letter of those that GNU gprof has, too.  */
static const char *name_option(const struct symspec_miss *miss, char text[OPTION_NAME_SIZE])
{
    if (is_own_target(miss->target))
        option_name(miss->option, text);
    else
        snprintf(text, OPTION_NAME_SIZE, "-%c", miss->option);
    return text;
}

static void warn(const struct symspec_miss *miss, const struct request *request)
{
    struct diagnostics *diagnostics = request->diagnostics;
    const char *text = miss->text;
    int size = miss->size < INT_MAX ? (int)miss->size : INT_MAX;
    char text_of_option[OPTION_NAME_SIZE];
    const char *option = name_option(miss, text_of_option);
    char *names = list_names(miss);
    if (miss->reason == SPEC_NOT_A_PAIR)
        warning(diagnostics, MSG_SPEC_NOT_A_PAIR, option, size, text, size, text, size, text);
    else if (miss->reason == SPEC_HAS_SLASH)
        warning(diagnostics, MSG_SPEC_HAS_SLASH, option, size, text);
    else if (miss->reason == SPEC_NO_FILES)
        warning(diagnostics, MSG_SPEC_NO_FILES, option, size, text, image_path(request->image));
    else if (miss->nearest_count > 0)
        warning(diagnostics, MSG_SPEC_NEAREST, option, size, text, names);
    else
        warning(diagnostics, MSG_SPEC_NOT_FOUND, option, size, text);
    free(names);
}

bool hints_check_specs(const struct symspec_misses *misses, const struct request *request)
{
    bool ok = true;
    for (size_t i = 0; i < misses->count; i++) {
        const struct symspec_miss *miss = &misses->misses[i];
        char option[OPTION_NAME_SIZE];
        if (is_own_target(miss->target) && miss->reason == SPEC_NOT_FOUND)
            ok = hints_refuse_spec(name_option(miss, option), miss);
        else
            warn(miss, request);
    }
    return ok;
}

/* ---- Hints about samples ---- */

/* Fractions of all samples outside every function above which there is a warning, a graver one.  */
static const double partly_outside = 0.01, mostly_outside = 0.5;

/* Whether there was a warning that a profile is outside the text.  */
static bool has_profile_outside(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].is_outside)
            return true;
    return false;
}

static void warn_about_samples(const struct request *request, const struct profile *profile)
{
    const struct image *image = request->image;
    const struct analysis_options *options = &request->options->analysis;
    const struct hist_set *hist = &profile->hist;
    double outside = hist->samples > 0 ? hist->outside / hist->samples : 0;
    if (profile->times.total > 0 && hist->samples == 0)
        return; /* all are in other objects */
    if (hist->count > 0 && hist->samples == 0 && hist->rate > 0)
        warning(request->diagnostics, MSG_NO_SAMPLES, 1.0 / hist->rate, hist->dimension);
    else if (options->no_static || options->functions_only || has_profile_outside(profile))
        return; /* requested by options, or already reported */
    else if (outside >= mostly_outside)
        warning(request->diagnostics, MSG_MOSTLY_OUTSIDE, 100 * outside, image_path(image));
    else if (outside >= partly_outside)
        warning(request->diagnostics, MSG_PARTLY_OUTSIDE, 100 * outside, image_path(image));
}

/* ---- Hints about calls ---- */

/* Warns of calls outside of all functions, unless -a or -D drop functions.  If all calls are
   outside, warn_about_graph does.  */
static void warn_about_calls(const struct request *request, const struct analysis *analysis)
{
    const struct profile *profile = &analysis->profile;
    const struct arc_table *arcs = &profile->arcs;
    bool is_graph = (analysis->reports & REPORT_GRAPH) != 0;
    if (request->options->analysis.no_static || request->options->analysis.functions_only)
        return;
    if (arcs->dropped > 0 && !(is_graph && arcs->dropped == arcs->recorded))
        warning(request->diagnostics, MSG_CALLS_OUTSIDE, (unsigned long long)arcs->dropped,
                (unsigned long long)arcs->recorded, image_path(request->image));
    if (profile->blocks.dropped > 0 && profile->by_line)
        warning(request->diagnostics, MSG_BLOCKS_OUTSIDE, image_path(request->image),
                profile->blocks.dropped);
}

/* ---- Empty reports ---- */

static bool has_time_or_calls(const struct profile *profile, uint32_t symbol)
{
    const struct node *node = &profile->graph.nodes[symbol];
    return node->calls != 0 || node->time != 0;
}

/* Whether some symbol that FILTER accepts (any symbol if NULL) has time or calls.  */
static bool has_any(const struct profile *profile, const struct filter *filter)
{
    for (uint32_t s = 0; s < profile->symtab.count; s++)
        if (has_time_or_calls(profile, s) && (filter == NULL || is_accepted(filter, s)))
            return true;
    return false;
}

static void warn_about_order(const struct request *request, const struct placement *placement)
{
    bool has_arcs = (request->plan->format->traits & EXPORT_ORDERED_CALLS) != 0;
    if (placement->unusable_count > 0)
        warning(request->diagnostics, MSG_NOT_ORDERED, image_path(request->image),
                placement->unusable_count, placement->unusable);
    else if (placement->function_count == 0)
        warning(request->diagnostics, MSG_EMPTY_ORDER);
    else if (has_arcs && placement->arc_count == 0)
        warning(request->diagnostics, MSG_NO_ORDERED_CALLS);
}

static bool has_shown(const struct profile *profile)
{
    for (size_t i = 0; i < profile->graph.count; i++)
        if (profile->graph.nodes[i].is_shown &&
            has_content(&profile->graph.nodes[i], &profile->times.nodes[i]))
            return true;
    return false;
}

static void warn_about_graph(const struct request *request, const struct profile *profile)
{
    const struct filters *filters = &profile->filters;
    bool has_arc_filters = filters->include_arcs.count + filters->exclude_arcs.count > 0;
    if (profile->arcs.count == 0 && profile->arcs.recorded > 0)
        warning(request->diagnostics, has_arc_filters ? MSG_NO_ARCS_LEFT : MSG_ARCS_OUTSIDE,
                image_path(request->image));
    else if (!has_shown(profile) && !request->plan->style.has_zeros)
        warning(request->diagnostics, has_any(profile, NULL) ? MSG_NO_GRAPH_LEFT : MSG_EMPTY_GRAPH);
}

/* Warns if the image counts no calls; returns whether it warned.  */
static bool explain_no_calls(const struct request *request)
{
    struct image_traits traits = image_traits(request->image);
    enum profiling_gap gap = image_profiling_gap(&traits);
    if (gap != GAP_COMPILING && gap != GAP_BOTH)
        return false;
    warning(request->diagnostics, gap == GAP_COMPILING ? MSG_ONLY_LINKED : MSG_NOT_BUILT_PG,
            image_path(request->image));
    return true;
}

void hints_explain_failure(const struct request *request, const struct analysis *analysis)
{
    if ((analysis->reports & REPORT_GRAPH) != 0 && !has_recorded_arcs(&analysis->profile))
        explain_no_calls(request);
}

static void warn_about_counts(const struct request *request, const struct profile *profile)
{
    bool is_shown = false, is_counted = false;
    for (size_t i = 0; i < profile->views.counts_count; i++)
        is_shown |= profile->arcs.calls[profile->views.counts[i]] > 0;
    for (uint32_t s = 0; s < profile->symtab.count; s++)
        is_counted |= profile->arcs.calls[s] > 0;
    for (size_t i = 0; i < profile->blocks.count; i++) {
        const struct block *block = &profile->blocks.blocks[i];
        is_counted |= block->count > 0;
        is_shown |= block->count > 0 && is_accepted(&profile->filters.counts, block->symbol);
    }
    if (!is_shown && is_counted)
        warning(request->diagnostics, MSG_NO_COUNTS_LEFT);
    else if (!is_shown && !explain_no_calls(request))
        warning(request->diagnostics, MSG_EMPTY_COUNTS);
}

/* Whether the source file of some symbol is known.  */
static bool has_lines(const struct profile *profile)
{
    for (size_t i = 0; i < profile->symtab.count; i++)
        if (profile->symtab.symbols[i].file != NO_ID)
            return true;
    return false;
}

/* Warns that there are no lines, unless a warning says already that they are damaged.  */
static void warn_about_lines(const struct request *request, const struct profile *profile)
{
    if (has_lines(profile) || image_has_damaged_lines(request->image))
        return;
    if (!image_has_code(request->image)) {
        warning(request->diagnostics, MSG_PROFILE_NO_LINES, image_path(request->image));
        return;
    }
    if (!image_is_stripped(request->image)) {
        warning(request->diagnostics, MSG_NO_LINES, image_path(request->image));
        return;
    }
    char *places = image_debug_places(request->image);
    warning(request->diagnostics, MSG_NO_LINES_STRIPPED, image_path(request->image), places);
    free(places);
}

static void warn_about_sources(const struct request *request, const struct profile *profile)
{
    if (profile->annotation.count + profile->annotation.missing > 0)
        return;
    if (has_lines(profile))
        warning(request->diagnostics, MSG_EMPTY_SOURCES, image_path(request->image));
    else
        warn_about_lines(request, profile);
}

/* Whether a report states lines.  Symbols of a file (-S) have none.  */
static bool needs_lines(const struct request *request, const struct analysis *analysis)
{
    const struct analysis_options *options = &request->options->analysis;
    bool is_by_line = analysis->profile.by_line && request->plan->sum_path == NULL;
    return options->symbol_table == NULL &&
           (is_by_line || (analysis->reports & request->options->reports_on & REPORT_COUNTS) != 0);
}

/* ---- The interface of hints ---- */

void hints_print(const struct request *request, const struct analysis *analysis, size_t row_count)
{
    const struct profile *profile = &analysis->profile;
    unsigned kinds = analysis->reports;
    bool has_zeros = request->options->style.has_zeros;
    if (kinds == 0)
        warning(request->diagnostics, MSG_NO_REPORT);
    if ((kinds & (REPORT_FLAT | REPORT_GRAPH | REPORT_TOP)) != 0)
        warn_about_samples(request, profile);
    if ((kinds & ~(unsigned)REPORT_INFO) != 0)
        warn_about_calls(request, analysis);
    if ((kinds & REPORT_FLAT) != 0 && !has_zeros && !has_any(profile, NULL))
        warning(request->diagnostics, MSG_EMPTY_FLAT);
    else if ((kinds & REPORT_FLAT) != 0 && !has_zeros && !has_any(profile, &profile->filters.flat))
        warning(request->diagnostics, MSG_NO_FLAT_LEFT);
    if ((kinds & REPORT_GRAPH) != 0)
        warn_about_graph(request, profile);
    if ((kinds & REPORT_TOP) != 0 && row_count == 0)
        warning(request->diagnostics, has_any(profile, NULL) ? MSG_NO_TOP_LEFT : MSG_EMPTY_TOP);
    if (analysis->snapshot.snapshot.extras.placement != NULL)
        warn_about_order(request, &analysis->placement);
    if ((kinds & REPORT_COUNTS) != 0 && !has_zeros)
        warn_about_counts(request, profile);
    if ((kinds & REPORT_SOURCE) != 0)
        warn_about_sources(request, profile);
    else if (needs_lines(request, analysis))
        warn_about_lines(request, profile);
}

/* ---- Notes ---- */

enum { REPORTS_OF_TIMES = REPORT_FLAT | REPORT_GRAPH };

/* Names the first profile that was written before the image was changed.  That does not prove
   another build: copying the image changes its time.  */
static void note_age(const struct request *request, const struct profile *profile)
{
    struct stat status;
    for (size_t i = 0; i < profile->info_count && image_has_code(request->image); i++) {
        const char *path = profile->infos[i].path;
        if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
            image_modified(request->image) > status.st_mtime) {
            note(request->diagnostics, MSG_IMAGE_NEWER, image_path(request->image), path);
            return;
        }
    }
}

static bool has_calls(const struct profile *profile)
{
    for (uint32_t s = 0; s < profile->symtab.count; s++)
        if ((profile->arcs.calls[s] | profile->arcs.self_calls[s]) != 0)
            return true;
    return false;
}

/* Whether some profile with calls has no mark that these were counted exactly.  */
static bool may_lack_calls(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].arcs > 0 && !profile->infos[i].counts_all_threads)
            return true;
    return false;
}

static void note_threads(const struct request *request, const struct analysis *analysis)
{
    if ((analysis->reports & ~(unsigned)REPORT_INFO) != 0 && has_calls(&analysis->profile) &&
        may_lack_calls(&analysis->profile) && image_traits(request->image).can_start_threads)
        note(request->diagnostics, MSG_THREADS, image_path(request->image));
}

/* Prints a note if the default reports lack the call graph, or other reports than the flat profile
   numbers of calls, since the image counts no calls.  */
static void note_no_calls(const struct request *request, const struct analysis *analysis)
{
    unsigned reports = analysis->reports;
    const unsigned without_calls = /* or with a warning of its own */
        REPORT_FLAT | REPORT_CODE | REPORT_INFO | REPORT_COUNTS | REPORT_SOURCE;
    bool is_default = request->options->reports_named == 0 && reports == REPORT_FLAT;
    if (!analysis->profile.is_uncounted || !image_counts_no_calls(request->image) ||
        request->options->compare.base != NULL || (!is_default && (reports & ~without_calls) == 0))
        return;
    if (analysis->object_calls.count > 0) {
        note(request->diagnostics, MSG_COUNTED_IN_OBJECTS, image_path(request->image));
        return;
    }
    struct image_traits traits = image_traits(request->image);
    bool is_linked = is_default && image_profiling_gap(&traits) == GAP_COMPILING;
    note(request->diagnostics, is_linked ? MSG_ONLY_LINKED : MSG_NOT_COUNTED,
         image_path(request->image));
}

/* Whether a table, the tree or the page shows times.  A comparison says itself what it can see.  */
static bool shows_own_times(const struct request *request, const struct analysis *analysis)
{
    const struct export_format *format = request->plan->format;
    return (analysis->reports & (REPORT_TOP | REPORT_TREE)) != 0 ||
           ((analysis->reports & (REPORT_SNAPSHOT | REPORT_COMPARISON)) == REPORT_SNAPSHOT &&
            format != NULL && format->is_page);
}

/* Prints a note if times are uncertain.  N samples have an error of sqrt (N), 5 % of 400.  Of a
   function with the share P it is sqrt (N * P * (1 - P)), at most sqrt (N) / 2; the reports of GNU
   gprof are often read by programs, which need no such note.  */
static void note_few_samples(const struct request *request, const struct analysis *analysis)
{
    struct diagnostics *diagnostics = request->diagnostics;
    const double few = 100, enough = 400;
    const double usual = 100, most = 10000; /* samples per second: each takes time */
    const struct hist_set *hist = &analysis->profile.hist;
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    bool has_stacks = recorded_has_stacks(stacks);
    double samples = has_stacks ? stacks->counted : hist->samples;
    double rate = has_stacks ? stacks->rate : hist->rate;
    bool is_top = shows_own_times(request, analysis);
    bool is_shown = (analysis->reports & REPORTS_OF_TIMES) != 0 && isatty(STDERR_FILENO) &&
                    !request->plan->style.is_brief;
    if ((!is_top && !is_shown) || samples <= 0 || samples >= few ||
        !figures_traits(hist->figures)->has_samples)
        return;
    char number[60];
    snprintf(number, sizeof number,
             recorded_are_unequal(stacks) ? _(EFFECTIVE_SAMPLES) : _(PLAIN_SAMPLES), samples);
    if (samples <= 1)
        note(diagnostics, MSG_ONE_SAMPLE);
    else if (is_top && (request->inputs->has_stacks || rate >= most)) /* not by regmon -r */
        note(diagnostics, MSG_RECORD_LONGER, number, 100 / sqrt(samples), enough);
    else if (is_top)
        note(diagnostics, MSG_RUN_LONGER, number, 100 / sqrt(samples), enough,
             fmin(most, (rate > 0 ? rate : usual) * ceil(enough / samples)));
    else
        note(diagnostics, MSG_FEW_SAMPLES, number, 50 / sqrt(samples));
}

/* Tables say it below: pages, other formats and comparisons do not.  */
static void note_unsampled(const struct request *request, const struct analysis *analysis)
{
    const unsigned tables = REPORT_TOP | REPORT_TREE | REPORT_CODE | REPORT_GRAPH;
    double unsampled = analysis->profile.recorded.missing.unsampled;
    double run = analysis->profile.recorded.missing.run;
    bool is_below = (analysis->reports & tables) != 0 && request->plan->format == NULL &&
                    request->plan->mode != MODE_COMPARE;
    if (unsampled > 0 && !is_below)
        note(request->diagnostics, NOTE_UNSAMPLED, unsampled, run, 100 * unsampled / run);
}

void hints_print_notes(const struct request *request, const struct analysis *analysis)
{
    if (request->diagnostics->is_quiet)
        return;
    note_few_samples(request, analysis);
    note_age(request, &analysis->profile);
    note_threads(request, analysis);
    note_no_calls(request, analysis);
    note_unsampled(request, analysis);
}
