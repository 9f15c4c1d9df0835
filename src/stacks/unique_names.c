/* unique_names.c - names for formats in which a function is its name.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "stacks/unique_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/short_names.h"
#include "base/utf8.h"
#include "model/model.h"

static const char *with_address(struct arena *arena, const char *name, uint64_t address)
{
    char digits[20];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[address % 16];
    while ((address /= 16) != 0);
    digits[--at] = 'x';
    digits[--at] = '0';
    return arena_join(arena, name, " (", digits + at, ")");
}

/* The names as STYLE has them.  */
static const char **plain_names(const struct snapshot *snapshot, enum name_style style,
                                struct arena *arena)
{
    const char **names = arena_alloc(arena, (snapshot->function_count + 1) * sizeof *names);
    struct snapshot_function function;
    struct short_names shorts = {0};
    for (size_t f = 0; f < snapshot->function_count; f++) {
        snapshot->function(snapshot, f, &function);
        names[f] = style == NAMES_RAW ? arena_escape(arena, function.raw) : function.name;
        if (style == NAMES_SHORT)
            short_names_add(&shorts, names[f]);
    }
    for (size_t f = 0; f < snapshot->function_count; f++) {
        if (style == NAMES_SHORT)
            names[f] = short_names_of(&shorts, arena, names[f]);
        names[f] = arena_utf8(arena, names[f]);
    }
    short_names_free(&shorts);
    return names;
}

/* The functions of one name.  */
struct homonym {
    struct snapshot_function first;
    bool is_ambiguous;
};

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Whether two symbols of one name are one function: itself, or a source line of it.  */
static bool is_same_function(const struct snapshot *snapshot, const struct snapshot_function *a,
                             const struct snapshot_function *b)
{
    return snapshot->is_by_line && strcmp(a->raw, b->raw) == 0 && is_same_text(a->file, b->file);
}

/* Adds something to names of several functions: the file where it is known and WITH_FILES is set,
   else the address.  Returns whether there were any.  */
static bool tell_apart(const struct snapshot *snapshot, const char **names, bool with_files,
                       struct arena *arena)
{
    struct string_map map = {0};
    size_t capacity = 0, count = 0;
    struct homonym *homonyms = NULL;
    struct snapshot_function function;
    bool has_any = false;
    uint32_t *numbers = mem_uninitialised(snapshot->function_count, sizeof *numbers);
    for (size_t f = 0; f < snapshot->function_count; f++) {
        uint32_t n = numbers[f] = string_map_number(&map, names[f]);
        snapshot->function(snapshot, f, &function);
        homonyms = mem_grow(homonyms, &capacity, map.count, sizeof *homonyms);
        if (map.count > count)
            homonyms[n] = (struct homonym){function, false};
        else if (!is_same_function(snapshot, &homonyms[n].first, &function))
            has_any = homonyms[n].is_ambiguous = true;
        count = map.count;
    }
    for (size_t f = 0; has_any && f < snapshot->function_count; f++) {
        if (!homonyms[numbers[f]].is_ambiguous)
            continue;
        snapshot->function(snapshot, f, &function);
        names[f] = with_files && function.file != NULL
                       ? arena_join(arena, names[f], " (",
                                    arena_utf8(arena, path_base(function.file)), ")")
                       : with_address(arena, names[f], function.address);
    }
    string_map_free(&map);
    free(homonyms);
    free(numbers);
    return has_any;
}

const char **unique_names(const struct snapshot *snapshot, enum name_style style,
                          struct arena *arena)
{
    const char **names = plain_names(snapshot, style, arena);
    if (tell_apart(snapshot, names, true, arena))
        tell_apart(snapshot, names, false, arena);
    return names;
}
