/* page_data.c - the data of a page.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/common.h"
#include "base/json_write.h"
#include "export/page.h"
#include "model/model.h"

#define LARGEST_EXACT ((uint64_t)1 << 53) /* above, JavaScript's numbers skip integers */

/* ---- Values ---- */

static void begin_member(struct out *out, const char *name)
{
    out_text(out, ",\n\"");
    out_text(out, name);
    out_text(out, "\":");
}

static void string_member(struct out *out, const char *name, const char *text)
{
    begin_member(out, name);
    json_write_string_in_page(out, text);
}

static void number_member(struct out *out, const char *name, double number)
{
    begin_member(out, name);
    json_write_number(out, number);
}

/* As text if it is too large for a number.  */
static void write_count(struct out *out, uint64_t count)
{
    const char *quote = count > LARGEST_EXACT ? "\"" : "";
    out_text(out, quote);
    out_count(out, count, 0);
    out_text(out, quote);
}

static void count_member(struct out *out, const char *name, uint64_t count)
{
    begin_member(out, name);
    write_count(out, count);
}

/* ---- Functions ---- */

static void write_name(struct out *out, const struct snapshot_function *function)
{
    json_write_string_in_page(out, function->name);
}

/* null if it is NAME.  */
static void write_other_name(struct out *out, const char *name, const struct snapshot_function *of)
{
    json_write_string_in_page(out, name != NULL && strcmp(name, of->name) != 0 ? name : NULL);
}

static void write_short(struct out *out, const struct snapshot_function *function)
{
    write_other_name(out, function->short_name, function);
}

static void write_raw(struct out *out, const struct snapshot_function *function)
{
    write_other_name(out, function->raw, function);
}

static void write_file(struct out *out, const struct snapshot_function *function)
{
    json_write_string_in_page(out, function->file);
}

static void write_line(struct out *out, const struct snapshot_function *function)
{
    write_count(out, function->line);
}

static void write_address(struct out *out, const struct snapshot_function *function)
{
    char text[32];
    snprintf(text, sizeof text, "%llx", (unsigned long long)function->address);
    json_write_string_in_page(out, function->has_address ? text : NULL);
}

static void write_samples(struct out *out, const struct snapshot_function *function)
{
    json_write_number(out, function->samples);
}

static void write_self(struct out *out, const struct snapshot_function *function)
{
    json_write_number(out, function->self);
}

static void write_total(struct out *out, const struct snapshot_function *function)
{
    json_write_number(out, function->total);
}

static void write_least(struct out *out, const struct snapshot_function *function)
{
    json_write_number(out, function->least);
}

static void write_most(struct out *out, const struct snapshot_function *function)
{
    json_write_number(out, function->most);
}

static void write_calls(struct out *out, const struct snapshot_function *function)
{
    write_count(out, function->calls);
}

static void write_self_calls(struct out *out, const struct snapshot_function *function)
{
    write_count(out, function->self_calls);
}

static void write_cycle_number(struct out *out, const struct snapshot_function *function)
{
    write_count(out, function->cycle);
}

static const struct function_column {
    const char *name;
    void (*write)(struct out *out, const struct snapshot_function *function);
} function_columns[] = {
    {"name", write_name},
    {"short", write_short},
    {"raw", write_raw},
    {"file", write_file},
    {"line", write_line},
    {"address", write_address},
    {"samples", write_samples},
    {"self", write_self},
    {"total", write_total},
    {"least", write_least},
    {"most", write_most},
    {"calls", write_calls},
    {"self_calls", write_self_calls},
    {"cycle", write_cycle_number},
};

static void begin_column(struct out *out, size_t number, const char *name)
{
    out_text(out, number > 0 ? ",\n\"" : "\"");
    out_text(out, name);
    out_text(out, "\":[");
}

static void write_functions(struct out *out, const struct snapshot *snapshot)
{
    begin_member(out, "functions");
    out_char(out, '{');
    for (size_t c = 0; c < ARRAY_LENGTH(function_columns); c++) {
        begin_column(out, c, function_columns[c].name);
        for (size_t id = 0; id < snapshot->function_count; id++) {
            struct snapshot_function function;
            snapshot->function(snapshot, id, &function);
            out_text(out, id > 0 ? "," : "");
            function_columns[c].write(out, &function);
        }
        out_char(out, ']');
    }
    out_char(out, '}');
}

/* ---- Arcs ---- */

static void write_from(struct out *out, const struct snapshot_arc *arc)
{
    out_count(out, arc->from, 0);
}

static void write_to(struct out *out, const struct snapshot_arc *arc)
{
    out_count(out, arc->to, 0);
}

static void write_arc_calls(struct out *out, const struct snapshot_arc *arc)
{
    write_count(out, arc->calls);
}

static void write_arc_self(struct out *out, const struct snapshot_arc *arc)
{
    json_write_number(out, arc->self);
}

static void write_arc_children(struct out *out, const struct snapshot_arc *arc)
{
    json_write_number(out, arc->children);
}

static const struct arc_column {
    const char *name;
    void (*write)(struct out *out, const struct snapshot_arc *arc);
} arc_columns[] = {
    {"from", write_from},
    {"to", write_to},
    {"calls", write_arc_calls},
    {"self", write_arc_self},
    {"children", write_arc_children},
};

static void write_arcs(struct out *out, const struct snapshot *snapshot)
{
    begin_member(out, "arcs");
    out_char(out, '{');
    for (size_t c = 0; c < ARRAY_LENGTH(arc_columns); c++) {
        begin_column(out, c, arc_columns[c].name);
        for (size_t i = 0; i < snapshot->arc_count; i++) {
            struct snapshot_arc arc;
            snapshot->arc(snapshot, i, &arc);
            out_text(out, i > 0 ? "," : "");
            arc_columns[c].write(out, &arc);
        }
        out_char(out, ']');
    }
    out_char(out, '}');
}

/* ---- Everything else ---- */

static void write_input(struct out *out, const struct snapshot *snapshot, size_t i)
{
    struct snapshot_input input;
    snapshot->input(snapshot, i, &input);
    out_text(out, "{\"path\":");
    json_write_string_in_page(out, input.path);
    count_member(out, "rate", input.rate);
    count_member(out, "samples", input.samples);
    count_member(out, "calls", input.calls);
    out_char(out, '}');
}

/* Its members.  */
static void write_cycle(struct out *out, const struct snapshot *snapshot, size_t i)
{
    struct snapshot_cycle cycle;
    snapshot->cycle(snapshot, i, &cycle);
    out_char(out, '[');
    for (size_t m = 0; m < cycle.count; m++) {
        out_text(out, m > 0 ? "," : "");
        out_count(out, cycle.members[m], 0);
    }
    out_char(out, ']');
}

static void write_message(struct out *out, const struct snapshot *snapshot, size_t i)
{
    const struct kept_message *message = &snapshot->messages->messages[i];
    out_text(out, message->is_warning ? "{\"kind\":\"warning\"" : "{\"kind\":\"note\"");
    string_member(out, "text", message->text);
    out_char(out, '}');
}

/* By line, without those that have neither samples nor calls.  */
static void write_line_column(struct out *out, const struct snapshot_source *source,
                              const char *name,
                              void (*write)(struct out *out, const struct source_line *line))
{
    bool is_first = true;
    begin_member(out, name);
    out_char(out, '[');
    for (size_t l = 0; l < source->line_count; l++) {
        const struct source_line *line = &source->lines[l];
        if (!(line->samples > 0) && line->calls == 0)
            continue;
        out_text(out, is_first ? "" : ",");
        write(out, line);
        is_first = false;
    }
    out_char(out, ']');
}

static void write_line_number(struct out *out, const struct source_line *line)
{
    out_count(out, line->line, 0);
}

static void write_line_samples(struct out *out, const struct source_line *line)
{
    json_write_number(out, line->samples);
}

static void write_line_calls(struct out *out, const struct source_line *line)
{
    write_count(out, line->calls);
}

static void write_source(struct out *out, const struct snapshot *snapshot, size_t i)
{
    struct snapshot_source source;
    snapshot->source(snapshot, i, &source);
    out_text(out, "{\"path\":");
    json_write_string_in_page(out, source.path);
    begin_member(out, "text");
    json_write_text_in_page(out, source.text, source.size);
    write_line_column(out, &source, "line", write_line_number);
    write_line_column(out, &source, "samples", write_line_samples);
    write_line_column(out, &source, "calls", write_line_calls);
    out_char(out, '}');
}

static void write_list(struct out *out, const struct snapshot *snapshot, const char *name,
                       size_t count,
                       void (*write)(struct out *out, const struct snapshot *snapshot, size_t i))
{
    begin_member(out, name);
    out_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        out_text(out, i > 0 ? "," : "");
        write(out, snapshot, i);
    }
    out_char(out, ']');
}

static void write_totals(struct out *out, const struct snapshot *snapshot)
{
    number_member(out, "samples", snapshot->samples);
    number_member(out, "time", snapshot->time);
    number_member(out, "outside", snapshot->outside);
    count_member(out, "calls", snapshot->calls);
    number_member(out, "sample_time", snapshot->sample_time);
    number_member(out, "self_total", snapshot->self_total);
    number_member(out, "inclusive_total", snapshot->inclusive_total);
}

void page_write_data(const struct snapshot *snapshot, struct out *out)
{
    out_text(out, "{\"tool\":");
    json_write_string_in_page(out, snapshot->tool);
    string_member(out, "image", snapshot->image_path);
    string_member(out, "build_id", snapshot->build_id);
    string_member(out, "machine", snapshot->machine);
    string_member(out, "unit", snapshot->unit);
    write_totals(out, snapshot);
    write_list(out, snapshot, "inputs", snapshot->input_count, write_input);
    write_list(out, snapshot, "messages",
               snapshot->messages != NULL ? snapshot->messages->count : 0, write_message);
    write_functions(out, snapshot);
    write_arcs(out, snapshot);
    write_list(out, snapshot, "cycles", snapshot->cycle_count, write_cycle);
    write_list(out, snapshot, "sources", snapshot->source_count, write_source);
    page_write_stacks(snapshot, out);
    page_write_comparison(snapshot, out);
    out_char(out, '}');
}
