/* dot.c - a call graph for graphviz.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "export/exporters.h"

/* Percent of all time: functions and calls with less are left out.  */
static const double smallest_node = 0.5, smallest_edge = 0.1;

enum {
    LONGEST_NAME = 4000, /* bytes; graphviz has limits */
    LINE_LENGTH = 40     /* of names in boxes */
};

struct drawing {
    struct out *out;
    const struct snapshot *snapshot;
    bool has_times;    /* false: shares are of calls */
    double all;        /* the value of 100 % */
    double node, edge; /* percent: the smallest that are shown */
    uint32_t *nodes;   /* functions that are shown, the largest first */
    size_t node_count;
    double *shares; /* by function id */
    bool *is_shown; /* by function id */
    size_t hidden_nodes, hidden_edges;
};

/* ---- Shares ---- */

static double share(const struct drawing *drawing, double part)
{
    return drawing->all > 0 && part > 0 ? 100 * part / drawing->all : 0;
}

static double share_of_node(const struct drawing *drawing, const struct snapshot_function *f)
{
    if (!drawing->has_times)
        return share(drawing, (double)f->calls);
    double samples = f->total_samples >= f->self_samples ? f->total_samples : f->self_samples;
    return share(drawing, snapshot_time(drawing->snapshot, samples));
}

/* The share of the arc ID.  */
static double share_of_edge(const struct drawing *drawing, size_t id)
{
    const struct snapshot *snapshot = drawing->snapshot;
    return share(drawing, drawing->has_times ? line_total(&snapshot->arc_times[id])
                                             : (double)snapshot->arcs[id].count);
}

/* Without times, raises the share of a function to that of the largest arc from it.  */
static void consider_calls(struct drawing *drawing)
{
    const struct snapshot *snapshot = drawing->snapshot;
    for (size_t i = 0; i < snapshot->arc_count && !drawing->has_times; i++) {
        uint32_t caller = snapshot->arcs[i].caller;
        double part = share_of_edge(drawing, i);
        if (part > drawing->shares[caller])
            drawing->shares[caller] = part;
    }
}

/* Graphviz follows calls from the first node on, and draws calls back to what it has met upwards:
   in this order, callers are above callees, in cycles too.  */
static void choose_nodes(struct drawing *drawing)
{
    const struct snapshot *snapshot = drawing->snapshot;
    size_t count = snapshot->function_count;
    drawing->is_shown = mem_uninitialised(count, sizeof *drawing->is_shown);
    drawing->shares = mem_uninitialised(count, sizeof *drawing->shares);
    drawing->nodes = mem_uninitialised(count, sizeof *drawing->nodes);
    for (uint32_t f = 0; f < count; f++)
        drawing->shares[f] = share_of_node(drawing, &snapshot->functions[f]);
    consider_calls(drawing);
    for (uint32_t f = 0; f < count; f++) {
        drawing->is_shown[f] = drawing->shares[f] >= drawing->node;
        if (drawing->is_shown[f])
            drawing->nodes[drawing->node_count++] = f;
    }
    drawing->hidden_nodes = count - drawing->node_count;
    sort_ids(drawing->nodes, drawing->node_count, compare_doubles, drawing->shares);
}

/* Whether an arc is inside of a cycle: it has no time, and is shown if both its ends are.  */
static bool is_inside(const struct snapshot *snapshot, const struct arc *arc)
{
    uint32_t cycle = snapshot->functions[arc->caller].cycle;
    return cycle != 0 && cycle == snapshot->functions[arc->callee].cycle;
}

static bool is_edge_shown(const struct drawing *drawing, size_t id)
{
    const struct snapshot *snapshot = drawing->snapshot;
    const struct arc *arc = &snapshot->arcs[id];
    return drawing->is_shown[arc->caller] && drawing->is_shown[arc->callee] &&
           (arc->count > 0 || line_total(&snapshot->arc_times[id]) > 0) &&
           (share_of_edge(drawing, id) >= drawing->edge || arc->caller == arc->callee ||
            is_inside(snapshot, arc));
}

/* ---- Text ---- */

/* The length of NAME as far as it is shown, with whole characters.  */
static size_t shown_length(const char *name)
{
    size_t length = strlen(name);
    if (length <= LONGEST_NAME)
        return length;
    length = LONGEST_NAME;
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
        length--;
    return length;
}

/* Whether graphviz reads what is at TEXT as a character of HTML: `&lt;' or `&#60;'.  */
static bool is_entity(const char *text)
{
    size_t length =
        strspn(text + 1, "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    return text[0] == '&' && length > 0 && text[1 + length] == ';';
}

/* Writes NAME for a quoted string, in lines of about WIDTH bytes (0: one line).  */
static void write_name(struct out *out, const char *raw, size_t width)
{
    struct arena scratch = {0};
    const char *name = is_printable(raw) ? raw : arena_escape(&scratch, raw);
    size_t length = shown_length(name), in_line = 0;
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '"' || name[i] == '\\')
            out_char(out, '\\');
        if (is_entity(name + i))
            out_text(out, "&amp;");
        else
            out_char(out, name[i]);
        bool may_break = strchr(" ,:<(", name[i]) != NULL && name[i + 1] != ':';
        if (++in_line >= width && width != 0 && may_break && i + 1 < length) {
            out_text(out, "\\n");
            in_line = 0;
        }
    }
    if (name[length] != '\0')
        out_text(out, "...");
    arena_free(&scratch);
}

static void write_percent(struct out *out, double percent)
{
    if (percent > 0)
        out_fixed(out, percent, 0, percent < 10 ? 2 : 1);
    else
        out_char(out, '0');
    out_text(out, " %");
}

/* Writes BEFORE and TIME, if it is known.  */
static void write_time(struct out *out, const char *before, double time)
{
    out_text(out, before);
    if (isfinite(time))
        out_fixed(out, time, 0, 2);
    else
        out_char(out, '?');
}

/* A colour from white to red.  */
static void write_colour(struct out *out, const char *name, double percent, double least)
{
    char text[60];
    double strength = sqrt(percent / 100 > 1 ? 1 : percent / 100);
    snprintf(text, sizeof text, ",%s=\"%.3f %.3f %.3f\"", name, 0.12 - 0.12 * strength,
             least + (0.65 - least) * strength, least > 0.1 ? 0.75 : 1.0);
    out_text(out, text);
}

/* ---- Nodes and edges ---- */

/* `\\n2500+3 calls'.  */
static void write_calls(struct out *out, const struct snapshot_function *f)
{
    if (f->calls == 0 && f->self_calls == 0)
        return;
    out_text(out, "\\n");
    out_count(out, f->calls, 0);
    if (f->self_calls > 0) {
        out_char(out, '+');
        out_count(out, f->self_calls, 0);
    }
    out_text(out, f->calls == 1 && f->self_calls == 0 ? " call" : " calls");
}

static void write_box(const struct drawing *drawing, const struct snapshot_function *f)
{
    struct out *out = drawing->out;
    write_name(out, f->name, LINE_LENGTH);
    if (f->cycle != 0) {
        out_text(out, " <cycle ");
        out_count(out, f->cycle, 0);
        out_char(out, '>');
    }
    if (drawing->has_times) {
        out_text(out, "\\n");
        write_percent(out, share_of_node(drawing, f));
        out_text(out, " (self ");
        write_percent(out, share(drawing, snapshot_time(drawing->snapshot, f->self_samples)));
        out_text(out, ")");
    }
    write_calls(out, f);
}

static void write_tooltip(const struct drawing *drawing, const struct snapshot_function *f)
{
    struct out *out = drawing->out;
    write_name(out, f->name, 0);
    if (f->file != NULL) {
        out_text(out, "\\n");
        write_name(out, f->file, 0);
        out_char(out, ':');
        out_count(out, f->line, 0);
    }
    if (!drawing->has_times)
        return;
    write_time(out, "\\nself ", snapshot_time(drawing->snapshot, f->self_samples));
    write_time(out, ", total ", snapshot_time(drawing->snapshot, f->total_samples));
    if (origin_traits(drawing->snapshot->origin)->has_bounds) {
        write_time(out, " (", f->least);
        write_time(out, " .. ", f->most);
        out_char(out, ')');
    }
    out_char(out, ' ');
    write_name(out, drawing->snapshot->unit.name, 0);
}

static void write_node(const struct drawing *drawing, size_t id)
{
    struct out *out = drawing->out;
    const struct snapshot_function *f = &drawing->snapshot->functions[id];
    out_char(out, 'n');
    out_count(out, id, 0);
    out_text(out, " [label=\"");
    write_box(drawing, f);
    out_text(out, "\",tooltip=\"");
    write_tooltip(drawing, f);
    out_char(out, '"');
    write_colour(out, "fillcolor", drawing->shares[id], 0);
    out_text(out, "];\n");
}

static void write_edge(const struct drawing *drawing, size_t id)
{
    const struct arc *arc = &drawing->snapshot->arcs[id];
    struct out *out = drawing->out;
    char width[40];
    double part = share_of_edge(drawing, id);
    out_char(out, 'n');
    out_count(out, arc->caller, 0);
    out_text(out, " -> n");
    out_count(out, arc->callee, 0);
    out_text(out, " [label=\"");
    if (drawing->has_times && part > 0) {
        write_percent(out, part);
        out_text(out, arc->count > 0 ? "\\n" : "");
    }
    if (arc->count > 0) {
        out_count(out, arc->count, 0);
        out_char(out, 'x');
    }
    out_char(out, '"');
    snprintf(width, sizeof width, ",penwidth=%.2f", 1 + 4 * (part > 100 ? 1 : part / 100));
    out_text(out, width);
    out_text(out, part > 0 ? "" : ",style=dashed");
    write_colour(out, "color", part, 0.15);
    out_text(out, "];\n");
}

/* ---- The graph ---- */

static void write_hidden(struct out *out, size_t count, const char *one, const char *many,
                         double limit)
{
    if (count == 0)
        return;
    out_text(out, "\\lnot shown: ");
    out_count(out, count, 0);
    out_text(out, count == 1 ? one : many);
    write_percent(out, limit);
}

static void write_label(const struct drawing *drawing)
{
    const struct snapshot *snapshot = drawing->snapshot;
    struct out *out = drawing->out;
    out_text(out, "label=\"");
    write_name(out, snapshot->image.path, 0);
    if (drawing->has_times) {
        write_time(out, ": ",
                   snapshot->origin == ORIGIN_MEASURED
                       ? snapshot_time(snapshot, snapshot->inclusive_samples)
                       : snapshot->totals.time);
        out_char(out, ' ');
        write_name(out, snapshot->unit.name, 0);
        out_text(out, figures_traits(snapshot->figures)->has_samples
                          ? "\\lself: sampled; times of callees: "
                          : "\\ltimes of callees: ");
        out_text(out, export_inclusive(snapshot));
    } else
        out_text(out, ": calls only, no samples");
    write_hidden(out, drawing->hidden_nodes, " function below ", " functions below ",
                 drawing->node);
    write_hidden(out, drawing->hidden_edges, " arc below ", " arcs below ", drawing->edge);
    out_text(out, "\\l\";\n");
}

/* The value of 100 %: all time, or all calls.  Functions may have more time than there are samples,
   by rounding of bins.  */
static double all_of(const struct snapshot *snapshot, bool has_times)
{
    double sum = 0;
    if (snapshot->origin == ORIGIN_MEASURED)
        return snapshot_time(snapshot, snapshot->inclusive_samples);
    for (size_t f = 0; f < snapshot->function_count; f++) {
        const struct snapshot_function *function = &snapshot->functions[f];
        sum +=
            has_times ? snapshot_time(snapshot, function->self_samples) : (double)function->calls;
    }
    return has_times && snapshot->totals.time > sum ? snapshot->totals.time : sum;
}

static void *prepare(const struct snapshot *snapshot)
{
    struct drawing *drawing = mem_array(1, sizeof *drawing);
    bool has_times = snapshot->totals.time > 0 || snapshot->origin == ORIGIN_MEASURED;
    *drawing = (struct drawing){.snapshot = snapshot,
                                .has_times = has_times,
                                .all = all_of(snapshot, has_times),
                                .node = smallest_node,
                                .edge = smallest_edge};
    if (snapshot->extras.min_share >= 0) {
        drawing->node = snapshot->extras.min_share;
        drawing->edge = snapshot->extras.min_share * (smallest_edge / smallest_node);
    }
    choose_nodes(drawing);
    return drawing;
}

static void draw(const struct snapshot *snapshot, void *prepared, struct out *out)
{
    struct drawing *drawing = prepared;
    (void)snapshot; /* the drawing has it */
    drawing->out = out;
    out_text(out, "digraph profile {\n"
                  "charset=\"UTF-8\"; labelloc=t; labeljust=l; fontname=\"Helvetica\";\n"
                  "node [shape=box,style=filled,fontname=\"Helvetica\",fontsize=12];\n"
                  "edge [fontname=\"Helvetica\",fontsize=10];\n");
    for (size_t i = 0; i < drawing->node_count; i++)
        write_node(drawing, drawing->nodes[i]);
    for (size_t i = 0; i < snapshot->arc_count; i++)
        if (is_edge_shown(drawing, i))
            write_edge(drawing, i);
        else
            drawing->hidden_edges++;
    write_label(drawing);
    out_text(out, "}\n");
}

static void release(void *prepared)
{
    struct drawing *drawing = prepared;
    free(drawing->is_shown);
    free(drawing->shares);
    free(drawing->nodes);
    free(drawing);
}

const struct exporter exporter_dot = {prepare, draw, release};
