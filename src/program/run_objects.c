/* run_objects.c - runs the pipeline for each object, or makes a table of objects (--objects).
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/run_objects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/object_profiles.h"
#include "program/output.h"
#include "program/pipeline.h"

/* ---- Objects as functions (--by=object) ---- */

/* What the profiles of an object add up to.  */
struct object_total {
    const char *name, *label; /* `prog', `libfoo.so.1'; the same, escaped */
    const char *path;         /* of the object's file; NULL if it was not found */
    double samples;           /* at the rate of the whole */
    uint64_t calls;           /* received, by calls from outside as well */
};

/* A snapshot in which each object is a function; free it with snapshot_free.  HEADER describes the
   time; NULL: there are no samples.  */
static struct snapshot snapshot_of_objects(const struct object_total *totals, size_t count,
                                           const struct hist_header *header)
{
    bool has_rate = header != NULL && header->rate != 0;
    struct snapshot snapshot = {.unit = has_rate ? header->dimension : "ticks",
                                .unit_letter = has_rate ? header->abbreviation : 't',
                                .rate = has_rate         ? (double)header->rate
                                        : header != NULL ? 1.0
                                                         : (double)NAN,
                                .functions = mem_uninitialised(count, sizeof *snapshot.functions),
                                .function_count = count};
    for (size_t i = 0; i < count; i++) {
        snapshot.functions[i] = (struct snapshot_function){.name = totals[i].label,
                                                           .raw = totals[i].name,
                                                           .file = totals[i].path,
                                                           .is_listed = true,
                                                           .samples = totals[i].samples,
                                                           .self_samples = totals[i].samples,
                                                           .total_samples = NAN,
                                                           .calls = totals[i].calls};
        snapshot.self_samples += totals[i].samples;
    }
    snapshot.self_total = snapshot.self_samples / snapshot.rate;
    return snapshot;
}

/* ---- Objects and their files ---- */

/* The program, its objects and their files.  */
struct object_run {
    const struct options *options;
    const struct plan *plan;
    struct diagnostics *diagnostics;
    struct image *image; /* the program */
    struct profile_list operands;
    struct object_list objects;
    struct library_path path;
};

static const char *path_of(struct object_run *all, const struct object_profiles *object)
{
    return object->name == NULL ? image_path(all->image)
                                : library_path_find(&all->path, object->name);
}

/* ---- One report for each object ---- */

static void print_heading(const char *path, bool is_first, FILE *out)
{
    struct arena names = {0};
    fprintf(out, "%s*** Object %s:\n\n", is_first ? "" : "\f\n", arena_escape(&names, path));
    arena_free(&names);
}

static bool run_object(struct object_run *all, const struct object_profiles *object,
                       const char *path, FILE *out)
{
    struct options options = *all->options;
    options.inputs.image = path;
    options.inputs.profiles = object->list.paths;
    options.inputs.profile_count = object->list.count;
    struct plan plan = *all->plan;
    if (object->name != NULL) { /* stacks have names of the program's functions only */
        plan.stacks = STACKS_NONE;
        plan.stacks_obstacle = NULL;
        options.inputs.has_slide = true; /* addresses in shared objects are never shifted */
        options.inputs.slide = 0;
        plan.is_measured = false;
    }
    struct run run = {.options = &options,
                      .plan = &plan,
                      .image =
                          object->name == NULL ? all->image : image_open(path, all->diagnostics),
                      .diagnostics = all->diagnostics,
                      .out = out};
    bool ok = run.image != NULL && run_all(&run);
    run_free(&run);
    if (object->name != NULL)
        image_close(run.image);
    return ok;
}

static bool print_each(struct object_run *all, FILE *out)
{
    bool ok = true;
    for (size_t i = 0; i < all->objects.count; i++) {
        const struct object_profiles *object = &all->objects.objects[i];
        const char *path = path_of(all, object);
        if (path == NULL) {
            warning(all->diagnostics, MSG_OBJECT_NOT_FOUND, object->list.paths[0], object->name);
            continue;
        }
        print_heading(path, i == 0, out);
        ok = run_object(all, object, path, out) && ok;
    }
    return ok;
}

/* Runs each object.  With --strict, keeps the reports until the last object has no warnings.  */
static bool run_each(struct object_run *all)
{
    char *text = NULL;
    size_t size = 0;
    if (!all->options->is_strict)
        return print_each(all, stdout);
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        die(MSG_NO_MEMORY, size, (size_t)1);
    bool ok = print_each(all, out);
    if (fclose(out) != 0)
        die(MSG_NO_MEMORY, size, (size_t)1);
    ok = may_write_output(all->diagnostics) && ok;
    if (ok)
        fwrite(text, 1, size, stdout);
    free(text);
    return ok;
}

/* ---- A table of all objects ---- */

/* The sums of the records that the visitor of a profile sees.  */
struct tally {
    struct object_total *total;
    struct hist_header *header; /* of the first histogram of all; its rate is that of the table */
    bool *has_header;
};

static bool add_samples(void *context, const struct gmon_histogram *h)
{
    const struct tally *tally = context;
    uint64_t samples = 0;
    if (!*tally->has_header)
        *tally->header = h->header;
    *tally->has_header = true;
    for (uint32_t i = 0; i < h->header.bin_count; i++)
        samples += gmon_bin(h, i);
    double factor = h->header.rate != 0 && tally->header->rate != 0
                        ? (double)tally->header->rate / h->header.rate
                        : 1;
    tally->total->samples += (double)samples * factor;
    return true;
}

static bool add_calls(void *context, vma from, vma self, uint64_t count)
{
    const struct tally *tally = context;
    (void)from;
    (void)self;
    tally->total->calls = sum_u64(tally->total->calls, count);
    return true;
}

static bool add_object(struct object_run *all, const struct object_profiles *object,
                       struct tally *tally)
{
    const struct gmon_layout layout = image_layout(all->image);
    const struct gmon_visitor visitor = {tally, add_samples, add_calls, NULL};
    struct file_buffer buffer = {0};
    bool ok = true;
    for (size_t i = 0; i < object->list.count && ok; i++) {
        ok = read_file(&buffer, object->list.paths[i]);
        const struct gmon_bytes file = {object->list.paths[i], buffer.bytes, buffer.size, false};
        ok = ok && gmon_read(&file, all->options->inputs.format, &layout, &visitor, NULL);
    }
    file_buffer_free(&buffer);
    return ok;
}

static bool print_table(struct object_run *all, const struct object_total *totals, size_t count,
                        const struct hist_header *header)
{
    struct run run = {.options = all->options,
                      .plan = all->plan,
                      .image = all->image,
                      .diagnostics = all->diagnostics,
                      .out = stdout,
                      .reports = REPORT_TOP};
    struct snapshot snapshot = snapshot_of_objects(totals, count, header);
    build_top(&run.top, &snapshot, &all->plan->top, &(struct si_prefix){' ', 1});
    explain_top(&run.top, all->plan, all->image);
    bool ok = may_write_output(all->diagnostics) && output_print(&run);
    run_free(&run);
    snapshot_free(&snapshot);
    return ok;
}

static bool run_table(struct object_run *all)
{
    struct object_total *totals = mem_array(all->objects.count, sizeof *totals);
    struct arena labels = {0};
    struct hist_header header = {0};
    bool has_header = false, ok = true;
    for (size_t i = 0; i < all->objects.count && ok; i++) {
        const struct object_profiles *object = &all->objects.objects[i];
        struct tally tally = {&totals[i], &header, &has_header};
        totals[i].path = path_of(all, object);
        totals[i].name = object->name != NULL ? object->name : path_base(image_path(all->image));
        totals[i].label = arena_escape(&labels, totals[i].name);
        ok = add_object(all, object, &tally);
    }
    ok = ok && print_table(all, totals, all->objects.count, has_header ? &header : NULL);
    arena_free(&labels);
    free(totals);
    return ok;
}

/* ---- The interface ---- */

static bool find_operands(struct object_run *all)
{
    const struct input_options *inputs = &all->options->inputs;
    all->operands.diagnostics = all->diagnostics;
    for (size_t i = 0; i < inputs->profile_count; i++)
        if (!profile_list_add(&all->operands, inputs->profiles[i]))
            return false;
    return inputs->list == NULL ||
           profile_list_add_from(&all->operands, inputs->list, inputs->is_null_separated);
}

bool run_objects(const struct options *options, const struct plan *plan,
                 struct diagnostics *diagnostics)
{
    struct object_run all = {.options = options, .plan = plan, .diagnostics = diagnostics};
    all.image = image_open(options->inputs.image, diagnostics);
    bool ok = all.image != NULL && find_operands(&all);
    if (ok) {
        library_path_fill(&all.path, all.image, options->inputs.object_places);
        object_list_fill(&all.objects, &all.operands);
        ok = plan->top.by == TOP_OBJECTS ? run_table(&all) : run_each(&all);
    }
    library_path_free(&all.path);
    object_list_free(&all.objects);
    profile_list_free(&all.operands);
    image_close(all.image);
    return ok;
}
