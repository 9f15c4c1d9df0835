/* run_objects.c - runs the pipeline for each object, or makes a table of objects (--objects).
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "program/run_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/object_profiles.h"
#include "program/output.h"
#include "program/pipeline.h"

/* ---- Objects as rows ---- */

/* What the profiles of an object add up to.  */
struct object_total {
    const char *name; /* `prog', `libfoo.so.1' */
    const char *path; /* of the object's file; NULL if it was not found */
    double samples;   /* at the rate of the whole */
    uint64_t calls;   /* received, by calls from outside as well */
};

static void add_labels(struct profile *profile)
{
    struct files *files = &profile->files;
    files->count = files->map.count;
    files->paths = files->map.strings;
    files->labels = mem_array(files->count, sizeof *files->labels);
    for (size_t i = 0; i < files->count; i++)
        files->labels[i] = arena_escape(&profile->names, files->paths[i]);
}

/* Fills PROFILE, which is empty, so that top_build makes a row of each object: each is a symbol
   with its samples as own time.  HIST describes the time; its histograms are not used.  The names
   and paths are copied.  */
static void object_totals_build(struct profile *profile, const struct object_total *totals,
                                size_t count, const struct hist_header *header)
{
    struct symtab *symtab = &profile->symtab;
    struct graph *graph = &profile->graph;
    if (header != NULL)
        hist_find_or_add(&profile->hist, header);
    symtab->symbols = mem_array(count, sizeof *symtab->symbols);
    symtab->count = count;
    graph->nodes = mem_array(count, sizeof *graph->nodes);
    graph->cycle = mem_array(count, sizeof *graph->cycle);
    graph->count = graph->symbol_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct object_total *total = &totals[i];
        struct symbol *symbol = &symtab->symbols[i];
        symbol->name = arena_copy(&profile->names, total->name, strlen(total->name));
        symbol->label = arena_escape(&profile->names, total->name);
        symbol->file =
            total->path != NULL ? string_map_number(&profile->files.map, total->path) : NO_ID;
        graph->nodes[i].time = total->samples;
        graph->nodes[i].calls = total->calls;
        profile->hist.samples += total->samples;
        profile->hist.total += total->samples;
    }
    add_labels(profile);
    profile->selection.per_call = (struct si_prefix){' ', 1};
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
    struct run run = {.options = &options,
                      .plan = all->plan,
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
        const struct gmon_bytes file = {object->list.paths[i], buffer.bytes, buffer.size};
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
    object_totals_build(&run.profile, totals, count, header);
    build_top(&run);
    bool ok = may_write_output(all->diagnostics) && output_print(&run);
    run_free(&run);
    return ok;
}

static bool run_table(struct object_run *all)
{
    struct object_total *totals = mem_array(all->objects.count, sizeof *totals);
    struct hist_header header = {0};
    bool has_header = false, ok = true;
    for (size_t i = 0; i < all->objects.count && ok; i++) {
        const struct object_profiles *object = &all->objects.objects[i];
        struct tally tally = {&totals[i], &header, &has_header};
        totals[i].path = path_of(all, object);
        totals[i].name = object->name != NULL ? object->name : path_base(image_path(all->image));
        ok = add_object(all, object, &tally);
    }
    ok = ok && print_table(all, totals, all->objects.count, has_header ? &header : NULL);
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
