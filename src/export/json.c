/* json.c - a profile and a comparison as JSON (doc/profile.schema.json,
   doc/comparison.schema.json), one function or arc per line, for grep and diff.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "export/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/exporters.h"
#include "model/code_view.h"
#include "model/stacks.h"

/* ---- Values ---- */

/* Writes an address as text, because many readers cannot hold large numbers.  */
static void write_address(struct out *out, uint64_t address)
{
    char text[32];
    snprintf(text, sizeof text, "\"0x%llx\"", (unsigned long long)address);
    out_text(out, text);
}

static void write_function_address(struct out *out, const void *object)
{
    const struct snapshot_function *function = object;
    if (function_has_address(function))
        write_address(out, function->address);
    else
        out_text(out, "null");
}

static void write_range(struct out *out, const struct snapshot *snapshot)
{
    if (snapshot->image.low == snapshot->image.high || !snapshot_has_image(snapshot)) {
        out_text(out, "null");
        return;
    }
    out_char(out, '[');
    write_address(out, snapshot->image.low);
    out_char(out, ',');
    write_address(out, snapshot->image.high);
    out_char(out, ']');
}

static void write_input_rate(struct out *out, const void *object)
{
    const struct snapshot_input *input = object;
    json_write_number(out, input->rate != 0 ? input->rate : (double)NAN);
}

/* Of a program that counts no calls: only shared objects can have some.  */
static void write_if_counted(struct out *out, uint64_t calls, bool is_counted)
{
    if (is_counted)
        out_count(out, calls, 0);
    else
        out_text(out, "null");
}

static bool is_counted(const struct snapshot_function *function)
{
    return (function->calls | function->self_calls) != 0;
}

static void write_counted_calls(struct out *out, const void *object)
{
    const struct snapshot_function *function = object;
    write_if_counted(out, function->calls, is_counted(function));
}

static void write_counted_self_calls(struct out *out, const void *object)
{
    const struct snapshot_function *function = object;
    write_if_counted(out, function->self_calls, is_counted(function));
}

static void write_counted_arc(struct out *out, const void *object)
{
    const struct arc *arc = object;
    write_if_counted(out, arc->count, arc->count > 0);
}

/* ---- Fields ---- */

const struct json_field json_image_fields[] = {
    JSON_FIELD("path", struct snapshot_image, path),
    JSON_FIELD("build_id", struct snapshot_image, build_id),
    JSON_FIELD("arch", struct snapshot_image, machine),
    {.name = NULL},
};

/* The first one only if it is known.  */
static const struct json_field total_fields[] = {
    JSON_FIELD("unsampled", struct snapshot_totals, unsampled),
    JSON_FIELD("samples", struct snapshot_totals, samples),
    JSON_FIELD("seconds", struct snapshot_totals, time),
    JSON_FIELD("outside", struct snapshot_totals, outside),
    JSON_FIELD("calls", struct snapshot_totals, calls),
    {.name = NULL},
};

static const struct json_field input_fields[] = {
    JSON_FIELD("path", struct snapshot_input, path),
    {.name = "rate", .write = write_input_rate},
    JSON_FIELD("samples", struct snapshot_input, samples),
    JSON_FIELD("calls", struct snapshot_input, calls),
    {.name = NULL},
};

const struct json_field json_function_fields[] = {
    JSON_FIELD("name", struct snapshot_function, name),
    JSON_FIELD("raw", struct snapshot_function, raw),
    JSON_FIELD("file", struct snapshot_function, file),
    JSON_KNOWN_FIELD("line", struct snapshot_function, line),
    {.name = NULL},
};

const struct json_field json_address_field[] = {
    {.name = "address", .write = write_function_address},
    {.name = NULL},
};

static const struct json_field spread_fields[] = {
    JSON_FIELD("mean", struct spread, mean),
    JSON_FIELD("variance", struct spread, variance),
    {.name = NULL},
};

static const struct json_field function_times[] = {
    JSON_FIELD("least", struct snapshot_function, least),
    JSON_FIELD("most", struct snapshot_function, most),
    JSON_FIELD("calls", struct snapshot_function, calls),
    JSON_FIELD("self_calls", struct snapshot_function, self_calls),
    JSON_KNOWN_FIELD("cycle", struct snapshot_function, cycle),
    {.name = NULL},
};

static const struct json_field uncounted_function_times[] = {
    JSON_FIELD("least", struct snapshot_function, least),
    JSON_FIELD("most", struct snapshot_function, most),
    {.name = "calls", .write = write_counted_calls},
    {.name = "self_calls", .write = write_counted_self_calls},
    JSON_KNOWN_FIELD("cycle", struct snapshot_function, cycle),
    {.name = NULL},
};

const struct json_field *json_function_times(const struct snapshot *snapshot)
{
    return snapshot->is_uncounted ? uncounted_function_times : function_times;
}

static const struct json_field arc_fields[] = {
    JSON_FIELD("from", struct arc, caller),
    JSON_FIELD("to", struct arc, callee),
    JSON_FIELD("calls", struct arc, count),
    {.name = NULL},
};

static const struct json_field uncounted_arc_fields[] = {
    JSON_FIELD("from", struct arc, caller),
    JSON_FIELD("to", struct arc, callee),
    {.name = "calls", .write = write_counted_arc},
    {.name = NULL},
};

const struct json_field json_arc_times[] = {
    JSON_FIELD("self", struct line_times, self),
    JSON_FIELD("children", struct line_times, children),
    {.name = NULL},
};

const struct json_field *json_arc_fields(const struct snapshot *snapshot)
{
    return snapshot->is_uncounted ? uncounted_arc_fields : arc_fields;
}

/* ---- A profile ---- */

static void write_input(struct out *out, const struct snapshot *snapshot, size_t i)
{
    json_write_object(out, input_fields, &snapshot->inputs[i]);
}

static void write_binding(struct out *out, const struct snapshot_function *function)
{
    static const char *const values[] = {
        [BINDING_UNKNOWN] = "null", [BINDING_GLOBAL] = "false", [BINDING_STATIC] = "true"};
    json_write_member(out, "static");
    out_text(out, values[function->binding]);
}

/* Figures of each run.  */
static void write_runs(struct out *out, const struct snapshot *snapshot, size_t id)
{
    const struct function_spread *spread = &snapshot->runs.own[id];
    json_write_member(out, "runs");
    out_text(out, "{\"n\":");
    json_write_count(out, snapshot->input_count);
    json_write_members(out, spread_fields, &spread->samples);
    json_write_member(out, "calls");
    out_char(out, '[');
    json_write_count(out, spread->lowest_calls);
    out_char(out, ',');
    json_write_count(out, spread->highest_calls);
    out_text(out, "]}");
}

static void write_function(struct out *out, const struct snapshot *snapshot, size_t id)
{
    const struct snapshot_function *function = &snapshot->functions[id];
    out_text(out, "{\"id\":");
    json_write_count(out, id);
    json_write_members(out, json_function_fields, function);
    if (snapshot_has_image(snapshot))
        json_write_members(out, json_address_field, function);
    else
        json_write_string_member(out, "address", NULL);
    json_write_number_member(out, "samples", function->samples);
    write_binding(out, function);
    write_runs(out, snapshot, id);
    json_write_number_member(out, "self", snapshot_time(snapshot, function->self_samples));
    json_write_number_member(out, "total", snapshot_time(snapshot, function->total_samples));
    json_write_members(out, json_function_times(snapshot), function);
    if (origin_traits(snapshot->origin)->has_error) {
        json_write_number_member(out, "error", snapshot_error(snapshot, function->self_samples));
        json_write_number_member(out, "total_error",
                                 snapshot_error(snapshot, function->total_samples));
    }
    if (snapshot->runs.count > 0) {
        json_write_member(out, "total_runs");
        json_write_object(out, spread_fields, &snapshot->runs.inclusive[id]);
    }
    out_char(out, '}');
}

static bool is_same_file(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Writes the member NAME, a list of the names of idle functions from number I on that are of FILE
   and static or not; returns the number after them.  */
static size_t write_idle_names(struct out *out, const struct snapshot *snapshot, size_t i,
                               const char *file, bool is_static)
{
    const char *separator = "[";
    json_write_member(out, is_static ? "static" : "global");
    for (; i < snapshot->idle_count; i++) {
        const struct snapshot_idle *idle = &snapshot->idle[i];
        if (!is_same_file(idle->file, file) || (idle->binding == BINDING_STATIC) != is_static)
            break;
        out_text(out, separator);
        json_write_string(out, idle->name);
        separator = ",";
    }
    out_text(out, *separator == '[' ? "[]" : "]");
    return i;
}

/* One file per line: only names, since a program can have many functions that a run does not
   need.  */
static void write_idle(struct out *out, const struct snapshot *snapshot)
{
    out_text(out, ",\n\"idle\":[");
    for (size_t i = 0; i < snapshot->idle_count;) {
        const char *file = snapshot->idle[i].file;
        out_text(out, i > 0 ? ",\n" : "\n");
        out_text(out, "{\"file\":");
        json_write_string(out, file);
        i = write_idle_names(out, snapshot, i, file, false);
        i = write_idle_names(out, snapshot, i, file, true);
        out_char(out, '}');
    }
    out_text(out, snapshot->idle_count > 0 ? "\n]" : "]");
}

static void write_arc(struct out *out, const struct snapshot *snapshot, size_t i)
{
    const struct json_field *fields = json_arc_fields(snapshot);
    out_text(out, "{\"from\":");
    json_write_value(out, fields, &snapshot->arcs[i]);
    json_write_members(out, fields + 1, &snapshot->arcs[i]);
    json_write_members(out, json_arc_times, &snapshot->arc_times[i]);
    out_char(out, '}');
}

static void write_cycle(struct out *out, const struct snapshot *snapshot, size_t i)
{
    const struct snapshot_cycle *cycle = &snapshot->cycles[i];
    out_text(out, "{\"id\":");
    json_write_count(out, i + 1);
    out_text(out, ",\"members\":[");
    for (size_t m = 0; m < cycle->count; m++) {
        out_text(out, m > 0 ? "," : "");
        json_write_count(out, cycle->members[m]);
    }
    out_text(out, "]}");
}

void json_write_list(struct out *out, const struct snapshot *snapshot, const char *name,
                     size_t count,
                     void (*write)(struct out *out, const struct snapshot *snapshot, size_t i))
{
    out_text(out, ",\n\"");
    out_text(out, name);
    out_text(out, "\":[");
    for (size_t i = 0; i < count; i++) {
        out_text(out, i > 0 ? ",\n" : "\n");
        write(out, snapshot, i);
    }
    out_text(out, count > 0 ? "\n]" : "]");
}

void json_write_head(struct out *out, const struct snapshot *snapshot)
{
    out_text(out, "\"tool\":");
    json_write_string(out, snapshot->tool);
    out_text(out, ",\n\"image\":");
    json_write_object(out, json_image_fields, &snapshot->image);
    out_text(out, ",\n\"unit\":");
    json_write_string(out, snapshot->unit.name);
    if (snapshot->unit.value != NULL) {
        out_text(out, ",\n\"value\":");
        json_write_string(out, snapshot->unit.value);
    }
    out_text(out, ",\n\"totals\":");
    json_write_object(out, total_fields + (snapshot->totals.unsampled > 0 ? 0 : 1),
                      &snapshot->totals);
    out_text(out, ",\n\"range\":");
    write_range(out, snapshot);
    const char *name = figures_traits(snapshot->figures)->name;
    if (name != NULL) {
        out_text(out, ",\n\"");
        out_text(out, name);
        out_text(out, "\":true");
    }
    json_write_list(out, snapshot, "inputs", snapshot->input_count, write_input);
}

void json_write_cycles(struct out *out, const struct snapshot *snapshot)
{
    json_write_list(out, snapshot, "cycles", snapshot->cycle_count, write_cycle);
}

/* ---- Code ---- */

static void write_code_kind(struct out *out, const void *object)
{
    static const char *const kinds[] = {[CODE_LINE] = "line",
                                        [CODE_INLINED] = "inlined",
                                        [CODE_INSTRUCTION] = "instruction",
                                        [CODE_GAP] = "gap",
                                        [CODE_INSTRUCTION_GAP] = "instruction_gap"};
    json_write_string(out, kinds[((const struct code_row *)object)->kind]);
}

static void write_code_address(struct out *out, const void *object)
{
    const struct code_row *row = object;
    if (row->kind == CODE_INSTRUCTION)
        write_address(out, row->address);
    else
        out_text(out, "null");
}

static const struct json_field code_fields[] = {
    {.name = "kind", .write = write_code_kind},
    JSON_FIELD("file", struct code_row, file),
    JSON_KNOWN_FIELD("line", struct code_row, line),
    {.name = "address", .write = write_code_address},
    JSON_FIELD("text", struct code_row, text),
    JSON_FIELD("self", struct code_row, self),
    JSON_FIELD("total", struct code_row, total),
    {.name = NULL},
};

static void write_code_function(struct out *out, const struct snapshot *snapshot, size_t i)
{
    const struct code_view *view = snapshot->extras.code;
    out_text(out, "{\"function\":");
    json_write_count(out, view->functions[i].id);
    out_text(out, ",\"rows\":[");
    for (size_t r = view->functions[i].first; r < view->functions[i].end; r++) {
        out_text(out, r > view->functions[i].first ? ",\n" : "\n");
        json_write_object(out, code_fields, &view->rows[r]);
    }
    out_text(out, "]}");
}

void json_write_code(struct out *out, const struct snapshot *snapshot)
{
    if (snapshot->extras.code == NULL)
        return;
    json_write_count_member(out, "bytes_per_bin", snapshot->extras.code->bytes_per_bin);
    json_write_list(out, snapshot, "code", snapshot->extras.code->function_count,
                    write_code_function);
}

/* ---- The rest of a profile ---- */

static void write_options(struct out *out, const struct snapshot *snapshot)
{
    out_text(out, ",\n\"options\":[");
    for (size_t i = 0; i < snapshot->options.count; i++) {
        out_text(out, i > 0 ? "," : "");
        json_write_string(out, snapshot->options.texts[i]);
    }
    out_char(out, ']');
}

/* Samples in other objects, of each input.  */
static void write_others(struct out *out, const struct snapshot *snapshot)
{
    json_write_member(out, "others");
    for (size_t i = 0; i < snapshot->input_count; i++) {
        out_char(out, i > 0 ? ',' : '[');
        json_write_number(out, snapshot->inputs[i].other_samples);
    }
    out_char(out, ']');
}

static void write_node_value(struct out *out, uint32_t value, size_t i)
{
    out_text(out, i > 0 ? "," : "[");
    if (value == UINT32_MAX)
        out_text(out, "null");
    else
        json_write_count(out, value);
}

/* The stacks of each input as a tree: the node above each node, its function, and of each input the
   samples that end in it.  */
static void write_tree(struct out *out, const struct stacks *runs)
{
    double *samples = mem_uninitialised(runs->count, sizeof *samples);
    out_text(out, ",\n\"tree\":{\"parent\":");
    for (size_t i = 0; i < runs->count; i++)
        write_node_value(out, runs->parent[i], i);
    out_text(out, "],\n\"function\":");
    for (size_t i = 0; i < runs->count; i++)
        if (runs->label[i] == STACKS_OTHERS)
            out_text(out, i > 0 ? ",\"others\"" : "[\"others\"");
        else
            write_node_value(out, runs->label[i], i);
    out_text(out, "],\n\"rates\":");
    for (size_t r = 0; r < runs->column_count; r++) {
        out_text(out, r > 0 ? "," : "[");
        json_write_number(out, runs->columns[r].rate);
    }
    out_text(out, "],\n\"samples\":[");
    for (size_t r = 0; r < runs->column_count; r++) {
        memset(samples, 0, runs->count * sizeof *samples);
        stacks_add_samples(runs, r, 1, samples);
        out_text(out, r > 0 ? ",\n" : "\n");
        for (size_t i = 0; i < runs->count; i++) {
            out_text(out, i > 0 ? "," : "[");
            json_write_number(out, samples[i]);
        }
        out_char(out, ']');
    }
    out_text(out, "]}");
    free(samples);
}

/* How inclusive times and times of arcs are known.  */
static void write_origin(struct out *out, const struct snapshot *snapshot)
{
    out_text(out, ",\n\"inclusive\":");
    json_write_string(out, origin_traits(snapshot->origin)->name);
    if (!origin_traits(snapshot->origin)->has_error)
        return;
    out_text(out, ",\n\"stacks\":{\"samples\":");
    json_write_number(out, snapshot->inclusive_samples);
    json_write_number_member(out, "rate", snapshot->rate);
    if (snapshot->runs.count > 0) {
        json_write_member(out, "runs");
        out_text(out, "{\"n\":");
        json_write_count(out, snapshot->runs.count);
        json_write_members(out, spread_fields, &snapshot->runs.all);
        out_char(out, '}');
    }
    if (snapshot->has_others)
        write_others(out, snapshot);
    if (snapshot->runs.stacks != NULL && snapshot->runs.stacks->count > 0)
        write_tree(out, snapshot->runs.stacks);
    out_char(out, '}');
}

void export_json(const struct snapshot *snapshot, struct out *out)
{
    out_text(out, "{\n\"schema\":\"regprof/1\",\n");
    json_write_head(out, snapshot);
    write_options(out, snapshot);
    write_origin(out, snapshot);
    json_write_list(out, snapshot, "functions", snapshot->function_count, write_function);
    json_write_list(out, snapshot, "arcs", snapshot->arc_count, write_arc);
    json_write_cycles(out, snapshot);
    write_idle(out, snapshot);
    json_write_code(out, snapshot);
    out_text(out, "\n}\n");
}

/* ---- A comparison ---- */

static void write_side(struct out *out, const struct comparison *comparison, enum side side)
{
    const struct snapshot *snapshot = comparison->snapshots[side];
    out_text(out, "{\"image\":");
    json_write_object(out, json_image_fields, &snapshot->image);
    json_write_count_member(out, "profiles", snapshot->input_count);
    json_write_number_member(out, "runs", comparison->measures[OWN].sides[side].runs);
    json_write_number_member(out, "samples", snapshot->totals.samples);
    out_char(out, '}');
}

static const struct json_field visibility_fields[] = {
    JSON_FIELD("samples", struct visibility, samples),
    JSON_FIELD("percent", struct visibility, percent),
    JSON_FIELD("need_5", struct visibility, need_5),
    JSON_FIELD("need_10", struct visibility, need_10),
    JSON_FIELD("need_20", struct visibility, need_20),
    {.name = NULL},
};

static void write_visibility(struct out *out, const char *name, const struct visibility *visibility)
{
    out_text(out, "{\"name\":");
    json_write_string(out, name);
    json_write_members(out, visibility_fields, visibility);
    out_char(out, '}');
}

static void write_visible(struct out *out, const struct compared_measure *measure)
{
    out_text(out, ",\n\"visible\":[\n");
    write_visibility(out, "total", &measure->total_visibility);
    if (measure->largest != NULL) {
        out_text(out, ",\n");
        write_visibility(out, measure->largest->name, &measure->largest_visibility);
    }
    out_text(out, "\n]");
}

static void write_tests(struct out *out, const struct compared_measure *measure)
{
    json_write_count_member(out, "functions", measure->tested_count);
    json_write_number_member(out, "dispersion", measure->dispersion);
    json_write_number_member(out, "total_dispersion", measure->total_dispersion);
}

/* What the comparison of inclusive times says of itself; its rows are in those of own times.  */
static void write_inclusive(struct out *out, const struct comparison *comparison)
{
    const double *samples = compared_total(comparison)->times[INCLUSIVE].samples;
    out_text(out, ",\n\"inclusive\":{\"samples_before\":");
    json_write_number(out, samples[BEFORE]);
    json_write_number_member(out, "samples", samples[AFTER]);
    write_tests(out, &comparison->measures[INCLUSIVE]);
    write_visible(out, &comparison->measures[INCLUSIVE]);
    out_char(out, '}');
}

static void write_verdict(struct out *out, const struct verdict *verdict)
{
    out_text(out, "{\"status\":");
    json_write_string(out, gate_status_name(verdict->status));
    json_write_string_member(out, "reason", gate_blind_reason(verdict->status));
    json_write_string_member(out, "name", verdict->worst != NULL ? verdict->worst->name : NULL);
    json_write_string_member(out, "of",
                             verdict->worst == NULL          ? NULL
                             : verdict->is_about_calls       ? "calls"
                             : verdict->measure == INCLUSIVE ? "inclusive time"
                                                             : "time");
    json_write_count_member(out, "functions", verdict->regression_count);
    json_write_count_member(out, "unjudged", verdict->unjudged_count);
    out_char(out, '}');
}

static void write_cell(struct out *out, const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_TEXT:
        json_write_string(out, cell->text);
        break;
    case CELL_NUMBER:
        json_write_number(out, cell->number);
        break;
    case CELL_COUNT:
        json_write_count(out, cell->count);
        break;
    case CELL_EMPTY:
        out_text(out, "null");
        break;
    }
}

static void write_rows(struct out *out, const struct table *table)
{
    struct cell cells[MOST_COLUMNS];
    for (size_t row = 0; row < table->row_count; row++) {
        table->fill(table->context, row, cells);
        out_text(out, row > 0 ? ",\n{" : "\n{");
        for (size_t c = 0; c < table->column_count; c++) {
            out_text(out, c > 0 ? ",\"" : "\"");
            out_text(out, table->columns[c]->name);
            out_text(out, "\":");
            write_cell(out, &cells[c]);
        }
        out_char(out, '}');
    }
}

void json_write_comparison(struct out *out, const struct comparison *comparison)
{
    out_text(out, "{\n\"schema\":\"regprof-comparison/1\",\n\"tool\":");
    json_write_string(out, comparison->snapshots[AFTER]->tool);
    out_text(out, ",\n\"unit\":");
    json_write_string(out, comparison->snapshots[AFTER]->unit.name);
    out_text(out, ",\n\"before\":");
    write_side(out, comparison, BEFORE);
    out_text(out, ",\n\"after\":");
    write_side(out, comparison, AFTER);
    out_text(out, ",\n\"tests\":{\"alpha\":");
    json_write_number(out, comparison->alpha);
    write_tests(out, &comparison->measures[OWN]);
    out_char(out, '}');
    write_visible(out, &comparison->measures[OWN]);
    if (comparison->measure_count == MEASURES)
        write_inclusive(out, comparison);
    out_text(out, ",\n\"verdict\":");
    write_verdict(out, &comparison->verdict);
    out_text(out, ",\n\"rows\":[");
    write_rows(out, &comparison->table);
    out_text(out, "\n]\n}");
}

void export_json_comparison(const struct comparison *comparison, struct out *out)
{
    json_write_comparison(out, comparison);
    out_char(out, '\n');
}
