/* symspec.c - parses symbol specifications and marks the symbols they match.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/symspec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"

/* The parts of a spec.  An absent part matches everything.  */
struct parsed {
    const char *file; /* base name; NULL: any */
    size_t file_size;
    const char *function;
    size_t function_size;
    unsigned long line; /* 0: any */
};

/* ---- The list of specs ---- */

void symspecs_add(struct symspecs *specs, enum symspec_target target, const char *text)
{
    specs->specs = mem_grow(specs->specs, &specs->capacity, specs->count + 1, sizeof *specs->specs);
    specs->specs[specs->count++] = (struct symspec){target, text};
}

void symspecs_free(struct symspecs *specs)
{
    free(specs->specs);
    *specs = (struct symspecs){0};
}

static bool is_arc_target(enum symspec_target target)
{
    return target == SPEC_INCLUDE_ARCS || target == SPEC_EXCLUDE_ARCS;
}

bool symspecs_name_arcs(const struct symspecs *specs)
{
    for (size_t i = 0; i < specs->count; i++)
        if (is_arc_target(specs->specs[i].target))
            return true;
    return false;
}

/* ---- Parsing ---- */

static const char *last_colon(const char *text, size_t size)
{
    while (size > 0)
        if (text[--size] == ':')
            return text + size;
    return NULL;
}

static struct parsed parse(const char *text, size_t size)
{
    struct parsed spec = {0};
    const char *colon = last_colon(text, size), *rest = text;
    if (colon != NULL) {
        if (colon > text)
            spec.file = text, spec.file_size = (size_t)(colon - text);
        rest = colon + 1;
    } else if (memchr(text, '.', size) != NULL) {
        spec.file = text, spec.file_size = size;
        return spec;
    }
    size_t rest_size = size - (size_t)(rest - text);
    if (rest_size > 0 && isdigit((unsigned char)*rest))
        spec.line = strtoul(rest, NULL, 10);
    else if (rest_size > 0)
        spec.function = rest, spec.function_size = rest_size;
    return spec;
}

static bool needs_source(const char *text, size_t size)
{
    struct parsed spec = parse(text, size);
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

static bool is_equal(const char *name, const char *part, size_t size)
{
    return size > 0 && name[0] == part[0] && strncmp(name, part, size) == 0 && name[size] == '\0';
}

static bool matches_file(const struct parsed *spec, const char *path)
{
    return is_equal(path_base(path), spec->file, spec->file_size);
}

static bool matches(const struct parsed *spec, const struct symbol *symbol,
                    const struct files *files)
{
    if (spec->file != NULL &&
        (symbol->file == NO_ID || !matches_file(spec, files->paths[symbol->file])))
        return false;
    if (spec->line != 0 && symbol->line != spec->line)
        return false;
    return spec->function == NULL || is_equal(symbol->name, spec->function, spec->function_size);
}

/* A run of neighbouring symbols that a spec matches.  With -l a function reaches over all its
   lines, inlined ones included.  */
struct run {
    vma addr, end; /* first byte of the first symbol, last byte of the last one */
};

static struct run *find_runs(const char *text, size_t size, const struct symtab *symtab,
                             const struct files *files, size_t *count)
{
    struct parsed spec = parse(text, size);
    struct run *runs = NULL;
    size_t capacity = 0, next = 0; /* the symbol after the last run */
    *count = 0;
    for (size_t s = 0; s < symtab->count; s++) {
        const struct symbol *symbol = &symtab->symbols[s];
        if (!matches(&spec, symbol, files))
            continue;
        if (*count == 0 || s != next) {
            runs = mem_grow(runs, &capacity, *count + 1, sizeof *runs);
            runs[(*count)++].addr = symbol->addr;
        }
        runs[*count - 1].end = symbol->reach;
        next = s + 1;
    }
    return runs;
}

/* The symbols that belong to a run, as GNU gprof defines them: members of a set begin in it and
   before the next run; callers begin in it; callees are in it completely.  */
enum part { MEMBERS, CALLERS, CALLEES };

/* Adds the symbols that a spec matches to SET.  */
static void add_matches(struct sym_set *set, const char *text, size_t size, enum part part,
                        const struct symtab *symtab, const struct files *files)
{
    size_t count, r = 0;
    struct run *runs = find_runs(text, size, symtab, files, &count);
    vma end = 0; /* of the last run so far; CALLERS and CALLEES: the highest end so far */
    for (size_t s = 0; s < symtab->count && count > 0; s++) {
        const struct symbol *symbol = &symtab->symbols[s];
        for (; r < count && runs[r].addr <= symbol->addr; r++)
            if (part == MEMBERS || runs[r].end > end)
                end = runs[r].end;
        if (r == 0 || (part == CALLEES ? symbol->reach : symbol->addr) > end)
            continue;
        if (set->has == NULL)
            set->has = mem_array(symtab->count, sizeof *set->has);
        set->has[s] = true;
        set->is_given = true;
    }
    free(runs);
}

static void add_arcs(struct arc_set *set, const char *text, const struct symtab *symtab,
                     const struct files *files)
{
    struct arc_product product = {0};
    const char *callee = second_of(text);
    if (callee == NULL)
        return;
    add_matches(&product.callers, text, first_size(text), CALLERS, symtab, files);
    add_matches(&product.callees, callee, strlen(callee), CALLEES, symtab, files);
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

/* Excludes the profiling functions from flat profile, graph and time.  */
static void exclude_profilers(struct filters *filters, const struct symtab *symtab,
                              const struct files *files)
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
            add_matches(&profilers, names[n], strlen(names[n]), MEMBERS, symtab, files);
    for (size_t i = 0; i < ARRAY_LENGTH(sets) && profilers.is_given; i++)
        add_members(sets[i], &profilers, symtab->count);
    free(profilers.has);
}

void symspecs_resolve(const struct symspecs *specs, const struct symtab *symtab,
                      const struct files *files, struct filters *filters)
{
    for (size_t i = 0; i < specs->count; i++) {
        const struct symspec *spec = &specs->specs[i];
        if (spec->target == SPEC_INCLUDE_ARCS)
            add_arcs(&filters->include_arcs, spec->text, symtab, files);
        else if (spec->target == SPEC_EXCLUDE_ARCS)
            add_arcs(&filters->exclude_arcs, spec->text, symtab, files);
        else
            add_matches(target_set(filters, spec->target), spec->text, first_size(spec->text),
                        MEMBERS, symtab, files);
    }
    exclude_profilers(filters, symtab, files);
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
    arc_set_free(&filters->include_arcs);
    arc_set_free(&filters->exclude_arcs);
    *filters = (struct filters){0};
}
