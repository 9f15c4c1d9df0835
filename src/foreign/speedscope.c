/* speedscope.c - reads the format of speedscope.app: profiles of samples, or of events.

   A sample is a stack with a weight.  Events open and close frames; the stack between two of them
   is one sample, as long as the time between them.  Our own exporter adds up the samples of a stack
   and writes what one of them weighs (sampleWeight); other programs do not say it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "foreign/foreign.h"
#include "foreign/formats.h"
#include "foreign/json_profile.h"

bool speedscope_recognise(const char *bytes, size_t size)
{
    return (json_start_has(bytes, size, "/$schema") &&
            strstr(bytes, "www.speedscope.app/file-format-schema.json") != NULL) ||
           json_start_has(bytes, size, "/shared/frames") ||
           json_start_has(bytes, size, "/profiles//unit") ||
           json_start_has(bytes, size, "/profiles//endValue");
}

#ifdef HAVE_JANSSON

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "input/json_members.h"
#include "model/recorded_stacks.h"

/* ---- Frames ---- */

/* A frame that was opened.  */
struct opened {
    uint32_t above; /* it in its stack, as of builder_frame: plus 1 */
    uint64_t frame;
};

struct speedscope {
    struct foreign_reader *reader;
    struct json_reader *json;
    uint32_t *places; /* by frame */
    bool *are_cut;    /* by frame: stands for outermost frames that are not known */
    size_t frame_count;
    const json_t *profiles;
    const char *unit;    /* of the profiles that are read */
    size_t profile;      /* number of the one that is read */
    struct opened *open; /* innermost last */
    size_t open_capacity;
};

static void read_frames(struct speedscope *scope, const json_t *root)
{
    struct json_reader *json = scope->json;
    const json_t *shared = json_member(json, root, "shared", JSON_OBJECT);
    const json_t *list = json_member_list(json, shared, "frames", &scope->frame_count);
    scope->places = mem_array(scope->frame_count, sizeof *scope->places);
    scope->are_cut = mem_array(scope->frame_count, sizeof *scope->are_cut);
    for (size_t i = 0; i < scope->frame_count && json->ok; i++) {
        const json_t *item = json_array_get(list, i);
        json->index = i;
        json_member(json, item, "name", JSON_STRING);
        const char *name = json_known_text(json, item, "name");
        scope->are_cut[i] = name != NULL && strcmp(name, CUT_SHOWN) == 0;
        const char *file = json_known_text(json, item, "file");
        scope->places[i] = builder_place(scope->reader->builder, name != NULL ? name : "[unknown]",
                                         (struct function_home){.file = file}, file,
                                         json_known_line(json, item, "line", 1));
    }
    json->list = NULL;
}

/* FRAME below ABOVE, both as of builder_frame; the result, too.  */
static uint32_t add_frame(const struct speedscope *scope, uint32_t above, uint64_t frame)
{
    struct foreign_builder *builder = scope->reader->builder;
    if (above == 0 && scope->are_cut[frame])
        return builder_cut(builder) + 1;
    return builder_frame(builder, above, scope->places[frame]) + 1;
}

/* ---- Samples ---- */

/* The stack that is item I of SAMPLES; 0 if it is empty: nothing ran.  */
static uint32_t stack_of(const struct speedscope *scope, const json_t *samples, size_t i)
{
    const json_t *stack = json_array_get(samples, i);
    uint32_t above = 0;
    if (!json_is_array(stack))
        json_refuse_item(scope->json, "samples", i);
    for (size_t depth = 0; depth < json_array_size(stack) && scope->json->ok; depth++) {
        const json_t *frame = json_array_get(stack, depth);
        json_int_t number = json_integer_value(frame);
        if (!json_is_integer(frame) || number < 0 || (uint64_t)number >= scope->frame_count)
            json_refuse_item(scope->json, "samples", i);
        else
            above = add_frame(scope, above, (uint64_t)number);
    }
    return above;
}

/* What one sample of PROFILE weighs; 0 if it does not say it.  */
static double sample_weight(struct json_reader *json, const json_t *profile)
{
    if (json_object_get(profile, "sampleWeight") == NULL)
        return 0;
    double weight = json_real_member(json, profile, "sampleWeight");
    if (weight <= 0)
        json_refuse(json, "sampleWeight");
    return weight;
}

static void read_samples(struct speedscope *scope, const json_t *profile)
{
    struct json_reader *json = scope->json;
    const json_t *samples = json_member(json, profile, "samples", JSON_ARRAY);
    const json_t *weights = json_member(json, profile, "weights", JSON_ARRAY);
    double one = sample_weight(json, profile);
    if (json_array_size(weights) != json_array_size(samples))
        json_refuse(json, "weights");
    for (size_t i = 0; i < json_array_size(samples) && json->ok; i++) {
        double weight = json_number_at(json, weights, i, "weights");
        uint32_t above = stack_of(scope, samples, i);
        if (weight < 0)
            json_refuse_item(json, "weights", i);
        if (above > 0 && json->ok)
            builder_add(scope->reader->builder, above - 1, weight, one > 0 ? weight / one : 1);
        json->ok = json->ok && foreign_has_room(scope->reader);
    }
}

/* ---- Events ---- */

/* Opens or closes the frame of EVENT, number I, when DEPTH frames are open.  Returns how many are
   open then.  */
static size_t follow(struct speedscope *scope, const json_t *event, size_t i, size_t depth)
{
    struct json_reader *json = scope->json;
    const char *type = json_string_value(json_member(json, event, "type", JSON_STRING));
    uint64_t frame = json_member_count(json, event, "frame", UINT32_MAX);
    bool is_open = type != NULL && strcmp(type, "O") == 0;
    if (type == NULL || (!is_open && strcmp(type, "C") != 0))
        json_refuse(json, "type");
    else if (frame >= scope->frame_count)
        json_refuse(json, "frame");
    else if (!is_open && (depth == 0 || scope->open[depth - 1].frame != frame))
        json->ok = json->ok && problem(MSG_CROSSED, json->path, scope->profile, i);
    if (!json->ok)
        return 0;
    if (!is_open)
        return depth - 1;
    scope->open = mem_grow(scope->open, &scope->open_capacity, depth + 1, sizeof *scope->open);
    uint32_t above = depth > 0 ? scope->open[depth - 1].above : 0;
    scope->open[depth] = (struct opened){add_frame(scope, above, frame), frame};
    return depth + 1;
}

static void read_events(struct speedscope *scope, const json_t *profile, size_t number)
{
    struct json_reader *json = scope->json;
    char list[60];
    size_t depth = 0;
    double last = -INFINITY;
    const json_t *events = json_member(json, profile, "events", JSON_ARRAY);
    snprintf(list, sizeof list, "profiles[%zu].events", number);
    json->list = list;
    scope->profile = number;
    for (size_t i = 0; i < json_array_size(events) && json->ok; i++) {
        const json_t *event = json_array_get(events, i);
        json->index = i;
        double at = json_real_member(json, event, "at");
        if (at < last)
            json_refuse(json, "at");
        if (depth > 0 && json->ok)
            builder_add(scope->reader->builder, scope->open[depth - 1].above - 1, at - last, 1);
        depth = follow(scope, event, i, depth);
        last = at;
        json->ok = json->ok && foreign_has_room(scope->reader);
    }
    json->list = NULL;
    if (depth == 0 || !json->ok)
        return; /* else what is open ends with the profile */
    double end = json_real_member(json, profile, "endValue");
    if (json->ok && end > last)
        builder_add(scope->reader->builder, scope->open[depth - 1].above - 1, end - last, 1);
}

/* ---- Profiles ---- */

/* The event that counts UNIT; NULL if there is no such unit.  */
static const char *event_of(const char *unit)
{
    static const char *const units[] = {"nanoseconds", "microseconds", "milliseconds", "seconds",
                                        "bytes"};
    for (size_t i = 0; i < ARRAY_LENGTH(units); i++)
        if (strcmp(unit, units[i]) == 0)
            return units[i];
    return strcmp(unit, "none") == 0 ? "samples" : NULL;
}

static const char *unit_of(struct speedscope *scope, const json_t *profile)
{
    const char *unit = json_string_value(json_member(scope->json, profile, "unit", JSON_STRING));
    if (unit != NULL && event_of(unit) == NULL)
        json_refuse(scope->json, "unit");
    return unit != NULL ? unit : "";
}

static const char *name_of(const json_t *profile)
{
    const char *name = json_string_value(json_object_get(profile, "name"));
    return name != NULL ? name : "";
}

/* Whether PROFILE is one of those that --program or --thread selects.  */
static bool is_wanted(const struct speedscope *scope, const json_t *profile)
{
    const struct foreign_rules *rules = scope->reader->rules;
    const char *name = name_of(profile);
    return rules->program == NULL || strcmp(name, rules->program) == 0 ||
           (foreign_thread(rules) != NULL && foreign_is_label(scope->reader, "thread", name));
}

static bool is_time(const char *unit)
{
    return event_of(unit) != NULL && builder_is_time(event_of(unit));
}

/* Chooses the unit: that of --value, else the first one of the profiles that --program selects, a
   time if there is one.  */
static void choose_unit(struct speedscope *scope)
{
    const struct foreign_rules *rules = scope->reader->rules;
    const char *wanted = rules->value, *path = scope->reader->stream->path;
    struct string_map units = {0};
    struct name_list names = {0}, programs = {0};
    for (size_t i = 0; i < json_array_size(scope->profiles) && scope->json->ok; i++) {
        const json_t *profile = json_array_get(scope->profiles, i);
        scope->json->index = i;
        const char *unit = unit_of(scope, profile);
        size_t known = units.count;
        name_list_add(&programs, name_of(profile));
        if (!is_wanted(scope, profile) || string_map_number(&units, unit) != known)
            continue;
        name_list_add(&names, unit);
        bool is_better = wanted != NULL
                             ? strcmp(unit, wanted) == 0
                             : scope->unit == NULL || is_time(unit) > is_time(scope->unit);
        if (is_better)
            scope->unit = unit;
    }
    if (scope->json->ok && units.count == 0 && rules->program != NULL &&
        foreign_thread(rules) == NULL) /* the caller says that no sample is of a thread */
        scope->json->ok = problem(MSG_NO_PROGRAM_OF, path, rules->program, programs.text);
    else if (scope->json->ok && scope->unit == NULL && units.count > 0)
        scope->json->ok = problem(MSG_NO_VALUE, path, wanted, names.text);
    else if (scope->json->ok && units.count > 1 && wanted == NULL)
        note(scope->reader->diagnostics, MSG_VALUE_CHOSEN, path, scope->unit, names.text);
    string_map_free(&units);
}

/* How the weights came about: times between events were measured, and nobody sampled them.  */
static enum figures figures_of(const struct speedscope *scope)
{
    enum figures figures = FIGURES_SAMPLED;
    for (size_t i = 0; i < json_array_size(scope->profiles) && is_time(scope->unit); i++) {
        const json_t *profile = json_array_get(scope->profiles, i);
        const char *type = json_string_value(json_object_get(profile, "type"));
        if (is_wanted(scope, profile) && type != NULL && strcmp(type, "evented") == 0)
            figures = FIGURES_STATED;
    }
    return figures;
}

static void read_profile(struct speedscope *scope, const json_t *profile, size_t number)
{
    struct json_reader *json = scope->json;
    const char *type = json_string_value(json_member(json, profile, "type", JSON_STRING));
    if (type != NULL && strcmp(type, "sampled") == 0)
        read_samples(scope, profile);
    else if (type != NULL && strcmp(type, "evented") == 0)
        read_events(scope, profile, number);
    else
        json_refuse(json, "type");
}

static void read_document(struct foreign_reader *reader, struct json_reader *json,
                          const json_t *root)
{
    struct speedscope scope = {.reader = reader, .json = json};
    size_t count;
    read_frames(&scope, root);
    scope.profiles = json_member_list(json, root, "profiles", &count);
    if (json->ok)
        choose_unit(&scope);
    if (json->ok && scope.unit != NULL)
        json->ok =
            foreign_set_kind(reader, event_of(scope.unit), FOREIGN_STACKS, figures_of(&scope));
    for (size_t i = 0; scope.unit != NULL && i < count && json->ok; i++) {
        const json_t *profile = json_array_get(scope.profiles, i);
        json->list = "profiles";
        json->index = i;
        if (count > 1) /* each is a thread; one alone has the name of the file, or another */
            reader->builder->threads.current =
                builder_thread(reader->builder, name_of(profile), 0, i);
        if (is_wanted(&scope, profile) && strcmp(unit_of(&scope, profile), scope.unit) == 0)
            read_profile(&scope, profile, i);
        else if (is_wanted(&scope, profile))
            builder_leave_out(reader->builder, json_array_size(json_object_get(profile, "weights")),
                              event_of(unit_of(&scope, profile)));
    }
    free(scope.places);
    free(scope.are_cut);
    free(scope.open);
}

#else
#define read_document NULL
#endif

bool speedscope_read(struct foreign_reader *reader)
{
    return json_profile_read(reader, read_document);
}
