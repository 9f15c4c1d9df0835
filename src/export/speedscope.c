/* speedscope.c - stacks as JSON for https://www.speedscope.app.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/out.h"
#include "export/exporters.h"

/* Writes the frame of NODE of TREE, which is the first of its function.  */
static void write_frame(struct out *out, const struct snapshot *snapshot,
                        const struct stack_tree *tree, const struct stack_node *node)
{
    char text[STACK_NAME_SIZE];
    const struct snapshot_function *function =
        node->kind == STACK_FUNCTION ? &snapshot->functions[node->function] : NULL;
    out_text(out, "{\"name\":");
    json_write_string(out, function != NULL ? function->name : export_stack_name(tree, node, text));
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

/* Numbers of frames: by `alike' of the function.  For nodes that are no functions: by node; with
   several parts, which share frames, by the number of the cycle, or 0.  */
struct frames {
    uint32_t *alike; /* by function: the first one with its name, file and line; NULL: itself */
    uint32_t *of_functions, *of_others;
    size_t other_count;
    uint32_t *stack; /* of a sample, by depth */
    size_t count;
    bool has_inputs;
    struct part *parts;
    size_t part_count;
};

static uint32_t *frame_of(const struct frames *frames, const struct stack_tree *tree, size_t node)
{
    uint32_t number = tree->nodes[node].function;
    if (tree->nodes[node].kind == STACK_FUNCTION)
        return &frames->of_functions[frames->alike != NULL ? frames->alike[number] : number];
    return &frames->of_others[frames->has_inputs ? number : node];
}

static void write_frames(struct out *out, const struct snapshot *snapshot, struct frames *frames)
{
    memset(frames->of_functions, 0xFF, snapshot->function_count * sizeof *frames->of_functions);
    memset(frames->of_others, 0xFF, frames->other_count * sizeof *frames->of_others);
    for (size_t p = 0; p < frames->part_count; p++) {
        const struct stack_tree *tree = frames->parts[p].tree;
        for (size_t i = 0; i < tree->count; i++) {
            uint32_t *frame = frame_of(frames, tree, i);
            if (*frame != UINT32_MAX)
                continue;
            *frame = (uint32_t)frames->count;
            out_text(out, frames->count++ > 0 ? ",\n" : "\n");
            write_frame(out, snapshot, tree, &tree->nodes[i]);
        }
    }
}

static void write_samples(struct out *out, const struct stack_tree *tree,
                          const struct frames *frames)
{
    const char *separator = "\n";
    for (size_t i = 0; i < tree->count; i++) {
        const struct stack_node *node = &tree->nodes[i];
        frames->stack[node->depth] = *frame_of(frames, tree, i);
        if (!(node->self > 0))
            continue;
        out_text(out, separator);
        separator = ",\n";
        for (uint32_t depth = 0; depth <= node->depth; depth++) {
            out_char(out, depth > 0 ? ',' : '[');
            out_count(out, frames->stack[depth], 0);
        }
        out_char(out, ']');
    }
}

static void write_weights(struct out *out, const struct stack_tree *tree, double sample)
{
    const char *separator = "";
    for (size_t i = 0; i < tree->count; i++) {
        double samples = tree->nodes[i].self;
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

static void write_profile(struct out *out, const struct frames *frames, const struct part *part)
{
    out_text(out, "{\"type\":\"sampled\",\"name\":");
    json_write_string(out, part->name);
    json_write_string_member(out, "unit", part->unit);
    out_text(out, ",\"startValue\":0,\"endValue\":");
    json_write_number(out, part->tree->samples > 0 ? part->tree->samples * part->sample : 0);
    out_text(out, ",\n\"samples\":[");
    write_samples(out, part->tree, frames);
    out_text(out, "\n],\n\"weights\":[");
    write_weights(out, part->tree, part->sample);
    out_char(out, ']');
    if (part->tree->samples > 0)
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
    frames->has_inputs = snapshot->extras.profile_trees != NULL;
    frames->part_count = frames->has_inputs ? snapshot->input_count : 1;
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

/* The most frames that can be no functions.  */
static size_t count_others(const struct frames *frames)
{
    size_t count = frames->has_inputs ? 1 : frames->parts[0].tree->count;
    for (size_t i = 0; i < frames->part_count && frames->has_inputs; i++) {
        const struct stack_tree *tree = frames->parts[i].tree;
        for (size_t n = 0; n < tree->count; n++)
            if (tree->nodes[n].kind != STACK_FUNCTION && tree->nodes[n].function >= count)
                count = (size_t)tree->nodes[n].function + 1;
    }
    return count;
}

static void *prepare(const struct snapshot *snapshot)
{
    struct frames *frames = mem_array(1, sizeof *frames);
    size_t most_nodes = 0;
    list_parts(frames, snapshot);
    for (size_t i = 0; i < frames->part_count; i++)
        if (frames->parts[i].tree->count > most_nodes)
            most_nodes = frames->parts[i].tree->count;
    if (frames->has_inputs && snapshot->is_by_line)
        find_alike(frames, snapshot);
    frames->other_count = count_others(frames);
    frames->of_functions =
        mem_uninitialised(snapshot->function_count, sizeof *frames->of_functions);
    frames->of_others = mem_uninitialised(frames->other_count, sizeof *frames->of_others);
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
    free(frames->of_functions);
    free(frames->of_others);
    free(frames->stack);
    free(frames);
}

const struct exporter exporter_speedscope = {prepare, write_all, release};
