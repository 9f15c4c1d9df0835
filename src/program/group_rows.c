/* group_rows.c - objects and threads of recorded stacks, programs and processes of a run, as rows
   of the table (--by).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/group_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/image.h"
#include "program/find_record.h"

/* ---- Threads ---- */

struct thread_sums *sum_threads(const struct recorded_stacks *stacks)
{
    const struct recorded_threads *threads = &stacks->threads;
    struct thread_sums *sums = mem_array(threads->names.count + 1, sizeof *sums);
    for (size_t i = 0; i < threads->numbers.count; i++) {
        struct thread_sums *of = &sums[threads->numbers.pairs[i].a >> 32];
        double samples = threads->samples[i + 1];
        of->lowest = of->count > 0 ? fmin(of->lowest, samples) : samples;
        of->highest = fmax(of->highest, samples);
        of->sum += samples;
        of->squares += samples * samples;
        of->count++;
    }
    return sums;
}

/* Whether the threads of a name can have a row each.  */
static bool are_several(const struct thread_sums *sums)
{
    return sums->count > 1 && sums->lowest > 0;
}

/* Adds a row for each name, or, if threads ARE_APART, for each thread whose samples are known:
   `work 4711' where several have the name.  */
static void add_threads(struct snapshot *rows, const struct recorded_stacks *stacks,
                        const struct thread_sums *sums, bool are_apart)
{
    const struct recorded_threads *threads = &stacks->threads;
    for (uint32_t name = 0; name <= threads->names.count; name++) {
        uint32_t id = threads->first_id + name;
        double samples = stacks->measured.functions[id].total;
        if (!are_apart || !are_several(&sums[name]))
            snapshot_add_group(rows, frames_other(&stacks->frames, id)->name, samples, NAN);
    }
    for (size_t i = 0; i < threads->numbers.count && are_apart; i++) {
        const struct pair *pair = &threads->numbers.pairs[i];
        const char *name = threads->names.strings[(pair->a >> 32) - 1];
        if (!are_several(&sums[pair->a >> 32]))
            continue;
        name = *name != '\0' ? arena_escape(&rows->arena, name) : NAMELESS_THREAD;
        name = arena_format(&rows->arena, "%s %llu", name, (unsigned long long)pair->b);
        snapshot_add_group(rows, name, threads->samples[i + 1], NAN);
    }
}

/* Threads are apart if LIMIT rows (0: any number) are enough.  */
static void make_threads(struct analysis *analysis, size_t limit)
{
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    const struct recorded_threads *threads = &stacks->threads;
    struct snapshot *rows = &analysis->groups;
    struct thread_sums *sums = sum_threads(stacks);
    snapshot_begin_groups(rows, &analysis->snapshot.snapshot,
                          threads->names.count + 1 + threads->numbers.count);
    add_threads(rows, stacks, sums, true);
    if (limit != 0 && rows->function_count > limit) {
        rows->function_count = 0;
        add_threads(rows, stacks, sums, false);
    }
    free(sums);
}

/* ---- Objects ---- */

/* The object that each id of the stacks is in, as a number of NAMES.  Free with free.  */
static uint32_t *number_objects(const struct request *request, const struct analysis *analysis,
                                struct string_map *names)
{
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    uint32_t *of_id = mem_uninitialised(frames_count(&stacks->frames), sizeof *of_id);
    uint32_t unknown = string_map_number(names, CUT_SHOWN), number = unknown;
    const char *last = NULL; /* most symbols are in the object of the one before */
    for (size_t i = 0; i < stacks->frames.symbol_count; i++) {
        vma addr = analysis->profile.symtab.symbols[i].addr;
        const char *object = image_object_at(request->image, addr);
        if (object != last)
            number = object != NULL ? string_map_number(names, object) : unknown;
        of_id[i] = number;
        last = object;
    }
    for (size_t i = 0; i < stacks->frames.other_count; i++) {
        uint32_t object = stacks->frames.others[i].object,
                 *of = &of_id[stacks->frames.symbol_count + i];
        const char *name = object == 0           ? image_object_at(request->image, 0)
                           : object != NO_OBJECT ? stacks->objects.names.strings[object]
                                                 : NULL;
        bool is_known = name != NULL && strcmp(name, CUT_STACK) != 0;
        *of = is_known ? string_map_number(names, name) : unknown;
    }
    return of_id;
}

/* A stack counts once for an object, however often it goes through it.  */
static void make_objects(const struct request *request, struct analysis *analysis)
{
    const struct recorded_stacks *recorded = &analysis->profile.recorded;
    struct string_map names = {0};
    uint32_t *of_id = number_objects(request, analysis, &names);
    struct stacks stacks = stacks_relabel(&recorded->tree, of_id);
    double *samples = mem_uninitialised(stacks.count, sizeof *samples);
    double *self = mem_array(names.count, sizeof *self);
    double *total = mem_array(names.count, sizeof *total);
    struct snapshot *rows = &analysis->groups;
    snapshot_begin_groups(rows, &analysis->snapshot.snapshot, names.count);
    for (size_t i = 0; i < stacks.count; i++)
        self[stacks.label[i]] += samples[i] = recorded->tree.samples[i];
    stacks_find_outermost(&stacks, names.count);
    stacks_fold(&stacks, samples);
    stacks_once(&stacks, samples, total);
    for (size_t i = 0; i < names.count; i++)
        snapshot_add_group(rows, arena_escape(&rows->arena, names.strings[i]), self[i],
                           recorded->rules.is_stated ? (double)NAN : total[i]);
    stacks_free_labels(&stacks);
    string_map_free(&names);
    free(of_id);
    free(samples);
    free(self);
    free(total);
}

/* ---- Programs and processes ---- */

/* All of them are 100 %, also those of which nothing else is shown.  */
static void make_parts(const struct request *request, struct analysis *analysis)
{
    const struct snapshot *whole = &analysis->snapshot.snapshot;
    struct snapshot *rows = &analysis->groups;
    struct arena names = {0};
    double all = 0;
    size_t count;
    struct run_part *parts = found_run_parts(request->run, request, &names, &count);
    snapshot_begin_groups(rows, whole, count);
    for (size_t i = 0; i < count; i++) {
        snapshot_add_group(rows, arena_escape(&rows->arena, parts[i].name),
                           parts[i].seconds * whole->rate, NAN);
        all += parts[i].seconds;
    }
    rows->self_samples = rows->inclusive_samples = all * whole->rate;
    free(parts);
    arena_free(&names);
}

const struct snapshot *group_rows(const struct request *request, struct analysis *analysis,
                                  const struct top_rules *rules)
{
    if (rules->by < TOP_OBJECTS)
        return &analysis->snapshot.snapshot;
    if (rules->by >= TOP_PROGRAMS)
        make_parts(request, analysis);
    else if (rules->by == TOP_THREADS)
        make_threads(analysis, rules->limit);
    else
        make_objects(request, analysis);
    return &analysis->groups;
}
