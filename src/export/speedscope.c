/* speedscope.c - stacks as JSON for https://www.speedscope.app.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/out.h"
#include "export/exporters.h"

/* Writes the frame of NODE of TREE.  */
static void write_frame(struct out *out, const struct snapshot *snapshot,
                        const struct stack_tree *tree, size_t node)
{
    char text[STACK_NAME_SIZE];
    uint32_t label = tree->stacks.label[node];
    const struct snapshot_function *function =
        label < tree->function_count ? &snapshot->functions[label] : NULL;
    out_text(out, "{\"name\":");
    json_write_string(out, function != NULL
                               ? function->name
                               : export_stack_name(tree, label, tree->left_out[node], text));
    if (function != NULL && function->file != NULL) {
        json_write_string_member(out, "file", function->file);
        json_write_count_member(out, "line", function->line);
    }
    out_char(out, '}');
}

/* A profile in the output: the stacks of all inputs, or of one.  */
struct part {
    const struct stack_tree *tree;
    double sample; /* what one sample weighs, in `unit'; NaN without samples */
    const char *unit;
    char *name;
};

struct frames {
    uint32_t *alike; /* by function: the first one with its name, file and line; NULL: itself */
    struct pair_map numbers; /* (label; of others, how many), of the nodes of all parts */
    uint32_t *stack;         /* of a sample, by depth */
    struct part *parts;
    size_t part_count;
};

/* The number of the frame of NODE, which is new or not.  */
static uint32_t frame_of(struct frames *frames, const struct stack_tree *tree, size_t node)
{
    uint32_t label = tree->stacks.label[node];
    if (frames->alike != NULL && label < tree->function_count)
        label = frames->alike[label];
    return pair_map_number(&frames->numbers, label, tree->left_out[node]);
}

static void write_frames(struct out *out, const struct snapshot *snapshot, struct frames *frames)
{
    for (size_t p = 0; p < frames->part_count; p++) {
        const struct stack_tree *tree = frames->parts[p].tree;
        for (size_t i = 0; i < tree->stacks.count; i++) {
            size_t known = frames->numbers.count;
            if (frame_of(frames, tree, i) < known)
                continue;
            out_text(out, known > 0 ? ",\n" : "\n");
            write_frame(out, snapshot, tree, i);
        }
    }
}

static void write_samples(struct out *out, const struct stack_tree *tree, struct frames *frames)
{
    const char *separator = "\n";
    for (size_t i = 0; i < tree->stacks.count; i++) {
        frames->stack[tree->depth[i]] = frame_of(frames, tree, i);
        if (!(tree->stacks.samples[i] > 0))
            continue;
        out_text(out, separator);
        separator = ",\n";
        for (uint32_t depth = 0; depth <= tree->depth[i]; depth++) {
            out_char(out, depth > 0 ? ',' : '[');
            out_count(out, frames->stack[depth], 0);
        }
        out_char(out, ']');
    }
}

static void write_weights(struct out *out, const struct stack_tree *tree, double sample)
{
    const char *separator = "";
    for (size_t i = 0; i < tree->stacks.count; i++) {
        double samples = tree->stacks.samples[i];
        if (samples > 0) {
            out_text(out, separator);
            separator = ",";
            json_write_number(out, samples * sample);
        }
    }
}

/* `gmon.out, estimated from call counts'; FROM is NULL for several profiles.  */
static char *name_of(const struct snapshot *snapshot, const char *from,
                     const struct stack_tree *tree)
{
    const char *what = snapshot->is_by_line ? "own time of lines" : export_origin(snapshot, tree);
    char number[40];
    snprintf(number, sizeof number, "%zu profiles", snapshot->input_count);
    if (from == NULL)
        from = number;
    size_t size = strlen(from) + strlen(what) + 3;
    char *name = mem_uninitialised(size, 1);
    snprintf(name, size, "%s, %s", from, what);
    return name;
}

static void write_profile(struct out *out, struct frames *frames, const struct part *part)
{
    out_text(out, "{\"type\":\"sampled\",\"name\":");
    json_write_string(out, part->name);
    json_write_string_member(out, "unit", part->unit);
    out_text(out, ",\"startValue\":0,\"endValue\":");
    json_write_number(out, part->tree->all > 0 ? part->tree->all * part->sample : 0);
    out_text(out, ",\n\"samples\":[");
    write_samples(out, part->tree, frames);
    out_text(out, "\n],\n\"weights\":[");
    write_weights(out, part->tree, part->sample);
    out_char(out, ']');
    if (part->tree->all > 0)
        json_write_number_member(out, "sampleWeight", part->sample);
    out_char(out, '}');
}

/* The part with the stacks of input I or, if stacks are not known by input, with all.  */
static struct part part_of(const struct snapshot *snapshot, size_t i)
{
    const struct profile_tree *input =
        snapshot->extras.profile_trees != NULL ? &snapshot->extras.profile_trees[i] : NULL;
    const struct stack_tree *tree = input != NULL ? &input->tree : snapshot->extras.tree;
    bool has_path = input != NULL || snapshot->input_count == 1;
    char *name = name_of(snapshot, has_path ? snapshot->inputs[i].path : NULL, tree);
    bool are_seconds = input != NULL ? input->is_in_seconds : is_in_seconds(&snapshot->unit);
    if (are_seconds || is_in_seconds(&snapshot->unit)) /* an input alone may have no known rate */
        return (struct part){tree, tree->sample_time, are_seconds ? "seconds" : "none", name};
    const struct export_unit unit = export_unit(&snapshot->unit);
    bool are_bytes = strcmp(unit.unit, "bytes") == 0;
    return (struct part){tree, tree->sample_time * unit.size, are_bytes ? unit.unit : "none", name};
}

static void list_parts(struct frames *frames, const struct snapshot *snapshot)
{
    frames->part_count = snapshot->extras.profile_trees != NULL ? snapshot->input_count : 1;
    frames->parts = mem_uninitialised(frames->part_count, sizeof *frames->parts);
    for (size_t i = 0; i < frames->part_count; i++)
        frames->parts[i] = part_of(snapshot, i);
}

/* Finds the symbols (-l) that are one source line.  */
static void find_alike(struct frames *frames, const struct snapshot *snapshot)
{
    struct string_map places = {0};
    struct arena texts = {0};
    char line[24];
    uint32_t *first = mem_uninitialised(snapshot->function_count, sizeof *first);
    frames->alike = mem_uninitialised(snapshot->function_count, sizeof *frames->alike);
    for (uint32_t f = 0; f < snapshot->function_count; f++) {
        const struct snapshot_function *function = &snapshot->functions[f];
        snprintf(line, sizeof line, "\n%lu\n", (unsigned long)function->line);
        size_t known = places.count;
        uint32_t place =
            string_map_number(&places, arena_join(&texts, function->name, line,
                                                  function->file != NULL ? function->file : ""));
        if (places.count > known)
            first[place] = f;
        frames->alike[f] = first[place];
    }
    string_map_free(&places);
    arena_free(&texts);
    free(first);
}

static void *prepare(const struct snapshot *snapshot)
{
    struct frames *frames = mem_array(1, sizeof *frames);
    size_t most_nodes = 0;
    list_parts(frames, snapshot);
    for (size_t i = 0; i < frames->part_count; i++)
        if (frames->parts[i].tree->stacks.count > most_nodes)
            most_nodes = frames->parts[i].tree->stacks.count;
    if (snapshot->extras.profile_trees != NULL && snapshot->is_by_line)
        find_alike(frames, snapshot);
    frames->stack = mem_uninitialised(most_nodes, sizeof *frames->stack);
    return frames;
}

static void write_all(const struct snapshot *snapshot, void *prepared, struct out *out)
{
    struct frames *frames = prepared;
    out_text(out, "{\n\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                  "\"exporter\":");
    json_write_string(out, snapshot->tool);
    out_text(out, ",\n\"name\":");
    json_write_string(out, snapshot->image.path);
    out_text(out, ",\n\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[");
    write_frames(out, snapshot, frames);
    out_text(out, "\n]},\n\"profiles\":[");
    for (size_t i = 0; i < frames->part_count; i++) {
        out_text(out, i > 0 ? ",\n" : "\n");
        write_profile(out, frames, &frames->parts[i]);
    }
    out_text(out, "\n]\n}\n");
}

static void release(void *prepared)
{
    struct frames *frames = prepared;
    for (size_t i = 0; i < frames->part_count; i++)
        free(frames->parts[i].name);
    free(frames->parts);
    free(frames->alike);
    pair_map_free(&frames->numbers);
    free(frames->stack);
    free(frames);
}

const struct exporter exporter_speedscope = {prepare, write_all, release};
