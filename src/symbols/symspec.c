/* symspec.c - marks the symbols that symbol specifications match.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "symbols/symspec.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "symbols/spec_match.h"

/* ---- The list of specs ---- */

void symspecs_add(struct symspecs *specs, enum symspec_target target, int option, const char *text)
{
    specs->specs = mem_grow(specs->specs, &specs->capacity, specs->count + 1, sizeof *specs->specs);
    specs->specs[specs->count++] = (struct symspec){target, option, text};
}

void symspecs_free(struct symspecs *specs)
{
    free(specs->specs);
    *specs = (struct symspecs){0};
}

bool symspecs_have(const struct symspecs *specs, enum symspec_target target)
{
    for (size_t i = 0; i < specs->count; i++)
        if (specs->specs[i].target == target)
            return true;
    return false;
}

static bool is_arc_target(enum symspec_target target)
{
    return target == SPEC_INCLUDE_ARCS || target == SPEC_EXCLUDE_ARCS;
}

int symspecs_arc_option(const struct symspecs *specs)
{
    for (size_t i = 0; i < specs->count; i++)
        if (is_arc_target(specs->specs[i].target))
            return specs->specs[i].option;
    return 0;
}

/* ---- Parts of a spec ---- */

static bool needs_source(const char *text, size_t size)
{
    struct spec_parts spec = spec_parse(text, size);
    return spec.file != NULL || spec.line != 0;
}

/* The length of a spec up to its `/': a spec of symbols, or the callers of a pair.  */
static size_t first_size(const char *text)
{
    return strcspn(text, "/");
}

/* The callees of a pair, or NULL for a spec that is not a pair.  */
static const char *second_of(const char *text)
{
    const char *slash = strchr(text, '/');
    return slash != NULL ? slash + 1 : NULL;
}

bool symspecs_need_source(const struct symspecs *specs)
{
    for (size_t i = 0; i < specs->count; i++) {
        const char *text = specs->specs[i].text;
        const char *callee = is_arc_target(specs->specs[i].target) ? second_of(text) : NULL;
        if (needs_source(text, first_size(text)) ||
            (callee != NULL && needs_source(callee, strlen(callee))))
            return true;
    }
    return false;
}

/* ---- Matching ---- */

/* A stretch of neighbouring symbols that a spec matches.  With -l a function reaches over all its
   lines, inlined ones included.  */
struct stretch {
    vma addr, end; /* first byte of the first symbol, last byte of the last one */
};

static struct stretch *find_stretches(const bool *is_matched, const struct symtab *symtab,
                                      size_t *count)
{
    struct stretch *stretches = NULL;
    size_t capacity = 0, next = 0; /* the symbol after the last stretch */
    *count = 0;
    for (size_t s = 0; s < symtab->count; s++) {
        const struct symbol *symbol = &symtab->symbols[s];
        if (!is_matched[s])
            continue;
        if (*count == 0 || s != next) {
            stretches = mem_grow(stretches, &capacity, *count + 1, sizeof *stretches);
            stretches[(*count)++].addr = symbol->addr;
        }
        stretches[*count - 1].end = symbol->reach;
        next = s + 1;
    }
    return stretches;
}

/* The symbols that belong to a stretch, as GNU gprof defines them: members of a set begin in it and
   before the next stretch; callers begin in it; callees are in it completely.  */
enum part { MEMBERS, CALLERS, CALLEES };

/* Adds the symbols of the stretches to SET.  */
static void add_stretches(struct sym_set *set, const struct stretch *stretches, size_t count,
                          enum part part, const struct symtab *symtab)
{
    size_t r = 0;
    vma end = 0; /* of the last stretch so far; CALLERS and CALLEES: the highest end so far */
    for (size_t s = 0; s < symtab->count && count > 0; s++) {
        const struct symbol *symbol = &symtab->symbols[s];
        for (; r < count && stretches[r].addr <= symbol->addr; r++)
            if (part == MEMBERS || stretches[r].end > end)
                end = stretches[r].end;
        if (r == 0 || (part == CALLEES ? symbol->reach : symbol->addr) > end)
            continue;
        if (set->has == NULL)
            set->has = mem_array(symtab->count, sizeof *set->has);
        set->has[s] = true;
        set->is_given = true;
    }
}

/* What resolving a spec needs.  */
struct resolver {
    struct spec_names names;
    struct symspec_misses *misses;
};

static void add_miss(struct resolver *resolver, const struct symspec *spec, const char *text,
                     size_t size)
{
    struct symspec_misses *misses = resolver->misses;
    const struct symspec_miss *last = misses->count > 0 ? &misses->misses[misses->count - 1] : NULL;
    struct symspec_miss miss = {
        .target = spec->target, .option = spec->option, .text = text, .size = size};
    if (last != NULL && last->option == spec->option && last->text == text)
        return; /* -E and -F have two specs */
    miss.nearest_count = spec_nearest(&resolver->names, text, size, &misses->arena, miss.nearest);
    if (is_arc_target(spec->target))
        miss.reason = second_of(spec->text) == NULL ? SPEC_NOT_A_PAIR : SPEC_NOT_FOUND;
    else if (spec->text[size] == '/')
        miss.reason = SPEC_HAS_SLASH, miss.size = strlen(text);
    if (miss.reason == SPEC_NOT_FOUND && miss.nearest_count == 0 &&
        resolver->names.files->count == 0 && spec_has_position(text, size))
        miss.reason = SPEC_NO_FILES;
    misses->misses =
        mem_grow(misses->misses, &misses->capacity, misses->count + 1, sizeof *misses->misses);
    misses->misses[misses->count++] = miss;
}

/* Adds the symbols to SET that SIZE bytes of SPEC, from TEXT on, match.  */
static void add_matches(struct resolver *resolver, struct sym_set *set, const struct symspec *spec,
                        const char *text, size_t size, enum part part)
{
    const struct symtab *symtab = resolver->names.symtab;
    size_t count;
    bool *is_matched = spec_match(&resolver->names, text, size, is_own_target(spec->target));
    if (is_matched == NULL) {
        add_miss(resolver, spec, text, size);
        return;
    }
    struct stretch *stretches = find_stretches(is_matched, symtab, &count);
    add_stretches(set, stretches, count, part, symtab);
    free(stretches);
    free(is_matched);
}

static void add_arcs(struct resolver *resolver, struct arc_set *set, const struct symspec *spec)
{
    struct arc_product product = {0};
    const char *text = spec->text, *callee = second_of(text);
    if (callee == NULL) {
        add_miss(resolver, spec, text, strlen(text));
        return;
    }
    add_matches(resolver, &product.callers, spec, text, first_size(text), CALLERS);
    add_matches(resolver, &product.callees, spec, callee, strlen(callee), CALLEES);
    if (!product.callers.is_given) {
        /* The spec is ignored.  (One with callers but no callees is not: it matches no arc.)  */
        free(product.callees.has);
        return;
    }
    struct arc_product *grown = mem_array(set->count + 1, sizeof *grown);
    if (set->count > 0)
        memcpy(grown, set->products, set->count * sizeof *grown);
    grown[set->count++] = product;
    free(set->products);
    set->products = grown;
}

/* ---- Resolving ---- */

static struct sym_set *target_set(struct filters *filters, enum symspec_target target)
{
    switch (target) {
    case SPEC_INCLUDE_FLAT:
        return &filters->flat.include;
    case SPEC_EXCLUDE_FLAT:
        return &filters->flat.exclude;
    case SPEC_INCLUDE_GRAPH:
        return &filters->graph.include;
    case SPEC_EXCLUDE_GRAPH:
        return &filters->graph.exclude;
    case SPEC_INCLUDE_TIME:
        return &filters->time.include;
    case SPEC_EXCLUDE_TIME:
        return &filters->time.exclude;
    case SPEC_INCLUDE_COUNTS:
        return &filters->counts.include;
    case SPEC_EXCLUDE_COUNTS:
        return &filters->counts.exclude;
    case SPEC_INCLUDE_ANNOTATE:
        return &filters->annotate.include;
    case SPEC_EXCLUDE_ANNOTATE:
        return &filters->annotate.exclude;
    case SPEC_TREE:
        return &filters->tree;
    case SPEC_CODE:
        return &filters->code;
    case SPEC_INCLUDE_ARCS:
    case SPEC_EXCLUDE_ARCS:
        break;
    }
    bug("no symbol set for this spec");
}

static void add_members(struct sym_set *set, const struct sym_set *more, size_t count)
{
    if (set->has == NULL)
        set->has = mem_array(count, sizeof *set->has);
    for (size_t s = 0; s < count; s++)
        set->has[s] |= more->has[s];
    set->is_given = true;
}

/* Adds the symbols called NAME, of which there is one at least, to SET.  */
static void add_named(struct sym_set *set, const char *name, const struct symtab *symtab)
{
    size_t count;
    bool *is_named = mem_array(symtab->count, sizeof *is_named);
    for (size_t s = 0; s < symtab->count; s++)
        is_named[s] = strcmp(symtab->symbols[s].name, name) == 0;
    struct stretch *stretches = find_stretches(is_named, symtab, &count);
    add_stretches(set, stretches, count, MEMBERS, symtab);
    free(stretches);
    free(is_named);
}

/* Excludes the profiling functions from flat profile, graph and time.  */
static void exclude_profilers(struct filters *filters, const struct symtab *symtab)
{
    static const char *const names[] = {"_gprof_mcount",     "mcount",    "_mcount", "__mcount",
                                        "__mcount_internal", "__mcleanup"};
    struct sym_set *sets[] = {&filters->flat.exclude, &filters->graph.exclude,
                              &filters->time.exclude};
    struct sym_set profilers = {0};
    bool is_there[ARRAY_LENGTH(names)] = {false};
    for (size_t s = 0; s < symtab->count; s++) { /* most names are rejected by the first letter */
        const char *name = symtab->symbols[s].name;
        for (size_t n = 0; (name[0] == '_' || name[0] == 'm') && n < ARRAY_LENGTH(names); n++)
            is_there[n] |= strcmp(name, names[n]) == 0;
    }
    for (size_t n = 0; n < ARRAY_LENGTH(names); n++)
        if (is_there[n])
            add_named(&profilers, names[n], symtab);
    for (size_t i = 0; i < ARRAY_LENGTH(sets) && profilers.is_given; i++)
        add_members(sets[i], &profilers, symtab->count);
    free(profilers.has);
}

void symspecs_resolve(const struct symspecs *specs, const struct symspec_context *context,
                      struct filters *filters, struct symspec_misses *misses)
{
    struct resolver resolver = {.names = {context->symtab, context->files, context->demangler, {0}},
                                .misses = misses};
    for (size_t i = 0; i < specs->count; i++) {
        const struct symspec *spec = &specs->specs[i];
        if (spec->target == SPEC_INCLUDE_ARCS)
            add_arcs(&resolver, &filters->include_arcs, spec);
        else if (spec->target == SPEC_EXCLUDE_ARCS)
            add_arcs(&resolver, &filters->exclude_arcs, spec);
        else /* names of Go have slashes */
            add_matches(&resolver, target_set(filters, spec->target), spec, spec->text,
                        is_own_target(spec->target) ? strlen(spec->text) : first_size(spec->text),
                        MEMBERS);
    }
    spec_names_free(&resolver.names);
    exclude_profilers(filters, context->symtab);
}

void symspec_misses_free(struct symspec_misses *misses)
{
    free(misses->misses);
    arena_free(&misses->arena);
    *misses = (struct symspec_misses){0};
}

static void arc_set_free(struct arc_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        free(set->products[i].callers.has);
        free(set->products[i].callees.has);
    }
    free(set->products);
}

void filters_free(struct filters *filters)
{
    struct filter *all[] = {&filters->flat, &filters->graph, &filters->time, &filters->counts,
                            &filters->annotate};
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
        free(all[i]->include.has);
        free(all[i]->exclude.has);
    }
    free(filters->tree.has);
    free(filters->code.has);
    arc_set_free(&filters->include_arcs);
    arc_set_free(&filters->exclude_arcs);
    *filters = (struct filters){0};
}
