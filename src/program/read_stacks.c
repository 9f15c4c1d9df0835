/* read_stacks.c - reads the stacks of a run, and says below the table what they cover.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/read_stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/diagnostics.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "input/stack_file.h"
#include "program/find_profiles.h"
#include "stacks/measure_stacks.h"
#include "symbols/symtab.h"

/* ---- Reading ---- */

static bool are_asked_for(const struct run *run)
{
    return run->plan->stacks == STACKS_BESIDE;
}

/* Says why stacks cannot be used: an error if they were asked for.  False.  */
#define reject(run, ...)                                                                           \
    (are_asked_for(run) ? (void)problem(__VA_ARGS__) : warning((run)->diagnostics, __VA_ARGS__),   \
     false)

/* Whether a file that says ORIGIN was written by the program of RUN.  */
static bool is_of_program(const struct run *run, const struct stacks_origin *origin)
{
    char *build_id = image_build_id(run->image);
    bool ok =
        build_id == NULL || origin->build_id[0] == '\0' || strcmp(build_id, origin->build_id) == 0;
    free(build_id);
    return ok;
}

static bool is_of_profile(const struct profile_totals *said, const struct profile_totals *found)
{
    return said->high != 0 && said->low == found->low && said->high == found->high &&
           said->rate == found->rate && said->samples == found->samples;
}

/* A profile, and the file of stacks beside it.  */
struct stacked_profile {
    const char *path, *stacks; /* stacks: NULL if there are none */
    struct profile_totals totals;
    bool is_usable; /* by what the profile itself says; one that is not has its messages later */
};

static struct stacked_profile *list_profiles(const struct run *run)
{
    struct stacked_profile *profiles = mem_array(run->inputs.count, sizeof *profiles);
    for (size_t i = 0; i < run->inputs.count; i++)
        profiles[i].path = run->inputs.paths[i];
    return profiles;
}

/* Reads the totals of all PROFILES, in order: those that cannot be added to the ones before are not
   usable.  */
static void read_totals(const struct run *run, struct stacked_profile *profiles)
{
    const struct gmon_layout layout = image_layout(run->image);
    struct hist_set set = {0};
    for (size_t i = 0; i < run->inputs.count; i++)
        profiles[i].is_usable = profile_totals_read(&profiles[i].totals, &set, profiles[i].path,
                                                    run->options->inputs.format, &layout);
    hist_free(&set);
}

/* Adds the stacks beside PROFILE.  False after a message if they do not belong there.  */
static bool read_stacks_beside(struct run *run, const struct stacked_profile *profile)
{
    struct recorded_stacks *stacks = &run->profile.recorded;
    struct stacks_origin origin;
    if (!stack_file_read(stacks, &origin, profile->stacks))
        return are_asked_for(run) ? false : reject(run, MSG_STACKS_DAMAGED, profile->stacks);
    if (run->origin.totals.high == 0)
        run->origin = origin;
    if (stacks->keeps_files)
        stacks->files[stacks->file_count - 1].profile = profile->path;
    if (!is_of_program(run, &origin))
        return reject(run, MSG_STACKS_OF_PROGRAM, profile->stacks, image_path(run->image));
    return is_of_profile(&origin.totals, &profile->totals) ||
           reject(run, MSG_STACKS_OF_PROFILE, profile->stacks, profile->path);
}

/* Whether a profile is left out, so that it needs no stacks.  Standard input and pipes are read
   later.  */
static bool is_skipped(const struct run *run, const struct stacked_profile *profile)
{
    struct stat status;
    bool is_stream = strcmp(profile->path, "-") == 0 ||
                     (stat(profile->path, &status) == 0 && !S_ISREG(status.st_mode));
    return run->options->inputs.skip_bad && !is_stream && !profile->is_usable;
}

/* The first of the profiles that lacks stacks, or NULL.  */
static const char *find_missing(const struct run *run, const struct stacked_profile *profiles)
{
    for (size_t i = 0; i < run->inputs.count; i++)
        if (profiles[i].stacks == NULL && !is_skipped(run, &profiles[i]))
            return profiles[i].path;
    return NULL;
}

/* Reads the files of stacks of PROFILES, the first of which is FOUND, or NULL.  False after a
   message if they cannot be used.  */
static bool read_stacks_of(struct run *run, struct stacked_profile *profiles, const char *found)
{
    if (found == NULL && !are_asked_for(run))
        return true;
    if (found != NULL && run->plan->stacks_obstacle != NULL) {
        note(run->diagnostics, MSG_STACKS_UNUSED, found, run->plan->stacks_obstacle);
        return true;
    }
    read_totals(run, profiles);
    const char *missing = find_missing(run, profiles);
    if (missing != NULL)
        return found == NULL ? problem(MSG_STACKS_NOWHERE, missing)
                             : reject(run, MSG_STACKS_MISSING, missing);
    for (size_t i = 0; i < run->inputs.count; i++)
        if (profiles[i].is_usable && !read_stacks_beside(run, &profiles[i]))
            return false;
    return true;
}

/* Reads the files of stacks of all profiles.  False after a message if they cannot be used.  */
static bool read_stacks_of_profiles(struct run *run, struct arena *arena)
{
    struct stacked_profile *profiles = list_profiles(run);
    const char *found = NULL;
    for (size_t i = 0; i < run->inputs.count; i++) {
        profiles[i].stacks = stack_file_beside(arena, profiles[i].path);
        found = found == NULL ? profiles[i].stacks : found;
    }
    bool ok = read_stacks_of(run, profiles, found);
    free(profiles);
    return ok;
}

/* Whether a file that says ORIGIN was written with the profiles of RUN, or does not say so.  */
static bool is_of_profiles(const struct run *run, const struct stacks_origin *origin)
{
    struct stacked_profile *profiles = list_profiles(run);
    struct profile_totals all = {0};
    read_totals(run, profiles);
    for (size_t i = 0; i < run->inputs.count; i++) {
        uint64_t samples = all.samples + profiles[i].totals.samples;
        if (!profiles[i].is_usable)
            continue;
        all = profiles[i].totals;
        all.samples = samples;
    }
    free(profiles);
    return origin->totals.high == 0 || all.high == 0 || is_of_profile(&origin->totals, &all);
}

/* Reads the file that is named, and warns if it does not belong to the profiles.  */
static bool read_named_stacks(struct run *run)
{
    const char *path = run->options->inputs.stacks;
    if (!stack_file_read(&run->profile.recorded, &run->origin, path))
        return false;
    if (!is_of_program(run, &run->origin) || !is_of_profiles(run, &run->origin))
        warning(run->diagnostics, MSG_STACKS_OF_OTHERS, path);
    return true;
}

bool read_stack_files(struct run *run)
{
    const struct plan *plan = run->plan;
    struct arena arena = {0};
    if (run->has_read_stacks ||
        (plan->stacks == STACKS_NONE && !plan->adds_stacks && plan->stacks_obstacle == NULL))
        return true;
    run->has_read_stacks = true;
    if (!find_profiles(run))
        return false;
    if (plan->stacks == STACKS_FILE)
        return read_named_stacks(run);
    bool ok = read_stacks_of_profiles(run, &arena);
    arena_free(&arena);
    if (!ok)
        recorded_stacks_free(&run->profile.recorded);
    return ok || !are_asked_for(run);
}

/* What to call the stacks in messages.  */
static const char *stacks_name_of(const struct run *run, struct arena *arena)
{
    if (run->plan->stacks == STACKS_FILE)
        return run->options->inputs.stacks;
    return run->inputs.count == 1 ? stack_file_beside(arena, run->inputs.paths[0])
                                  : _(STACKS_BESIDE_PROFILES);
}

static void warn_about_stacks(const struct run *run, const char *name, double nameless)
{
    const struct recorded_stacks *stacks = &run->profile.recorded;
    bool is_found = run->plan->stacks == STACKS_FOUND;
    if (stacks->counted == 0 && !is_found)
        warning(run->diagnostics, MSG_NO_STACKS, name);
    else if (nameless > stacks->samples / 2)
        warning(run->diagnostics, MSG_FOREIGN_STACKS, name, image_path(run->image));
    else if (stacks->cut > stacks->counted / 100)
        note(run->diagnostics, MSG_CUT_STACKS, name, 100 * stacks->cut / stacks->counted);
    if (stacks->counted > 0 && is_found)
        note(run->diagnostics, MSG_STACKS_USED, name);
}

bool read_stacks(struct run *run)
{
    struct recorded_stacks *stacks = &run->profile.recorded;
    struct arena arena = {0};
    stacks->keeps_files = run->plan->has_idle || (run->plan->reports & REPORT_PER_FILE) != 0;
    if (!read_stack_files(run))
        return false;
    if (run->plan->stacks == STACKS_NONE || stacks->objects.count == 0)
        return true;
    stacks->is_by_line = run->plan->by_line;
    double nameless = stacks_name(stacks, &run->profile.symtab);
    stacks_measure(stacks);
    warn_about_stacks(run, stacks_name_of(run, &arena), nameless);
    for (size_t i = 0; i <= stacks->objects.count && run_is_measured(run); i++)
        symtab_add_object(&run->profile.symtab, stacks->objects_shown[i]);
    arena_free(&arena);
    return true;
}

bool write_stacks_of_sum(struct run *run)
{
    const struct plan *plan = run->plan;
    const struct recorded_stacks *stacks = &run->profile.recorded;
    const struct gmon_layout layout = image_layout(run->image);
    struct stacks_origin origin = run->origin;
    struct hist_set set = {0};
    struct atomic_file file;
    struct arena arena = {0};
    if (!plan->adds_stacks || stacks->objects.count == 0)
        return true;
    bool is_file = profile_totals_read(&origin.totals, &set, plan->sum_path,
                                       run->options->inputs.format, &layout);
    hist_free(&set);
    if (!is_file)
        return true;
    bool ok = atomic_file_begin(&file, stack_file_path(&arena, plan->sum_path));
    if (ok) {
        stack_file_write(file.file, stacks, &origin);
        ok = atomic_file_end(&file);
    }
    arena_free(&arena);
    return ok;
}

/* ---- Notes ---- */

static int compare_self(const void *context, uint32_t a, uint32_t b)
{
    const struct measured_times *times = context;
    return compare_descending(times[a].self, times[b].self);
}

/* Appends `, 1.07 s in libc.so.6 (58 %)' to TEXT, for the object shown as NAME.  */
static void add_object(char *text, size_t size, const char *name, double self, double total,
                       const struct snapshot *snapshot)
{
    bool has_brackets = name[0] == '[';
    size_t used = strlen(text);
    snprintf(text + used, size - used, ", %.2f %c in %.*s (%.0f %%)", self / snapshot->rate,
             snapshot->unit_letter, (int)(strlen(name) - 2U * has_brackets), name + has_brackets,
             100 * self / total);
}

/* Adds what of the time from stacks is in the program and in other objects, the largest first:
   `0.77 of 1.84 s are in this program, 1.07 s in libc.so.6 (58 %)'.  */
static void note_objects(struct table *table, struct arena *arena, const struct snapshot *snapshot,
                         const struct recorded_stacks *stacks)
{
    enum { MOST_SHOWN = 3 };
    const struct measured_times *others = stacks->measured.functions + stacks->symbol_count;
    size_t count = stacks->objects.count + 1; /* the first is what of the program has no name */
    uint32_t *order = identity_ids(count);
    double program = stacks->counted;
    char text[1000];
    sort_ids(order, count, compare_self, others);
    for (size_t i = 1; i < count; i++)
        program -= others[i].self;
    snprintf(text, sizeof text, "%.2f of %.2f %c are in this program", program / snapshot->rate,
             stacks->counted / snapshot->rate, snapshot->unit_letter);
    for (size_t i = 0, shown = 0; i < count && shown < MOST_SHOWN; i++) {
        double self = others[order[i]].self;
        if (order[i] == 0 || self <= 0)
            continue;
        add_object(text, sizeof text, stacks->objects_shown[order[i]], self, stacks->counted,
                   snapshot);
        shown++;
    }
    table_add_note(table, arena, text);
    free(order);
}

void stacks_note(struct table *table, struct arena *arena, const struct snapshot *snapshot,
                 const struct recorded_stacks *stacks)
{
    char text[200];
    note_objects(table, arena, snapshot, stacks);
    if (stacks->samples > stacks->counted) {
        snprintf(text, sizeof text,
                 "counting calls took %.1f %% more processor time; it is left out",
                 100 * (stacks->samples - stacks->counted) / stacks->counted);
        table_add_note(table, arena, text);
    }
    if (stacks->cut > 0) {
        snprintf(text, sizeof text, "%.1f %% of the stacks are cut: they begin with " CUT_SHOWN,
                 100 * stacks->cut / stacks->counted);
        table_add_note(table, arena, text);
    }
}
