/* mode_sum.c - writes the sum of profiles (-s), and prints the reports of it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/free_profile.h"
#include "base/files.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/write_stacks.h"
#include "model/hist_set.h"
#include "program/analyse.h"
#include "program/find_record.h"
#include "program/hints.h"
#include "program/image_check.h"
#include "program/modes.h"
#include "program/output.h"
#include "program/read_profiles.h"
#include "program/read_stacks.h"
#include "program/write_sum.h"
#include "symbols/symtab.h"

/* ---- Adding up ---- */

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

static void sum_up_histogram(void *context, const struct hist_record *h)
{
    const struct sum_sink *sink = context;
    struct hist_set *set = &sink->profile->hist;
    struct rate_factors factors;
    hist_rate_factors(&factors, set, h->header.rate);
    hist_multiply(set, factors.set);
    hist_add_record(set, h, factors.added);
}

static void end_sum(void *context, const char *path)
{
    struct sum_sink *sink = context;
    image_check_profile(&sink->check, path);
}

/* Reads the profiles of REQUEST and adds their counts to SUM, and their histograms to PROFILE; the
   filters of FILTERING select arcs.  */
static bool add_up(const struct request *request, struct profile *profile,
                   struct address_totals *sum, const struct profile *filtering)
{
    struct sum_sink totals = {.profile = profile,
                              .filtering = filtering,
                              .sum = sum,
                              .is_filtering =
                                  symspecs_arc_option(&request->options->analysis.specs) != 0,
                              .check = {.image = request->image,
                                        .diagnostics = request->diagnostics,
                                        .format = request->options->inputs.format,
                                        .refuses_names = !request->options->inputs.is_forced,
                                        .has_slide = request->has_slide,
                                        .given = request->slide}};
    const struct profile_sink sink = {&totals,    begin_sum,    sum_up_histogram,
                                      sum_up_arc, sum_up_block, end_sum};
    bool ok = read_inputs(request, profile, &sink, true, RATES_EXACT);
    ok = image_check_end(&totals.check) && ok;
    return ok;
}

/* ---- Writing ---- */

/* Removes the stacks at PATH of an earlier sum, which belong to this one no more, and no other
   file. Stacks that cannot be removed do no harm: reports compare them with the sum.  */
static void remove_stacks(const char *path, const struct request *request)
{
    struct stat status;
    if (stat(path, &status) == 0 && stack_file_is_written(path) &&
        !output_stacks_are_input(&status, request))
        (void)unlink(path);
}

/* The stacks of PROGRAM in the COUNT files, added up, as a section.  False after a message.  */
static bool write_program(FILE *out, struct stack_file *files, size_t count,
                          const struct program_file *program)
{
    struct recorded_stacks stacks = {.rules.keeps_threads = true};
    struct stacks_origin sum = {.has_checksum = true}, origin;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        if (stack_file_choose_program(&files[i], program) == 0)
            continue;
        ok = stack_file_read(&stacks, &origin, NULL, &files[i]);
        stacks_origin_add(&sum, &origin);
    }
    if (ok)
        write_stacks(out, &stacks, &sum);
    recorded_stacks_free(&stacks);
    return ok;
}

/* Whether a section before number SECTION of file FILE is of PROGRAM.  */
static bool is_written(const struct stack_file *files, size_t file, size_t section,
                       const struct program_file *program)
{
    bool is_there = false;
    for (size_t i = 0; i <= file && !is_there; i++)
        for (size_t k = 0; k < (i < file ? files[i].count : section) && !is_there; k++)
            is_there = stack_section_is_of(&files[i].sections[k], program);
    return is_there;
}

/* Writes the stacks of other programs than the one of the sum, if the records are read for all of
   them: each program's are added up.  One with a damaged section is left out.  False after a
   message.  */
static bool write_other_programs(FILE *out, const struct request *request)
{
    const struct found_run *run = request->run;
    bool are_operands = run->profiles != NULL && are_records(run->profiles, run->count);
    size_t count = !run->has_others ? 0 : are_operands ? run->count : 1;
    struct stack_file *files = mem_array(count, sizeof *files);
    char *build_id = image_build_id(request->image);
    const struct program_file own = {build_id, image_path(request->image), NULL};
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = stack_file_open(&files[i], are_operands ? run->profiles[i] : run->record.path);
    for (size_t i = 0; i < count && ok; i++)
        for (size_t k = 0; k < files[i].count; k++) {
            const struct program_file program = stack_section_program(&files[i].sections[k]);
            if (!stack_section_is_of(&files[i].sections[k], &own) &&
                !is_written(files, i, k, &program))
                ok &= write_program(out, files, count, &program);
        }
    for (size_t i = 0; i < count; i++)
        stack_file_close(&files[i]);
    free(files);
    free(build_id);
    return ok;
}

/* Writes the stacks beside the sum, which has been written, or sees to it that none are there.  The
   totals are those of the sum in memory: another gprof may have replaced the file.  False after a
   message.  */
static bool write_stacks_of_sum(const struct request *request, const struct analysis *analysis)
{
    const char *sum_path = request->plan->sum_path;
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    struct stacks_origin origin = analysis->origin;
    struct atomic_file file;
    struct arena arena = {0};
    struct stat status;
    if (strcmp(sum_path, "-") == 0 || stat(sum_path, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    const char *path = stack_file_path(&arena, sum_path);
    bool ok = true;
    if (!request->stacks->adds || stacks->objects.names.count == 0) {
        remove_stacks(path, request);
    } else {
        origin.totals = profile_totals_of(&analysis->profile.hist);
        ok = atomic_file_begin(&file, path);
        if (ok) {
            write_stacks(file.file, stacks, &origin);
            ok = write_other_programs(file.file, request);
            ok = atomic_file_end(&file) && ok;
        }
    }
    arena_free(&arena);
    return ok;
}

/* Whether the stacks of the sum replace no record that is added, unless that is an earlier sum's.
   False after a message.  */
static bool spares_records(const struct request *request)
{
    const struct found_run *run = request->run;
    struct stat sum, stacks;
    struct arena arena = {0};
    const char *path = stack_file_path(&arena, request->plan->sum_path);
    bool ok = true;
    if (stat(request->plan->sum_path, &sum) != 0 && stat(path, &stacks) == 0)
        for (size_t i = 0; i < run->count && ok && run->profiles != NULL; i++)
            ok = !is_file(&stacks, run->profiles[i]) || problem(MSG_OUTPUT_IS_INPUT, path);
    arena_free(&arena);
    return ok;
}

/* Adds up the profiles and writes the sum.  Histograms and file infos are added to the profile of
   ANALYSIS, arcs and blocks to its sum.  Symbols are used only if options select arcs.  False after
   a message.  */
static bool sum_profiles(const struct request *request, struct analysis *analysis)
{
    const struct options *options = request->options;
    struct profile *profile = &analysis->profile;
    const struct gmon_layout layout = image_layout(request->image);
    if (!add_up(request, profile, &analysis->sum, profile))
        return false;
    if (profile->info_count == 0)
        return problem(MSG_NOTHING_TO_ADD, request->plan->sum_path);
    profile->recorded.rules.keeps_threads = true;
    if (!read_stack_files(request, analysis))
        return false;
    analysis->sum.counts_all_threads = counts_all_threads(profile);
    return may_write_output(request->diagnostics) &&
           output_spares_inputs(request->plan->sum_path, true, request, NULL, NULL) &&
           spares_records(request) &&
           write_sum(&profile->hist, &analysis->sum, &layout, options->inputs.format,
                     request->plan->sum_path) &&
           write_stacks_of_sum(request, analysis);
}

int mode_sum(const struct request *request)
{
    struct analysis analysis = {.reports = request->plan->reports};
    bool is_filtering = symspecs_arc_option(&request->options->analysis.specs) != 0;
    bool ok =
        (!is_filtering || analyse_symbols(request, &analysis)) && sum_profiles(request, &analysis);
    if (ok && analysis.reports != 0) {
        ok = report(request, &analysis);
    } else if (ok) {
        hints_print_notes(request, &analysis);
        ok = analysis.profile.bad_count == 0;
    }
    analysis_free(&analysis);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
