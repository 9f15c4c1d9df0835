/* write_stacks.c - writes files of call stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/write_stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"

/* Writes the frames of the stack that ends at PLACE.  FRAMES has memory for them.  */
static void write_frames(FILE *out, const struct recorded_stacks *stacks, uint32_t place,
                         struct recorded_frame *frames)
{
    size_t count = 0;
    for (uint32_t next = place + 1; next > 0;) {
        const struct pair *pair = &stacks->places.map.pairs[next - 1];
        uint32_t object = (uint32_t)(pair->a >> 32);
        bool is_known =
            object != NO_OBJECT && strcmp(stacks->objects.names.strings[object], CUT_STACK) != 0;
        bool is_return = count > 0 && is_known &&
                         strcmp(stacks->objects.names.strings[object], GENERATED_CODE) != 0;
        frames[count] = (struct recorded_frame){is_known ? object : NO_OBJECT, pair->b + is_return};
        next = (uint32_t)pair->a;
        count++;
    }
    while (count-- > 0) {
        if (frames[count].object == NO_OBJECT)
            fputc('?', out);
        else
            fprintf(out, "%" PRIu32 ":%" PRIx64, frames[count].object, frames[count].addr);
        fputc(count > 0 ? ';' : ' ', out);
    }
}

static size_t deepest(const struct recorded_stacks *stacks)
{
    size_t count = stacks->places.map.count, most = 0;
    uint32_t *depths = mem_uninitialised(count, sizeof *depths);
    for (size_t i = 0; i < count; i++) {
        uint32_t above = (uint32_t)stacks->places.map.pairs[i].a;
        depths[i] = above > 0 ? depths[above - 1] + 1 : 1;
        most = depths[i] > most ? depths[i] : most;
    }
    free(depths);
    return most;
}

/* SAMPLES, of which there are parts if rates differ, as a whole number.  What that is too small by,
   or too large, goes into *REST and the next number, so that the sum stays right.  */
static uint64_t take_whole(double samples, double *rest)
{
    const double most_with_parts = 1e15;
    if (!(samples > 0) || samples > most_with_parts)
        return whole_u64(samples);
    double exact = samples + *rest;
    uint64_t whole = exact > 0 ? whole_u64(exact) : 0;
    *rest = exact - (double)whole;
    return whole;
}

/* Ends a line with NAME, escaped as stack_file.h says.  */
static void end_with_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++)
        if (*name == '\n' || *name == '\\')
            fputs(*name == '\n' ? "\\n" : "\\\\", out);
        else if ((unsigned char)*name < ' ' || *name == 127)
            fprintf(out, "\\x%02x", (unsigned)*name);
        else
            putc(*name, out);
    putc('\n', out);
}

/* Writes name and file of OBJECT.  The file is left out where it has several builds.  */
static void write_object(FILE *out, const struct recorded_objects *objects, uint32_t object)
{
    fprintf(out, "# %s %" PRIu32 " ", object == 0 ? "program" : "object", object);
    end_with_name(out, object == 0 ? "program" : objects->names.strings[object]);
    if (object >= objects->file_capacity)
        return;
    const struct object_file *file = &objects->files[object];
    if (file->path == NULL || file->is_mixed)
        return;
    fprintf(out, "# file %" PRIu32 " %s ", object, file->build_id != NULL ? file->build_id : "-");
    end_with_name(out, file->path);
}

/* Writes a line for each of the threads NUMBERS, with new numbers, which have a name.  */
static void write_threads(FILE *out, const struct recorded_stacks *stacks, const uint32_t *numbers,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "# thread %" PRIu32 " ", numbers[i] + 1);
        end_with_name(
            out,
            stacks->threads.names.strings[(stacks->threads.numbers.pairs[numbers[i]].a >> 32) - 1]);
    }
}

void write_stacks(FILE *out, const struct recorded_stacks *stacks,
                  const struct stacks_origin *origin)
{
    const struct profile_totals *totals = &origin->totals;
    const struct recorded_objects *objects = &stacks->objects;
    struct recorded_frame *frames = mem_uninitialised(deepest(stacks), sizeof *frames);
    uint64_t sum = 0;
    double rest = 0;
    fprintf(out, STACKS_START "\n# rate %.0f\n", stacks->rate);
    if (origin->build_id[0] != '\0')
        fprintf(out, "# build-id %s\n", origin->build_id);
    fprintf(out, "# histogram %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", totals->low, totals->high,
            totals->samples);
    fprintf(out, "# checksum %" PRIx64 "\n", totals->checksum);
    if (origin->code_high != 0)
        fprintf(out, "# code %" PRIx64 " %" PRIx64 "\n", origin->code_low, origin->code_high);
    if (stacks->all.squares > stacks->all.sum)
        fprintf(out, "# ticks %.0f\n", stacks->all.sum / weight_of_sample(&stacks->all));
    for (uint32_t i = 0; i < objects->names.count; i++)
        if (strcmp(objects->names.strings[i], CUT_STACK) != 0)
            write_object(out, objects, i);
    for (uint32_t i = 0; i < objects->generated.count; i++) {
        fprintf(out, "# generated %" PRIx32 " ", i + 1);
        end_with_name(out, objects->generated.strings[i]);
    }
    struct id_lists threads = threads_list(&stacks->threads, &stacks->threads.numbers);
    struct id_lists ends = threads_list(&stacks->threads, &stacks->threads.ends.map);
    for (size_t thread = 0; thread <= stacks->threads.names.count; thread++) {
        write_threads(out, stacks, threads.ids + threads.start[thread],
                      threads.start[thread + 1] - threads.start[thread]);
        for (uint32_t i = ends.start[thread]; i < ends.start[thread + 1]; i++) {
            uint32_t place = (uint32_t)stacks->threads.ends.map.pairs[ends.ids[i]].b;
            uint64_t samples = take_whole(stacks->threads.ends.sums[ends.ids[i]], &rest);
            if (samples == 0 || ferror(out))
                continue;
            write_frames(out, stacks, place, frames);
            fprintf(out, "%" PRIu64 "\n", samples);
            sum = sum_u64(sum, samples);
        }
    }
    fprintf(out, "# samples %" PRIu64 "\n", sum);
    id_lists_free(&threads);
    id_lists_free(&ends);
    free(frames);
}
