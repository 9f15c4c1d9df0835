/* cpuprofile.c - reads .cpuprofile, the format of V8: of node --cpu-prof, Chrome and others.

   Nodes are the frames of a tree.  Each sample names the node where its stack ends, and lasts until
   the next one.  Older files have only the number of samples of each node.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "foreign/formats.h"
#include "foreign/json_profile.h"

bool cpuprofile_recognise(const char *bytes, size_t size)
{
    return json_start_has(bytes, size, "/nodes//callFrame") ||
           json_start_has(bytes, size, "/timeDeltas") ||
           json_start_has(bytes, size, "/head/functionName") ||
           (json_start_has(bytes, size, "/samples") && json_start_has(bytes, size, "/startTime") &&
            json_start_has(bytes, size, "/endTime"));
}

#ifdef HAVE_JANSSON

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"
#include "base/text.h"
#include "input/json_members.h"

/* ---- Nodes ---- */

enum kind { FRAME, ROOT, IDLE }; /* the last two are no frames */

/* Nodes are linked by their numbers plus 1; 0: none.  */
struct node {
    uint32_t parent, first_child, next; /* `next': the child before it, of the same parent */
    uint32_t above;                     /* it in its stack, as of builder_frame: plus 1, or 0 */
    enum kind kind;
};

struct cpuprofile {
    struct foreign_reader *reader;
    struct json_reader *json;
    const json_t *list; /* of nodes */
    struct node *nodes;
    size_t count;
    struct pair_map ids; /* (id, 0), by node */
};

/* The node with the id VALUE, plus 1; 0 if there is none.  */
static uint32_t find_node(struct cpuprofile *profile, const json_t *value)
{
    uint64_t id = (uint64_t)json_integer_value(value);
    if (!json_is_integer(value))
        return 0;
    uint32_t number = pair_map_number(&profile->ids, id, 0);
    return number < profile->count ? number + 1 : 0;
}

static void read_ids(struct cpuprofile *profile)
{
    for (size_t i = 0; i < profile->count && profile->json->ok; i++) {
        const json_t *node = json_array_get(profile->list, i);
        profile->json->index = i;
        json_int_t id = json_integer_value(json_member(profile->json, node, "id", JSON_INTEGER));
        if (pair_map_number(&profile->ids, (uint64_t)id, 0) != i)
            json_refuse(profile->json, "id");
    }
}

static void link_child(struct cpuprofile *profile, size_t parent, uint32_t child)
{
    profile->nodes[child - 1].parent = (uint32_t)parent + 1;
    profile->nodes[child - 1].next = profile->nodes[parent].first_child;
    profile->nodes[parent].first_child = child;
}

/* Links node I with its parent, which chunks of a trace have in place of children.  */
static void link_parent(struct cpuprofile *profile, size_t i)
{
    const json_t *parent = json_object_get(json_array_get(profile->list, i), "parent");
    if (parent == NULL || profile->nodes[i].parent != 0)
        return;
    uint32_t number = find_node(profile, parent);
    if (number == 0)
        json_refuse(profile->json, "parent");
    else
        link_child(profile, number - 1, (uint32_t)i + 1);
}

/* Links node I with its children, of which each has one parent.  */
static void link_children(struct cpuprofile *profile, size_t i)
{
    const json_t *children = json_object_get(json_array_get(profile->list, i), "children");
    if (children != NULL && !json_is_array(children))
        json_refuse(profile->json, "children");
    for (size_t c = 0; c < json_array_size(children) && profile->json->ok; c++) {
        uint32_t child = find_node(profile, json_array_get(children, c));
        if (child == 0 || profile->nodes[child - 1].parent != 0) {
            json_refuse(profile->json, "children");
            return;
        }
        link_child(profile, i, child);
    }
}

static const char *without_scheme(const char *url)
{
    static const char scheme[] = "file://";
    bool has_scheme = url != NULL && strncmp(url, scheme, sizeof scheme - 1) == 0;
    return has_scheme ? url + sizeof scheme - 1 : url;
}

/* What node I is, whose name is NAME.  */
static enum kind kind_of(const struct cpuprofile *profile, size_t i, const char *name)
{
    uint32_t parent = profile->nodes[i].parent;
    if (parent == 0)
        return strcmp(name, "(root)") == 0 ? ROOT : FRAME;
    bool is_idle = strcmp(name, "(idle)") == 0 && profile->nodes[parent - 1].kind == ROOT;
    return is_idle ? IDLE : FRAME;
}

/* The place of a function, which its file tells from others of its name; one without a name, where
   it begins.  */
static uint32_t place_of(struct foreign_builder *builder, const char *name, const char *file,
                         uint32_t line)
{
    struct arena arena = {0};
    struct function_home home = {.file = file};
    if (name == NULL)
        home.file = arena_format(&arena, "%s:%lu", file != NULL ? file : "", (unsigned long)line);
    uint32_t place = builder_place(builder, name != NULL ? name : "(anonymous)", home, file, line);
    arena_free(&arena);
    return place;
}

/* Makes the frame of node I, whose parent has one.  */
static void read_node(struct cpuprofile *profile, size_t i)
{
    struct json_reader *json = profile->json;
    struct foreign_builder *builder = profile->reader->builder;
    struct node *node = &profile->nodes[i];
    json->index = i;
    const json_t *call =
        json_member(json, json_array_get(profile->list, i), "callFrame", JSON_OBJECT);
    json_member(json, call, "functionName", JSON_STRING);
    const char *name = json_known_text(json, call, "functionName");
    const char *file = without_scheme(json_known_text(json, call, "url"));
    uint32_t line = json_known_line(json, call, "lineNumber", 0);
    uint32_t above = node->parent > 0 ? profile->nodes[node->parent - 1].above : 0;
    if (!json->ok)
        return;
    node->kind = kind_of(profile, i, name != NULL ? name : "");
    node->above = above;
    if (node->kind == FRAME)
        node->above = builder_frame(builder, above, place_of(builder, name, file, line)) + 1;
    json->ok = foreign_has_room(profile->reader);
}

/* Reads the nodes from the roots on, each before its children.  Nodes that no root leads to are in
   a cycle.  */
static void read_tree(struct cpuprofile *profile)
{
    struct json_reader *json = profile->json;
    uint32_t *rest = mem_uninitialised(profile->count + 1, sizeof *rest);
    char *is_read = mem_array(profile->count + 1, 1);
    size_t rest_count = 0;
    for (size_t i = 0; i < profile->count; i++)
        if (profile->nodes[i].parent == 0)
            rest[rest_count++] = (uint32_t)i;
    while (rest_count > 0 && json->ok) {
        uint32_t i = rest[--rest_count];
        read_node(profile, i);
        is_read[i] = 1;
        for (uint32_t c = profile->nodes[i].first_child; c > 0; c = profile->nodes[c - 1].next)
            rest[rest_count++] = c - 1;
    }
    const char *missing = json->ok ? memchr(is_read, 0, profile->count) : NULL;
    if (missing != NULL) {
        json->index = (size_t)(missing - is_read);
        json_refuse(json, "children");
    }
    free(rest);
    free(is_read);
}

static void read_nodes(struct cpuprofile *profile, const json_t *root)
{
    profile->list = json_member_list(profile->json, root, "nodes", &profile->count);
    profile->nodes = mem_array(profile->count, sizeof *profile->nodes);
    read_ids(profile);
    for (size_t i = 0; i < profile->count && profile->json->ok; i++) {
        profile->json->index = i;
        link_children(profile, i);
    }
    for (size_t i = 0; i < profile->count && profile->json->ok; i++) {
        profile->json->index = i;
        link_parent(profile, i);
    }
    if (profile->json->ok)
        read_tree(profile);
}

/* ---- Samples ---- */

/* Adds COUNT samples in NODE.  One in the root has a stack that is not known.  */
static void add_sample(struct cpuprofile *profile, const struct node *node, double weight,
                       double count)
{
    struct foreign_builder *builder = profile->reader->builder;
    if (node->kind == IDLE || !(weight > 0))
        return;
    uint32_t above = node->above > 0 ? node->above : builder_cut(builder) + 1;
    builder_add(builder, above - 1, weight, count);
    profile->json->ok = foreign_has_room(profile->reader);
}

/* A sample, by its stamp of time.  */
struct stamped {
    double at;
    uint32_t node; /* plus 1 */
};

static int compare_stamps(const void *context, uint32_t a, uint32_t b)
{
    const struct stamped *stamps = context;
    return -compare_descending(stamps[a].at, stamps[b].at);
}

/* Reads the samples in the order of the file, and their stamps, of which DELTAS has differences. */
static void read_stamps(struct cpuprofile *profile, const json_t *samples, const json_t *deltas,
                        double at, struct stamped *stamps)
{
    struct json_reader *json = profile->json;
    for (size_t i = 0; i < json_array_size(samples) && json->ok; i++) {
        at += json_number_at(json, deltas, i, "timeDeltas");
        stamps[i] = (struct stamped){at, find_node(profile, json_array_get(samples, i))};
        if (stamps[i].node == 0)
            json_refuse_item(json, "samples", i);
    }
}

/* Each sample lasts until the next one in time, and the last one until the end or, if that is not
   known, as long as others on average.  The file may have them in another order.  */
static void read_samples(struct cpuprofile *profile, const json_t *root)
{
    struct json_reader *json = profile->json;
    const json_t *samples = json_member(json, root, "samples", JSON_ARRAY);
    const json_t *deltas = json_member(json, root, "timeDeltas", JSON_ARRAY);
    double start = json_real_member(json, root, "startTime");
    bool has_end = json_object_get(root, "endTime") != NULL;
    double end = has_end ? json_real_member(json, root, "endTime") : 0;
    size_t count = json_array_size(samples);
    if (json_array_size(deltas) != count)
        json_refuse(json, "timeDeltas");
    if (!json->ok || count == 0)
        return;
    struct stamped *stamps = mem_array(count, sizeof *stamps);
    uint32_t *order = mem_uninitialised(count, sizeof *order);
    read_stamps(profile, samples, deltas, start, stamps);
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    sort_ids(order, count, compare_stamps, stamps);
    double first = stamps[order[0]].at, last = stamps[order[count - 1]].at;
    if (!has_end)
        end = last + (count > 1 ? (last - first) / (double)(count - 1) : 1);
    for (size_t i = 0; i < count && json->ok; i++) {
        const struct stamped *stamp = &stamps[order[i]];
        double next = i + 1 < count ? stamps[order[i + 1]].at : end;
        add_sample(profile, &profile->nodes[stamp->node - 1], next - stamp->at, 1);
    }
    free(stamps);
    free(order);
}

static void read_hits(struct cpuprofile *profile)
{
    for (size_t i = 0; i < profile->count && profile->json->ok; i++) {
        const json_t *node = json_array_get(profile->list, i);
        profile->json->index = i;
        bool is_known = json_object_get(node, "hitCount") != NULL;
        double hits = is_known ? json_real_member(profile->json, node, "hitCount") : 0;
        if (hits < 0)
            json_refuse(profile->json, "hitCount");
        if (profile->json->ok)
            add_sample(profile, &profile->nodes[i], hits, hits);
    }
}

static void read_document(struct foreign_reader *reader, struct json_reader *json,
                          const json_t *root)
{
    struct cpuprofile profile = {.reader = reader, .json = json};
    if (json_object_get(root, "head") != NULL) {
        json->ok = problem(MSG_OLD_V8, reader->stream->path);
        return;
    }
    bool has_times =
        json_object_get(root, "samples") != NULL && json_object_get(root, "timeDeltas") != NULL;
    read_nodes(&profile, root);
    json->ok = json->ok && foreign_set_event(reader, has_times ? "microseconds" : "samples");
    if (json->ok && !has_times)
        read_hits(&profile);
    json->list = NULL;
    if (json->ok && has_times)
        read_samples(&profile, root);
    pair_map_free(&profile.ids);
    free(profile.nodes);
}

#else
#define read_document NULL
#endif

bool cpuprofile_read(struct foreign_reader *reader)
{
    return json_profile_read(reader, read_document);
}
