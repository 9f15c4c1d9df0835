/* place_functions.c - the order of functions for linkers.

   Linkers know functions by name, so functions of one name are one here.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/place_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cluster_calls.h"
#include "base/common.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/stack_tree.h"
#include "symbols/symtab.h"

/* By function of the snapshot.  */
struct placed {
    uint32_t number; /* of its name; NO_ID: left out */
    bool is_static, is_weak, is_main;
    bool is_of_weak;     /* a part or a variant of a weak function */
    bool is_constructor; /* by its name, or listed as one */
    bool is_entered;     /* called by a function that is left out, or by none */
    bool is_called;      /* by one that is not */
};

/* By number of a name.  */
struct named {
    const char *name;
    bool is_used, is_shared; /* see struct placed_function */
    size_t count, all;       /* functions of this name: in the snapshot, in the image */
};

struct ordering {
    const struct profile_snapshot *made;
    const struct placed_image *image;
    struct placement *placement;
    struct string_map names;
    struct placed *placed;
    struct named *named;
    struct cluster_function *functions; /* by number of the name */
    struct string_map weak, cold;       /* weak functions; those with a cold part of their own */
    size_t weak_count, cold_count;
    struct id_lists callees; /* by function of the snapshot: arcs with a weight */
};

/* ---- Names ---- */

/* Whether linkers can read NAME in their files.  */
static bool is_linker_name(const char *name)
{
    for (; *name != '\0'; name++)
        if ((*name < 'a' || *name > 'z') && (*name < 'A' || *name > 'Z') &&
            (*name < '0' || *name > '9') && strchr("_.$", *name) == NULL &&
            (unsigned char)*name < 0x80)
            return false;
    return true;
}

/* Whether NAME is a function of the files that compilers add to each program.  */
static bool is_start_file(const char *name)
{
    static const char *const names[] = {"_start",
                                        "_init",
                                        "_fini",
                                        "__libc_csu_init",
                                        "__libc_csu_fini",
                                        "__do_global_dtors_aux",
                                        "frame_dummy",
                                        "__gmon_start__",
                                        "_dl_relocate_static_pie",
                                        "call_gmon_start",
                                        "register_tm_clones",
                                        "deregister_tm_clones"};
    return text_is_one_of(name, names, ARRAY_LENGTH(names));
}

/* Whether compilers call initialisers so.  */
static bool is_initialiser(const char *name)
{
    static const char *const starts[] = {"_GLOBAL__sub_I_", "_GLOBAL__I_", "__cxx_global_var_init",
                                         "_Z41__static_initialization_and_destruction_0"};
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* Whether MAP, which has COUNT names that were asked for, has the first SIZE bytes of NAME.  */
static bool has_name(struct string_map *map, size_t count, const char *name, size_t size)
{
    char *copy = mem_copy(name, size);
    bool is_known = string_map_number(map, copy) < count;
    free(copy);
    return is_known;
}

/* Lists the names of weak functions, and of those with a cold part.  */
static void list_names(struct ordering *o)
{
    for (size_t i = 0; i < o->image->symbol_count; i++) {
        const struct raw_symbol *raw = &o->image->symbols[i];
        const char *cold = strstr(raw->name, ".cold");
        if (raw->is_weak && raw->is_func)
            string_map_number(&o->weak, raw->name);
        if (cold == NULL)
            continue;
        char *base = mem_copy(raw->name, (size_t)(cold - raw->name));
        string_map_number(&o->cold, base);
        free(base);
    }
    o->weak_count = o->weak.count;
    o->cold_count = o->cold.count;
}

/* ---- Functions ---- */

static const struct symbol *symbol_of(const struct ordering *o, uint32_t function)
{
    return &o->made->profile->symtab.symbols[o->made->symbols[function]];
}

static bool is_code(const struct ordering *o, uint32_t function)
{
    const struct symbol *symbol = symbol_of(o, function);
    return !is_pseudo(symbol) && !symbol->is_stub && symbol->is_func &&
           !is_start_file(symbol->name) && text_range_at(o->image->text, symbol->addr) != NULL;
}

/* Adds function ID, which has the name NUMBER.  */
static void add_function(struct ordering *o, uint32_t id, uint32_t number)
{
    enum { USUAL_SIZE = 256 }; /* of a function whose size is not known */
    const struct snapshot_function *from = &o->made->snapshot.functions[id];
    const struct symbol *symbol = symbol_of(o, id);
    struct cluster_function *to = &o->functions[number];
    struct named *named = &o->named[number];
    const char *dot = strchr(from->raw, '.');
    uint64_t size = o->image->has_sizes ? max_u64(1, symbol->end + 1 - symbol->addr) : USUAL_SIZE;
    to->size = sum_u64(to->size, size);
    to->samples += isnan(from->self_samples) ? 0 : from->self_samples;
    to->calls = sum_u64(to->calls, sum_u64(from->calls, from->self_calls));
    named->name = from->raw;
    named->is_used |= to->samples > 0 || to->calls > 0;
    named->count++;
    o->placed[id] =
        (struct placed){.number = number,
                        .is_static = symbol->is_static,
                        .is_weak = has_name(&o->weak, o->weak_count, from->raw, strlen(from->raw)),
                        .is_of_weak = dot != NULL && has_name(&o->weak, o->weak_count, from->raw,
                                                              (size_t)(dot - from->raw)),
                        .is_main = strcmp(from->raw, "main") == 0,
                        .is_constructor = is_initialiser(from->raw)};
}

/* The function of the snapshot at ADDR that is placed, or NO_ID.  */
static uint32_t placed_at(const struct ordering *o, vma addr)
{
    const struct symtab *symtab = &o->made->profile->symtab;
    uint32_t symbol = symtab_find(symtab, addr);
    uint32_t id =
        symbol != NO_ID && symtab->symbols[symbol].addr == addr ? o->made->ids[symbol] : NO_ID;
    return id != NO_ID && o->placed[id].number != NO_ID ? id : NO_ID;
}

/* Counts the functions of the image with each name.  */
static void count_names(struct ordering *o)
{
    struct string_map names = {0};
    for (size_t i = 0; i < o->names.count; i++)
        string_map_number(&names, o->named[i].name);
    for (size_t i = 0; i < o->image->symbol_count; i++) {
        const struct raw_symbol *raw = &o->image->symbols[i];
        uint32_t number = raw->is_func ? string_map_number(&names, raw->name) : NO_ID;
        if (number < o->names.count)
            o->named[number].all++;
    }
    string_map_free(&names);
}

static void list_functions(struct ordering *o)
{
    const struct snapshot *snapshot = &o->made->snapshot;
    o->placed = mem_array(snapshot->function_count, sizeof *o->placed);
    o->functions = mem_array(snapshot->function_count, sizeof *o->functions);
    o->named = mem_array(snapshot->function_count, sizeof *o->named);
    for (uint32_t f = 0; f < snapshot->function_count; f++) {
        const char *name = snapshot->functions[f].raw;
        o->placed[f].number = NO_ID;
        if (!is_code(o, f))
            continue;
        if (is_linker_name(name)) {
            add_function(o, f, string_map_number(&o->names, name));
        } else {
            o->placement->unusable = name;
            o->placement->unusable_count++;
        }
    }
    for (size_t i = 0; i < o->image->constructor_count; i++) {
        uint32_t id = placed_at(o, o->image->constructors[i]);
        if (id != NO_ID)
            o->placed[id].is_constructor = true;
    }
    count_names(o);
}

/* ---- Arcs ---- */

/* Whether calls of functions that are placed were counted.  */
static bool are_counted(const struct ordering *o)
{
    const struct snapshot *snapshot = &o->made->snapshot;
    for (size_t i = 0; i < snapshot->arc_count; i++)
        if (snapshot->arcs[i].count > 0 && o->placed[snapshot->arcs[i].callee].number != NO_ID)
            return true;
    return false;
}

/* The weight of the arc ID: calls, or the samples through it, at least one if there are any.  */
static uint64_t weight_of(const struct snapshot *snapshot, size_t id, bool is_counted)
{
    double samples = line_total(&snapshot->arc_times[id]) * snapshot->rate;
    if (is_counted)
        return snapshot->arcs[id].count;
    return samples > 0 ? max_u64(1, stack_rounded(samples)) : 0;
}

/* Takes note of an arc between different functions.  */
static void take_arc(struct ordering *o, uint32_t from, uint32_t to, bool is_placed)
{
    struct placed *callee = &o->placed[to];
    o->named[callee->number].is_used = true;
    callee->is_entered |= !is_placed;
    callee->is_called |= is_placed;
    if (is_placed)
        o->named[o->placed[from].number].is_used = true;
}

/* Lists the arcs between different names, each pair once.  */
static void list_arcs(struct ordering *o)
{
    const struct snapshot *snapshot = &o->made->snapshot;
    struct placement *placement = o->placement;
    struct pair_counts counts = {0};
    bool is_counted = are_counted(o);
    uint32_t *callers = mem_uninitialised(snapshot->arc_count, sizeof *callers);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        const struct arc *arc = &snapshot->arcs[i];
        uint32_t caller = o->placed[arc->caller].number, callee = o->placed[arc->callee].number;
        uint64_t weight = weight_of(snapshot, i, is_counted);
        callers[i] = NO_ID;
        if (weight == 0 || callee == NO_ID || arc->caller == arc->callee)
            continue;
        take_arc(o, arc->caller, arc->callee, caller != NO_ID);
        if (caller == NO_ID)
            continue;
        callers[i] = arc->caller;
        if (caller != callee)
            pair_counts_add(&counts, caller, callee, weight);
    }
    o->callees = id_lists_make(callers, NULL, snapshot->arc_count, snapshot->function_count);
    placement->arc_count = counts.count;
    placement->arcs = mem_uninitialised(counts.count, sizeof *placement->arcs);
    for (size_t i = 0; i < counts.count; i++)
        placement->arcs[i] =
            (struct placed_arc){counts.pairs[i].a, counts.pairs[i].b, counts.pairs[i].count};
    for (size_t f = 0; f < snapshot->function_count; f++)
        o->placed[f].is_entered |= !o->placed[f].is_called;
    pair_counts_free(&counts);
    free(callers);
}

/* ---- What calls lead to ---- */

/* Functions, by a property.  */
typedef bool is_kind(const struct placed *placed);

/* By function of the snapshot: whether calls lead to it from one of the kind START, through
   functions of the kind MAY_BE, or it is of the kind START.  Free with free.  */
static bool *reach(const struct ordering *o, is_kind *start, is_kind *may_be)
{
    const struct snapshot *snapshot = &o->made->snapshot;
    bool *is_reached = mem_array(snapshot->function_count, sizeof *is_reached);
    uint32_t *pending = mem_uninitialised(snapshot->function_count, sizeof *pending);
    size_t count = 0;
    for (uint32_t f = 0; f < snapshot->function_count; f++)
        if (o->placed[f].number != NO_ID && start(&o->placed[f])) {
            is_reached[f] = true;
            pending[count++] = f;
        }
    while (count > 0) {
        uint32_t f = pending[--count];
        for (uint32_t i = o->callees.start[f]; i < o->callees.start[f + 1]; i++) {
            uint32_t callee = snapshot->arcs[o->callees.ids[i]].callee;
            if (is_reached[callee] || !may_be(&o->placed[callee]))
                continue;
            is_reached[callee] = true;
            pending[count++] = callee;
        }
    }
    free(pending);
    return is_reached;
}

static bool is_constructor(const struct placed *placed)
{
    return placed->is_constructor;
}

static bool is_no_constructor(const struct placed *placed)
{
    return !placed->is_constructor;
}

static bool is_later(const struct placed *placed)
{
    return placed->is_main || (placed->is_entered && !placed->is_constructor);
}

/* Gives the names that run only at the start a part of their own.  */
static void find_start(struct ordering *o)
{
    bool *start = reach(o, is_constructor, is_no_constructor);
    bool *later = reach(o, is_later, is_no_constructor);
    for (size_t n = 0; n < o->names.count; n++)
        o->functions[n].part = 1;
    for (size_t f = 0; f < o->made->snapshot.function_count; f++) {
        const struct placed *placed = &o->placed[f];
        if (placed->number == NO_ID)
            continue;
        struct cluster_function *function = &o->functions[placed->number];
        if (placed->is_main ? function->samples > 0 : !start[f] || later[f])
            function->part = 0;
    }
    free(start);
    free(later);
}

static bool is_in_group(const struct placed *placed)
{
    return placed->is_weak || placed->is_of_weak;
}

static bool is_own(const struct placed *placed)
{
    return !is_in_group(placed) && (!placed->is_static || placed->is_entered);
}

static bool may_be_in_group(const struct placed *placed)
{
    return placed->is_static && !placed->is_of_weak;
}

/* Finds the static functions that may be in the group of a weak function, of which linkers keep one
   copy.  Compilers put those there that only functions of the group use, and the parts that they
   split off.  Of several functions of one name, all must be known not to be in one.  */
static void find_shared(struct ordering *o)
{
    bool *in_group = reach(o, is_in_group, may_be_in_group);
    bool *own = reach(o, is_own, may_be_in_group);
    for (size_t f = 0; f < o->made->snapshot.function_count; f++) {
        const struct placed *placed = &o->placed[f];
        if (placed->number == NO_ID)
            continue;
        struct named *named = &o->named[placed->number];
        named->is_shared |= placed->is_static && ((in_group[f] && !own[f]) ||
                                                  (o->weak_count > 0 && named->all > named->count));
    }
    free(in_group);
    free(own);
}

/* ---- The placement ---- */

/* Lists the other names of functions, each once, whose places by number of the name are PLACES.  */
static void list_aliases(struct ordering *o, const uint32_t *places)
{
    for (size_t i = o->image->symbol_count; i-- > 0;) {
        const struct raw_symbol *raw = &o->image->symbols[i];
        uint32_t id = raw->is_func ? placed_at(o, raw->addr) : NO_ID;
        uint32_t place = id != NO_ID ? places[o->placed[id].number] : NO_ID;
        if (place == NO_ID || !is_linker_name(raw->name) ||
            has_name(&o->names, o->names.count, raw->name, strlen(raw->name)))
            continue;
        struct placed_function *function = &o->placement->functions[place];
        struct placed_alias *alias = arena_alloc(&o->placement->arena, sizeof *alias);
        *alias = (struct placed_alias){raw->name, function->aliases};
        function->aliases = alias;
    }
}

/* Lists the functions that are used, in ORDER, and renumbers the ends of arcs.  */
static void place(struct ordering *o, const uint32_t *order)
{
    struct placement *placement = o->placement;
    uint32_t *places = mem_uninitialised(o->names.count, sizeof *places);
    placement->functions = mem_array(o->names.count, sizeof *placement->functions);
    for (size_t i = 0; i < o->names.count; i++) {
        const char *name = o->named[order[i]].name;
        places[order[i]] = NO_ID;
        if (!o->named[order[i]].is_used)
            continue;
        places[order[i]] = (uint32_t)placement->function_count;
        placement->functions[placement->function_count++] = (struct placed_function){
            .name = name,
            .has_cold_part = has_name(&o->cold, o->cold_count, name, strlen(name)),
            .is_shared = o->named[order[i]].is_shared};
    }
    for (size_t i = 0; i < placement->arc_count; i++) {
        struct placed_arc *arc = &placement->arcs[i];
        *arc = (struct placed_arc){places[arc->caller], places[arc->callee], arc->weight};
    }
    list_aliases(o, places);
    free(places);
}

void place_functions(struct placement *placement, const struct profile_snapshot *made,
                     const struct placed_image *image)
{
    struct ordering o = {.made = made, .image = image, .placement = placement};
    *placement = (struct placement){0};
    list_names(&o);
    list_functions(&o);
    list_arcs(&o);
    find_start(&o);
    find_shared(&o);
    uint32_t *order =
        cluster_calls(o.functions, o.names.count, placement->arcs, placement->arc_count);
    place(&o, order);
    free(order);
    free(o.placed);
    free(o.functions);
    free(o.named);
    id_lists_free(&o.callees);
    string_map_free(&o.names);
    string_map_free(&o.weak);
    string_map_free(&o.cold);
}
