/* callgrind.c - functions and calls for kcachegrind and callgrind_annotate.

   https://valgrind.org/docs/manual/cl-format.html describes the format.  Names are written once and
   numbered: `fn=(7) parse', then `fn=(7)'.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "export/formats.h"

struct names {
    struct string_map map;
    bool *is_written; /* by number */
};

/* What is needed of a function more than once.  */
struct place {
    uint32_t name, file; /* numbers */
    uint32_t line;
};

struct writer {
    struct out *out;
    const struct snapshot *snapshot;
    double scale; /* from the snapshot's unit to costs */
    struct names functions, files;
    uint32_t file;          /* the number of the current one */
    struct place *places;   /* by function id */
    uint32_t *arcs, *start; /* those of function f are arcs[start[f]] up to arcs[start[f + 1]] */
};

/* ---- Preparation ---- */

static void number_names(struct writer *w)
{
    struct snapshot_function function;
    w->places = mem_uninitialised(w->snapshot->function_count, sizeof *w->places);
    for (size_t f = 0; f < w->snapshot->function_count; f++) {
        w->snapshot->function(w->snapshot, f, &function);
        w->places[f] = (struct place){
            string_map_number(&w->functions.map, function.name[0] != '\0' ? function.name : "???"),
            string_map_number(&w->files.map, function.file != NULL ? function.file : "???"),
            function.line};
    }
    w->functions.is_written = mem_array(w->functions.map.count, 1);
    w->files.is_written = mem_array(w->files.map.count, 1);
}

static void sort_arcs(struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    struct snapshot_arc arc;
    w->start = mem_array(snapshot->function_count + 2, sizeof *w->start);
    w->arcs = mem_uninitialised(snapshot->arc_count, sizeof *w->arcs);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        snapshot->arc(snapshot, i, &arc);
        w->start[arc.from + 2]++;
    }
    for (size_t f = 2; f < snapshot->function_count + 2; f++)
        w->start[f] += w->start[f - 1];
    for (uint32_t i = 0; i < snapshot->arc_count; i++) {
        snapshot->arc(snapshot, i, &arc);
        w->arcs[w->start[arc.from + 1]++] = i;
    }
}

/* ---- Output ---- */

/* A time as a cost; 0 if it is not known.  */
static uint64_t cost_of(const struct writer *w, double time)
{
    double cost = time * w->scale;
    return cost > 0 && cost < 0x1p63 ? (uint64_t)(cost + 0.5) : 0;
}

/* `fn=(7) parse'.  */
static void write_name(struct writer *w, const char *key, struct names *names, uint32_t number)
{
    out_text(w->out, key);
    out_text(w->out, "=(");
    out_count(w->out, (uint64_t)number + 1, 0);
    out_char(w->out, ')');
    if (!names->is_written[number]) {
        out_char(w->out, ' ');
        out_text(w->out, names->map.strings[number]);
        names->is_written[number] = true;
    }
    out_char(w->out, '\n');
}

static void write_cost(struct writer *w, uint32_t line, double time)
{
    out_count(w->out, line, 0);
    out_char(w->out, ' ');
    out_count(w->out, cost_of(w, time), 0);
    out_char(w->out, '\n');
}

static void write_call(struct writer *w, const struct place *caller, uint32_t id)
{
    struct snapshot_arc arc;
    w->snapshot->arc(w->snapshot, id, &arc);
    const struct place *callee = &w->places[arc.to];
    if (arc.calls == 0)
        return;
    if (callee->file != caller->file)
        write_name(w, "cfl", &w->files, callee->file);
    write_name(w, "cfn", &w->functions, callee->name);
    out_text(w->out, "calls=");
    out_count(w->out, arc.calls, 0);
    out_char(w->out, ' ');
    out_count(w->out, callee->line, 0);
    out_char(w->out, '\n');
    write_cost(w, caller->line, arc.self + arc.children);
}

static void write_function(struct writer *w, size_t f)
{
    const struct place *place = &w->places[f];
    struct snapshot_function function;
    w->snapshot->function(w->snapshot, f, &function);
    if (f == 0 || place->file != w->file)
        write_name(w, "fl", &w->files, place->file);
    w->file = place->file;
    write_name(w, "fn", &w->functions, place->name);
    write_cost(w, place->line, function.self);
    for (uint32_t i = w->start[f]; i < w->start[f + 1]; i++)
        write_call(w, place, w->arcs[i]);
}

static uint64_t sum_of_costs(const struct writer *w)
{
    struct snapshot_function function;
    uint64_t sum = 0;
    for (size_t f = 0; f < w->snapshot->function_count; f++) {
        w->snapshot->function(w->snapshot, f, &function);
        sum += cost_of(w, function.self);
    }
    return sum;
}

/* Costs are whole numbers, so that times are in units of 10 ns, in which a sample of any usual rate
   is one.  */
static void write_head(struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    bool are_seconds = strcmp(snapshot->unit, "seconds") == 0;
    w->scale = are_seconds ? 1e8 : snapshot->time > 0 ? snapshot->samples / snapshot->time : 1;
    out_text(w->out, "# callgrind format\nversion: 1\ncreator: ");
    out_text(w->out, snapshot->tool);
    out_text(w->out, "\ncmd: ");
    out_escaped(w->out, snapshot->image_path);
    out_text(w->out, "\ndesc: Inclusive times: " EXPORT_ESTIMATED "\npositions: line\nevents: ");
    out_text(w->out, are_seconds ? "Time_(10ns)" : "Samples");
    out_text(w->out, "\nsummary: ");
    out_count(w->out, sum_of_costs(w), 0);
    out_text(w->out, "\n\nob=(1) ");
    out_escaped(w->out, snapshot->image_path);
    out_char(w->out, '\n');
}

static void *prepare(const struct snapshot *snapshot)
{
    struct writer *w = mem_array(1, sizeof *w);
    w->snapshot = snapshot;
    number_names(w);
    sort_arcs(w);
    return w;
}

static void write_all(const struct snapshot *snapshot, void *prepared, struct out *out)
{
    struct writer *w = prepared;
    w->out = out;
    write_head(w);
    for (size_t f = 0; f < snapshot->function_count; f++)
        write_function(w, f);
}

static void release(void *prepared)
{
    struct writer *w = prepared;
    string_map_free(&w->functions.map);
    string_map_free(&w->files.map);
    free(w->functions.is_written);
    free(w->files.is_written);
    free(w->places);
    free(w->arcs);
    free(w->start);
    free(w);
}

const struct exporter exporter_callgrind = {prepare, write_all, release};
