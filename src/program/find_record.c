/* find_record.c - finds what is meant where no profile is named: the record of a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/find_record.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"

#define PROFILE "gmon.out"
#define RECORD PROFILE ".stacks"

static const char *chosen_thread(const struct request *request)
{
    return foreign_thread(&request->options->inputs.foreign);
}

/* The program that --program names, or NULL.  */
static const char *named_program(const struct request *request)
{
    return chosen_thread(request) == NULL ? request->options->inputs.foreign.program : NULL;
}

/* ---- Whether there is a record ---- */

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Whether the command line names no profile, but may name a program.  */
static bool may_use_record(const struct options *options)
{
    const struct input_options *inputs = &options->inputs;
    return inputs->operand_count <= 1 && inputs->list == NULL && inputs->stacks == NULL &&
           !inputs->has_no_stacks && stack_file_is_written(RECORD);
}

/* Whether gmon.out was written after the record: by another run.  */
static bool is_profile_newer(void)
{
    struct stat profile, record;
    if (stat(PROFILE, &profile) != 0 || stat(RECORD, &record) != 0)
        return false;
    const struct timespec *a = &profile.st_mtim, *b = &record.st_mtim;
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* ---- Which program ---- */

/* The seconds of SAMPLES of SECTION.  */
static double seconds_of(const struct stack_section *section, uint64_t samples)
{
    uint32_t rate = section->origin.totals.rate;
    return rate != 0 ? (double)samples / rate : 0;
}

static double own_seconds(const struct stack_section *section)
{
    return seconds_of(section, stack_section_own_samples(section));
}

/* What is known of a program in the record.  */
struct program {
    const struct stack_section *section; /* its first one */
    double seconds;
    size_t processes;
};

/* Lists the programs, and of them the processes that are called NAME (NULL: all); free with free.
 */
static struct program *list_programs(const struct stack_file *record, const char *name,
                                     size_t *count)
{
    struct program *programs = mem_array(record->count, sizeof *programs);
    *count = 0;
    for (size_t i = 0; i < record->count; i++) {
        const struct stack_section *section = &record->sections[i];
        struct program_file program = stack_section_program(section);
        size_t at = 0;
        if (name != NULL && !stack_section_is_called(section, name))
            continue;
        while (at < *count && !stack_section_is_of(programs[at].section, &program))
            at++;
        if (at == *count)
            programs[(*count)++].section = section;
        programs[at].seconds += own_seconds(section);
        programs[at].processes++;
    }
    return programs;
}

/* A name of the program I of COUNT that no other of them has: that by which people call it, or its
   path, perhaps with its build id.  */
static const char *name_apart(const struct program *programs, size_t count, size_t i,
                              struct arena *arena)
{
    const struct stack_section *own = programs[i].section;
    const char *name = stack_section_name(own), *path = stack_section_program(own).path;
    bool has_name = true, has_path = true;
    for (size_t k = 0; k < count; k++) {
        const struct stack_section *other = programs[k].section;
        if (k == i || strcmp(stack_section_name(other), name) != 0)
            continue;
        has_name = false;
        has_path &= strcmp(stack_section_program(other).path, path) != 0;
    }
    if (has_name || path == NULL)
        return name;
    return has_path ? path : arena_format(arena, "%s %s", path, own->origin.build_id);
}

/* What a row of the program I is called: also how many processes it has.  */
static const char *program_label(const struct program *programs, size_t count, size_t i,
                                 struct arena *arena)
{
    const char *name = name_apart(programs, count, i, arena);
    return programs[i].processes > 1
               ? arena_format(arena, _(PROCESSES_OF), name, programs[i].processes)
               : name;
}

static int compare_programs(const void *a, const void *b)
{
    const struct program *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* Says which programs there are beside the first one, if that was not asked for.  */
static void note_programs(const struct request *request, const struct program *programs,
                          size_t count)
{
    struct name_list others = {0};
    struct arena names = {0};
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += programs[i].seconds;
    for (size_t i = 1; i < count; i++)
        name_list_add(&others, name_apart(programs, count, i, &names));
    if (count > 1 && request->options->top.by < TOP_PROGRAMS) /* else they are rows */
        note(request->diagnostics, MSG_RECORD_PROGRAMS,
             all > 0 ? 100 * programs[0].seconds / all : 0, all,
             program_label(programs, count, 0, &names), others.text);
    arena_free(&names);
}

/* Says why none, or several, of the COUNT PROGRAMS are taken from RECORD because of NAME: that may
   be of a file, if it is an operand.  */
static void refuse_program(const struct request *request, const struct stack_file *record,
                           const char *name, const struct program *programs, size_t count)
{
    size_t called;
    free(list_programs(record, name, &called));
    bool is_operand = name == request->options->inputs.image;
    struct name_list known = {0};
    struct arena names = {0};
    for (size_t i = 0; i < count; i++)
        name_list_add(&known, name_apart(programs, count, i, &names));
    if (called == 0 && is_operand)
        problem(MSG_NO_SUCH_PROGRAM, name, strerror(ENOENT), record->path, known.text);
    else
        problem(called > 0 ? MSG_SEVERAL_BUILDS : MSG_NO_PROGRAM_OF, record->path,
                name != NULL ? name : "", known.text);
    arena_free(&names);
}

/* The section of the program called NAME or, if that is NULL, of the one with the most time.  NULL
   after a message if several or none are called so.  */
static const struct stack_section *choose_program(const struct request *request,
                                                  const struct stack_file *record, const char *name)
{
    size_t called, count;
    struct program *programs = list_programs(record, name, &called);
    count = called;
    if (called == 0) {
        free(programs);
        programs = list_programs(record, NULL, &count);
    }
    qsort(programs, count, sizeof *programs, compare_programs);
    bool is_known = name != NULL ? called == 1 : count > 0;
    const struct stack_section *chosen = is_known ? programs[0].section : NULL;
    if (!is_known)
        refuse_program(request, record, name, programs, count);
    else if (name == NULL)
        note_programs(request, programs, count);
    free(programs);
    return chosen;
}

/* ---- Its profiles ---- */

/* Compares the samples of all processes with the processor time of those that regmon waited for.  A
   hundredth of a second is what a program takes to start.  */
static void find_unsampled(struct found_run *run, const struct request *request)
{
    const double least = 0.01, least_share = 0.02;
    double sampled = 0, waited = (double)run->record.waited / 1e9;
    for (size_t i = 0; i < run->record.count; i++)
        sampled += seconds_of(&run->record.sections[i], run->record.sections[i].samples);
    double unsampled = waited - sampled;
    if (unsampled < least || unsampled < least_share * waited || chosen_thread(request) != NULL)
        return;
    run->unsampled = unsampled;
    run->seconds = waited;
}

/* Whether all processes of PROGRAM have a file with what they counted.  Sets *HAS_FIRST: regmon ran
   one of them; *HAS_ALL: all processes of its executable are called as PROGRAM says.  */
static bool have_profiles(const struct stack_file *record, const struct program_file *program,
                          bool *has_first, bool *has_all)
{
    const struct program_file any = {program->build_id, program->path, NULL};
    bool have = true;
    *has_first = false;
    *has_all = true;
    for (size_t i = 0; i < record->count; i++) {
        const struct stack_section *section = &record->sections[i];
        bool is_read = stack_section_is_of(section, program);
        *has_all &= is_read || !stack_section_is_of(section, &any);
        if (!is_read)
            continue;
        have &= section->profile != NULL && is_there(section->profile);
        *has_first |= section->is_first;
    }
    return have;
}

/* Lists the files with what the processes of PROGRAM counted, if all have one.  Else, the profile
   with the samples of all that is beside the record, or the record itself, which alone knows
   threads and names of processes.  */
static void list_profiles_of(struct found_run *run, const struct request *request,
                             const struct program_file *program)
{
    const struct stack_file *record = &run->record;
    bool has_first, has_all, has_threads = chosen_thread(request) == NULL;
    bool have_all = have_profiles(record, program, &has_first, &has_all) && has_threads;
    find_unsampled(run, request);
    run->profiles = mem_array(record->count, sizeof *run->profiles);
    for (size_t i = 0; i < record->count && have_all; i++)
        if (stack_section_is_of(&record->sections[i], program))
            run->profiles[run->count++] = record->sections[i].profile;
    if (!have_all)
        run->profiles[run->count++] =
            has_first && has_all && has_threads && is_there(PROFILE) ? PROFILE : RECORD;
}

/* Sets the image to that of the program called NAME in the record or, if that is NULL, of the one
   with the most time.  False after a message.  */
static bool find_program(struct found_run *run, const struct request *request, const char *name)
{
    const struct stack_section *section = choose_program(request, &run->record, name);
    if (section == NULL)
        return false;
    run->image = stack_section_program(section).path;
    run->called = name;
    run->has_others = name == NULL && chosen_thread(request) == NULL;
    return run->image != NULL || problem(MSG_NOT_STACKS, run->record.path);
}

/* ---- The interface ---- */

/* Whether a record is in the directory at PATH, not counting other directories.  */
static bool has_record(const char *path)
{
    struct arena arena = {0};
    DIR *directory = opendir(path);
    bool is_found = false;
    const struct dirent *entry;
    while (directory != NULL && !is_found && (entry = readdir(directory)) != NULL)
        is_found = entry->d_name[0] != '.' && stack_file_is_named(entry->d_name) &&
                   stack_file_is_written(arena_join(&arena, path, "/", entry->d_name));
    if (directory != NULL)
        closedir(directory);
    arena_free(&arena);
    return is_found;
}

bool are_records(const char *const *paths, size_t count)
{
    bool are = count > 0;
    for (size_t i = 0; i < count; i++)
        are &= stack_file_is_named(paths[i]) || has_record(paths[i]);
    return are;
}

/* Sets the profiles of RUN to the records among the COUNT operands PATHS, and those in them that
   are directories.  False after a message.  */
static bool list_records(struct found_run *run, const struct request *request,
                         const char *const *paths, size_t count)
{
    const struct input_options *inputs = &request->options->inputs;
    run->listed = (struct profile_list){.diagnostics = request->diagnostics,
                                        .sum_path = request->plan->sum_path,
                                        .recurses = inputs->recurses,
                                        .skips_bad = inputs->skip_bad};
    for (size_t i = 0; i < count; i++)
        if (!profile_list_add(&run->listed, paths[i]))
            return false;
    run->profiles = mem_array(run->listed.count, sizeof *run->profiles);
    for (size_t i = 0; i < run->listed.count; i++)
        if (stack_file_is_named(run->listed.paths[i]))
            run->profiles[run->count++] = run->listed.paths[i];
    return run->count > 0 || problem(MSG_NO_PROFILES, paths[0]);
}

bool open_records(struct found_run *run, const struct request *request, const char *const *paths,
                  size_t count)
{
    *run = (struct found_run){0};
    if (!list_records(run, request, paths, count) ||
        !stack_file_open(&run->record, run->profiles[0]) ||
        !find_program(run, request, named_program(request)))
        return false;
    if (run->count == 1)
        find_unsampled(run, request);
    return true;
}

/* Replaces the profiles of the command line by the files of stacks beside them, which alone know
   threads.  False after a message if one has none.  */
static bool use_stacks(struct found_run *run, const struct input_options *inputs)
{
    run->profiles = mem_array(inputs->profile_count, sizeof *run->profiles);
    for (; run->count < inputs->profile_count; run->count++) {
        const char *path = inputs->profiles[run->count];
        run->profiles[run->count] = stack_file_path(&run->record.arena, path);
        if (!stack_file_is_written(run->profiles[run->count]))
            return problem(MSG_NEEDS_STACKS, path, run->profiles[run->count]);
    }
    return true;
}

bool find_record(struct found_run *run, const struct request *request)
{
    const struct input_options *inputs = &request->options->inputs;
    const char *named = inputs->operand_count > 0 ? inputs->image : named_program(request);
    bool is_own = request->plan->is_own && request->plan->sum_path == NULL;
    bool is_file = is_there(inputs->image) && (inputs->operand_count > 0 || !is_own);
    bool is_path = inputs->operand_count > 0 && strchr(inputs->image, '/') != NULL;
    *run = (struct found_run){.image = inputs->image};
    if (are_records(inputs->operands, inputs->operand_count))
        return open_records(run, request, inputs->operands, inputs->operand_count);
    bool is_used = may_use_record(request->options) && !(is_own && is_profile_newer()) &&
                   (is_file ? is_own || !is_there(PROFILE) : !is_path);
    if (!is_used && inputs->operand_count == 0 && !is_there(inputs->image))
        return problem(MSG_NO_RUN, inputs->image, strerror(ENOENT));
    if (!is_used && chosen_thread(request) != NULL && inputs->list == NULL)
        return use_stacks(run, inputs);
    if (!is_used)
        return inputs->foreign.program == NULL ||
               problem(MSG_NEEDS_OTHER, "--program", inputs->image);
    if (!stack_file_open(&run->record, RECORD)) {
        stack_file_close(&run->record);
        return is_file; /* gmon.out may be good */
    }
    bool has_processes = run->record.sections[0].process != 0;
    if (!has_processes && chosen_thread(request) != NULL)
        return use_stacks(run, inputs);
    if (is_file || !has_processes)
        return true;
    return find_program(run, request, named);
}

void found_run_list(struct found_run *run, const struct request *request, struct image *image)
{
    char *build_id = image_build_id(image);
    const struct program_file named = {build_id, image_path(image), run->called};
    bool has_samples = false;
    for (size_t i = 0; i < run->record.count; i++)
        has_samples |= stack_section_is_of(&run->record.sections[i], &named) &&
                       run->record.sections[i].process != 0;
    if (has_samples && run->profiles == NULL)
        list_profiles_of(run, request, &named);
    free(build_id);
}

bool found_run_is_known(const struct found_run *run, enum top_group by)
{
    bool are_several = run->count > 1 && are_records(run->profiles, run->count);
    return run->record.count > 0 && !are_several &&
           (by == TOP_PROGRAMS || run->record.sections[0].process != 0);
}

struct run_part *found_run_parts(const struct found_run *run, const struct request *request,
                                 struct arena *arena, size_t *count)
{
    const struct stack_file *record = &run->record;
    const char *only = named_program(request);
    struct run_part *parts = mem_array(record->count, sizeof *parts);
    size_t program_count;
    struct program *programs = list_programs(record, only, &program_count);
    bool are_programs = request->options->top.by == TOP_PROGRAMS;
    *count = 0;
    for (size_t i = 0; i < program_count && are_programs; i++)
        parts[(*count)++] = (struct run_part){program_label(programs, program_count, i, arena),
                                              programs[i].seconds};
    free(programs);
    for (size_t i = 0; i < record->count && !are_programs; i++) {
        const struct stack_section *section = &record->sections[i];
        const char *name =
            section->command != NULL ? section->command : stack_section_name(section);
        if (only == NULL || stack_section_is_called(section, only))
            parts[(*count)++] = (struct run_part){
                arena_format(arena, "%s %llu", name, (unsigned long long)section->process),
                own_seconds(section)};
    }
    return parts;
}

void found_run_free(struct found_run *run)
{
    free(run->profiles);
    profile_list_free(&run->listed);
    stack_file_close(&run->record);
    *run = (struct found_run){0};
}
