/* callgrind.c - functions and calls for kcachegrind and callgrind_annotate.

   https://valgrind.org/docs/manual/cl-format.html describes the format.  Names are written once and
   numbered: `fn=(7) parse', then `fn=(7)'.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/short_names.h"
#include "base/sort.h"
#include "export/exporters.h"
#include "export/json.h"
#include "model/line_costs.h"

struct names {
    struct string_map map;
    bool *is_written; /* by number */
};

/* The place of a function, or of a line with costs.  */
struct place {
    uint32_t name, file, object; /* numbers */
    uint32_t line;
};

struct writer {
    struct out *out;
    const struct snapshot *snapshot;
    const struct line_costs *lines; /* of the snapshot; NULL: none */
    double scale;                   /* from the snapshot's unit to costs */
    struct names functions, files, objects;
    uint32_t object;           /* number of the current one */
    uint32_t file, own_file;   /* numbers: of the current file; of the function's file */
    struct place *places;      /* by function id */
    struct place *line_places; /* of each cost of the lines */
    size_t next_cost;          /* of the next function in the lines */
    struct id_lists arcs;      /* by caller */
};

/* ---- Preparation ---- */

static void number_line_files(struct writer *w)
{
    const struct line_costs *lines = w->lines;
    if (lines == NULL)
        return;
    w->line_places = mem_uninitialised(lines->count, sizeof *w->line_places);
    for (size_t i = 0; i < lines->count; i++) {
        const struct line_cost *cost = &lines->costs[i];
        w->line_places[i] = w->places[cost->function];
        if (cost->file == NULL)
            continue;
        w->line_places[i].file = string_map_number(&w->files.map, cost->file);
        w->line_places[i].line = cost->line;
    }
}

/* The number of the object that FUNCTION is in, and in *NAME its name without that: of
   `memcpy [libc.so.6]', `libc.so.6+0x8f3a0' and `[libc.so.6]' the last two have no other.  */
static uint32_t number_object(struct writer *w, const struct snapshot_function *function,
                              const char **name, struct arena *arena)
{
    const char *whole = function->name, *suffix = name_object(whole), *offset;
    size_t length = strlen(whole);
    *name = length > 0 ? whole : "???";
    if (function->kind != FUNCTION_OTHER)
        return 0;
    const char *object = NULL;
    if (suffix != NULL) {
        *name = arena_copy(arena, whole, (size_t)(suffix - whole));
        object = arena_copy(arena, suffix + 2, strlen(suffix) - 3);
    } else if ((offset = strstr(whole, "+0x")) != NULL) {
        object = arena_copy(arena, whole, (size_t)(offset - whole));
    } else if (length > 2 && whole[0] == '[') {
        object = arena_copy(arena, whole + 1, length - 2);
    }
    return object != NULL ? string_map_number(&w->objects.map, object) : 0;
}

static void number_names(struct writer *w)
{
    struct arena arena = {0};
    w->places = mem_uninitialised(w->snapshot->function_count, sizeof *w->places);
    string_map_number(&w->objects.map, w->snapshot->image.path);
    for (size_t f = 0; f < w->snapshot->function_count; f++) {
        const struct snapshot_function *function = &w->snapshot->functions[f];
        const char *name;
        uint32_t object = number_object(w, function, &name, &arena);
        w->places[f] = (struct place){
            string_map_number(&w->functions.map, name),
            string_map_number(&w->files.map, function->file != NULL ? function->file : "???"),
            object, function->line};
    }
    arena_free(&arena);
    number_line_files(w);
    w->objects.is_written = mem_array(w->objects.map.count, 1);
    w->functions.is_written = mem_array(w->functions.map.count, 1);
    w->files.is_written = mem_array(w->files.map.count, 1);
}

static void sort_arcs(struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    uint32_t *callers = mem_uninitialised(snapshot->arc_count, sizeof *callers);
    for (size_t i = 0; i < snapshot->arc_count; i++)
        callers[i] = snapshot->arcs[i].caller;
    w->arcs = id_lists_make(callers, NULL, snapshot->arc_count, snapshot->function_count);
    free(callers);
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
        out_escaped(w->out, names->map.strings[number]);
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

/* What stands for calls that were not counted, below a comment for our own reader:
   callgrind_annotate takes the costs of 0 calls for the function's own.  */
enum { UNCOUNTED = 1 };

/* Writes CALLS from a line of a function to TO, with the inclusive TIME.  */
static void write_call(struct writer *w, const struct place *line, uint32_t to, uint64_t calls,
                       double time)
{
    const struct place *callee = &w->places[to];
    if (calls == 0 && !(time > 0)) /* measured calls have time, even if none was counted */
        return;
    if (callee->object != w->object)
        write_name(w, "cob", &w->objects, callee->object);
    if (callee->file != w->file || callee->file != w->own_file)
        write_name(w, "cfl", &w->files, callee->file);
    write_name(w, "cfn", &w->functions, callee->name);
    out_text(w->out, calls > 0 ? "calls=" : "# not counted\ncalls=");
    out_count(w->out, calls > 0 ? calls : UNCOUNTED, 0);
    out_char(w->out, ' ');
    out_count(w->out, callee->line, 0);
    out_char(w->out, '\n');
    write_cost(w, line->line, time);
}

static void write_calls(struct writer *w, size_t f)
{
    for (uint32_t i = w->arcs.start[f]; i < w->arcs.start[f + 1]; i++) {
        uint32_t id = w->arcs.ids[i];
        const struct arc *arc = &w->snapshot->arcs[id];
        write_call(w, &w->places[f], arc->callee, arc->count,
                   line_total(&w->snapshot->arc_times[id]));
    }
}

/* Writes the costs of the lines of a function, which may be in several files.  */
static void write_lines(struct writer *w, size_t f)
{
    for (; w->next_cost < w->lines->count && w->lines->costs[w->next_cost].function == f;
         w->next_cost++) {
        const struct line_cost *cost = &w->lines->costs[w->next_cost];
        const struct place *line = &w->line_places[w->next_cost];
        if (line->file != w->file)
            write_name(w, line->file == w->own_file ? "fe" : "fi", &w->files, line->file);
        w->file = line->file;
        if (cost->is_call)
            write_call(w, line, cost->callee, cost->calls, cost->time);
        else
            write_cost(w, line->line, cost->time);
    }
}

static void write_function(struct writer *w, size_t f)
{
    const struct place *place = &w->places[f];
    if (place->object != w->object)
        write_name(w, "ob", &w->objects, place->object);
    w->object = place->object;
    if (f == 0 || place->file != w->file)
        write_name(w, "fl", &w->files, place->file);
    w->file = w->own_file = place->file;
    write_name(w, "fn", &w->functions, place->name);
    double self = snapshot_time(w->snapshot, w->snapshot->functions[f].self_samples);
    write_cost(w, place->line, w->lines == NULL ? self : 0);
    if (w->lines == NULL)
        write_calls(w, f);
    else
        write_lines(w, f);
}

static uint64_t sum_of_costs(const struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    uint64_t sum = 0;
    for (size_t i = 0; w->lines != NULL && i < w->lines->count; i++)
        sum += w->lines->costs[i].is_call ? 0 : cost_of(w, w->lines->costs[i].time);
    for (size_t f = 0; w->lines == NULL && f < snapshot->function_count; f++)
        sum += cost_of(w, snapshot_time(snapshot, snapshot->functions[f].self_samples));
    return sum;
}

/* Writes the head.  Costs are whole numbers: times are in units of 10 ns, samples are counted where
   their time has an unknown unit.  */
static void write_head(struct writer *w)
{
    const struct snapshot *snapshot = w->snapshot;
    bool are_seconds = is_in_seconds(&snapshot->unit);
    struct export_unit unit = export_unit(&snapshot->unit);
    bool are_samples = strcmp(unit.what, "samples") == 0;
    w->scale = are_seconds ? 1e8 : unit.size;
    if (are_samples && snapshot->totals.time > 0 &&
        snapshot->totals.samples > snapshot->totals.time)
        w->scale = snapshot->totals.samples / snapshot->totals.time;
    out_text(w->out, "# callgrind format\nversion: 1\ncreator: ");
    out_text(w->out, snapshot->tool);
    out_text(w->out, "\ncmd: ");
    out_escaped(w->out, snapshot->image.path);
    out_text(w->out, "\ndesc: Inclusive times: ");
    out_text(w->out, export_inclusive(snapshot));
    if (snapshot->unit.value != NULL && strcmp(unit.unit, "count") != 0) { /* for our own reader */
        out_text(w->out, "\ndesc: Value: ");
        out_escaped(w->out, snapshot->unit.value);
    }
    if (figures_traits(snapshot->figures)->has_samples && snapshot->sample_time * w->scale > 0) {
        out_text(w->out, "\ndesc: Sample: "); /* its cost, for our own reader */
        json_write_number(w->out, snapshot->sample_time * w->scale);
    }
    out_text(w->out, "\npositions: line\nevents: ");
    out_text(w->out, are_seconds                       ? "Time_(10ns)"
                     : are_samples                     ? "Samples"
                     : strcmp(unit.unit, "bytes") == 0 ? unit.unit
                                                       : unit.what);
    out_text(w->out, "\nsummary: ");
    out_count(w->out, sum_of_costs(w), 0);
    out_text(w->out, "\n\n");
    write_name(w, "ob", &w->objects, 0);
}

static void *prepare(const struct snapshot *snapshot)
{
    struct writer *w = mem_array(1, sizeof *w);
    w->snapshot = snapshot;
    w->lines = snapshot->extras.lines;
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
    string_map_free(&w->objects.map);
    free(w->functions.is_written);
    free(w->objects.is_written);
    free(w->files.is_written);
    free(w->places);
    free(w->line_places);
    id_lists_free(&w->arcs);
    free(w);
}

const struct exporter exporter_callgrind = {prepare, write_all, release};
