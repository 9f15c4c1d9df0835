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

/* Adds the stacks in the file at PATH, beside PROFILE.  False after a message if it does not belong
   there; a profile that cannot be read causes its messages when its turn comes.  */
static bool read_stacks_beside(struct run *run, const char *path, const char *profile)
{
    const struct gmon_layout layout = image_layout(run->image);
    struct stacks_origin origin;
    struct profile_totals totals;
    if (!profile_totals_read(&totals, profile, run->options->inputs.format, &layout))
        return true;
    if (!stack_file_read(&run->profile.recorded, &origin, path))
        return are_asked_for(run) ? false : reject(run, MSG_STACKS_DAMAGED, path);
    if (run->origin.totals.high == 0)
        run->origin = origin;
    if (run->profile.recorded.keeps_files)
        run->profile.recorded.files[run->profile.recorded.file_count - 1].profile = profile;
    if (!is_of_program(run, &origin))
        return reject(run, MSG_STACKS_OF_PROGRAM, path, image_path(run->image));
    return is_of_profile(&origin.totals, &totals) ||
           reject(run, MSG_STACKS_OF_PROFILE, path, profile);
}

/* Whether PROFILE is left out because it is damaged.  */
static bool is_skipped(const struct run *run, const char *profile)
{
    const struct gmon_layout layout = image_layout(run->image);
    struct profile_totals totals;
    struct stat status;
    bool is_stream =
        strcmp(profile, "-") == 0 || (stat(profile, &status) == 0 && !S_ISREG(status.st_mode));
    return run->options->inputs.skip_bad && !is_stream &&
           !profile_totals_read(&totals, profile, run->options->inputs.format, &layout);
}

/* Reads the files of stacks of all profiles.  False after a message if they cannot be used.  */
static bool read_stacks_of_profiles(struct run *run, struct arena *arena)
{
    const struct profile_list *inputs = &run->inputs;
    const char **paths = mem_array(inputs->count, sizeof *paths), *missing = NULL, *found = NULL;
    bool ok = true;
    for (size_t i = 0; i < inputs->count; i++) {
        const char *profile = inputs->paths[i];
        paths[i] = stack_file_beside(arena, profile);
        found = found == NULL ? paths[i] : found;
        if (missing == NULL && paths[i] == NULL && !is_skipped(run, profile))
            missing = profile;
    }
    if (found == NULL) {
        ok = !are_asked_for(run) || missing == NULL || problem(MSG_STACKS_NOWHERE, missing);
    } else if (run->plan->stacks_obstacle != NULL) {
        note(run->diagnostics, MSG_STACKS_UNUSED, found, run->plan->stacks_obstacle);
    } else if (missing != NULL) {
        ok = reject(run, MSG_STACKS_MISSING, missing);
    } else {
        for (size_t i = 0; i < inputs->count && ok; i++)
            ok = paths[i] == NULL || read_stacks_beside(run, paths[i], inputs->paths[i]);
    }
    free(paths);
    return ok;
}

/* Reads the file that is named, and warns if it does not belong to the profiles.  */
static bool read_named_stacks(struct run *run)
{
    const char *path = run->options->inputs.stacks;
    const struct gmon_layout layout = image_layout(run->image);
    struct profile_totals all = {0}, totals;
    if (!stack_file_read(&run->profile.recorded, &run->origin, path))
        return false;
    for (size_t i = 0; i < run->inputs.count; i++) {
        if (!profile_totals_read(&totals, run->inputs.paths[i], run->options->inputs.format,
                                 &layout))
            continue;
        totals.samples += all.samples;
        all = totals;
    }
    if (!is_of_program(run, &run->origin) || (run->origin.totals.high != 0 && all.high != 0 &&
                                              !is_of_profile(&run->origin.totals, &all)))
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
    stacks->keeps_files =
        run->options->compare.base != NULL || (run->plan->reports & REPORT_PER_FILE) != 0;
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
    struct atomic_file file;
    struct arena arena = {0};
    if (!plan->adds_stacks || stacks->objects.count == 0 ||
        !profile_totals_read(&origin.totals, plan->sum_path, run->options->inputs.format, &layout))
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
