/* fuzz_symspec.c - symspecs, one per line, whose first character selects their target.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "fuzz.h"
#include "symbols/symspec.h"
#include "symbols/symtab.h"

static const struct {
    const char *name, *path;
    unsigned line;
} known[] = {{"main", "main.c", 1},
             {"a.c", "a.c", 1},
             {"f", "dir/a.c", 12},
             {"f", "other/a.c", 12},
             {"_f", "a.c", 13},
             {"", "", 1},
             {"operator/", "b.cc", 3},
             {"12", "a.c", 4294967295},
             {"mcount", NULL, 0},
             {"g:h", "x:y", 7},
             {"main", NULL, 0},
             {"_Za::b(c) const", "a.c", 9},
             {"__m_MOD_heavy", "a.f90", 3}};

static void build(struct files *files, struct symtab *symtab)
{
    struct raw_symbol raw[ARRAY_LENGTH(known)] = {0};
    struct raw_source sources[ARRAY_LENGTH(known)];
    const struct symtab_rules rules = {.text_end = 0x2000};
    for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
        raw[i] = (struct raw_symbol){.addr = 0x1000 + 16 * i,
                                     .name = known[i].name,
                                     .is_func = true,
                                     .has_function_mark = true};
        sources[i].file = known[i].path != NULL ? files_intern(files, known[i].path) : NO_ID;
        sources[i].line = known[i].line;
    }
    symtab_build(symtab, raw, ARRAY_LENGTH(raw), sources, &rules);
}

/* Splits TEXT into specs.  */
static void add_specs(struct symspecs *specs, char *text)
{
    for (char *line = text, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (line[0] != '\0')
            symspecs_add(specs, (enum symspec_target)((unsigned char)line[0] % 12), 'p', line + 1);
    }
}

/* What follows `_Z' is the name as it is printed.  */
static bool may_be_mangled(const void *context, const char *name)
{
    (void)context;
    return strncmp(name, "_Z", 2) == 0;
}

static char *demangle(const void *context, const char *name)
{
    (void)context;
    return mem_copy(name + 2, strlen(name + 2));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct files files = {0};
    struct symtab symtab = {0};
    struct symspecs specs = {0};
    struct filters filters = {0};
    struct symspec_misses misses = {0};
    const struct demangler demangler = {NULL, may_be_mangled, demangle};
    const struct symspec_context context = {&symtab, &files, &demangler};
    char *text = mem_copy((const char *)data, size);
    size_t accepted = 0;
    build(&files, &symtab);
    add_specs(&specs, text);
    (void)symspecs_need_source(&specs);
    (void)symspecs_arc_option(&specs);
    symspecs_resolve(&specs, &context, &filters, &misses);
    for (uint32_t a = 0; a < symtab.count; a++) {
        accepted += is_accepted(&filters.flat, a) + is_accepted(&filters.annotate, a);
        for (uint32_t b = 0; b < symtab.count; b++)
            accepted += is_arc_accepted(&filters, a, b);
    }
    FUZZ_CHECK(accepted <= symtab.count * (symtab.count + 2));
    for (size_t i = 0; i < misses.count; i++)
        FUZZ_CHECK(misses.misses[i].nearest_count <= SPEC_NEAREST &&
                   misses.misses[i].size <= strlen(misses.misses[i].text));
    symspec_misses_free(&misses);
    filters_free(&filters);
    symspecs_free(&specs);
    symtab_free(&symtab);
    string_map_free(&files.map);
    free(text);
    return 0;
}
