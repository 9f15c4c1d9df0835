/* spec_match.c - compares specs with symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/spec_match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text_match.h"

void spec_names_free(struct spec_names *names)
{
    printed_names_free(&names->printed);
}

/* ---- Parsing ---- */

static const char *last_colon(const char *text, size_t size)
{
    while (size > 0)
        if (text[--size] == ':')
            return text + size;
    return NULL;
}

struct spec_parts spec_parse(const char *text, size_t size)
{
    struct spec_parts spec = {0};
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

/* The first colon without another one beside it, or NULL.  */
static const char *single_colon(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] != ':')
            continue;
        if (i + 1 == size || text[i + 1] != ':')
            return text + i;
        while (i + 1 < size && text[i + 1] == ':')
            i++;
    }
    return NULL;
}

struct spec_parts spec_parse_printed(const char *text, size_t size, bool is_whole)
{
    struct spec_parts spec = {.function = text, .function_size = size};
    const char *colon = is_whole ? NULL : single_colon(text, size);
    if (colon == NULL || colon + 1 == text + size)
        return spec;
    if (colon > text)
        spec.file = text, spec.file_size = (size_t)(colon - text);
    spec.function = colon + 1;
    spec.function_size = size - (size_t)(spec.function - text);
    return spec;
}

/* ---- Comparing ---- */

/* What names a spec is compared with, and how.  */
enum comparison { RAW_NAMES, PRINTED_NAMES, WILDCARDS };

static bool is_equal(const char *name, const char *part, size_t size)
{
    return size > 0 && name[0] == part[0] && strncmp(name, part, size) == 0 && name[size] == '\0';
}

static bool matches_text(const char *name, const char *part, size_t size, enum comparison how)
{
    return how == WILDCARDS ? text_matches(part, size, name) : is_equal(name, part, size);
}

/* The same; NAME may end in a qualifier that the spec lacks.  */
static bool matches_signature(const char *name, const char *part, size_t size, enum comparison how)
{
    return matches_text(name, part, size, how) ||
           (size > 0 && part[size - 1] == ')' && strncmp(name, part, size) == 0 &&
            strcmp(name + size, " const") == 0);
}

static bool matches_function(const struct spec_names *names, const struct spec_parts *spec,
                             size_t symbol, enum comparison how)
{
    const char *part = spec->function;
    size_t size = spec->function_size;
    if (how == RAW_NAMES)
        return is_equal(names->symtab->symbols[symbol].name, part, size);
    const struct printed_name *name = printed_name_of(&names->printed, symbol);
    if (matches_text(name->raw, part, size, how))
        return true;
    return name->brief != name->raw && (matches_signature(name->whole, part, size, how) ||
                                        matches_signature(name->signature, part, size, how) ||
                                        matches_text(name->bare, part, size, how) ||
                                        matches_text(name->brief, part, size, how));
}

static bool matches(const struct spec_names *names, const struct spec_parts *spec, size_t symbol,
                    enum comparison how)
{
    const struct symbol *known = &names->symtab->symbols[symbol];
    if (spec->file != NULL &&
        (known->file == NO_ID || !matches_text(path_base(names->files->paths[known->file]),
                                               spec->file, spec->file_size, how)))
        return false;
    if (spec->line != 0 && known->line != spec->line)
        return false;
    return spec->function == NULL || matches_function(names, spec, symbol, how);
}

static bool *find(const struct spec_names *names, const struct spec_parts *spec,
                  enum comparison how)
{
    bool *has = NULL;
    for (size_t s = 0; s < names->symtab->count; s++) {
        if (!matches(names, spec, s, how))
            continue;
        if (has == NULL)
            has = mem_array(names->symtab->count, sizeof *has);
        has[s] = true;
    }
    return has;
}

bool *spec_match(struct spec_names *names, const char *text, size_t size)
{
    const struct spec_parts readings[] = {spec_parse(text, size),
                                          spec_parse_printed(text, size, true),
                                          spec_parse_printed(text, size, false)};
    enum { READINGS = sizeof readings / sizeof *readings };
    bool *has = find(names, &readings[0], RAW_NAMES);
    if (has != NULL)
        return has;
    printed_names_compute(&names->printed, names->symtab, names->demangler);
    enum comparison last = text_has_wildcards(text, size) ? WILDCARDS : PRINTED_NAMES;
    for (enum comparison how = PRINTED_NAMES; how <= last && has == NULL; how++)
        for (size_t i = 0; i < READINGS && has == NULL; i++)
            has = find(names, &readings[i], how);
    return has;
}

bool spec_has_position(const char *text, size_t size)
{
    struct spec_parts plain = spec_parse(text, size);
    return plain.line != 0 || (plain.file != NULL && plain.function == NULL) ||
           spec_parse_printed(text, size, false).file != NULL;
}

bool spec_knows_file(const struct spec_names *names, const char *file, size_t size)
{
    for (size_t i = 0; i < names->files->count; i++)
        if (is_equal(path_base(names->files->paths[i]), file, size))
            return true;
    return false;
}
