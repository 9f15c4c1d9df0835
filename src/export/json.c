/* json.c - everything as JSON: doc/profile.schema.json describes it.

   One function and one arc per line, for grep and diff.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/json_write.h"
#include "export/formats.h"

/* A count whose 0 means that it is not known, or that there is none.  */
static void optional_member(struct out *out, const char *name, uint64_t count, bool is_known)
{
    json_write_member(out, name);
    if (is_known)
        json_write_count(out, count);
    else
        out_text(out, "null");
}

/* ---- Parts ---- */

/* As text, because many readers cannot hold large numbers.  */
static void write_address(struct out *out, uint64_t address)
{
    char text[32];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    json_write_string(out, text);
}

static void write_range(struct out *out, const struct snapshot *snapshot)
{
    if (snapshot->low == snapshot->high) {
        out_text(out, "null");
        return;
    }
    out_char(out, '[');
    write_address(out, snapshot->low);
    out_char(out, ',');
    write_address(out, snapshot->high);
    out_char(out, ']');
}

static void write_head(struct out *out, const struct snapshot *snapshot)
{
    out_text(out, "{\n\"schema\":\"regprof/1\",\n\"tool\":");
    json_write_string(out, snapshot->tool);
    out_text(out, ",\n\"image\":{\"path\":");
    json_write_string(out, snapshot->image_path);
    json_write_string_member(out, "build_id", snapshot->build_id);
    json_write_string_member(out, "arch", snapshot->machine);
    out_text(out, "},\n\"unit\":");
    json_write_string(out, snapshot->unit);
    out_text(out, ",\n\"totals\":{\"samples\":");
    json_write_number(out, snapshot->samples);
    json_write_number_member(out, "seconds", snapshot->time);
    json_write_number_member(out, "outside", snapshot->outside);
    json_write_count_member(out, "calls", snapshot->calls);
    out_text(out, "},\n\"range\":");
    write_range(out, snapshot);
}

static void write_input(struct out *out, const struct snapshot *snapshot, size_t i)
{
    struct snapshot_input input;
    snapshot->input(snapshot, i, &input);
    out_text(out, "{\"path\":");
    json_write_string(out, input.path);
    optional_member(out, "rate", input.rate, input.rate != 0);
    json_write_count_member(out, "samples", input.samples);
    json_write_count_member(out, "calls", input.calls);
    out_char(out, '}');
}

static void write_runs(struct out *out, const struct snapshot_function *function)
{
    out_text(out, ",\"runs\":{\"n\":");
    json_write_count(out, function->runs);
    json_write_number_member(out, "mean", function->mean);
    json_write_number_member(out, "variance", function->variance);
    out_text(out, ",\"calls\":[");
    json_write_count(out, function->lowest_calls);
    out_char(out, ',');
    json_write_count(out, function->highest_calls);
    out_text(out, "]}");
}

static void write_function(struct out *out, const struct snapshot *snapshot, size_t id)
{
    struct snapshot_function function;
    snapshot->function(snapshot, id, &function);
    out_text(out, "{\"id\":");
    json_write_count(out, id);
    json_write_string_member(out, "name", function.name);
    json_write_string_member(out, "raw", function.raw);
    json_write_string_member(out, "file", function.file);
    optional_member(out, "line", function.line, function.line != 0);
    json_write_member(out, "address");
    if (function.has_address)
        write_address(out, function.address);
    else
        out_text(out, "null");
    json_write_number_member(out, "samples", function.samples);
    write_runs(out, &function);
    json_write_number_member(out, "self", function.self);
    json_write_number_member(out, "total", function.total);
    json_write_number_member(out, "least", function.least);
    json_write_number_member(out, "most", function.most);
    json_write_count_member(out, "calls", function.calls);
    json_write_count_member(out, "self_calls", function.self_calls);
    optional_member(out, "cycle", function.cycle, function.cycle != 0);
    out_char(out, '}');
}

static void write_arc(struct out *out, const struct snapshot *snapshot, size_t i)
{
    struct snapshot_arc arc;
    snapshot->arc(snapshot, i, &arc);
    out_text(out, "{\"from\":");
    json_write_count(out, arc.from);
    json_write_count_member(out, "to", arc.to);
    json_write_count_member(out, "calls", arc.calls);
    json_write_number_member(out, "self", arc.self);
    json_write_number_member(out, "children", arc.children);
    out_char(out, '}');
}

static void write_cycle(struct out *out, const struct snapshot *snapshot, size_t i)
{
    struct snapshot_cycle cycle;
    snapshot->cycle(snapshot, i, &cycle);
    out_text(out, "{\"id\":");
    json_write_count(out, i + 1);
    out_text(out, ",\"members\":[");
    for (size_t m = 0; m < cycle.count; m++) {
        out_text(out, m > 0 ? "," : "");
        json_write_count(out, cycle.members[m]);
    }
    out_text(out, "]}");
}

static void write_list(struct out *out, const struct snapshot *snapshot, const char *name,
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

void export_json(const struct snapshot *snapshot, struct out *out)
{
    write_head(out, snapshot);
    write_list(out, snapshot, "inputs", snapshot->input_count, write_input);
    write_list(out, snapshot, "functions", snapshot->function_count, write_function);
    write_list(out, snapshot, "arcs", snapshot->arc_count, write_arc);
    write_list(out, snapshot, "cycles", snapshot->cycle_count, write_cycle);
    out_text(out, "\n}\n");
}
