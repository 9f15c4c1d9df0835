/* read_objects.c - finds the files of shared objects; reads their functions and their calls.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/read_objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/gmon.h"
#include "input/object_code.h"
#include "input/object_profiles.h"
#include "stacks/measure_stacks.h"

/* ---- Which objects ---- */

/* Whether each object has samples, or is called by another one, or counted calls; by object.  Code
   that only starts the program or a thread is below nothing but `_start'.  Free with free.  */
static bool *find_needed(const struct recorded_stacks *stacks)
{
    const struct pair *places = stacks->places.map.pairs;
    bool *is_needed = mem_array(stacks->objects.names.count, sizeof *is_needed);
    for (size_t i = 0; i < stacks->places.map.count; i++) {
        uint32_t above = (uint32_t)places[i].a, object = (uint32_t)(places[i].a >> 32);
        bool is_called =
            above > 0 && places[above - 1].a >> 32 != object && (uint32_t)places[above - 1].a != 0;
        if (object != NO_OBJECT && (stacks->places.sums[i] > 0 || is_called))
            is_needed[object] = true;
    }
    for (size_t i = 0; i < stacks->objects.call_count; i++)
        is_needed[stacks->objects.calls[i].object] = true;
    return is_needed;
}

/* ---- Their files ---- */

/* Opens the file at PATH; NULL, perhaps after a message, if it cannot be read, or is another build
   than BUILD_ID, unless that is NULL.  *IS_OTHER: it is another build.  */
static struct image *open_object(const struct request *request, const char *path,
                                 const char *build_id, bool *is_other)
{
    if (path == NULL || !is_plain_file(path))
        return NULL;
    struct image *image = image_open(path, request->diagnostics);
    char *found = image != NULL && build_id != NULL ? image_build_id(image) : NULL;
    *is_other =
        image != NULL && build_id != NULL && (found == NULL || strcmp(found, build_id) != 0);
    free(found);
    if (!*is_other)
        return image;
    image_close(image);
    return NULL;
}

/* The file of the object NAME, of which FILE is known: where it was, or where --objects would find
   it; NULL if it is not found.  */
static struct image *find_file(const struct request *request, struct library_path *path,
                               const char *name, const struct object_file *file)
{
    bool is_other = false;
    struct image *image = open_object(request, file->path, file->build_id, &is_other);
    if (image != NULL || name[0] == '[' || strchr(name, '/') != NULL)
        return image;
    if (path->count == 0)
        library_path_fill(path, request->image, request->options->inputs.object_places);
    const char *found = library_path_find(path, name, file->build_id);
    if (found == NULL && (is_other || path->other != NULL))
        note(request->diagnostics, MSG_OTHER_OBJECT, is_other ? file->path : path->other);
    return found != NULL ? image_open(found, request->diagnostics) : NULL;
}

/* ---- Generated code ---- */

/* The functions that the files of stacks name.  */
static struct object_code list_generated(struct recorded_stacks *stacks)
{
    struct string_map *generated = &stacks->objects.generated;
    struct object_code code = {mem_array(generated->count, sizeof *code.ranges), generated->count};
    for (size_t i = 0; i < code.count; i++)
        code.ranges[i] = (struct named_range){
            i + 1, i + 2, arena_escape(&generated->arena, generated->strings[i]), 0};
    return code;
}

/* ---- The interface ---- */

struct objects_read read_objects(const struct request *request, struct recorded_stacks *stacks)
{
    struct library_path path = {0};
    size_t count = stacks->objects.names.count;
    struct objects_read objects = {mem_array(count, sizeof *objects.code),
                                   mem_array(count, sizeof *objects.images),
                                   mem_array(count, sizeof *objects.names), count};
    bool *is_needed = find_needed(stacks);
    for (uint32_t i = 1; i < count; i++) {
        static const struct object_file unknown;
        const char *name = stacks->objects.names.strings[i];
        const struct object_file *file =
            i < stacks->objects.file_capacity ? &stacks->objects.files[i] : &unknown;
        if (!is_needed[i] || file->is_mixed || strcmp(name, CUT_STACK) == 0 ||
            recorded_is_library(name))
            continue;
        if (strcmp(name, GENERATED_CODE) == 0) {
            objects.code[i] = list_generated(stacks);
            continue;
        }
        objects.images[i] = find_file(request, &path, name, file);
        if (objects.images[i] != NULL)
            objects.code[i] = object_code_read(objects.images[i], &objects.names[i]);
    }
    free(is_needed);
    library_path_free(&path);
    return objects;
}

/* ---- Calls ---- */

/* What is read of the calls in one object.  */
struct call_reader {
    struct object_calls *calls;
    struct recorded_stacks *stacks;
    const struct object_code *code;
    uint32_t object;
    uint64_t total, dropped; /* calls; those of functions that are not known */
};

static bool add_call(void *context, vma from, vma self, uint64_t count)
{
    struct call_reader *reader = context;
    struct object_calls *calls = reader->calls;
    struct named_range *caller = object_code_find(reader->code, from);
    struct named_range *callee = object_code_find(reader->code, self);
    struct arc arc = {.caller = NO_ID, .count = count};
    reader->total = sum_u64(reader->total, count);
    if (callee == NULL) {
        reader->dropped = sum_u64(reader->dropped, count);
        return true;
    }
    if (caller != NULL)
        arc.caller = stacks_id_of_code(reader->stacks, reader->object, caller);
    arc.callee = stacks_id_of_code(reader->stacks, reader->object, callee);
    calls->arcs = mem_grow(calls->arcs, &calls->capacity, calls->count + 1, sizeof *calls->arcs);
    calls->arcs[calls->count++] = arc;
    return true;
}

/* Reads the file that EXPECTED tells of, unless it is not there.  One with another number of calls
   is of another run.  False after a message.  */
static bool read_calls(struct call_reader *reader, const struct request *request,
                       struct image *image, const struct recorded_calls *expected)
{
    const struct gmon_layout layout = image_layout(request->image);
    const struct gmon_visitor visitor = {.context = reader, .arc = add_call};
    struct file_buffer buffer = {0};
    struct arena arena = {0};
    size_t before = reader->calls->count;
    const char *name = reader->stacks->objects.names.strings[reader->object];
    const char *path = arena_join(&arena, expected->profile, ".", name);
    bool ok = true;
    if (is_plain_file(path)) {
        ok = read_file(&buffer, path);
        const struct gmon_bytes file = {path, buffer.bytes, buffer.size, false};
        ok = ok && gmon_read(&file, request->options->inputs.format, &layout, &visitor, NULL);
    }
    if (reader->total != expected->total && reader->total > 0) {
        note(request->diagnostics, MSG_CALLS_OF_OTHER_RUN, path, expected->profile);
        reader->calls->count = before;
    } else if (reader->dropped > 0) {
        warning(request->diagnostics, MSG_CALLS_OUTSIDE, (unsigned long long)reader->dropped,
                (unsigned long long)reader->total, image_path(image));
    }
    reader->calls->bad_count += !ok;
    file_buffer_free(&buffer);
    arena_free(&arena);
    return ok || request->options->inputs.skip_bad;
}

bool read_object_calls(struct object_calls *calls, const struct request *request,
                       const struct objects_read *objects, struct recorded_stacks *stacks)
{
    const struct profile_list *inputs = request->inputs;
    size_t next = 0;
    bool ok = true;
    if (stacks->objects.call_count == 0)
        return true;
    calls->ends = mem_array(inputs->count, sizeof *calls->ends);
    for (size_t i = 0; i < inputs->count && ok; i++) {
        for (; next < stacks->objects.call_count && ok; next++) {
            const struct recorded_calls *expected = &stacks->objects.calls[next];
            struct call_reader reader = {.calls = calls,
                                         .stacks = stacks,
                                         .code = &objects->code[expected->object],
                                         .object = expected->object};
            if (expected->profile != inputs->paths[i])
                break;
            if (reader.code->count > 0)
                ok = read_calls(&reader, request, objects->images[expected->object], expected);
        }
        calls->ends[i] = calls->count;
    }
    return ok;
}

void free_objects(struct objects_read *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        free(objects->code[i].ranges);
        free(objects->names[i]);
        image_close(objects->images[i]);
    }
    free(objects->code);
    free(objects->images);
    free(objects->names);
    *objects = (struct objects_read){0};
}
