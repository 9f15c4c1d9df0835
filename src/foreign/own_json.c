/* own_json.c - reads what --format=json wrote, as a profile.

   It has the functions with their times, and calls, but no stacks.  What it says of the spread
   between several runs is used by a comparison, which reads the file itself.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "foreign/formats.h"
#include "input/json_read.h"
#include "model/snapshot.h"

bool own_json_recognise(const char *bytes, size_t size)
{
    size_t start = strspn(bytes, " \t\r\n");
    return start < size && bytes[start] == '{' && strstr(bytes, "\"regprof/") != NULL &&
           strstr(bytes, "\"schema\"") != NULL;
}

static uint32_t place_of(struct foreign_builder *builder, const struct snapshot_function *function)
{
    const struct function_home home = {.file = function->file};
    return builder_place(builder, function->name, home, function->file, function->line);
}

/* Adds the functions of READ, of which a sample is SCALE ones of the first file.  Fills PLACES, by
   function.  */
static void add_functions(struct foreign_builder *builder, const struct snapshot *read,
                          double scale, uint32_t *places)
{
    const double rounding = 1e-6;
    for (size_t i = 0; i < read->function_count; i++) {
        const struct snapshot_function *function = &read->functions[i];
        double samples = function->self_samples, whole = floor(samples + 0.5);
        places[i] = place_of(builder, function);
        if (!figures_traits(read->figures)->has_samples &&
            fabs(samples - whole) < rounding * fabs(samples))
            samples = whole;
        if (fabs(samples) > 0)
            builder_add(builder, builder_frame(builder, 0, places[i]), samples * scale,
                        fabs(samples));
        if (fabs(function->total_samples) > 0)
            builder_total(builder, places[i], function->total_samples * scale);
    }
}

/* Adds the calls of READ; the first file has RATE samples per unit.  */
static void add_calls(struct foreign_builder *builder, const struct snapshot *read, double rate,
                      const uint32_t *places)
{
    for (size_t i = 0; i < read->arc_count; i++) {
        const struct arc *arc = &read->arcs[i];
        const struct line_times *times = &read->arc_times[i];
        builder_call(builder, places[arc->caller], places[arc->callee], arc->count,
                     times->self * rate, line_total(times) * rate);
    }
}

/* Adds the samples and calls of READ, in samples of the first file.  */
static void add_all(struct foreign_builder *builder, const struct snapshot *read)
{
    uint32_t *places = mem_uninitialised(read->function_count + 1, sizeof *places);
    if (builder->event.unit_size == 0)
        builder->event.unit_size = read->rate;
    add_functions(builder, read, builder->event.unit_size / read->rate, places);
    add_calls(builder, read, builder->event.unit_size, places);
    free(places);
}

bool own_json_read(struct foreign_reader *reader)
{
    struct stream *stream = reader->stream;
    struct snapshot read = {0};
    bool ok = stream_read_all(stream) &&
              json_read_bytes(&read, stream->bytes + stream->start, stream->end - stream->start,
                              stream->size, stream->path);
    bool is_estimated = read.origin == ORIGIN_ESTIMATED;
    ok = ok && foreign_set_kind(reader, read.unit.name,
                                is_estimated ? FOREIGN_ESTIMATED : FOREIGN_STATED, read.figures);
    ok = ok && (read.unit.value == NULL || foreign_set_value(reader, read.unit.value));
    if (ok)
        add_all(reader->builder, &read);
    ok = ok && foreign_has_room(reader);
    snapshot_free(&read);
    return ok;
}
