/* html.c - a page for a browser: its parts, and its data.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/message_list.h"
#include "export/exporters.h"
#include "export/json.h"
#include "export/page.h"
#include "model/model.h"
#include "model/stack_tree.h"

/* ---- Columns ---- */

/* Structs of one kind, in an array.  */
struct rows {
    const void *first;
    size_t count, size;
};

/* The members FIELDS of an object, each a list of the values of ROWS, behind other members or, if
   AFTER is "{", as its first.  */
static void write_columns(struct out *out, const char *after, const struct json_field *fields,
                          const struct rows *rows)
{
    for (; fields->name != NULL; fields++, after = ",") {
        out_text(out, after);
        out_text(out, "\n\"");
        out_text(out, fields->name);
        out_text(out, "\":[");
        for (size_t i = 0; i < rows->count; i++) {
            out_text(out, i > 0 ? "," : "");
            json_write_value(out, fields, (const char *)rows->first + i * rows->size);
        }
        out_char(out, ']');
    }
}

/* ---- Functions and arcs ---- */

/* Writes the short name; null if it is the name.  */
static void write_short_name(struct out *out, const void *object)
{
    const struct snapshot_function *function = object;
    const char *name = function->short_name;
    json_write_string(out, name != NULL && strcmp(name, function->name) != 0 ? name : NULL);
}

static const struct json_field short_name_field[] = {
    {.name = "short", .write = write_short_name},
    {.name = NULL},
};

/* Writes the list NAME of the numbers ROWS: samples of SNAPSHOT of which VALUE makes something, or,
   if that is NULL, what they are.  */
static void write_numbers(struct out *out, const char *name, const struct rows *rows,
                          const struct snapshot *snapshot,
                          double (*value)(const struct snapshot *snapshot, double samples))
{
    out_text(out, ",\n\"");
    out_text(out, name);
    out_text(out, "\":[");
    for (size_t i = 0; i < rows->count; i++) {
        const void *row = (const char *)rows->first + i * rows->size;
        double number = *(const double *)row;
        out_text(out, i > 0 ? "," : "");
        json_write_number(out, value != NULL ? value(snapshot, number) : number);
    }
    out_char(out, ']');
}

static void write_graph(struct out *out, const struct snapshot *snapshot)
{
    const struct rows functions = {snapshot->functions, snapshot->function_count,
                                   sizeof *snapshot->functions};
    const struct rows arcs = {snapshot->arcs, snapshot->arc_count, sizeof *snapshot->arcs};
    const struct rows times = {snapshot->arc_times, snapshot->arc_count,
                               sizeof *snapshot->arc_times};
    const struct rows entries = {snapshot->arc_entries, snapshot->arc_count,
                                 sizeof *snapshot->arc_entries};
    struct rows self = functions, total = functions;
    self.first = &snapshot->functions->self_samples;
    total.first = &snapshot->functions->total_samples;
    json_write_member(out, "functions");
    write_columns(out, "{", short_name_field, &functions);
    write_columns(out, ",", json_function_fields, &functions);
    write_columns(out, ",", json_address_field, &functions);
    write_numbers(out, "samples", &self, snapshot, NULL);
    write_numbers(out, "error", &self, snapshot, snapshot_error);
    write_numbers(out, "self", &self, snapshot, snapshot_time);
    write_numbers(out, "total", &total, snapshot, snapshot_time);
    write_columns(out, ",", json_function_times(snapshot), &functions);
    out_char(out, '}');
    json_write_member(out, "arcs");
    write_columns(out, "{", json_arc_fields(snapshot), &arcs);
    write_columns(out, ",", json_arc_times, &times);
    if (snapshot->arc_entries != NULL)
        write_numbers(out, "in_entry", &entries, snapshot, NULL);
    out_char(out, '}');
}

static const struct json_field varying_fields[] = {
    JSON_FIELD("function", struct snapshot_varying, function),
    JSON_FIELD("deviation", struct snapshot_varying, deviation),
    JSON_FIELD("chance", struct snapshot_varying, chance),
    JSON_FIELD("mean", struct snapshot_varying, mean),
    JSON_FIELD("lowest_in", struct snapshot_varying, lowest_in),
    JSON_FIELD("highest_in", struct snapshot_varying, highest_in),
    {.name = NULL},
};

/* Writes the functions that vary between profiles: `"varying":[[{"function":3,...}],[]]'.  */
static void write_varying(struct out *out, const struct snapshot *snapshot)
{
    const size_t most = 100;
    json_write_member(out, "varying");
    for (size_t i = 0; i < ARRAY_LENGTH(snapshot->runs.varying); i++) {
        out_text(out, i > 0 ? ",[" : "[[");
        for (size_t v = 0; v < snapshot->runs.varying[i].count && v < most; v++) {
            out_text(out, v > 0 ? "," : "");
            json_write_object(out, varying_fields, &snapshot->runs.varying[i].functions[v]);
        }
        out_char(out, ']');
    }
    out_char(out, ']');
}

/* ---- Messages and sources ---- */

static void write_message(struct out *out, const struct snapshot *snapshot, size_t i)
{
    const struct kept_message *message = &snapshot->extras.messages->messages[i];
    out_text(out, message->is_warning ? "{\"kind\":\"warning\"" : "{\"kind\":\"note\"");
    json_write_string_member(out, "text", message->text);
    out_char(out, '}');
}

static const struct json_field line_fields[] = {
    JSON_FIELD("line", struct source_line, line),
    JSON_FIELD("samples", struct source_line, samples),
    JSON_FIELD("calls", struct source_line, calls),
    {.name = NULL},
};

/* Writes the lines that have samples or calls.  */
static void write_source(struct out *out, const struct snapshot *snapshot, size_t i)
{
    const struct annotation *annotation = snapshot->extras.annotation;
    const struct source *source = &annotation->sources[i];
    size_t most = source->line_end - source->line_start;
    struct source_line *lines = mem_uninitialised(most, sizeof *lines);
    struct rows rows = {lines, 0, sizeof *lines};
    for (size_t l = source->line_start; l < source->line_end; l++)
        if (annotation->lines[l].samples > 0 || annotation->lines[l].calls > 0)
            lines[rows.count++] = annotation->lines[l];
    out_text(out, "{\"path\":");
    json_write_string(out, snapshot->extras.files->paths[source->file]);
    json_write_member(out, "text");
    json_write_text(out, source->text, source->size);
    write_columns(out, ",", line_fields, &rows);
    out_char(out, '}');
    free(lines);
}

/* ---- Stacks ---- */

/* A node of a tree as data.js has it.  */
struct page_node {
    uint32_t kind, number, parent;
    double self;
};
enum { KIND_FUNCTION, KIND_CYCLE, KIND_OTHERS, KIND_NAMED };

/* Writes the number of the parent; -1 for a root.  */
static void write_parent(struct out *out, const void *object)
{
    const struct page_node *node = object;
    if (node->parent == UINT32_MAX)
        out_text(out, "-1");
    else
        out_count(out, node->parent, 0);
}

static const struct json_field node_fields[] = {
    JSON_FIELD("kind", struct page_node, kind),
    JSON_FIELD("function", struct page_node, number),
    {.name = "parent", .write = write_parent},
    JSON_FIELD("self", struct page_node, self),
    {.name = NULL},
};

/* Writes the names that nodes of TREE refer to: {"39":"[libc.so.6]"}.  */
static void write_names(struct out *out, const struct stack_tree *tree)
{
    struct pair_map written = {0};
    const char *before = ",\n\"names\":{\"";
    for (size_t i = 0; i < tree->stacks.count; i++) {
        size_t count = written.count, name = tree->stacks.label[i] - tree->function_count;
        if (!stack_tree_is_named(tree, i) || pair_map_number(&written, 0, name) < count)
            continue;
        out_text(out, before);
        out_count(out, name, 0);
        out_text(out, "\":");
        json_write_string(out, tree->names[name]);
        before = ",\"";
    }
    out_text(out, written.count > 0 ? "}" : ",\n\"names\":{}");
    pair_map_free(&written);
}

/* The name of NODE in comparisons; NULL: none.  */
static const char *name_of_node(const struct stack_tree *tree, size_t node,
                                const struct comparison *comparison)
{
    uint32_t label = tree->stacks.label[node];
    if (label < tree->function_count)
        return comparison->names[AFTER][label];
    return stack_tree_is_named(tree, node) ? tree->names[label - tree->function_count] : NULL;
}

/* The nodes of the stacks of COMPARISON by node of TREE, the after side's; UINT32_MAX: not found.
   Free with free.  */
static uint32_t *find_paths(const struct stack_tree *tree, const struct comparison *comparison)
{
    const struct stack_pairs *paths = comparison->paths;
    size_t count = paths->stacks.count;
    uint32_t *found = mem_uninitialised(tree->stacks.count, sizeof *found);
    struct string_map names = {0};
    struct pair_map numbers = {0}; /* (number of the parent plus 1, or 0; name) */
    for (size_t i = 0; i < count; i++)
        pair_map_number(&numbers, (uint32_t)(paths->stacks.parent[i] + 1),
                        string_map_number(&names, paths->names[paths->stacks.label[i]]));
    for (size_t i = 0; i < tree->stacks.count; i++) {
        uint32_t of = tree->stacks.parent[i], above = of != UINT32_MAX ? found[of] : UINT32_MAX;
        const char *name = name_of_node(tree, i, comparison);
        found[i] = UINT32_MAX;
        if (numbers.count < count || name == NULL || (of != UINT32_MAX && above == UINT32_MAX))
            continue;
        uint32_t number =
            pair_map_number(&numbers, (uint32_t)(above + 1), string_map_number(&names, name));
        if (number < count)
            found[i] = number;
    }
    string_map_free(&names);
    pair_map_free(&numbers);
    return found;
}

/* What is known of the path that leads to a node.  */
struct node_change {
    double before;    /* samples; NaN: of no path, or of several nodes together, which are clones */
    double direction; /* 1: it takes longer than before, -1: less long, 0: that may be chance */
};

static const struct json_field change_fields[] = {
    JSON_FIELD("before", struct node_change, before),
    JSON_FIELD("changed", struct node_change, direction),
    {.name = NULL},
};

/* Writes what paths of calls took before, and whether that has changed.  */
static void write_changes(struct out *out, const struct stack_tree *tree,
                          const struct comparison *comparison)
{
    const struct stack_pairs *paths = comparison->paths;
    size_t count = tree->stacks.count;
    uint32_t *path_of = find_paths(tree, comparison);
    struct node_change *changes = mem_array(count, sizeof *changes);
    uint32_t *nodes = mem_array(paths->stacks.count, sizeof *nodes); /* by path: how many */
    for (size_t i = 0; i < count; i++)
        if (path_of[i] != UINT32_MAX)
            nodes[path_of[i]]++;
    for (size_t i = 0; i < count; i++) {
        uint32_t path = path_of[i];
        bool is_one = path != UINT32_MAX && nodes[path] == 1;
        changes[i].before = is_one ? paths->totals[BEFORE][path] : (double)NAN;
        if (path != UINT32_MAX && paths->is_changed[path])
            changes[i].direction =
                paths->totals[AFTER][path] > paths->totals[BEFORE][path] ? 1 : -1;
    }
    write_columns(out, ",", change_fields, &(struct rows){changes, count, sizeof *changes});
    free(nodes);
    free(changes);
    free(path_of);
}

/* Writes the nodes of TREE, with BEFORE in front.  */
static void write_nodes(struct out *out, const char *before, const struct stack_tree *tree)
{
    size_t count = tree->stacks.count;
    struct page_node *nodes = mem_uninitialised(count, sizeof *nodes);
    for (size_t i = 0; i < count; i++) {
        uint32_t label = tree->stacks.label[i], name = (uint32_t)(label - tree->function_count);
        nodes[i] = (struct page_node){KIND_FUNCTION, label, tree->stacks.parent[i],
                                      tree->stacks.samples[i]};
        if (label == STACKS_OTHERS) {
            nodes[i].kind = KIND_OTHERS;
            nodes[i].number = tree->left_out[i];
        } else if (label >= tree->function_count) {
            nodes[i].kind = tree->is_recorded ? KIND_NAMED : KIND_CYCLE;
            nodes[i].number = tree->is_recorded ? name : name + 1;
        }
    }
    write_columns(out, before, node_fields, &(struct rows){nodes, count, sizeof *nodes});
    free(nodes);
}

static void write_stacks(struct out *out, const struct stack_tree *tree,
                         const struct comparison *comparison)
{
    out_text(out, ",\n\"tree\":{\"estimated\":");
    out_text(out, tree->is_recorded ? "false" : "true");
    write_nodes(out, ",", tree);
    if (tree->is_recorded && comparison != NULL && comparison->paths != NULL)
        write_changes(out, tree, comparison);
    if (tree->is_recorded)
        write_names(out, tree);
    if (tree->is_recorded || tree->has_weights)
        json_write_number_member(out, "sample_time",
                                 tree->sample_time > 0 ? tree->sample_time : (double)NAN);
    out_char(out, '}');
}

static const struct json_field thread_fields[] = {
    JSON_FIELD("thread", struct tree_thread, name),
    JSON_FIELD("number", struct tree_thread, number),
    JSON_FIELD("samples", struct tree_thread, samples),
    {.name = NULL},
};

/* Writes the stacks of the threads, if there are several: name by name, and what each of those of a
   name has.  */
static void write_threads(struct out *out, const struct stack_tree *tree)
{
    size_t roots = 0;
    const struct rows threads = {tree->threads, tree->thread_count, sizeof *tree->threads};
    for (size_t i = 0; i < tree->stacks.count; i++)
        roots += tree->stacks.parent[i] == UINT32_MAX;
    if (roots < 2 && tree->thread_count < 2)
        return;
    json_write_member(out, "threads");
    write_nodes(out, "{", tree);
    write_names(out, tree);
    json_write_member(out, "members");
    write_columns(out, "{", thread_fields, &threads);
    out_text(out, "}}");
}

/* ---- The page ---- */

/* The page loads nothing from elsewhere, and may not: its policy (embed.sh) allows the one script
   and the one style that have the right hash.  What files say (names, messages, sources) is data of
   the script, never markup: one JSON object, which may stand inside of an HTML element.  Everything
   of one kind is in one array by function or arc id, to be short:

       "functions":{"name":["main","parse"],"calls":[1,20]}

   src/export/html/data.js reads it.  */

/* Writes the page of SNAPSHOT, the after side of COMPARISON unless that is NULL.  */
static void write_page(const struct snapshot *snapshot, const struct comparison *comparison,
                       struct out *out)
{
    const char *start = (const char *)page_template, *rest = start + strlen(start) + 1;
    const struct snapshot_extras *extras = &snapshot->extras;
    out_text(out, start);
    out->is_in_page = true;
    out_char(out, '{');
    json_write_head(out, snapshot);
    json_write_member(out, "measured");
    out_text(out, origin_traits(snapshot->origin)->has_error ? "true" : "false");
    json_write_number_member(out, "sample_time", snapshot_time(snapshot, 1));
    json_write_number_member(out, "self_total", snapshot_time(snapshot, snapshot->self_samples));
    json_write_number_member(out, "inclusive_total",
                             snapshot_time(snapshot, snapshot->inclusive_samples));
    json_write_list(out, snapshot, "messages",
                    extras->messages != NULL ? extras->messages->count : 0, write_message);
    write_graph(out, snapshot);
    write_varying(out, snapshot);
    json_write_cycles(out, snapshot);
    json_write_list(out, snapshot, "sources", extras->annotation->count, write_source);
    json_write_code(out, snapshot);
    if (extras->tree != NULL)
        write_stacks(out, extras->tree, comparison);
    if (extras->thread_tree != NULL)
        write_threads(out, extras->thread_tree);
    if (comparison != NULL) {
        json_write_member(out, "comparison");
        json_write_comparison(out, comparison);
    }
    out_char(out, '}');
    out->is_in_page = false;
    out_text(out, rest);
}

void export_html(const struct snapshot *snapshot, struct out *out)
{
    write_page(snapshot, NULL, out);
}

/* The page of the after side, which has the comparison.  */
void export_html_comparison(const struct comparison *comparison, struct out *out)
{
    write_page(comparison->snapshots[AFTER], comparison, out);
}
