/* mode_objects.c - prints reports of each object, or makes a table of objects (--objects).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/image_traits.h"
#include "input/object_profiles.h"
#include "input/stack_file.h"
#include "program/analyse.h"
#include "program/explain_tables.h"
#include "program/hints.h"
#include "program/modes.h"
#include "program/output.h"
#include "program/read_stacks.h"

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
                                .short_unit = {has_rate ? header->abbreviation : 't'},
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
struct program_objects {
    const struct request *request; /* of the program */
    struct object_list objects;
    struct library_path path;
    struct recorded_stacks
        recorded; /* of the first profile with stacks, which say what was loaded */
};

/* Reads what the stacks beside the program's profiles say about objects.  */
static void read_recorded(struct program_objects *all)
{
    const struct profile_list *profiles = &all->objects.objects[0].list;
    struct arena arena = {0};
    struct stacks_origin origin;
    const char *path = NULL;
    for (size_t i = 0; i < profiles->count && path == NULL; i++)
        path = stack_file_beside(&arena, profiles->paths[i]);
    if (path != NULL && !stack_file_read(&all->recorded, &origin, NULL, path))
        warning(all->request->diagnostics, MSG_STACKS_DAMAGED, path);
    else if (path != NULL && !stacks_are_of_program(all->request->image, &origin))
        recorded_stacks_free(&all->recorded);
    arena_free(&arena);
}

/* What the stacks say about the file of the object NAME.  */
static const struct object_file *file_named(const struct program_objects *all, const char *name)
{
    static const struct object_file unknown;
    for (size_t i = 1; i < all->recorded.object_file_count; i++)
        if (strcmp(all->recorded.objects.strings[i], name) == 0 &&
            !all->recorded.object_files[i].is_mixed)
            return &all->recorded.object_files[i];
    return &unknown;
}

/* The path of an object whose NAME ends in the start of its build id, since another one of the same
   name was loaded, as in `libfoo.so.1.5f3a90c2'; NULL if there is none.  */
static const char *path_by_build(struct program_objects *all, const char *name)
{
    enum { ID_DIGITS = 8 };
    const char *id = strrchr(name, '.');
    if (id == NULL || strspn(id + 1, "0123456789abcdef") != ID_DIGITS || id[1 + ID_DIGITS] != '\0')
        return NULL;
    char *real = mem_copy(name, (size_t)(id - name));
    const char *path = library_path_find(&all->path, real, id + 1);
    free(real);
    return path;
}

/* The path of the file of OBJECT: where it was when the program ran, or where it is found by its
   name; NULL if it is not, and all->path.other is then one that is another build, or NULL.  */
static const char *path_of(struct program_objects *all, const struct object_profiles *object)
{
    if (object->name == NULL)
        return image_path(all->request->image);
    const struct object_file *file = file_named(all, object->name);
    all->path.other = NULL;
    if (file->path != NULL && file->build_id != NULL &&
        library_path_accepts(&all->path, file->path, file->build_id))
        return file->path;
    const char *loaded = all->path.other;
    const char *path = library_path_find(&all->path, object->name, file->build_id);
    const char *other = loaded != NULL ? loaded : all->path.other;
    if (path == NULL)
        path = path_by_build(all, object->name);
    all->path.other = other;
    return path;
}

/* ---- One report for each object ---- */

/* Prints the reports of OBJECT, whose file is at PATH.  */
static bool report_object(struct program_objects *all, const struct object_profiles *object,
                          const char *path, FILE *out)
{
    static const struct stacks_plan none = {.source = STACKS_NONE};
    struct request request = *all->request;
    struct analysis analysis = {.reports = request.plan->reports};
    request.inputs = &object->list;
    request.out = out;
    if (object->name != NULL) {
        request.image = image_open(path, request.diagnostics);
        request.stacks = &none;   /* they have names of the program's functions only */
        request.has_slide = true; /* addresses in shared objects are never shifted */
        request.slide = 0;
    }
    bool ok = request.image != NULL && report(&request, &analysis);
    analysis_free(&analysis);
    if (object->name != NULL)
        image_close(request.image);
    return ok;
}

static bool print_each(struct program_objects *all, FILE *out)
{
    bool ok = true;
    struct arena names = {0};
    for (size_t i = 0; i < all->objects.count; i++) {
        const struct object_profiles *object = &all->objects.objects[i];
        const char *path = path_of(all, object);
        if (path == NULL) {
            const char *other = all->path.other;
            warning(all->request->diagnostics,
                    other != NULL ? MSG_REFUSED_OBJECT : MSG_OBJECT_NOT_FOUND,
                    object->list.paths[0], other != NULL ? other : object->name);
            continue;
        }
        fprintf(out, "%s*** Object %s:\n\n", i == 0 ? "" : "\f\n", arena_escape(&names, path));
        ok = report_object(all, object, path, out) && ok;
    }
    arena_free(&names);
    return ok;
}

/* Prints the reports of each object.  With --strict, keeps the reports until the last object has no
 * warnings.  */
static bool report_each(struct program_objects *all)
{
    char *text = NULL;
    size_t size = 0;
    if (!all->request->options->is_strict)
        return print_each(all, stdout);
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        die(MSG_NO_MEMORY, size, (size_t)1);
    bool ok = print_each(all, out);
    if (fclose(out) != 0)
        die(MSG_NO_MEMORY, size, (size_t)1);
    ok = may_write_output(all->request->diagnostics) && ok;
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

static bool add_object(struct program_objects *all, const struct object_profiles *object,
                       struct tally *tally)
{
    const struct gmon_layout layout = image_layout(all->request->image);
    const struct gmon_visitor visitor = {tally, add_samples, add_calls, NULL};
    struct file_buffer buffer = {0};
    bool ok = true;
    for (size_t i = 0; i < object->list.count && ok; i++) {
        ok = read_file(&buffer, object->list.paths[i]);
        const struct gmon_bytes file = {object->list.paths[i], buffer.bytes, buffer.size, false};
        ok = ok && gmon_read(&file, all->request->options->inputs.format, &layout, &visitor, NULL);
    }
    file_buffer_free(&buffer);
    return ok;
}

static bool has_calls(const struct object_total *totals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (totals[i].calls > 0)
            return true;
    return false;
}

static bool print_table(struct program_objects *all, const struct object_total *totals,
                        size_t count, const struct hist_header *header)
{
    const struct request *request = all->request;
    struct snapshot snapshot = snapshot_of_objects(totals, count, header);
    struct top_rules rules = request->plan->top;
    struct top *top = mem_array(1, sizeof *top);
    const struct output output = {.reports = REPORT_TOP, .tables.top = &top->table};
    if (header != NULL && !has_calls(totals, count) && image_counts_no_calls(request->image)) {
        note(request->diagnostics, MSG_NOT_COUNTED, image_path(request->image));
        if (!request->plan->has_columns)
            column_list_remove(&rules.columns, "calls");
    }
    build_top(top, &snapshot, &rules, &(struct si_prefix){' ', 1});
    explain_top(top, request->plan, request->image);
    bool ok = may_write_output(request->diagnostics) && output_print(request, &output);
    top_free(top);
    free(top);
    snapshot_free(&snapshot);
    return ok;
}

static bool run_table(struct program_objects *all)
{
    struct object_total *totals = mem_array(all->objects.count, sizeof *totals);
    struct arena labels = {0};
    struct hist_header header = {0};
    bool has_header = false, ok = true;
    for (size_t i = 0; i < all->objects.count && ok; i++) {
        const struct object_profiles *object = &all->objects.objects[i];
        struct tally tally = {&totals[i], &header, &has_header};
        totals[i].path = path_of(all, object);
        totals[i].name =
            object->name != NULL ? object->name : path_base(image_path(all->request->image));
        totals[i].label = arena_escape(&labels, totals[i].name);
        ok = add_object(all, object, &tally);
    }
    ok = ok && print_table(all, totals, all->objects.count, has_header ? &header : NULL);
    arena_free(&labels);
    free(totals);
    return ok;
}

/* ---- The mode ---- */

int mode_objects(const struct request *request)
{
    struct program_objects all = {.request = request};
    library_path_fill(&all.path, request->image, request->options->inputs.object_places);
    object_list_fill(&all.objects, request->inputs);
    read_recorded(&all);
    bool ok = request->plan->top.by == TOP_OBJECTS ? run_table(&all) : report_each(&all);
    library_path_free(&all.path);
    object_list_free(&all.objects);
    recorded_stacks_free(&all.recorded);
    return ok && request->inputs->unreadable == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
