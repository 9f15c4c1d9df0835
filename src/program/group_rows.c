/* group_rows.c - the objects and the threads of recorded stacks, as rows of the table (--by).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/group_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "input/image.h"
#include "symbols/symtab.h"

/* Begins the snapshot whose functions are objects or threads, at most COUNT, which ANALYSIS owns.
 */
static struct snapshot *begin_rows(struct analysis *analysis, size_t count)
{
    const struct snapshot *whole = &analysis->snapshot.snapshot;
    struct snapshot *rows = &analysis->groups;
    *rows = (struct snapshot){.unit = whole->unit,
                              .rate = whole->rate,
                              .origin = ORIGIN_MEASURED,
                              .is_exact = whole->is_exact,
                              .is_uncounted = true,
                              .self_samples = whole->self_samples,
                              .self_total = whole->self_total,
                              .inclusive_samples = whole->inclusive_samples,
                              .inclusive_total = whole->inclusive_total,
                              .functions = mem_array(count, sizeof *rows->functions)};
    memcpy(rows->short_unit, whole->short_unit, sizeof rows->short_unit);
    return rows;
}

/* Adds a row of so many SAMPLES, and of TOTAL (NaN: not known) with what they called.  */
static void add_row(struct snapshot *rows, const char *name, double samples, double total)
{
    if (samples > 0 || total > 0)
        rows->functions[rows->function_count++] =
            (struct snapshot_function){.name = name,
                                       .raw = name,
                                       .is_listed = true,
                                       .samples = samples,
                                       .self_samples = samples,
                                       .total_samples = total,
                                       .total_error = NAN};
}

/* The number of threads with each name, by number of the name; 1 as well where only their sum is
   known, as in a sum of profiles.  Free with free.  */
static uint32_t *count_threads(const struct recorded_threads *threads)
{
    uint32_t *counts = mem_array(threads->names.count + 1, sizeof *counts);
    bool *are_together = mem_array(threads->names.count + 1, sizeof *are_together);
    for (size_t i = 0; i < threads->numbers.count; i++) {
        size_t name = threads->numbers.pairs[i].a >> 32;
        counts[name]++;
        are_together[name] |= !(threads->samples[i + 1] > 0);
    }
    for (size_t name = 0; name <= threads->names.count; name++)
        if (are_together[name])
            counts[name] = 1;
    free(are_together);
    return counts;
}

/* Adds a row for each name, or, if threads ARE_APART, for each thread whose samples are known:
   `work 4711' where several have the name.  */
static void add_threads(struct snapshot *rows, const struct recorded_stacks *stacks,
                        const uint32_t *counts, bool are_apart)
{
    const struct recorded_threads *threads = &stacks->threads;
    double parts = parts_of_sample(stacks->fineness);
    for (uint32_t name = 0; name <= threads->names.count; name++)
        if (counts[name] < 2 || !are_apart)
            add_row(rows, stacks->others[threads->first_id - stacks->symbol_count + name].name,
                    stacks->measured.functions[threads->first_id + name].total / parts, NAN);
    for (size_t i = 0; i < threads->numbers.count && are_apart; i++) {
        const struct pair *pair = &threads->numbers.pairs[i];
        const char *name = threads->names.strings[(pair->a >> 32) - 1];
        if (counts[pair->a >> 32] > 1)
            add_row(rows,
                    arena_format(&rows->arena, "%s %llu",
                                 *name != '\0' ? arena_escape(&rows->arena, name) : NAMELESS_THREAD,
                                 (unsigned long long)pair->b),
                    threads->samples[i + 1] / parts, NAN);
    }
}

/* Threads are apart if LIMIT rows (0: any number) are enough.  */
static const struct snapshot *make_threads(struct analysis *analysis, size_t limit)
{
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    const struct recorded_threads *threads = &stacks->threads;
    uint32_t *counts = count_threads(threads);
    struct snapshot *rows = begin_rows(analysis, threads->names.count + 1 + threads->numbers.count);
    add_threads(rows, stacks, counts, true);
    if (limit != 0 && rows->function_count > limit) {
        rows->function_count = 0;
        add_threads(rows, stacks, counts, false);
    }
    free(counts);
    return rows;
}

/* The object that each id of the stacks is in, as a number of NAMES.  Free with free.  */
static uint32_t *number_objects(const struct request *request, const struct analysis *analysis,
                                struct string_map *names)
{
    const struct recorded_stacks *stacks = &analysis->profile.recorded;
    const struct foreign *foreign = request->foreign;
    uint32_t *of_id = mem_uninitialised(stacks->symbol_count + stacks->other_count, sizeof *of_id);
    uint32_t unknown = string_map_number(names, CUT_SHOWN), program = unknown;
    if (foreign == NULL)
        program = string_map_number(names, path_base(image_path(request->image)));
    for (size_t i = 0; i < stacks->symbol_count; i++)
        of_id[i] = program;
    for (size_t f = 0; foreign != NULL && f < foreign->code.function_count; f++) {
        const struct listed_function *function = &foreign->code.functions[f];
        uint32_t id = symtab_find(&analysis->profile.symtab, listed_address(function->first));
        if (function->object != NULL)
            of_id[id] = string_map_number(names, function->object);
    }
    for (size_t i = 0; i < stacks->other_count; i++) {
        uint32_t object = stacks->others[i].object, *number = &of_id[stacks->symbol_count + i];
        if (object == 0)
            *number = program;
        else if (object == NO_OBJECT || strcmp(stacks->objects.strings[object], CUT_STACK) == 0)
            *number = unknown;
        else
            *number = string_map_number(names, stacks->objects.strings[object]);
    }
    return of_id;
}

/* A stack counts once for an object, however often it goes through it.  */
static const struct snapshot *make_objects(const struct request *request, struct analysis *analysis)
{
    const struct recorded_stacks *recorded = &analysis->profile.recorded;
    struct string_map names = {0};
    uint32_t *of_id = number_objects(request, analysis, &names);
    struct stacks stacks = stacks_relabel(&recorded->tree, of_id);
    double parts = parts_of_sample(recorded->fineness);
    double *samples = mem_uninitialised(stacks.count, sizeof *samples);
    double *self = mem_array(names.count, sizeof *self);
    double *total = mem_array(names.count, sizeof *total);
    struct snapshot *rows = begin_rows(analysis, names.count);
    for (size_t i = 0; i < stacks.count; i++)
        self[stacks.label[i]] += samples[i] = recorded->self[i];
    stacks_find_outermost(&stacks, names.count);
    stacks_fold(&stacks, samples);
    stacks_once(&stacks, samples, total);
    for (size_t i = 0; i < names.count; i++)
        add_row(rows, arena_escape(&rows->arena, names.strings[i]), self[i] / parts,
                recorded->is_stated ? (double)NAN : total[i] / parts);
    stacks_free_labels(&stacks);
    string_map_free(&names);
    free(of_id);
    free(samples);
    free(self);
    free(total);
    return rows;
}

const struct snapshot *group_rows(const struct request *request, struct analysis *analysis,
                                  const struct top_rules *rules)
{
    if (rules->by == TOP_THREADS)
        return make_threads(analysis, rules->limit);
    return rules->by == TOP_OBJECTS ? make_objects(request, analysis)
                                    : &analysis->snapshot.snapshot;
}
