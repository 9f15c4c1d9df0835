/* read_stacks.c - reads the stacks of a run, and says below the table what they cover.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/read_stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "input/stack_file.h"
#include "stacks/measure_stacks.h"
#include "symbols/symtab.h"

/* ---- Reading ---- */

/* Reads the file of stacks of PROFILE, which has its name.  */
static bool read_stacks_beside(struct run *run, const char *profile)
{
    struct arena arena = {0};
    bool ok =
        stack_file_read(&run->profile.recorded, arena_join(&arena, profile, ".stacks", "", ""));
    arena_free(&arena);
    return ok;
}

static bool read_stack_files(struct run *run)
{
    const struct input_options *inputs = &run->options->inputs;
    if (*inputs->stacks != '\0')
        return stack_file_read(&run->profile.recorded, inputs->stacks);
    if (inputs->list != NULL || inputs->skip_bad)
        return problem(MSG_STACKS_BESIDE);
    for (size_t i = 0; i < inputs->profile_count; i++)
        if (!read_stacks_beside(run, inputs->profiles[i]))
            return false;
    return true;
}

bool read_stacks(struct run *run)
{
    struct recorded_stacks *stacks = &run->profile.recorded;
    const char *path = run->options->inputs.stacks;
    if (path == NULL)
        return true;
    if (!read_stack_files(run))
        return false;
    if (*path == '\0')
        path = "stacks beside the profiles";
    double nameless = stacks_name(stacks, &run->profile.symtab);
    stacks_measure(stacks);
    if (stacks->counted == 0)
        warning(run->diagnostics, MSG_NO_STACKS, path);
    else if (nameless > stacks->samples / 2)
        warning(run->diagnostics, MSG_FOREIGN_STACKS, path, image_path(run->image));
    else if (stacks->cut > stacks->counted / 100)
        note(run->diagnostics, MSG_CUT_STACKS, path, 100 * stacks->cut / stacks->counted);
    for (size_t i = 0; i <= stacks->objects.count && run_is_measured(run); i++)
        symtab_add_object(&run->profile.symtab, stacks->objects_shown[i]);
    return true;
}

/* ---- Notes ---- */

static int compare_self(const void *context, uint32_t a, uint32_t b)
{
    const struct measured_times *times = context;
    return compare_descending(times[a].self, times[b].self);
}

/* Appends `, 1.07 s in libc.so.6 (58 %)' to TEXT, for the object shown as NAME.  */
static void add_object(char *text, size_t size, const char *name, double self, double total,
                       const struct top *top)
{
    bool has_brackets = name[0] == '[';
    size_t used = strlen(text);
    snprintf(text + used, size - used, ", %.2f %c in %.*s (%.0f %%)", self / top->snapshot->rate,
             top->snapshot->unit_letter, (int)(strlen(name) - 2U * has_brackets),
             name + has_brackets, 100 * self / total);
}

/* Adds what of the time from stacks is in the program and in other objects, the largest first:
   `0.77 of 1.84 s are in this program, 1.07 s in libc.so.6 (58 %)'.  */
static void note_objects(struct top *top, const struct recorded_stacks *stacks)
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
    snprintf(text, sizeof text, "%.2f of %.2f %c are in this program",
             program / top->snapshot->rate, stacks->counted / top->snapshot->rate,
             top->snapshot->unit_letter);
    for (size_t i = 0, shown = 0; i < count && shown < MOST_SHOWN; i++) {
        double self = others[order[i]].self;
        if (order[i] == 0 || self <= 0)
            continue;
        add_object(text, sizeof text, stacks->objects_shown[order[i]], self, stacks->counted, top);
        shown++;
    }
    table_add_note(&top->table, &top->arena, text);
    free(order);
}

void stacks_note(struct top *top, const struct recorded_stacks *stacks)
{
    char text[200];
    note_objects(top, stacks);
    if (stacks->samples > stacks->counted) {
        snprintf(text, sizeof text,
                 "counting calls took %.1f %% more processor time; it is left out",
                 100 * (stacks->samples - stacks->counted) / stacks->counted);
        table_add_note(&top->table, &top->arena, text);
    }
    if (stacks->cut > 0) {
        snprintf(text, sizeof text, "%.1f %% of the stacks are cut: they begin with " CUT_SHOWN,
                 100 * stacks->cut / stacks->counted);
        table_add_note(&top->table, &top->arena, text);
    }
}
