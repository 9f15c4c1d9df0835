/* measure_stacks.c - names recorded stacks, and measures inclusive times by them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/measure_stacks.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "symbols/symtab.h"

/* ---- Names ---- */

/* Adds OTHER to what is not in the program; returns its id.  */
static uint32_t add_other(struct named_frames *frames, struct other_code other)
{
    frames->others = mem_grow(frames->others, &frames->other_capacity, frames->other_count + 1,
                              sizeof *frames->others);
    frames->others[frames->other_count++] = other;
    return (uint32_t)frames_count(frames) - 1;
}

/* What to call COUNT threads of one NAME: `worker (2 threads)'.  */
static const char *name_of_threads(struct arena *arena, const char *name, uint32_t count)
{
    name = name[0] != '\0' ? arena_escape(arena, name) : NAMELESS_THREAD;
    return count > 1 ? arena_format(arena, "%s (%" PRIu32 " threads)", name, count) : name;
}

static void show_threads(struct recorded_stacks *stacks)
{
    struct recorded_threads *threads = &stacks->threads;
    struct other_code shown = {.name = "[unknown thread]", .object = NO_OBJECT};
    uint32_t *counts = mem_array(threads->names.count + 1, sizeof *counts); /* by thread */
    for (size_t i = 0; i < threads->numbers.count; i++)
        counts[threads->numbers.pairs[i].a >> 32]++;
    threads->first_id = add_other(&stacks->frames, shown);
    for (size_t i = 0; i < threads->names.count; i++) {
        shown.name =
            name_of_threads(&stacks->objects.names.arena, threads->names.strings[i], counts[i + 1]);
        add_other(&stacks->frames, shown);
    }
    free(counts);
}

static void show_objects(struct named_frames *frames, struct string_map *objects)
{
    struct arena *arena = &objects->arena;
    add_other(frames, (struct other_code){.name = PROGRAM_SHOWN, .object = 0});
    for (uint32_t i = 1; i < objects->count; i++) {
        const char *name = arena_escape(arena, objects->strings[i]);
        if (strcmp(name, CUT_STACK) == 0)
            name = CUT_SHOWN;
        else if (name[0] != '[')
            name = arena_join(arena, "[", name, "]");
        add_other(frames, (struct other_code){.name = name, .object = i});
    }
    add_other(frames, (struct other_code){.name = "[unknown]", .object = NO_OBJECT});
}

/* The name of CODE in OBJECT.  */
static const char *name_of_code(struct recorded_stacks *stacks, uint32_t object,
                                const struct named_range *code)
{
    struct arena *arena = &stacks->objects.names.arena;
    if (code->name != NULL)
        return arena_join(arena, code->name, " ", stacks->frames.others[object].name);
    return arena_format(arena, "%s+0x%llx",
                        arena_escape(arena, stacks->objects.names.strings[object]),
                        (unsigned long long)code->start);
}

uint32_t stacks_id_of_code(struct recorded_stacks *stacks, uint32_t object,
                           struct named_range *code)
{
    const char *name = code->id == 0 ? name_of_code(stacks, object, code) : NULL;
    if (name != NULL)
        code->id = add_other(&stacks->frames,
                             (struct other_code){name, object, code->start, code->end, false});
    return code->id;
}

/* Whether NAME is a function that compilers call to count a call, or that has the samples of
   writing a profile.  It calls none of the program's functions.  In programs that are linked with
   libregmon.a, the rest of the library is below it.  */
static bool is_counter(const char *name)
{
    static const char *const names[] = {"mcount",      "_mcount",         "__fentry__",
                                        "mcount_slow", "__fentry___slow", "regmon_writer_end"};
    return text_is_one_of(name, names, ARRAY_LENGTH(names));
}

/* What is known of a place.  */
struct named_place {
    uint32_t id;    /* of its function */
    uint32_t node;  /* of the tree by functions; NO_ID: none */
    uint32_t start; /* the id of the last frame that starts the program or a thread, or NO_ID */
    uint32_t start_object; /* that it is in */
    bool is_running;       /* it, or one above it, does more than that */
    bool has_nameless;     /* it, or one above it, is in no function of the program */
    bool is_counting;      /* it, or one above it, is a counter */
};

struct naming {
    struct recorded_stacks *stacks;
    struct named_frames *frames; /* of these */
    const struct symtab *symtab;
    struct object_code *code;   /* by object; NULL: each has one name */
    uint32_t cut;               /* that of the first frames of cut stacks; NO_OBJECT: none */
    uint32_t *line_of;          /* by symbol: the first one on its line; NULL unless by line */
    struct named_place *places; /* by place */
    struct pair_map nodes;      /* (node of the caller + 1, or 0; id): the tree by functions */
};

static bool is_library(const struct naming *naming, uint64_t object)
{
    return object != 0 && object == naming->stacks->objects.library;
}

/* The id of the code at ADDR of OBJECT.  */
static uint32_t id_of(struct naming *naming, uint32_t object, uint64_t addr)
{
    struct recorded_stacks *stacks = naming->stacks;
    uint32_t symbol = object == 0 ? symtab_find(naming->symtab, addr) : NO_ID;
    if (symbol != NO_ID)
        return symbol;
    if (object == NO_OBJECT)
        return naming->frames->symbol_count + (uint32_t)stacks->objects.names.count;
    struct named_range *code =
        naming->code != NULL ? object_code_find(&naming->code[object], addr) : NULL;
    return code != NULL ? stacks_id_of_code(stacks, object, code)
                        : naming->frames->symbol_count + object;
}

/* Whether ID is that of an object as a whole, or of what is in no object.  */
static bool is_whole(const struct naming *naming, uint32_t id)
{
    return id >= naming->frames->symbol_count &&
           id - naming->frames->symbol_count <= naming->stacks->objects.names.count;
}

/* Whether frames of ID below each other are one: those in an object that has one name.  Those of
   other profilers are functions with names like `[libfoo.so]'.  */
static bool is_folded(const struct naming *naming, uint32_t id)
{
    const struct stack_rules *rules = &naming->stacks->rules;
    return is_whole(naming, id) ||
           (rules->is_foreign && rules->folds_libraries && id != NO_ID &&
            id < naming->frames->symbol_count && naming->symtab->symbols[id].name[0] == '[');
}

/* A stack begins with code that starts the program or a thread: `_start' in the program, which has
   no name in a stripped one, and functions of the C library.  These frames are left out, so that
   `main' and the first functions of threads have no caller, and the total of the C library is what
   the program used it for.  In a statically linked program they are functions like others.

   May the frame ID of OBJECT be such code, as far as those above it tell?  */
static bool may_start(const struct naming *naming, const struct named_place *above, uint32_t object,
                      uint32_t id)
{
    uint32_t program = naming->frames->symbol_count;
    bool is_top = !above->is_running && above->start == NO_ID;
    if (id < program)
        return is_top && strcmp(naming->symtab->symbols[id].name, "_start") == 0;
    if (id == program)
        return is_top || (!above->is_running && above->start == program);
    return !above->is_running && object != naming->cut && object != NO_OBJECT &&
           (is_top || above->start <= program || above->start_object == object);
}

static bool is_starter(const struct named_frames *frames, uint32_t id)
{
    const struct other_code *other = frames_other(frames, id);
    return other != NULL && other->is_starter;
}

/* A function of another object is such code if it starts a function elsewhere in some stack: others
   there work for themselves, as when the program ends.  */
static bool is_start(const struct naming *naming, const struct named_place *above, uint32_t object,
                     uint32_t id)
{
    return may_start(naming, above, object, id) &&
           (id <= naming->frames->symbol_count || is_whole(naming, id) ||
            is_starter(naming->frames, id));
}

/* Sets the ids of all places, and finds the functions of other objects that start others.  */
static void find_starters(struct naming *naming)
{
    static const struct named_place top = {.node = NO_ID, .start = NO_ID};
    const struct recorded_stacks *stacks = naming->stacks;
    for (size_t i = 0; i < stacks->places.map.count; i++) {
        struct named_place *place = &naming->places[i];
        uint32_t above = (uint32_t)stacks->places.map.pairs[i].a;
        uint32_t object = (uint32_t)(stacks->places.map.pairs[i].a >> 32);
        *place = above > 0 ? naming->places[above - 1] : top;
        if (is_library(naming, object))
            continue;
        place->id = id_of(naming, object, stacks->places.map.pairs[i].b);
        if (stacks->rules.is_foreign || !may_start(naming, place, object, place->id))
            place->is_running = true;
        place->start = place->id;
        place->start_object = object;
    }
    for (size_t i = stacks->places.map.count; i-- > 0;) {
        const struct named_place *place = &naming->places[i];
        uint32_t above = (uint32_t)stacks->places.map.pairs[i].a;
        const struct named_place *caller = above > 0 ? &naming->places[above - 1] : &top;
        if ((place->is_running || is_starter(naming->frames, place->id)) && above > 0 &&
            caller->id > naming->frames->symbol_count && !caller->is_running)
            naming->frames->others[caller->id - naming->frames->symbol_count].is_starter = true;
    }
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

/* Names the place NUMBER; the one above it is named.  Frames of libregmon are left out.  */
static struct named_place name_place(struct naming *naming, size_t number)
{
    static const struct named_place top = {.id = NO_ID, .node = NO_ID, .start = NO_ID};
    struct recorded_stacks *stacks = naming->stacks;
    const struct pair *place = &stacks->places.map.pairs[number];
    uint32_t above = (uint32_t)place->a, object = (uint32_t)(place->a >> 32);
    struct named_place named = above > 0 ? naming->places[above - 1] : top;
    if (is_library(naming, object))
        return named;
    uint32_t id =
        naming->code != NULL ? naming->places[number].id : id_of(naming, object, place->b);
    named.id = id;
    named.has_nameless |= id == naming->frames->symbol_count; /* object 0: the program */
    named.is_counting |= !stacks->rules.is_foreign && id < naming->frames->symbol_count &&
                         is_counter(naming->symtab->symbols[id].name);
    if (!stacks->rules.is_foreign && is_start(naming, &named, object, id)) {
        named.start = id;
        named.start_object = object;
        return named;
    }
    if (!named.is_running && named.start <= naming->frames->symbol_count) /* it started this one */
        named.node = pair_map_node(&naming->nodes, (uint32_t)(named.node + 1), named.start);
    named.is_running = true;
    if (id < naming->frames->symbol_count && naming->line_of != NULL)
        id = naming->line_of[id];
    if (!is_folded(naming, id) || named.node == NO_ID || naming->nodes.pairs[named.node].b != id)
        named.node = pair_map_node(&naming->nodes, (uint32_t)(named.node + 1), id);
    return named;
}

/* The ends of columns become nodes; those where libregmon counted go.  */
static void move_ends(const struct naming *naming)
{
    struct stacks *tree = &naming->stacks->tree;
    size_t kept = 0, i = 0;
    for (size_t column = 0; column < tree->column_count; column++) {
        for (; i < tree->columns[column].end; i++) {
            uint32_t node = naming->places[tree->ends[i].node].node;
            if (node != NO_ID)
                tree->ends[kept++] = (struct stack_end){node, tree->ends[i].samples};
        }
        tree->columns[column].end = kept;
    }
    tree->end_count = kept;
}

/* Adds the samples of each place to those of its node; returns those of stacks with a frame of the
   program that no symbol covers.  */
static double add_ends(struct naming *naming)
{
    struct recorded_stacks *stacks = naming->stacks;
    size_t count = stacks->places.map.count;
    double nameless = 0;
    for (size_t i = 0; i < count; i++) {
        struct named_place *place = &naming->places[i];
        double *samples = &stacks->places.sums[i];
        nameless += place->has_nameless ? fabs(*samples) : 0;
        if (place->is_counting || is_library(naming, stacks->places.map.pairs[i].a >> 32)) {
            *samples = 0; /* those of counting calls are left out */
            place->node = NO_ID;
        } else if (*samples != 0 && !place->is_running) /* where stacks end is a node */
            place->node = pair_map_node(&naming->nodes, (uint32_t)(place->node + 1), place->start);
    }
    stacks_take_nodes(&stacks->tree, &naming->nodes);
    stacks->tree.samples = mem_array(stacks->tree.count, sizeof *stacks->tree.samples);
    for (size_t i = 0; i < count; i++) {
        if (stacks->places.sums[i] == 0)
            continue;
        stacks->tree.samples[naming->places[i].node] += stacks->places.sums[i];
        stacks->counted += fabs(stacks->places.sums[i]);
    }
    move_ends(naming);
    return nameless;
}

/* Keeps which function each place is in.  */
static void keep_ids(const struct naming *naming)
{
    struct recorded_stacks *stacks = naming->stacks;
    size_t count = stacks->places.map.count;
    stacks->frames.of_places = mem_uninitialised(count, sizeof *stacks->frames.of_places);
    for (size_t i = 0; i < count; i++) {
        uint32_t object = (uint32_t)(stacks->places.map.pairs[i].a >> 32);
        stacks->frames.of_places[i] = !is_library(naming, object) ? naming->places[i].id : NO_ID;
    }
}

/* Where the nodes of one thread are among those of all threads.  */
struct thread_nodes {
    uint32_t *node;   /* by node of the tree by functions; valid if ... */
    uint32_t *thread; /* ... this is the thread plus 1 */
    uint32_t *path;   /* innermost first */
    struct pair_map nodes;
};

/* The node of THREAD that NODE of the tree by functions is there.  */
static uint32_t find_in_thread(struct recorded_stacks *stacks, struct thread_nodes *known,
                               uint32_t thread, uint32_t node)
{
    size_t depth = 0;
    while (node != NO_ID && known->thread[node] != thread + 1) {
        known->path[depth++] = node;
        node = stacks->tree.parent[node];
    }
    uint32_t found = node != NO_ID
                         ? known->node[node]
                         : pair_map_node(&known->nodes, 0, stacks->threads.first_id + thread);
    while (depth-- > 0) {
        uint32_t below = known->path[depth];
        found = pair_map_node(&known->nodes, (uint64_t)found + 1, stacks->tree.label[below]);
        known->node[below] = found;
        known->thread[below] = thread + 1;
    }
    return found;
}

/* Leaves out of the samples of each thread those where libregmon counted in the program itself:
   its name's are known, and each thread of the name has the same part of them.  NODES: by end of a
   name; NO_ID: left out.  */
static void keep_samples(struct recorded_threads *threads, const uint32_t *nodes)
{
    size_t names = threads->names.count + 1;
    double *all = mem_array(names, sizeof *all), *kept = mem_array(names, sizeof *kept);
    for (size_t i = 0; i < threads->ends.map.count; i++)
        kept[threads->ends.map.pairs[i].a >> 32] += nodes[i] != NO_ID ? threads->ends.sums[i] : 0;
    for (size_t i = 0; i < threads->numbers.count; i++)
        all[threads->numbers.pairs[i].a >> 32] += threads->samples[i + 1];
    for (size_t i = 0; i < threads->numbers.count; i++) {
        uint64_t name = threads->numbers.pairs[i].a >> 32;
        threads->samples[i + 1] *= kept[name] < all[name] ? kept[name] / all[name] : 1;
    }
    free(all);
    free(kept);
}

/* Makes the tree of each thread, one after the other, in time linear in their nodes.  */
static void split_threads(const struct naming *naming)
{
    struct recorded_stacks *stacks = naming->stacks;
    size_t count = stacks->tree.count, ends = stacks->threads.ends.map.count;
    struct thread_nodes known = {.node = mem_uninitialised(count, sizeof *known.node),
                                 .thread = mem_array(count, sizeof *known.thread),
                                 .path = mem_uninitialised(count, sizeof *known.path)};
    uint32_t *nodes = mem_uninitialised(ends, sizeof *nodes); /* by end; NO_ID: it is left out */
    struct id_lists order = threads_list(&stacks->threads, &stacks->threads.ends.map);
    show_threads(stacks);
    for (size_t at = 0; at < ends; at++) {
        uint32_t i = order.ids[at];
        const struct pair *end = &stacks->threads.ends.map.pairs[i];
        nodes[i] = stacks->places.sums[end->b] != 0
                       ? find_in_thread(stacks, &known, (uint32_t)(end->a >> 32),
                                        naming->places[end->b].node)
                       : NO_ID;
    }
    stacks_take_nodes(&stacks->threads.tree, &known.nodes);
    double *samples = stacks->threads.tree.samples =
        mem_array(stacks->threads.tree.count, sizeof *samples);
    for (size_t i = 0; i < ends; i++)
        if (nodes[i] != NO_ID)
            samples[nodes[i]] += stacks->threads.ends.sums[i];
    keep_samples(&stacks->threads, nodes);
    id_lists_free(&order);
    free(known.node);
    free(known.thread);
    free(known.path);
    free(nodes);
}

void stacks_keep_threads(struct recorded_stacks *stacks)
{
    stacks_free(&stacks->tree);
    stacks->tree = stacks->threads.tree;
    stacks->threads.tree = (struct stacks){0};
}

double stacks_name(struct recorded_stacks *stacks, const struct symtab *symtab,
                   struct object_code *code)
{
    size_t count = stacks->places.map.count;
    struct naming naming = {.stacks = stacks,
                            .frames = &stacks->frames,
                            .symtab = symtab,
                            .code = code,
                            .cut = objects_find(&stacks->objects, CUT_STACK),
                            .line_of = stacks->rules.is_by_line ? find_lines(symtab) : NULL,
                            .places = mem_uninitialised(count, sizeof *naming.places)};
    pair_map_close(&stacks->places.map);
    stacks->frames.symbol_count = (uint32_t)symtab->count;
    show_objects(&stacks->frames, &stacks->objects.names);
    if (code != NULL)
        find_starters(&naming);
    for (size_t i = 0; i < count; i++)
        naming.places[i] = name_place(&naming, i);
    double nameless = add_ends(&naming);
    if (stacks->rules.keeps_places)
        keep_ids(&naming);
    if (stacks->threads.numbers.count > 0)
        split_threads(&naming);
    free(naming.places);
    free(naming.line_of);
    if (!stacks->rules.keeps_places)
        pair_sums_free(&stacks->places); /* the tree by functions replaces it */
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
    const struct stacks *stacks;
    size_t label_count;
    struct measured measured;
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
    struct measured *measured = &walk->measured;
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
    uint32_t label = walk->stacks->label[node];
    uint32_t id = stacks_is_numbered(label) ? label : (uint32_t)walk->label_count;
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
    walk->samples += walk->stacks->samples[node];
    walk->ending[id] += walk->stacks->samples[node];
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
        walk->measured.functions[id].total += total;
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

static struct id_lists list_children(const struct stacks *stacks)
{
    size_t count = stacks->count;
    uint32_t *parents = mem_uninitialised(count, sizeof *parents);
    for (size_t i = 0; i < count; i++) {
        parents[i] = stacks->parent[i] + 1;
        assert(parents[i] <= i); /* a caller comes before its callees */
    }
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

struct measured stacks_measure(const struct stacks *stacks, size_t label_count)
{
    size_t ids = label_count + 1;
    struct walk walk = {.stacks = stacks,
                        .label_count = label_count,
                        .measured.functions = mem_array(ids, sizeof *walk.measured.functions),
                        .children = list_children(stacks),
                        .innermost = mem_array(ids, sizeof *walk.innermost),
                        .ending = mem_array(ids, sizeof *walk.ending)};
    for (uint32_t i = walk.children.start[0]; i < walk.children.start[1]; i++)
        visit(&walk, walk.children.ids[i]);
    for (size_t i = 0; i < ids; i++)
        walk.measured.functions[i].self = walk.ending[i];
    id_lists_free(&walk.children);
    pair_map_free(&walk.arcs);
    free(walk.innermost);
    free(walk.ending);
    free(walk.path);
    return walk.measured;
}

void recorded_measure(struct recorded_stacks *stacks)
{
    stacks->measured = stacks_measure(&stacks->tree, frames_count(&stacks->frames));
    uint32_t cut = objects_find(&stacks->objects, CUT_STACK);
    if (cut != NO_OBJECT)
        stacks->missing.cut = stacks->measured.functions[stacks->frames.symbol_count + cut].total;
}
