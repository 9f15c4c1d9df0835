/* pprof.c - profiles for pprof: gzipped messages of Protocol Buffers.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compress.h"
#include "base/hash.h"
#include "base/memory.h"
#include "export/exporters.h"
#include "model/profile_proto.h"

/* A message under construction.  Zeroed = empty.  */
struct protobuf {
    unsigned char *bytes;
    size_t size, capacity;
};

/* ---- Protocol Buffers ---- */

enum { LONGEST_VARINT = 10 };

static unsigned char *extend(struct protobuf *message, size_t size)
{
    message->bytes = mem_grow(message->bytes, &message->capacity, message->size + size, 1);
    return message->bytes + message->size;
}

/* Appends a number of a packed field.  */
static void protobuf_packed(struct protobuf *numbers, uint64_t number)
{
    unsigned char *to = extend(numbers, LONGEST_VARINT);
    for (; number >= 0x80; number >>= 7) {
        *to++ = (unsigned char)(0x80 | (number & 0x7F));
        numbers->size++;
    }
    *to = (unsigned char)number;
    numbers->size++;
}

/* These functions append a field with the number FIELD.  */
static void protobuf_number(struct protobuf *message, unsigned field, uint64_t number)
{
    protobuf_packed(message, field << 3 | WIRE_VARINT);
    protobuf_packed(message, number);
}

static void protobuf_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t size)
{
    protobuf_packed(message, field << 3 | WIRE_BYTES);
    protobuf_packed(message, size);
    memcpy(extend(message, size + 1), bytes, size);
    message->size += size;
}

static void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
    protobuf_bytes(message, field, text, strlen(text));
}

static void protobuf_message(struct protobuf *message, unsigned field, const struct protobuf *part)
{
    protobuf_packed(message, field << 3 | WIRE_BYTES);
    protobuf_packed(message, part->size);
    if (part->size > 0)
        memcpy(extend(message, part->size), part->bytes, part->size);
    message->size += part->size;
}

static void protobuf_free(struct protobuf *message)
{
    free(message->bytes);
    *message = (struct protobuf){0};
}

/* ---- The profile ----

   The own time of each function is exact: what no estimated stack of it has is in stacks
   `[other stacks];function'.  */

/* The number of the frame EXPORT_OTHER_STACKS, which is not in the tree.  */
enum { OTHER_STACKS = INT32_MAX };

/* Samples that were given to the stacks of a function so far, exact and as whole numbers.  */
struct given {
    double exact;
    uint64_t samples;
    uint64_t weight; /* in nanoseconds, bytes, events */
};

struct writer {
    const struct snapshot *snapshot;
    const struct stack_tree *tree;
    bool by_thread;                      /* its roots are threads */
    struct protobuf profile, part, line; /* `part' and `line' are scratch memory */
    struct string_map strings;
    struct pair_map functions; /* names, as printed and in the image, by function number */
    struct pair_map frames;    /* (label; of others, how many) of frames that are no functions */
    struct arena arena;        /* of strings that were not UTF-8 */
    bool *is_used;             /* by function id: has a location, the id of which is one more */
    struct given *given;       /* by function id, and of all other frames */
    struct export_unit unit;
    bool has_samples, has_weights; /* the values of a sample: one of them, or both */
};

/* The compressed file.  */
struct packed {
    void *bytes;
    size_t size;
};

/* ---- Strings ---- */

static uint64_t string_of(struct writer *w, const char *text)
{
    return string_map_number(&w->strings, arena_utf8(&w->arena, text));
}

/* Appends the scratch message as a field of the profile.  */
static void put(struct writer *w, unsigned field)
{
    protobuf_message(&w->profile, field, &w->part);
    w->part.size = 0;
}

static void put_type(struct writer *w, unsigned field, const char *name, const char *unit)
{
    protobuf_number(&w->part, TYPE_NAME, string_of(w, name));
    protobuf_number(&w->part, TYPE_UNIT, string_of(w, unit));
    put(w, field);
}

/* ---- Samples ---- */

/* Appends the location of a frame to the stack: of the function LABEL, of another one, or of
   LEFT_OUT others.  */
static void put_frame(struct writer *w, uint32_t label, uint32_t left_out)
{
    size_t functions = w->snapshot->function_count;
    if (label < functions)
        w->is_used[label] = true;
    protobuf_packed(&w->line, label < functions
                                  ? (uint64_t)label + 1
                                  : functions + 1 + pair_map_number(&w->frames, label, left_out));
}

/* Appends the label of a thread to the sample.  */
static void put_thread(struct writer *w, const char *name)
{
    struct protobuf label = {0};
    protobuf_number(&label, LABEL_KEY, string_of(w, "thread"));
    protobuf_number(&label, LABEL_TEXT, string_of(w, name));
    protobuf_message(&w->part, SAMPLE_LABEL, &label);
    protobuf_free(&label);
}

/* Adds SAMPLES to GIVEN and returns by how much its whole numbers grow.  So those of a function add
   up to its rounded sum: 0.4, 0.4 and 0.4 samples become 0, 1 and 0.  */
static struct given give(const struct writer *w, struct given *given, double samples)
{
    struct given before = *given;
    given->exact += samples;
    given->samples = stack_rounded(given->exact);
    given->weight = stack_rounded(given->exact * w->tree->sample_time * w->unit.size);
    return (struct given){samples, given->samples - before.samples, given->weight - before.weight};
}

static bool is_empty(const struct writer *w, const struct given *part)
{
    return (part->samples == 0 || !w->has_samples) && (part->weight == 0 || !w->has_weights);
}

/* Appends a sample of the locations in LOCATIONS, which are empty then.  */
static void put_sample(struct writer *w, struct protobuf *locations, const struct given *part)
{
    protobuf_message(&w->part, SAMPLE_LOCATIONS, locations);
    locations->size = 0;
    if (w->has_samples)
        protobuf_packed(locations, part->samples);
    if (w->has_weights)
        protobuf_packed(locations, part->weight);
    protobuf_message(&w->part, SAMPLE_VALUES, locations);
    locations->size = 0;
    put(w, PROFILE_SAMPLES);
}

/* Whether a node of the tree is a thread, which has a label and no location.  */
static bool is_thread(const struct writer *w, size_t node)
{
    return w->by_thread && w->tree->stacks.parent[node] == UINT32_MAX &&
           stack_tree_is_named(w->tree, node);
}

/* Appends what no stack of the tree has.  */
static void put_rests(struct writer *w)
{
    const struct stack_tree *tree = w->tree;
    bool has_root = export_has_one_root(tree) && !w->snapshot->is_by_line;
    for (uint32_t f = 0; tree->rests != NULL && f < w->snapshot->function_count; f++) {
        struct given part = give(w, &w->given[f], tree->rests[f]);
        if (is_empty(w, &part))
            continue;
        put_frame(w, f, 0);
        if (!w->snapshot->is_by_line)
            put_frame(w, STACKS_OTHERS, OTHER_STACKS);
        if (has_root)
            put_frame(w, tree->stacks.label[0], tree->left_out[0]);
        put_sample(w, &w->line, &part);
    }
}

static void put_stacks(struct writer *w)
{
    const struct stack_tree *tree = w->tree;
    const uint32_t *labels = tree->stacks.label;
    for (size_t i = 0; i < tree->stacks.count; i++) {
        uint32_t function = stack_tree_function(tree, i);
        size_t owner = function != UINT32_MAX ? function : w->snapshot->function_count;
        struct given part = give(w, &w->given[owner], stack_tree_own(tree, i));
        if (is_empty(w, &part))
            continue;
        for (size_t at = i; at != UINT32_MAX; at = tree->stacks.parent[at]) {
            if (is_thread(w, at))
                put_thread(w, tree->names[labels[at] - tree->function_count]);
            else
                put_frame(w, labels[at], tree->left_out[at]);
        }
        if (w->line.size == 0) /* the thread alone, as if all of its frames are hidden */
            put_frame(w, STACKS_OTHERS, 0);
        put_sample(w, &w->line, &part);
    }
    put_rests(w);
}

/* ---- Locations and functions ---- */

/* The id of the function with these names, which is appended if it is new.  */
static uint64_t function_id(struct writer *w, const char *name, const char *raw, const char *file,
                            uint32_t line)
{
    struct protobuf message = {0};
    size_t before = w->functions.count;
    uint64_t names[] = {string_of(w, name), string_of(w, raw)};
    uint64_t id = (uint64_t)pair_map_number(&w->functions, names[0], names[1]) + 1;
    if (w->functions.count == before)
        return id;
    protobuf_number(&message, FUNCTION_ID, id);
    protobuf_number(&message, FUNCTION_NAME, names[0]);
    protobuf_number(&message, FUNCTION_SYSTEM_NAME, names[1]);
    if (file != NULL)
        protobuf_number(&message, FUNCTION_FILE, string_of(w, file));
    if (line != 0)
        protobuf_number(&message, FUNCTION_START, line);
    protobuf_message(&w->profile, PROFILE_FUNCTIONS, &message);
    protobuf_free(&message);
    return id;
}

static void put_location(struct writer *w, uint64_t id, uint64_t address, uint64_t function,
                         uint32_t line)
{
    w->line.size = 0;
    protobuf_number(&w->line, LINE_FUNCTION, function);
    protobuf_number(&w->line, LINE_NUMBER, line);
    protobuf_number(&w->part, LOCATION_ID, id);
    if (address != 0) {
        protobuf_number(&w->part, LOCATION_MAPPING, 1);
        protobuf_number(&w->part, LOCATION_ADDRESS, address);
    }
    protobuf_message(&w->part, LOCATION_LINE, &w->line);
    put(w, PROFILE_LOCATIONS);
}

static void put_locations(struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    for (uint32_t i = 0; i < snapshot->function_count; i++) {
        if (!w->is_used[i])
            continue;
        const struct snapshot_function *f = &snapshot->functions[i];
        uint64_t id = function_id(w, f->name, f->raw, f->file, snapshot->is_by_line ? 0 : f->line);
        put_location(w, (uint64_t)i + 1,
                     snapshot_has_image(snapshot) && function_has_address(f) ? f->address : 0, id,
                     f->line);
    }
    for (uint32_t i = 0; i < w->frames.count; i++) {
        const struct pair *frame = &w->frames.pairs[i];
        char text[STACK_NAME_SIZE];
        const char *name = frame->b == OTHER_STACKS ? EXPORT_OTHER_STACKS
                                                    : export_stack_name(w->tree, (uint32_t)frame->a,
                                                                        (uint32_t)frame->b, text);
        put_location(w, snapshot->function_count + 1 + i, 0, function_id(w, name, name, NULL, 0),
                     0);
    }
}

/* The image, from the first to the last function.  */
static void put_mapping(struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    uint64_t lowest = UINT64_MAX, highest = 0;
    for (size_t i = 0; i < snapshot->function_count; i++) {
        const struct snapshot_function *f = &snapshot->functions[i];
        if (function_has_address(f) && f->address < lowest)
            lowest = f->address;
        if (function_has_address(f) && f->address > highest)
            highest = f->address;
    }
    protobuf_number(&w->part, MAPPING_ID, 1);
    protobuf_number(&w->part, MAPPING_START, lowest <= highest ? lowest : 0);
    protobuf_number(&w->part, MAPPING_LIMIT, highest < UINT64_MAX ? highest + 1 : highest);
    protobuf_number(&w->part, MAPPING_FILE, string_of(w, snapshot->image.path));
    if (snapshot->image.build_id != NULL)
        protobuf_number(&w->part, MAPPING_BUILD_ID, string_of(w, snapshot->image.build_id));
    protobuf_number(&w->part, MAPPING_HAS_FUNCTIONS, 1); /* pprof need not look for them */
    protobuf_number(&w->part, MAPPING_HAS_FILES, 1);
    protobuf_number(&w->part, MAPPING_HAS_LINES, 1);
    put(w, PROFILE_MAPPINGS);
}

/* ---- The interface ---- */

static void put_profile(struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    string_of(w, ""); /* number 0 */
    if (w->has_samples)
        put_type(w, PROFILE_TYPES, "samples", "count");
    if (w->has_weights)
        put_type(w, PROFILE_TYPES, w->unit.what, w->unit.unit);
    if (snapshot_has_image(snapshot))
        put_mapping(w);
    put_stacks(w);
    put_locations(w);
    if (w->has_weights && figures_traits(snapshot->figures)->has_samples &&
        snapshot->totals.samples > 0) {
        put_type(w, PROFILE_PERIOD_TYPE, w->unit.what, w->unit.unit);
        protobuf_number(&w->profile, PROFILE_PERIOD,
                        stack_rounded(w->tree->sample_time * w->unit.size));
    }
    if (!snapshot->is_by_line)
        protobuf_number(&w->profile, PROFILE_COMMENTS,
                        string_of(w, w->tree->is_recorded
                                         ? "Sampled stacks"
                                         : arena_join(&w->arena, "Stacks are ",
                                                      export_origin(snapshot, w->tree))));
    for (size_t i = 0; i < w->strings.count; i++)
        protobuf_text(&w->profile, PROFILE_STRINGS, w->strings.strings[i]);
}

static void *prepare(const struct snapshot *snapshot)
{
    bool by_thread = snapshot->extras.thread_tree != NULL;
    struct writer w = {.snapshot = snapshot,
                       .tree = by_thread ? snapshot->extras.thread_tree : snapshot->extras.tree,
                       .by_thread = by_thread,
                       .is_used = mem_array(snapshot->function_count, 1),
                       .given = mem_array(snapshot->function_count + 1, sizeof(struct given)),
                       .unit = export_unit(&snapshot->unit)};
    bool are_samples = strcmp(w.unit.what, "samples") == 0;
    w.has_weights = !are_samples || w.tree->has_weights;
    w.has_samples =
        !w.has_weights || (!are_samples && figures_traits(snapshot->figures)->has_samples);
    struct packed *packed = mem_array(1, sizeof *packed);
    put_profile(&w);
    packed->bytes = gzip_pack(w.profile.bytes, w.profile.size, &packed->size);
    protobuf_free(&w.profile);
    protobuf_free(&w.part);
    protobuf_free(&w.line);
    string_map_free(&w.strings);
    pair_map_free(&w.functions);
    pair_map_free(&w.frames);
    arena_free(&w.arena);
    free(w.is_used);
    free(w.given);
    return packed;
}

static void write_packed(const struct snapshot *snapshot, void *prepared, struct out *out)
{
    const struct packed *packed = prepared;
    (void)snapshot;
    out_bytes(out, packed->bytes, packed->size);
}

static void release(void *prepared)
{
    struct packed *packed = prepared;
    free(packed->bytes);
    free(packed);
}

const struct exporter exporter_pprof = {prepare, write_packed, release};
