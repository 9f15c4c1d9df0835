/* json_read.c - reads back what --format=json wrote, by libjansson.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/json_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"

bool json_read(struct snapshot *read, const char *path)
{
    struct file_buffer buffer = {0};
    *read = (struct snapshot){0};
    bool ok = read_file(&buffer, path) &&
              json_read_bytes(read, (const char *)buffer.bytes, buffer.size,
                              buffer.packed != NULL ? buffer.packed->size : buffer.size, path);
    file_buffer_free(&buffer);
    return ok;
}

#ifndef HAVE_JANSSON

bool json_read_bytes(struct snapshot *read, const char *bytes, size_t size, uint64_t stored,
                     const char *name)
{
    (void)bytes;
    (void)size;
    (void)stored;
    *read = (struct snapshot){0};
    return problem(MSG_NO_JSON, name);
}

#else

#include <math.h>

#include "input/json_members.h"
#include "model/recorded_stacks.h"
#include "model/stacks.h"

/* ---- Members ---- */

static bool is_null(const json_t *object, const char *name)
{
    return json_is_null(json_object_get(object, name));
}

static const char *get_text(struct json_reader *reader, const json_t *object, const char *name)
{
    json_t *value = json_member(reader, object, name, JSON_STRING);
    return value == NULL
               ? ""
               : arena_copy(reader->arena, json_string_value(value), json_string_length(value));
}

/* A text or null.  */
static const char *get_known_text(struct json_reader *reader, const json_t *object,
                                  const char *name)
{
    return is_null(object, name) ? NULL : get_text(reader, object, name);
}

/* A count above 0, or 0 for null.  */
static uint32_t get_known_count(struct json_reader *reader, const json_t *object, const char *name)
{
    if (is_null(object, name))
        return 0;
    uint64_t count = json_member_count(reader, object, name, UINT32_MAX);
    if (count == 0)
        json_refuse(reader, name);
    return (uint32_t)count;
}

/* A number of calls, or 0 for null: they were not counted.  */
static uint64_t get_calls(struct json_reader *reader, const json_t *object, const char *name)
{
    return is_null(object, name) ? 0 : json_member_count(reader, object, name, INT64_MAX);
}

/* A rate, or 0 for null.  */
static double get_rate(struct json_reader *reader, const json_t *object)
{
    double rate = json_member_number(reader, object, "rate");
    if (rate <= 0)
        json_refuse(reader, "rate");
    return isnan(rate) ? 0 : rate;
}

/* ---- Items of lists ---- */

/* The options that changed what was counted.  Older files do not say them.  */
static void read_options(struct json_reader *reader, struct snapshot *read, const json_t *root)
{
    size_t count;
    if (json_object_get(root, "options") == NULL)
        return;
    const json_t *list = json_member_list(reader, root, "options", &count);
    reader->list = NULL; /* of texts, not of objects with members */
    const char **options = arena_alloc(reader->arena, count * sizeof *options);
    for (size_t i = 0; i < count && reader->ok; i++) {
        const json_t *text = json_array_get(list, i);
        if (json_is_string(text))
            options[i] =
                arena_copy(reader->arena, json_string_value(text), json_string_length(text));
        else
            json_refuse(reader, "options");
    }
    if (!reader->ok)
        return;
    qsort(options, count, sizeof *options, compare_texts);
    read->options.texts = options;
    read->options.count = count;
}

static void read_inputs(struct json_reader *reader, struct snapshot *read, const json_t *root)
{
    json_t *list = json_member_list(reader, root, "inputs", &read->input_count);
    if (list != NULL && read->input_count == 0) {
        reader->list = NULL; /* the list itself is wrong */
        json_refuse(reader, "inputs");
    }
    read->inputs = mem_array(read->input_count, sizeof *read->inputs);
    for (size_t i = 0; i < read->input_count && reader->ok; i++) {
        const json_t *item = json_array_get(list, i);
        struct snapshot_input *input = &read->inputs[i];
        reader->index = i;
        input->path = get_text(reader, item, "path");
        input->rate = get_rate(reader, item);
        input->samples = json_member_count(reader, item, "samples", INT64_MAX);
        input->calls = json_member_count(reader, item, "calls", INT64_MAX);
    }
    if (!(read->rate > 0))
        read->rate = read->input_count > 0 && read->inputs[0].rate > 0 ? read->inputs[0].rate : 1;
    reader->list = NULL;
}

/* The address in a text such as `0x1000'.  */
static uint64_t address_of(struct json_reader *reader, const char *text, const char *name)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = strlen(text);
    if (length >= 3 && length <= 18 && strncmp(text, "0x", 2) == 0 &&
        strspn(text + 2, digits) == length - 2)
        return strtoull(text, NULL, 16);
    json_refuse(reader, name);
    return 0;
}

/* An address or null, which functions have in other objects, and all without an image.  */
static void read_address(struct json_reader *reader, const struct snapshot *read,
                         struct snapshot_function *function, const json_t *item)
{
    const char *text = get_known_text(reader, item, "address");
    bool has_code = text != NULL || !snapshot_has_image(read);
    bool has_no_code = strcmp(function->name, "<indirect child>") == 0 ||
                       strcmp(function->name, PROGRAM_SHOWN) == 0;
    function->kind = has_code ? FUNCTION_CODE : has_no_code ? FUNCTION_NO_CODE : FUNCTION_OTHER;
    function->address = text != NULL ? address_of(reader, text, "address") : 0;
}

/* The lowest and the highest number of calls.  */
static void read_call_range(struct json_reader *reader, struct function_spread *spread,
                            const json_t *runs)
{
    const json_t *range = json_member(reader, runs, "calls", JSON_ARRAY);
    const json_t *low = json_array_get(range, 0), *high = json_array_get(range, 1);
    if (json_array_size(range) != 2 || !json_is_integer(low) || !json_is_integer(high) ||
        json_integer_value(low) < 0 || json_integer_value(high) < json_integer_value(low)) {
        json_refuse(reader, "calls");
        return;
    }
    spread->lowest_calls = (uint64_t)json_integer_value(low);
    spread->highest_calls = (uint64_t)json_integer_value(high);
}

static struct spread read_spread(struct json_reader *reader, const json_t *runs)
{
    double mean = json_member_number(reader, runs, "mean");
    return (struct spread){mean, json_member_number(reader, runs, "variance")};
}

static void read_runs(struct json_reader *reader, struct function_spread *spread,
                      const json_t *item)
{
    const json_t *runs = json_member(reader, item, "runs", JSON_OBJECT);
    json_member_count(reader, runs, "n", INT64_MAX); /* as many as inputs */
    spread->samples = read_spread(reader, runs);
    read_call_range(reader, spread, runs);
}

/* How its inclusive samples vary between runs.  Older files do not say it.  */
static struct spread read_total_runs(struct json_reader *reader, const json_t *item)
{
    if (json_object_get(item, "total_runs") == NULL)
        return (struct spread){NAN, NAN};
    return read_spread(reader, json_member(reader, item, "total_runs", JSON_OBJECT));
}

/* Whether the function is static.  Older files do not say it.  */
static void read_binding(struct json_reader *reader, struct snapshot_function *function,
                         const json_t *item)
{
    const json_t *value = json_object_get(item, "static");
    if (value == NULL || json_is_null(value))
        return;
    if (!json_is_boolean(value))
        json_refuse(reader, "static");
    function->binding = json_is_true(value) ? BINDING_STATIC : BINDING_GLOBAL;
}

static void read_function(struct json_reader *reader, struct snapshot *read, const json_t *item)
{
    struct snapshot_function *function = &read->functions[reader->index];
    if (json_member_count(reader, item, "id", UINT32_MAX) != reader->index)
        json_refuse(reader, "id");
    function->name = get_text(reader, item, "name");
    function->raw = get_text(reader, item, "raw");
    function->file = get_known_text(reader, item, "file");
    function->line = get_known_count(reader, item, "line");
    read_address(reader, read, function, item);
    read_binding(reader, function, item);
    function->samples = json_member_number(reader, item, "samples");
    read_runs(reader, &read->runs.own[reader->index], item);
    read->runs.inclusive[reader->index] = read_total_runs(reader, item);
    if (json_object_get(item, "error") != NULL) { /* if times are measured; the samples say them */
        json_member_number(reader, item, "error");
        json_member_number(reader, item, "total_error");
    }
    double self = json_member_number(reader, item, "self");
    function->self_samples =
        read->origin == ORIGIN_MEASURED ? self * read->rate : function->samples;
    function->total_samples = json_member_number(reader, item, "total") * read->rate;
    function->least = json_member_number(reader, item, "least");
    function->most = json_member_number(reader, item, "most");
    function->calls = get_calls(reader, item, "calls");
    function->self_calls = get_calls(reader, item, "self_calls");
    function->cycle = get_known_count(reader, item, "cycle");
}

static void read_functions(struct json_reader *reader, struct snapshot *read, const json_t *root)
{
    json_t *list = json_member_list(reader, root, "functions", &read->function_count);
    read->functions = mem_array(read->function_count, sizeof *read->functions);
    read->runs.own = mem_array(read->function_count, sizeof *read->runs.own);
    read->runs.inclusive = mem_array(read->function_count, sizeof *read->runs.inclusive);
    for (size_t i = 0; i < read->function_count && reader->ok; i++) {
        reader->index = i;
        read_function(reader, read, json_array_get(list, i));
        read->is_uncounted |= is_null(json_array_get(list, i), "calls");
    }
    reader->list = NULL;
}

/* The id of a function.  */
static uint32_t get_id(struct json_reader *reader, const struct snapshot *read,
                       const json_t *object, const char *name)
{
    uint64_t id = json_member_count(reader, object, name, UINT32_MAX);
    if (id >= read->function_count)
        json_refuse(reader, name);
    return (uint32_t)id;
}

static void read_arcs(struct json_reader *reader, struct snapshot *read, const json_t *root)
{
    json_t *list = json_member_list(reader, root, "arcs", &read->arc_count);
    read->arcs = mem_array(read->arc_count, sizeof *read->arcs);
    read->arc_times = mem_array(read->arc_count, sizeof *read->arc_times);
    for (size_t i = 0; i < read->arc_count && reader->ok; i++) {
        const json_t *item = json_array_get(list, i);
        struct arc *arc = &read->arcs[i];
        reader->index = i;
        arc->caller = get_id(reader, read, item, "from");
        arc->callee = get_id(reader, read, item, "to");
        arc->count = get_calls(reader, item, "calls");
        read->arc_times[i].self = json_member_number(reader, item, "self");
        read->arc_times[i].children = json_member_number(reader, item, "children");
    }
    reader->list = NULL;
}

static void read_members(struct json_reader *reader, const struct snapshot *read,
                         struct snapshot_cycle *cycle, const json_t *item)
{
    json_t *list = json_member(reader, item, "members", JSON_ARRAY);
    cycle->count = json_array_size(list);
    cycle->members = arena_alloc(reader->arena, cycle->count * sizeof *cycle->members);
    if (list != NULL && cycle->count == 0)
        json_refuse(reader, "members");
    for (size_t i = 0; i < cycle->count && reader->ok; i++) {
        const json_t *id = json_array_get(list, i);
        json_int_t number = json_is_integer(id) ? json_integer_value(id) : -1;
        if (number < 0 || (uint64_t)number >= read->function_count)
            json_refuse(reader, "members");
        cycle->members[i] = (uint32_t)number;
    }
}

static void read_cycles(struct json_reader *reader, struct snapshot *read, const json_t *root)
{
    json_t *list = json_member_list(reader, root, "cycles", &read->cycle_count);
    read->cycles = mem_array(read->cycle_count, sizeof *read->cycles);
    for (size_t i = 0; i < read->cycle_count && reader->ok; i++) {
        const json_t *item = json_array_get(list, i);
        reader->index = i;
        if (json_member_count(reader, item, "id", UINT32_MAX) != i + 1)
            json_refuse(reader, "id");
        read_members(reader, read, &read->cycles[i], item);
    }
    reader->list = NULL;
}

/* Appends the idle functions of the list NAME of a file.  */
static void read_idle_names(struct json_reader *reader, struct snapshot *read, const json_t *item,
                            const char *name, const struct snapshot_idle *like, size_t *capacity)
{
    const json_t *list = json_member(reader, item, name, JSON_ARRAY);
    size_t count = json_array_size(list), *total = &read->idle_count;
    if (count >= UINT32_MAX - *total)
        json_refuse(reader, name);
    read->idle = mem_grow(read->idle, capacity, *total + count, sizeof *read->idle);
    for (size_t i = 0; i < count && reader->ok; i++) {
        const json_t *text = json_array_get(list, i);
        if (!json_is_string(text)) {
            json_refuse(reader, name);
            return;
        }
        struct snapshot_idle *idle = &read->idle[(*total)++];
        *idle = *like;
        idle->name = arena_copy(reader->arena, json_string_value(text), json_string_length(text));
    }
}

/* The functions without time and calls, by file.  Older files do not list them.  */
static void read_idle(struct json_reader *reader, struct snapshot *read, const json_t *root)
{
    size_t count, capacity = 0;
    if (json_object_get(root, "idle") == NULL)
        return;
    json_t *list = json_member_list(reader, root, "idle", &count);
    for (size_t i = 0; i < count && reader->ok; i++) {
        const json_t *item = json_array_get(list, i);
        reader->index = i;
        struct snapshot_idle like = {.file = get_known_text(reader, item, "file"),
                                     .binding = BINDING_GLOBAL};
        read_idle_names(reader, read, item, "global", &like, &capacity);
        like.binding = BINDING_STATIC;
        read_idle_names(reader, read, item, "static", &like, &capacity);
    }
    reader->list = NULL;
}

/* ---- Stacks ---- */

/* Item I of LIST, the number of another thing, below END; UINT32_MAX for null.  */
static uint32_t number_at(struct json_reader *reader, const json_t *list, size_t i, size_t end,
                          const char *name)
{
    const json_t *item = json_array_get(list, i);
    if (json_is_null(item))
        return UINT32_MAX;
    if (!json_is_integer(item) || json_integer_value(item) < 0 ||
        (uint64_t)json_integer_value(item) >= end) {
        json_refuse(reader, name);
        return 0;
    }
    return (uint32_t)json_integer_value(item);
}

static void read_nodes(struct json_reader *reader, const struct snapshot *read,
                       struct stacks *stacks, const json_t *tree)
{
    const json_t *parents = json_member(reader, tree, "parent", JSON_ARRAY);
    const json_t *functions = json_member(reader, tree, "function", JSON_ARRAY);
    stacks->count = json_array_size(parents);
    if (stacks->count >= UINT32_MAX || json_array_size(functions) != stacks->count)
        json_refuse(reader, "function");
    if (!reader->ok)
        return;
    stacks->parent = arena_alloc(reader->arena, stacks->count * sizeof *stacks->parent);
    stacks->label = arena_alloc(reader->arena, stacks->count * sizeof *stacks->label);
    for (size_t i = 0; i < stacks->count && reader->ok; i++) {
        const char *text = json_string_value(json_array_get(functions, i));
        stacks->parent[i] = number_at(reader, parents, i, i, "parent");
        stacks->label[i] = text != NULL && strcmp(text, "others") == 0
                               ? STACKS_OTHERS
                               : number_at(reader, functions, i, read->function_count, "function");
    }
}

/* The samples of run R at the nodes, as if it had the rate of SNAPSHOT.  */
static void read_ends(struct json_reader *reader, const struct snapshot *snapshot,
                      struct stacks *stacks, const json_t *tree, size_t r)
{
    const json_t *run = json_array_get(json_object_get(tree, "samples"), r);
    const json_t *rate = json_array_get(json_object_get(tree, "rates"), r);
    if (!(json_number_value(rate) > 0))
        json_refuse(reader, "rates");
    if (json_array_size(run) != stacks->count)
        json_refuse(reader, "samples");
    for (uint32_t i = 0; i < stacks->count && reader->ok; i++) {
        const json_t *samples = json_array_get(run, i);
        double scaled = json_number_value(samples) * snapshot->rate / json_number_value(rate);
        if (!json_is_number(samples) || !isfinite(scaled))
            json_refuse(reader, "samples");
        else if (scaled != 0)
            stacks->ends[stacks->end_count++] = (struct stack_end){i, scaled};
    }
    stacks->columns[r] = (struct stack_column){.rate = snapshot->rate, .end = stacks->end_count};
}

/* The stacks of each run, without what is small.  Older files have none.  */
static void read_stacks(struct json_reader *reader, struct snapshot *read, const json_t *root)
{
    const json_t *tree = json_object_get(json_object_get(root, "stacks"), "tree");
    if (!reader->ok || tree == NULL)
        return;
    struct stacks *stacks = arena_alloc(reader->arena, sizeof *stacks);
    *stacks = (struct stacks){0};
    const json_t *samples = json_member(reader, tree, "samples", JSON_ARRAY);
    json_member(reader, tree, "rates", JSON_ARRAY);
    stacks->column_count = json_array_size(samples);
    if (stacks->column_count != read->runs.count || stacks->column_count == 0)
        json_refuse(reader, "samples");
    read_nodes(reader, read, stacks, tree);
    if (!reader->ok)
        return;
    /* As many as the list has, whose items are longer.  */
    size_t most = 0;
    for (size_t r = 0; r < stacks->column_count; r++)
        most += json_array_size(json_array_get(samples, r));
    stacks->ends = arena_alloc(reader->arena, most * sizeof *stacks->ends);
    stacks->columns = arena_alloc(reader->arena, stacks->column_count * sizeof *stacks->columns);
    for (size_t r = 0; r < stacks->column_count && reader->ok; r++)
        read_ends(reader, read, stacks, tree, r);
    read->runs.stacks = stacks;
}

/* Refuses functions that name a cycle that is not in the list.  */
static void check_cycles(struct json_reader *reader, const struct snapshot *read)
{
    reader->list = "functions";
    for (size_t i = 0; i < read->function_count && reader->ok; i++) {
        reader->index = i;
        if (read->functions[i].cycle > read->cycle_count)
            json_refuse(reader, "cycle");
    }
    reader->list = NULL;
}

/* ---- The document ---- */

/* Item I, an address, of the list RANGE.  */
static uint64_t end_of_range(struct json_reader *reader, const json_t *range, size_t i)
{
    const json_t *end = json_array_get(range, i);
    if (json_is_string(end))
        return address_of(reader, json_string_value(end), "range");
    json_refuse(reader, "range");
    return 0;
}

/* The range of addresses, or null.  */
static void read_range(struct json_reader *reader, struct snapshot *snapshot, const json_t *root)
{
    if (is_null(root, "range"))
        return;
    const json_t *range = json_member(reader, root, "range", JSON_ARRAY);
    snapshot->image.low = end_of_range(reader, range, 0);
    snapshot->image.high = end_of_range(reader, range, 1);
    if (json_array_size(range) != 2 || snapshot->image.low >= snapshot->image.high)
        json_refuse(reader, "range");
}

/* How the stacks vary between runs.  Older files do not say it.  */
static void read_stacked_runs(struct json_reader *reader, struct snapshot *snapshot,
                              const json_t *stacks)
{
    if (json_object_get(stacks, "runs") == NULL)
        return;
    const json_t *runs = json_member(reader, stacks, "runs", JSON_OBJECT);
    snapshot->runs.count = json_member_count(reader, runs, "n", INT64_MAX);
    snapshot->runs.all = read_spread(reader, runs);
}

/* Samples in other objects, of each input.  Older files do not say them.  */
static void read_others(struct json_reader *reader, struct snapshot *snapshot, const json_t *root)
{
    const json_t *stacks = json_object_get(root, "stacks");
    if (!reader->ok || json_object_get(stacks, "others") == NULL)
        return;
    const json_t *others = json_member(reader, stacks, "others", JSON_ARRAY);
    snapshot->has_others = true;
    if (json_array_size(others) != snapshot->input_count)
        json_refuse(reader, "others");
    for (size_t i = 0; i < snapshot->input_count && reader->ok; i++) {
        const json_t *samples = json_array_get(others, i);
        snapshot->inputs[i].other_samples = json_number_value(samples);
        if (!json_is_number(samples) || !(snapshot->inputs[i].other_samples >= 0))
            json_refuse(reader, "others");
    }
}

/* How inclusive times are known.  Older files do not say it: theirs are estimated.  */
static void read_origin(struct json_reader *reader, struct snapshot *snapshot, const json_t *root)
{
    if (json_object_get(root, "inclusive") == NULL)
        return;
    const char *origin = get_text(reader, root, "inclusive");
    if (strcmp(origin, "estimated") == 0)
        return;
    if (strcmp(origin, "measured") != 0)
        json_refuse(reader, "inclusive");
    snapshot->origin = ORIGIN_MEASURED;
    const json_t *stacks = json_member(reader, root, "stacks", JSON_OBJECT);
    snapshot->inclusive_samples = json_member_number(reader, stacks, "samples");
    snapshot->rate = json_member_number(reader, stacks, "rate");
    read_stacked_runs(reader, snapshot, stacks);
    if (!(snapshot->inclusive_samples > 0))
        json_refuse(reader, "samples");
    if (!(snapshot->rate > 0))
        json_refuse(reader, "rate");
}

static void read_head(struct json_reader *reader, struct snapshot *snapshot, const json_t *root)
{
    const json_t *image = json_member(reader, root, "image", JSON_OBJECT);
    const json_t *totals = json_member(reader, root, "totals", JSON_OBJECT);
    snapshot->tool = get_text(reader, root, "tool");
    snapshot->unit.name = get_text(reader, root, "unit");
    if (json_object_get(root, "value") != NULL)
        snapshot->unit.value = get_text(reader, root, "value");
    snapshot->image.path = get_text(reader, image, "path");
    snapshot->image.build_id = get_known_text(reader, image, "build_id");
    snapshot->image.machine = get_text(reader, image, "arch");
    snapshot->totals.samples = json_member_number(reader, totals, "samples");
    snapshot->totals.time = json_member_number(reader, totals, "seconds");
    snapshot->totals.outside = json_member_number(reader, totals, "outside");
    snapshot->totals.calls = json_member_count(reader, totals, "calls", INT64_MAX);
    for (enum figures figures = FIGURES_COUNTED; figures <= FIGURES_SIGNED; figures++)
        if (json_is_true(json_object_get(root, figures_traits(figures)->name)))
            snapshot->figures = figures;
    read_range(reader, snapshot, root);
    read_origin(reader, snapshot, root);
}

static bool read_document(struct snapshot *read, const json_t *root, const char *name)
{
    struct json_reader reader = {.path = name, .ok = true, .arena = &read->arena};
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (schema == NULL || strncmp(schema, "regprof/", strlen("regprof/")) != 0)
        return problem(MSG_OTHER_JSON, name);
    if (strcmp(schema, "regprof/1") != 0)
        return problem(MSG_OTHER_SCHEMA, name, schema);
    read_head(&reader, read, root);
    read_options(&reader, read, root);
    read_inputs(&reader, read, root);
    read_others(&reader, read, root);
    read_functions(&reader, read, root);
    read_stacks(&reader, read, root);
    read_arcs(&reader, read, root);
    read_cycles(&reader, read, root);
    check_cycles(&reader, read);
    read_idle(&reader, read, root);
    return reader.ok;
}

bool json_read_bytes(struct snapshot *read, const char *bytes, size_t size, uint64_t stored,
                     const char *name)
{
    *read = (struct snapshot){0};
    json_t *root = json_document(bytes, size, stored, name);
    if (root == NULL)
        return false;
    bool ok = read_document(read, root, name);
    json_decref(root);
    return ok;
}

#endif
