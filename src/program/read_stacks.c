/* read_stacks.c - reads the call stacks that were recorded with profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/read_stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "input/profile_totals.h"
#include "input/stack_file.h"
#include "program/find_record.h"
#include "program/read_objects.h"
#include "program/stated_times.h"
#include "stacks/measure_stacks.h"
#include "symbols/symtab.h"

/* ---- Reading ---- */

static bool are_asked_for(const struct stacks_plan *stacks)
{
    return stacks->source == STACKS_BESIDE;
}

/* Says why stacks cannot be used: an error if they were asked for.  False.  */
#define reject(request, ...)                                                                       \
    (are_asked_for((request)->stacks) ? (void)problem(__VA_ARGS__)                                 \
                                      : warning((request)->diagnostics, __VA_ARGS__),              \
     false)

/* Whether a file of stacks that says ORIGIN was written by the program IMAGE.  */
static bool are_of_program(struct image *image, const struct stacks_origin *origin)
{
    char *build_id = image_build_id(image);
    bool ok =
        build_id == NULL || origin->build_id[0] == '\0' || strcmp(build_id, origin->build_id) == 0;
    free(build_id);
    return ok;
}

/* Chooses the sections of the image in FILE, or those that were written with a profile of these
   TOTALS, unless that is NULL.  */
static void choose_sections(struct stack_file *file, const struct request *request,
                            const struct profile_file *profile)
{
    char *build_id = image_build_id(request->image);
    const struct program_file program = {build_id, image_path(request->image),
                                         request->run->called};
    file->thread = foreign_thread(&request->options->inputs.foreign);
    stack_file_choose(file, &program, profile);
    free(build_id);
}

/* A profile, and the file of stacks beside it.  */
struct stacked_profile {
    struct profile_file file;
    const char *stacks; /* NULL if there are none */
    bool is_usable; /* by what the profile itself says; one that is not has its messages later */
    bool is_stacks; /* the file of stacks is the profile */
};

static struct stacked_profile *stacked_profiles(const struct profile_list *inputs)
{
    struct stacked_profile *profiles = mem_array(inputs->count, sizeof *profiles);
    for (size_t i = 0; i < inputs->count; i++) {
        profiles[i].file.path = inputs->paths[i];
        profiles[i].is_stacks = profiles[i].is_usable = stack_file_is_named(inputs->paths[i]);
    }
    return profiles;
}

/* Reads the totals of all PROFILES, in order: those that cannot be added to the ones before are not
   usable.  */
static void read_totals(const struct request *request, struct stacked_profile *profiles)
{
    const struct gmon_layout layout = image_layout(request->image);
    struct hist_set set = {0};
    for (size_t i = 0; i < request->inputs->count; i++)
        if (!profiles[i].is_stacks)
            profiles[i].is_usable =
                profile_totals_read(&profiles[i].file.totals, &set, profiles[i].file.path,
                                    request->options->inputs.format, &layout);
    hist_free(&set);
}

/* Whether stacks that say ORIGIN, and of which LEAVES are known, were written with PROFILE.  */
static bool is_pair(const struct request *request, const struct analysis *analysis,
                    const struct stacked_profile *profile, const struct stacks_origin *origin,
                    const struct stack_leaves *leaves)
{
    const struct gmon_layout layout = image_layout(request->image);
    const struct symtab *symtab = &analysis->profile.symtab;
    const struct function_starts functions = {symtab->starts, symtab->found};
    if (profile->is_stacks)
        return true;
    return stacks_are_of_profile(origin, &profile->file.totals) &&
           (origin->has_checksum || stack_leaves_fit(leaves, &functions, profile->file.path,
                                                     request->options->inputs.format, &layout));
}

/* Warns if a hundredth of the samples in the histogram has no stacks in the file at PATH.  */
static void warn_about_few(const struct request *request, const struct stacks_origin *origin,
                           const char *path)
{
    uint64_t samples = origin->totals.samples, found = origin->in_program;
    if (found < samples - samples / 100 &&
        foreign_thread(&request->options->inputs.foreign) == NULL)
        warning(request->diagnostics, MSG_STACKS_FEW, path, (unsigned long long)found,
                (unsigned long long)samples);
}

/* Opens the file at PATH, unless FILE is that already: profiles of one run share a record.  False
   after a message.  */
static bool open_once(struct stack_file *file, const char *path)
{
    if (file->path != NULL && strcmp(file->path, path) == 0)
        return true;
    stack_file_close(file);
    return stack_file_open(file, path);
}

/* Adds the stacks beside PROFILE; FILE may be that of the profile before.  False after a message if
 * they do not belong there.  */
static bool read_stacks_beside(const struct request *request, struct analysis *analysis,
                               const struct stacked_profile *profile, struct stack_file *file)
{
    struct recorded_stacks *stacks = &analysis->profile.recorded;
    struct stacks_origin origin;
    struct stack_leaves leaves = {0};
    size_t calls_count = stacks->objects.call_count;
    bool ok = open_once(file, profile->stacks);
    if (ok)
        choose_sections(file, request, profile->is_stacks ? NULL : &profile->file);
    ok = ok && stack_file_read(stacks, &origin, &leaves, file);
    for (size_t i = calls_count; i < stacks->objects.call_count; i++)
        stacks->objects.calls[i].profile = profile->file.path;
    bool fits = ok && is_pair(request, analysis, profile, &origin, &leaves);
    stack_leaves_free(&leaves);
    if (!ok)
        return are_asked_for(request->stacks)
                   ? false
                   : reject(request, MSG_STACKS_DAMAGED, profile->stacks);
    if (analysis->origin.totals.high == 0)
        analysis->origin = origin;
    if (stacks->rules.keeps_files)
        stacks->tree.columns[stacks->tree.column_count - 1].profile = profile->file.path;
    bool is_other = !are_of_program(request->image, &origin);
    if (is_other && fits && request->plan->refuses_others && !are_asked_for(request->stacks)) {
        analysis->is_refused = true;
        return problem(MSG_REFUSED_STACKS, profile->stacks, image_path(request->image));
    }
    if (is_other)
        return reject(request, MSG_STACKS_OF_PROGRAM, profile->stacks, image_path(request->image));
    if (!fits)
        return reject(request, MSG_STACKS_OF_PROFILE, profile->stacks, profile->file.path);
    warn_about_few(request, &origin, profile->stacks);
    return true;
}

/* Whether a profile is left out, so that it needs no stacks.  Standard input and pipes are read
   later.  */
static bool is_skipped(const struct options *options, const struct stacked_profile *profile)
{
    struct stat status;
    bool is_stream = strcmp(profile->file.path, "-") == 0 ||
                     (stat(profile->file.path, &status) == 0 && !S_ISREG(status.st_mode));
    return options->inputs.skip_bad && !is_stream && !profile->is_usable;
}

/* The first of the profiles that lacks stacks, or NULL.  */
static const char *find_missing(const struct request *request,
                                const struct stacked_profile *profiles)
{
    for (size_t i = 0; i < request->inputs->count; i++)
        if (profiles[i].stacks == NULL && !is_skipped(request->options, &profiles[i]))
            return profiles[i].file.path;
    return NULL;
}

/* Reads the files of stacks of PROFILES, the first of which is FOUND, or NULL.  False after a
   message if they cannot be used.  */
static bool read_stacks_of(const struct request *request, struct analysis *analysis,
                           struct stacked_profile *profiles, const char *found)
{
    if (found == NULL && !are_asked_for(request->stacks))
        return true;
    if (found != NULL && request->stacks->obstacle != NULL) {
        note(request->diagnostics, MSG_STACKS_UNUSED, found, request->stacks->obstacle);
        return true;
    }
    read_totals(request, profiles);
    const char *missing = find_missing(request, profiles);
    if (missing != NULL)
        return found == NULL ? problem(MSG_STACKS_NOWHERE, missing)
                             : reject(request, MSG_STACKS_MISSING, missing);
    struct stack_file file = {0};
    bool ok = true;
    for (size_t i = 0; i < request->inputs->count && ok; i++)
        ok = !profiles[i].is_usable || read_stacks_beside(request, analysis, &profiles[i], &file);
    stack_file_close(&file);
    return ok;
}

/* Reads the files of stacks of all profiles.  False after a message if they cannot be used.  */
static bool read_stacks_of_profiles(const struct request *request, struct analysis *analysis,
                                    struct arena *arena)
{
    struct stacked_profile *profiles = stacked_profiles(request->inputs);
    const char *found = NULL;
    for (size_t i = 0; i < request->inputs->count; i++) {
        profiles[i].stacks = stack_file_beside(arena, profiles[i].file.path);
        found = found == NULL ? profiles[i].stacks : found;
    }
    bool ok = read_stacks_of(request, analysis, profiles, found);
    free(profiles);
    return ok;
}

/* Whether a file that says ORIGIN was written with the profiles of REQUEST, or does not say so.  */
static bool is_of_profiles(const struct request *request, const struct stacks_origin *origin)
{
    struct stacked_profile *profiles = stacked_profiles(request->inputs);
    struct profile_totals all = {0};
    read_totals(request, profiles);
    for (size_t i = 0; i < request->inputs->count; i++) {
        const struct profile_totals *totals = &profiles[i].file.totals;
        uint64_t samples = all.samples + totals->samples;
        uint64_t checksum = all.checksum + totals->checksum;
        if (!profiles[i].is_usable)
            continue;
        if (all.high == 0) /* those of a sum say the first range */
            all = *totals;
        all.samples = samples;
        all.checksum = checksum;
    }
    free(profiles);
    return origin->totals.high == 0 || all.high == 0 || stacks_are_of_profile(origin, &all);
}

/* Reads the file that is named, and warns if it does not belong to the profiles.  */
static bool read_named_stacks(const struct request *request, struct analysis *analysis)
{
    const char *path = request->options->inputs.stacks;
    struct recorded_stacks *stacks = &analysis->profile.recorded;
    struct stack_file file;
    bool ok = stack_file_open(&file, path);
    if (ok)
        choose_sections(&file, request, NULL);
    ok = ok && stack_file_read(stacks, &analysis->origin, NULL, &file);
    stack_file_close(&file);
    if (!ok)
        return false;
    for (size_t i = 0; i < stacks->objects.call_count && request->inputs->count == 1; i++)
        stacks->objects.calls[i].profile = request->inputs->paths[0];
    if (!are_of_program(request->image, &analysis->origin) ||
        !is_of_profiles(request, &analysis->origin))
        warning(request->diagnostics, MSG_STACKS_OF_OTHERS, path);
    return true;
}

bool read_stack_files(const struct request *request, struct analysis *analysis)
{
    const struct stacks_plan *plan = request->stacks;
    struct arena arena = {0};
    if (analysis->has_read_stacks ||
        (plan->source == STACKS_NONE && !plan->adds && plan->obstacle == NULL))
        return true;
    analysis->has_read_stacks = true;
    if (plan->source == STACKS_FILE)
        return read_named_stacks(request, analysis);
    bool ok = read_stacks_of_profiles(request, analysis, &arena);
    arena_free(&arena);
    if (!ok)
        recorded_stacks_free(&analysis->profile.recorded);
    return ok || (!are_asked_for(request->stacks) && !analysis->is_refused);
}

bool read_unused_stacks(const struct request *request, struct analysis *analysis)
{
    struct recorded_stacks *stacks = &analysis->profile.recorded;
    struct stacks_origin origin;
    struct stack_leaves leaves = {0};
    struct arena arena = {0};
    if (request->stacks->source != STACKS_NONE || request->options->inputs.has_no_stacks ||
        request->inputs->count != 1 || analysis->has_read_stacks)
        return false;
    struct stacked_profile *profiles = stacked_profiles(request->inputs), profile = profiles[0];
    struct stack_file file = {0};
    free(profiles);
    profile.stacks = stack_file_beside(&arena, profile.file.path);
    if (profile.stacks != NULL)
        read_totals(request, &profile);
    bool is_read = profile.is_usable && stack_file_open(&file, profile.stacks);
    if (is_read)
        choose_sections(&file, request, profile.is_stacks ? NULL : &profile.file);
    is_read = is_read && stack_file_read(stacks, &origin, &leaves, &file);
    stack_file_close(&file);
    if (profile.is_usable && !is_read)
        warning(request->diagnostics, MSG_STACKS_DAMAGED, profile.stacks);
    bool fits = is_read && are_of_program(request->image, &origin) &&
                is_pair(request, analysis, &profile, &origin, &leaves);
    stack_leaves_free(&leaves);
    arena_free(&arena);
    if (fits) {
        stacks_name(stacks, &analysis->profile.symtab, NULL);
        recorded_measure(stacks);
    } else
        recorded_stacks_free(stacks);
    return fits;
}

const char *read_stacks_name(const struct request *request, struct arena *arena)
{
    if (request->inputs->has_stacks)
        return request->inputs->paths[0];
    if (request->stacks->source == STACKS_FILE)
        return request->options->inputs.stacks;
    return request->inputs->count == 1 ? stack_file_beside(arena, request->inputs->paths[0])
                                       : _(STACKS_BESIDE_PROFILES);
}

static void warn_about_stacks(const struct request *request, const struct profile *profile,
                              const char *name, double nameless)
{
    const struct recorded_stacks *stacks = &profile->recorded;
    bool is_found = request->stacks->source == STACKS_FOUND;
    if (stacks->counted == 0 && !is_found)
        warning(request->diagnostics, MSG_NO_STACKS, name);
    else if (nameless > stacks->all.sum / 2)
        warning(request->diagnostics, MSG_FOREIGN_STACKS, name, image_path(request->image));
    else if (stacks->missing.cut > stacks->counted / 100)
        note(request->diagnostics, MSG_CUT_STACKS, name,
             100 * stacks->missing.cut / stacks->counted);
}

/* Takes the stacks of a foreign profile.  */
static void take_stacks(const struct request *request, struct analysis *analysis)
{
    struct foreign *foreign = request->foreign;
    analysis->has_read_stacks = true;
    bool is_estimated = foreign->stated.times == FOREIGN_ESTIMATED ||
                        (foreign->stated.times == FOREIGN_STATED && request->plan->by_line);
    if (is_estimated)
        return;
    analysis->profile.recorded = foreign->stacks;
    foreign->stacks = (struct recorded_stacks){0};
}

/* Whether the reports show calls of functions in other objects.  Except for the call graph, those
   of GNU gprof do not, and sums have the counts of the program.  */
static bool shows_object_calls(const struct request *request)
{
    const struct plan *plan = request->plan;
    return plan->sum_path == NULL && (plan->is_own || plan->reports == REPORT_GRAPH);
}

/* Names the stacks, those in other objects by the functions of these unless --fold-libraries is
   given, and reads the calls of these functions.  *NAMELESS is what stacks_name returns.  False
   after a message.  */
static bool name_stacks(const struct request *request, struct analysis *analysis, double *nameless)
{
    const struct symtab *symtab = &analysis->profile.symtab;
    struct recorded_stacks *stacks = &analysis->profile.recorded;
    stacks->rules.folds_libraries = request->options->inputs.foreign.folds_libraries;
    if (stacks->rules.folds_libraries || stacks->rules.is_foreign) {
        *nameless = stacks_name(stacks, symtab, NULL);
        return true;
    }
    analysis->objects = read_objects(request, stacks);
    *nameless = stacks_name(stacks, symtab, analysis->objects.code);
    bool ok = !shows_object_calls(request) || stacks->counted == 0 ||
              read_object_calls(&analysis->object_calls, request, &analysis->objects, stacks);
    if (!stacks->rules.keeps_places)
        free_objects(&analysis->objects);
    return ok;
}

/* Whether it is known in which object code is.  */
static bool knows_objects(const struct request *request, const struct profile *profile)
{
    bool is_known = false;
    for (size_t i = 0; i < profile->symtab.count && !is_known; i++)
        is_known = image_object_at(request->image, profile->symtab.symbols[i].addr) != NULL;
    return is_known && profile->recorded.objects.names.count > 0;
}

bool read_stacks(const struct request *request, struct analysis *analysis)
{
    struct recorded_stacks *stacks = &analysis->profile.recorded;
    struct arena arena = {0};
    stacks->rules.keeps_files =
        request->plan->has_idle || (request->plan->reports & REPORT_PER_FILE) != 0;
    enum top_group by = request->options->top.by;
    stacks->rules.keeps_threads |= request->plan->keeps_threads;
    if (request->inputs->has_stacks)
        take_stacks(request, analysis);
    if (!read_stack_files(request, analysis))
        return false;
    if ((by == TOP_THREADS && stacks->threads.numbers.count == 0) ||
        (by == TOP_OBJECTS && !knows_objects(request, &analysis->profile))) {
        problem(by == TOP_THREADS ? MSG_NO_THREADS : MSG_NO_OBJECTS,
                read_stacks_name(request, &arena));
        arena_free(&arena);
        return false;
    }
    if (by >= TOP_PROGRAMS && foreign_thread(&request->options->inputs.foreign) != NULL) {
        arena_free(&arena);
        return problem(MSG_NOT_TOGETHER, by == TOP_PROGRAMS ? "--by=program" : "--by=process",
                       "--thread");
    }
    if (by >= TOP_PROGRAMS && !found_run_is_known(request->run, by)) {
        struct name_list names = {0};
        for (size_t i = 0; i < request->inputs->count; i++)
            name_list_add(&names, request->inputs->paths[i]);
        arena_free(&arena);
        return problem(MSG_NO_PROCESSES, names.text, by == TOP_PROGRAMS ? "program" : "process");
    }
    if (request->stacks->source == STACKS_NONE || stacks->objects.names.count == 0)
        return true;
    stacks->missing.unsampled = request->run->unsampled;
    stacks->missing.run = request->run->seconds;
    if (stacks->all.squares > stacks->all.sum) {
        recorded_stacks_scale(stacks, stacks->all.sum, stacks->all.squares);
        stacks->has_weights = true;
    }
    stacks->rules.is_by_line = request->plan->by_line;
    stacks->rules.keeps_places = (request->plan->reports & REPORT_CODE) != 0;
    double nameless;
    bool ok = name_stacks(request, analysis, &nameless);
    if (by == TOP_THREADS)
        stacks_keep_threads(stacks);
    recorded_measure(stacks);
    if (stacks->rules.is_stated)
        take_stated_times(stacks, &analysis->profile.symtab, request->foreign);
    warn_about_stacks(request, &analysis->profile, read_stacks_name(request, &arena), nameless);
    for (size_t i = 0; i < stacks->frames.other_count && stacks->counted > 0; i++)
        symtab_add_object(&analysis->profile.symtab, stacks->frames.others[i].name);
    arena_free(&arena);
    return ok;
}
