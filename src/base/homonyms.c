/* homonyms.c - tells functions of one name apart.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/homonyms.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"

/* Keeps those of the COUNT functions LISTED whose name one with another key has, too; KEYS are by
   function.  Returns their number.  */
static size_t keep_equal(const struct homonym *functions, const uint32_t *keys, uint32_t *listed,
                         size_t count)
{
    struct string_map map = {0};
    uint32_t *numbers = mem_uninitialised(count, sizeof *numbers);
    uint32_t *first = mem_uninitialised(count, sizeof *first); /* key, by number of the name */
    bool *has_others = mem_array(count, sizeof *has_others);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t known = map.count;
        uint32_t key = keys[listed[i]],
                 n = numbers[i] = string_map_number(&map, functions[listed[i]].name);
        if (n == known)
            first[n] = key;
        has_others[n] |= first[n] != key;
    }
    for (size_t i = 0; i < count; i++)
        if (has_others[numbers[i]])
            listed[kept++] = listed[i];
    string_map_free(&map);
    free(numbers);
    free(first);
    free(has_others);
    return kept;
}

/* NAME with the object of FUNCTION, or its address.  */
static const char *name_with_object(struct arena *arena, const char *name,
                                    const struct homonym *function)
{
    if (function->object == NULL)
        return arena_format(arena, "%s (0x%llx)", name, (unsigned long long)function->address);
    return *function->object != '\0' ? arena_join(arena, name, " (", function->object, ")") : name;
}

/* Puts files behind the names of the COUNT functions.  */
static void add_files(struct homonym *functions, size_t count, struct arena *arena)
{
    enum { MOST_PARTS = 8 }; /* of a path, which is whole then */
    struct string_map files = {0};
    size_t open_count = count;
    uint32_t *open = identity_ids(count), *keys = mem_uninitialised(count, sizeof *keys);
    const char **names = mem_uninitialised(count, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        names[i] = functions[i].name;
        keys[i] = string_map_number(&files, functions[i].file != NULL ? functions[i].file : "");
    }
    for (unsigned parts = 1; open_count > 0 && parts <= MOST_PARTS + 1; parts++) {
        for (size_t i = 0; i < open_count; i++) {
            struct homonym *function = &functions[open[i]];
            const char *name = names[open[i]], *file = function->file;
            if (file != NULL && parts <= MOST_PARTS)
                file = path_end(file, parts);
            function->name = file != NULL ? arena_join(arena, name, " (", file, ")")
                                          : name_with_object(arena, name, function);
        }
        open_count = keep_equal(functions, keys, open, open_count);
    }
    string_map_free(&files);
    free(open);
    free(keys);
    free(names);
}

void tell_apart(struct homonym *functions, size_t count, struct arena *arena)
{
    uint32_t *listed = identity_ids(count), *keys = mem_uninitialised(count, sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] = functions[i].function;
    size_t several = keep_equal(functions, keys, listed, count);
    struct homonym *told = mem_uninitialised(several, sizeof *told);
    uint32_t *equal = identity_ids(several);
    for (size_t i = 0; i < several; i++) {
        told[i] = functions[listed[i]];
        keys[i] = told[i].function;
    }
    add_files(told, several, arena);
    size_t equal_count = keep_equal(told, keys, equal, several);
    for (size_t i = 0; i < equal_count; i++)
        told[equal[i]].name = name_with_object(arena, told[equal[i]].name, &told[equal[i]]);
    for (size_t i = 0; i < several; i++)
        functions[listed[i]].name = told[i].name;
    free(listed);
    free(keys);
    free(told);
    free(equal);
}

size_t name_length_without_file(const char *name, const char *file)
{
    size_t length = strlen(name), size = strlen(file), common = 0;
    if (length == 0 || name[length - 1] != ')')
        return length;
    while (common < size && common + 1 < length &&
           name[length - 2 - common] == file[size - 1 - common])
        common++;
    for (size_t i = length - 1 - common; i < length - 1; i++) {
        size_t inside = length - 1 - i;
        if (i > 2 && name[i - 2] == ' ' && name[i - 1] == '(' &&
            (inside == size || file[size - inside - 1] == '/'))
            return i - 2;
    }
    return length;
}
