/* speedscope.c - stacks as JSON for https://www.speedscope.app.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "export/formats.h"

/* Writes the frame of NODE, which is the first of its function.  */
static void write_frame(struct out *out, const struct snapshot *snapshot,
                        const struct stack_node *node)
{
    struct snapshot_function function = {0};
    char text[STACK_NAME_SIZE];
    out_text(out, "{\"name\":");
    if (node->kind == STACK_FUNCTION) {
        snapshot->function(snapshot, node->function, &function);
        json_write_string(out, function.name);
    } else
        json_write_string(out, export_stack_name(snapshot->stacks, node, text));
    if (function.file != NULL) {
        json_write_string_member(out, "file", function.file);
        json_write_count_member(out, "line", function.line);
    }
    out_char(out, '}');
}

/* Numbers of frames: by function, and by node where the node stands for no function.  */
struct frames {
    uint32_t *of_functions, *of_nodes;
    uint32_t *stack; /* of a sample, by depth */
    size_t count;
    char *name; /* of the profile */
};

static uint32_t *frame_of(const struct frames *frames, const struct stack_tree *tree, size_t node)
{
    return tree->nodes[node].kind == STACK_FUNCTION
               ? &frames->of_functions[tree->nodes[node].function]
               : &frames->of_nodes[node];
}

static void write_frames(struct out *out, const struct snapshot *snapshot, struct frames *frames)
{
    const struct stack_tree *tree = snapshot->stacks;
    memset(frames->of_functions, 0xFF, snapshot->function_count * sizeof *frames->of_functions);
    memset(frames->of_nodes, 0xFF, tree->count * sizeof *frames->of_nodes);
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t *frame = frame_of(frames, tree, i);
        if (*frame != UINT32_MAX)
            continue;
        *frame = (uint32_t)frames->count;
        out_text(out, frames->count++ > 0 ? ",\n" : "\n");
        write_frame(out, snapshot, &tree->nodes[i]);
    }
}

static void write_samples(struct out *out, const struct stack_tree *tree,
                          const struct frames *frames)
{
    const char *separator = "\n";
    for (size_t i = 0; i < tree->count; i++) {
        const struct stack_node *node = &tree->nodes[i];
        frames->stack[node->depth] = *frame_of(frames, tree, i);
        if (node->self == 0)
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

static void write_weights(struct out *out, const struct stack_tree *tree, double unit)
{
    const char *separator = "";
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].self != 0) {
            out_text(out, separator);
            separator = ",";
            json_write_number(out, (double)tree->nodes[i].self * unit);
        }
}

/* `gmon.out, estimated from call counts'.  */
static char *name_of(const struct snapshot *snapshot)
{
    struct snapshot_input input = {0};
    const char *what = snapshot->is_by_line ? "own time of lines" : export_origin(snapshot->stacks);
    char number[40];
    snprintf(number, sizeof number, "%zu profiles", snapshot->input_count);
    if (snapshot->input_count == 1)
        snapshot->input(snapshot, 0, &input);
    const char *from = input.path != NULL ? input.path : number;
    size_t size = strlen(from) + strlen(what) + 3;
    char *name = mem_uninitialised(size, 1);
    snprintf(name, size, "%s, %s", from, what);
    return name;
}

static void write_profile(struct out *out, const struct snapshot *snapshot,
                          const struct frames *frames)
{
    const struct stack_tree *tree = snapshot->stacks;
    bool are_seconds = strcmp(snapshot->unit, "seconds") == 0;
    double unit = tree->is_recorded       ? tree->period / 1e9
                  : snapshot->samples > 0 ? snapshot->time / snapshot->samples
                                          : 1;
    out_text(out, "{\"type\":\"sampled\",\"name\":");
    json_write_string(out, frames->name);
    out_text(out, are_seconds ? ",\"unit\":\"seconds\"" : ",\"unit\":\"none\"");
    out_text(out, ",\"startValue\":0,\"endValue\":");
    json_write_number(out, (double)tree->samples * unit);
    out_text(out, ",\n\"samples\":[");
    write_samples(out, tree, frames);
    out_text(out, "\n],\n\"weights\":[");
    write_weights(out, tree, unit);
    out_text(out, "]}");
}

static void *prepare(const struct snapshot *snapshot)
{
    size_t functions = snapshot->function_count, nodes = snapshot->stacks->count;
    struct frames *frames = mem_array(1, sizeof *frames);
    frames->of_functions = mem_uninitialised(functions, sizeof *frames->of_functions);
    frames->of_nodes = mem_uninitialised(nodes, sizeof *frames->of_nodes);
    frames->stack = mem_uninitialised(nodes, sizeof *frames->stack);
    frames->name = name_of(snapshot);
    return frames;
}

static void write_all(const struct snapshot *snapshot, void *prepared, struct out *out)
{
    out_text(out, "{\n\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                  "\"exporter\":");
    json_write_string(out, snapshot->tool);
    out_text(out, ",\n\"name\":");
    json_write_string(out, snapshot->image_path);
    out_text(out, ",\n\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[");
    write_frames(out, snapshot, prepared);
    out_text(out, "\n]},\n\"profiles\":[\n");
    write_profile(out, snapshot, prepared);
    out_text(out, "\n]\n}\n");
}

static void release(void *prepared)
{
    struct frames *frames = prepared;
    free(frames->of_functions);
    free(frames->of_nodes);
    free(frames->stack);
    free(frames->name);
    free(frames);
}

const struct exporter exporter_speedscope = {prepare, write_all, release};
