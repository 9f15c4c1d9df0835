/* measure_stacks.c - names recorded stacks, and measures inclusive times by them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/measure_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "symbols/symtab.h"

/* ---- Names ---- */

static void show_objects(struct recorded_stacks *stacks)
{
    struct arena *arena = &stacks->objects.arena;
    stacks->objects_shown = mem_array(stacks->objects.count + 1, sizeof *stacks->objects_shown);
    for (size_t i = 0; i < stacks->objects.count; i++) {
        const char *name = i > 0 ? stacks->objects.strings[i] : "program";
        bool is_cut = strcmp(name, CUT_STACK) == 0;
        stacks->objects_shown[i] =
            is_cut ? CUT_SHOWN : arena_join(arena, "[", arena_escape(arena, name), "]");
    }
    stacks->objects_shown[stacks->objects.count] = "[unknown]";
}

/* Whether NAME is a function that compilers call to count a call.  It calls none of the program's
   functions.  In programs that are linked with libregmon.a, the rest of the library is below it. */
static bool is_counter(const char *name)
{
    static const char *const names[] = {"mcount", "_mcount", "__fentry__", "mcount_slow",
                                        "__fentry___slow"};
    return text_is_one_of(name, names, ARRAY_LENGTH(names));
}

/* What is known of a place.  */
struct named_place {
    uint32_t node;     /* of the tree by functions; NO_ID: it only starts the program or a thread */
    uint32_t start;    /* the id of the last frame that does; NO_ID: none */
    bool has_nameless; /* it, or one above it, is in no function of the program */
    bool is_counting;  /* it, or one above it, is a counter */
};

struct naming {
    struct recorded_stacks *stacks;
    const struct symtab *symtab;
    uint32_t library;           /* the object of libregmon; NO_OBJECT: none */
    uint32_t cut;               /* that of the first frames of cut stacks; NO_OBJECT: none */
    uint32_t *line_of;          /* by symbol: the first one on its line; NULL unless by line */
    struct named_place *places; /* by place */
};

static uint32_t find_library(const struct recorded_stacks *stacks)
{
    static const char name[] = "libregmon.so";
    for (size_t i = 1; i < stacks->objects.count; i++)
        if (strncmp(path_base(stacks->objects.strings[i]), name, sizeof name - 1) == 0)
            return (uint32_t)i;
    return NO_OBJECT;
}

static uint32_t find_object(const struct recorded_stacks *stacks, const char *name)
{
    for (size_t i = 1; i < stacks->objects.count; i++)
        if (strcmp(stacks->objects.strings[i], name) == 0)
            return (uint32_t)i;
    return NO_OBJECT;
}

static uint32_t id_of(const struct naming *naming, uint32_t object, uint64_t addr)
{
    uint32_t symbol = object == 0 ? symtab_find(naming->symtab, addr) : NO_ID;
    if (symbol != NO_ID)
        return symbol;
    return naming->stacks->symbol_count +
           (object != NO_OBJECT ? object : (uint32_t)naming->stacks->objects.count);
}

/* A stack begins with code that starts the program or a thread: `_start' in the program, which has
   no name in a stripped one, and functions of the C library.  These frames are left out, so that
   `main' and the first functions of threads have no caller, and the total of the C library is what
   the program used it for.  In a statically linked program they are functions like others.  */
static bool is_start(const struct naming *naming, const struct named_place *above, uint32_t object,
                     uint32_t id)
{
    uint32_t program = naming->stacks->symbol_count;
    bool is_top = above->node == NO_ID && above->start == NO_ID;
    if (id < program)
        return is_top && strcmp(naming->symtab->symbols[id].name, "_start") == 0;
    if (id == program)
        return is_top || (above->node == NO_ID && above->start == program);
    return above->node == NO_ID && object != naming->cut && object != NO_OBJECT &&
           (is_top || above->start <= program || above->start == id);
}

/* The node of PLACE, or where children of it are if it starts the program or a thread.  */
static uint32_t node_below(struct recorded_stacks *stacks, const struct named_place *place)
{
    bool is_shown = place->node == NO_ID && place->start <= stacks->symbol_count;
    return is_shown ? pair_map_node(&stacks->nodes, 0, place->start) : place->node;
}

/* The first symbol with the same file and line, by symbol.  Those whose line is not known have one
   each.  Free with free.  */
static uint32_t *find_lines(const struct symtab *symtab)
{
    struct pair_map lines = {0};
    uint32_t *line_of = mem_uninitialised(symtab->count, sizeof *line_of);
    uint32_t *firsts = mem_uninitialised(symtab->count, sizeof *firsts);
    for (uint32_t s = 0; s < symtab->count; s++) {
        const struct symbol *symbol = &symtab->symbols[s];
        size_t known = lines.count;
        line_of[s] = s;
        if (symbol->file == NO_ID)
            continue;
        uint32_t line = pair_map_number(&lines, symbol->file, symbol->line);
        if (line == known)
            firsts[line] = s;
        line_of[s] = firsts[line];
    }
    pair_map_free(&lines);
    free(firsts);
    return line_of;
}

/* Names PLACE; the one above it is named.  */
static struct named_place name_place(const struct naming *naming, const struct pair *place)
{
    static const struct named_place top = {.node = NO_ID, .start = NO_ID};
    struct recorded_stacks *stacks = naming->stacks;
    uint32_t above = (uint32_t)place->a, object = (uint32_t)(place->a >> 32);
    struct named_place named = above > 0 ? naming->places[above - 1] : top;
    uint32_t id = id_of(naming, object, place->b);
    named.has_nameless |= id == stacks->symbol_count; /* object 0: the program */
    named.is_counting |= !stacks->is_foreign && id < stacks->symbol_count &&
                         is_counter(naming->symtab->symbols[id].name);
    if (!stacks->is_foreign && is_start(naming, &named, object, id)) {
        named.start = id;
        return named;
    }
    named.node = node_below(stacks, &named);
    if (id < stacks->symbol_count && naming->line_of != NULL)
        id = naming->line_of[id];
    if (id < stacks->symbol_count || named.node == NO_ID || stacks->nodes.pairs[named.node].b != id)
        named.node = pair_map_node(&stacks->nodes, (uint32_t)(named.node + 1), id);
    return named;
}

/* Gives PLACE a node if stacks end there.  */
static void name_end(struct recorded_stacks *stacks, struct named_place *place)
{
    if (place->node == NO_ID)
        place->node = pair_map_node(&stacks->nodes, 0, place->start);
}

/* Whether samples that end in PLACE, which is in OBJECT, are of counting calls.  */
static bool is_left_out(const struct naming *naming, const struct named_place *place,
                        uint32_t object)
{
    return place->is_counting || (object == naming->library && object != NO_OBJECT);
}

double stacks_name(struct recorded_stacks *stacks, const struct symtab *symtab)
{
    size_t count = stacks->places.count;
    struct naming naming = {stacks,
                            symtab,
                            find_library(stacks),
                            find_object(stacks, CUT_STACK),
                            stacks->is_by_line ? find_lines(symtab) : NULL,
                            mem_uninitialised(count, sizeof *naming.places)};
    double nameless = 0;
    pair_map_close(&stacks->places);
    stacks->symbol_count = (uint32_t)symtab->count;
    show_objects(stacks);
    for (size_t i = 0; i < count; i++)
        naming.places[i] = name_place(&naming, &stacks->places.pairs[i]);
    for (size_t i = 0; i < count; i++)
        if (stacks->ending[i] > 0)
            name_end(stacks, &naming.places[i]);
    pair_map_close(&stacks->nodes);
    stacks->self = mem_array(stacks->nodes.count, sizeof *stacks->self);
    for (size_t i = 0; i < count; i++) {
        const struct named_place *place = &naming.places[i];
        uint32_t object = (uint32_t)(stacks->places.pairs[i].a >> 32);
        nameless += place->has_nameless ? stacks->ending[i] : 0;
        if (is_left_out(&naming, place, object))
            stacks->ending[i] = 0;
        if (stacks->ending[i] == 0)
            continue;
        stacks->self[place->node] += stacks->ending[i];
        stacks->counted += stacks->ending[i];
    }
    for (size_t i = 0; i < stacks->end_count; i++) {
        uint32_t *place = &stacks->ends[i].node;
        uint32_t object = (uint32_t)(stacks->places.pairs[*place].a >> 32);
        *place = is_left_out(&naming, &naming.places[*place], object) ? NO_ID
                                                                      : naming.places[*place].node;
    }
    free(naming.places);
    free(naming.line_of);
    if (!stacks->keeps_places) { /* the tree by functions replaces it */
        pair_map_free(&stacks->places);
        free(stacks->ending);
        stacks->ending = NULL;
    }
    return nameless;
}

/* ---- Measured times ----

   A walk visits all nodes, each before its children.  On its way back it knows what is below a
   node: the samples since it went down, of all functions and of each.  */

/* A node on the path from a root to the node that the walk is at.  */
struct level {
    uint32_t id;                 /* of the node */
    uint32_t child, end;         /* its children that the walk has not visited yet */
    uint32_t outer;              /* level of the next node above with this id, plus 1; 0: none */
    double before, before_self;  /* samples before the node: all, and those that end in its id */
    double before_next;          /* that end in the id below `outer' */
    struct measured_times inner; /* what of the node has no further call of the caller below it */
};

struct walk {
    const struct recorded_stacks *stacks;
    struct measured *measured;
    struct id_lists children; /* by node plus 1; 0: the roots */
    struct level *path;
    size_t depth, path_capacity;
    uint32_t *innermost;  /* by id: its last level on the path, plus 1 */
    double samples;       /* so far */
    double *ending;       /* by id: samples so far that end in it */
    struct pair_map arcs; /* (caller + 1, or 0; callee) */
    size_t arc_capacity;
};

/* The line of CALLER, NO_ID for none, and CALLEE.  Valid until the next call.  */
static struct measured_arc *find_arc(struct walk *walk, uint32_t caller, uint32_t callee)
{
    struct measured *measured = walk->measured;
    uint64_t key = caller != NO_ID ? (uint64_t)caller + 1 : 0;
    uint32_t number = pair_map_number(&walk->arcs, key, callee);
    if (number == measured->arc_count) {
        measured->arcs =
            mem_grow(measured->arcs, &walk->arc_capacity, number + 1, sizeof *measured->arcs);
        measured->arcs[measured->arc_count++] =
            (struct measured_arc){.caller = caller, .callee = callee};
    }
    return &measured->arcs[number];
}

static void add_times(struct measured_times *times, double self, double total)
{
    times->self += self;
    times->total += total;
}

static void enter(struct walk *walk, uint32_t node)
{
    uint32_t id = (uint32_t)walk->stacks->nodes.pairs[node].b;
    walk->path = mem_grow(walk->path, &walk->path_capacity, walk->depth + 1, sizeof *walk->path);
    struct level *level = &walk->path[walk->depth++];
    *level = (struct level){.id = id,
                            .child = walk->children.start[node + 1],
                            .end = walk->children.start[node + 2],
                            .outer = walk->innermost[id],
                            .before = walk->samples,
                            .before_self = walk->ending[id]};
    walk->innermost[id] = (uint32_t)walk->depth;
    if (level->outer != 0)
        level->before_next = walk->ending[walk->path[level->outer].id];
    walk->samples += walk->stacks->self[node];
    walk->ending[id] += walk->stacks->self[node];
}

/* Leaves the last node of the path.  What is below it has an inner call of its function: it does
   not count for the callee of the next outer one, which is at the level after `outer'.  */
static void leave(struct walk *walk)
{
    struct level *level = &walk->path[--walk->depth];
    uint32_t id = level->id, caller = walk->depth > 0 ? level[-1].id : NO_ID;
    double total = walk->samples - level->before, self = walk->ending[id] - level->before_self;
    walk->innermost[id] = level->outer;
    if (level->outer == 0) {
        walk->measured->functions[id].total += total;
        if (total != 0)
            add_times(&find_arc(walk, caller, id)->outer, self, total);
    } else {
        struct level *callee = &walk->path[level->outer];
        add_times(&callee->inner, level->before_next - walk->ending[callee->id], -total);
    }
    add_times(&level->inner, self, total);
    if (walk->depth > 0 && level->inner.total != 0)
        add_times(&find_arc(walk, caller, id)->inner, level->inner.self, level->inner.total);
}

static struct id_lists list_children(const struct recorded_stacks *stacks)
{
    size_t count = stacks->nodes.count;
    uint32_t *parents = mem_uninitialised(count, sizeof *parents);
    for (size_t i = 0; i < count; i++)
        parents[i] = (uint32_t)stacks->nodes.pairs[i].a;
    struct id_lists children = id_lists_make(parents, NULL, count, count + 1);
    free(parents);
    return children;
}

static void visit(struct walk *walk, uint32_t root)
{
    enter(walk, root);
    while (walk->depth > 0) {
        struct level *level = &walk->path[walk->depth - 1];
        if (level->child < level->end)
            enter(walk, walk->children.ids[level->child++]);
        else
            leave(walk);
    }
}

void stacks_measure(struct recorded_stacks *stacks)
{
    size_t ids = stacks->symbol_count + stacks->objects.count + 1;
    struct walk walk = {.stacks = stacks,
                        .measured = &stacks->measured,
                        .children = list_children(stacks),
                        .innermost = mem_array(ids, sizeof *walk.innermost),
                        .ending = mem_array(ids, sizeof *walk.ending)};
    stacks->measured.functions = mem_array(ids, sizeof *stacks->measured.functions);
    for (uint32_t i = walk.children.start[0]; i < walk.children.start[1]; i++)
        visit(&walk, walk.children.ids[i]);
    for (size_t i = 0; i < ids; i++)
        stacks->measured.functions[i].self = walk.ending[i];
    uint32_t cut = find_object(stacks, CUT_STACK);
    if (cut != NO_OBJECT)
        stacks->cut = stacks->measured.functions[stacks->symbol_count + cut].total;
    id_lists_free(&walk.children);
    pair_map_free(&walk.arcs);
    free(walk.innermost);
    free(walk.ending);
    free(walk.path);
}

/* ---- Runs ---- */

void stacks_list_runs(struct stack_runs *runs, const struct recorded_stacks *stacks,
                      const uint32_t *functions)
{
    *runs =
        (struct stack_runs){.places = mem_uninitialised(stacks->nodes.count, sizeof *runs->places),
                            .ends = mem_uninitialised(stacks->end_count, sizeof *runs->ends),
                            .runs = mem_uninitialised(stacks->file_count, sizeof *runs->runs),
                            .place_count = stacks->nodes.count,
                            .run_count = stacks->file_count};
    size_t kept = 0, i = 0;
    double parts = stacks->is_foreign ? parts_of_sample(stacks->fineness) : 1;
    for (size_t p = 0; p < runs->place_count; p++) {
        const struct pair *node = &stacks->nodes.pairs[p];
        runs->places[p] = (struct stack_place){(uint32_t)(node->a - 1), functions[node->b]};
    }
    for (size_t f = 0; f < stacks->file_count; f++) {
        for (; i < stacks->files[f].end; i++)
            if (stacks->ends[i].node != NO_ID)
                runs->ends[kept++] = (struct stack_end){stacks->ends[i].node,
                                                        (double)stacks->ends[i].samples / parts};
        double rate = stacks->files[f].rate; /* 0: the file is empty */
        runs->runs[f] = (struct stack_run){(rate != 0 ? rate : stacks->rate) / parts, kept};
    }
}

/* Adds VALUE, the COUNTth, to a mean and the sum of the squares of distances from it.  */
static void add_value(double *mean, double *squares, double value, size_t count)
{
    double distance = value - *mean;
    *mean += distance / (double)count;
    *squares += distance * (value - *mean);
}

/* Inclusive samples of run RUN, as if it had the rate of SNAPSHOT: of each function in OF_FUNCTION,
   of all as the result.  SAMPLES is space for one number per place.  */
static double count_run(const struct snapshot *snapshot, const struct stack_runs *runs, size_t run,
                        const bool *is_outermost, double *samples, double *of_function)
{
    double scale = snapshot->rate / runs->runs[run].rate, all = 0;
    memset(samples, 0, runs->place_count * sizeof *samples);
    memset(of_function, 0, snapshot->function_count * sizeof *of_function);
    for (size_t i = run > 0 ? runs->runs[run - 1].end : 0; i < runs->runs[run].end; i++)
        samples[runs->ends[i].place] += scale * runs->ends[i].samples;
    for (size_t i = runs->place_count; i-- > 0;) {
        const struct stack_place *place = &runs->places[i];
        *(place->parent != UINT32_MAX ? &samples[place->parent] : &all) += samples[i];
        if (place->function != UINT32_MAX && is_outermost[i])
            of_function[place->function] += samples[i];
    }
    return all;
}

void stacks_measure_runs(struct snapshot *snapshot, const struct stack_runs *runs)
{
    size_t count = snapshot->function_count, run_count = runs->run_count;
    bool *is_outermost = stack_places_outermost(runs->places, runs->place_count, count);
    double *samples = mem_uninitialised(runs->place_count, sizeof *samples);
    double *of_function = mem_uninitialised(count, sizeof *of_function);
    double divisor = run_count > 1 ? (double)run_count - 1 : (double)NAN;
    for (size_t id = 0; id < count; id++)
        snapshot->functions[id].total_mean = snapshot->functions[id].total_variance = 0;
    snapshot->inclusive_mean = snapshot->inclusive_variance = 0;
    for (size_t r = 0; r < run_count; r++) {
        double all = count_run(snapshot, runs, r, is_outermost, samples, of_function);
        add_value(&snapshot->inclusive_mean, &snapshot->inclusive_variance, all, r + 1);
        for (size_t id = 0; id < count; id++)
            add_value(&snapshot->functions[id].total_mean, &snapshot->functions[id].total_variance,
                      of_function[id], r + 1);
    }
    for (size_t id = 0; id < count; id++)
        snapshot->functions[id].total_variance /= divisor;
    snapshot->inclusive_variance /= divisor;
    snapshot->stacked_runs = run_count;
    free(is_outermost);
    free(samples);
    free(of_function);
}

void stacks_free_runs(struct stack_runs *runs)
{
    free(runs->places);
    free(runs->ends);
    free(runs->runs);
    *runs = (struct stack_runs){0};
}
