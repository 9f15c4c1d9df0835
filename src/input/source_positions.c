/* source_positions.c - reads files and lines of symbols into the model.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/source_positions.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static struct raw_source locate(struct files *files, struct image *image, vma addr)
{
    struct source_pos pos;
    if (!image_position(image, addr, &pos))
        return (struct raw_source){NO_ID, 0};
    return (struct raw_source){files_intern(files, pos.file), pos.line};
}

struct raw_source *source_positions_of_raw(struct files *files, struct image *image,
                                           const struct raw_symbol *raw, const bool *is_wanted,
                                           size_t count)
{
    struct raw_source *sources = mem_array(count, sizeof *sources);
    for (size_t i = 0; i < count; i++)
        sources[i] =
            is_wanted[i] ? locate(files, image, raw[i].addr) : (struct raw_source){NO_ID, 0};
    return sources;
}

void source_positions_add(struct profile *profile, struct image *image, const bool *is_wanted)
{
    for (size_t i = 0; i < profile->symtab.count; i++) {
        struct symbol *symbol = &profile->symtab.symbols[i];
        if (!is_wanted[i] || symbol->file != NO_ID)
            continue;
        struct raw_source source = locate(&profile->files, image, symbol->addr);
        symbol->file = source.file;
        symbol->line = source.line;
    }
}

enum { RECENT_BITS = 8 };

/* Numbers of names by hash of their addresses: the same few names come again and again, mostly from
   the same memory.  */
struct recent_names {
    uint32_t numbers[1 << RECENT_BITS]; /* plus 1; 0 = none */
};

static uint32_t *recent_number(struct recent_names *recent, const char *name)
{
    return &recent
                ->numbers[((uint64_t)(uintptr_t)name * 0x9E3779B97F4A7C15u) >> (64 - RECENT_BITS)];
}

static uint32_t number_function(struct string_map *names, struct recent_names *recent,
                                const char *name)
{
    uint32_t *known = recent_number(recent, name);
    if (*known == 0 || strcmp(names->strings[*known - 1], name) != 0)
        *known = string_map_number(names, name) + 1;
    return *known - 1;
}

static uint32_t number_file(struct files *files, struct recent_names *recent, const char *path)
{
    uint32_t *known = recent_number(recent, path);
    if (*known == 0 || strcmp(files->paths[*known - 1], path) != 0)
        *known = files_intern(files, path) + 1;
    return *known - 1;
}

struct line_row *source_positions_of_lines(struct profile *profile, struct image *image,
                                           const vma *addrs, size_t count, size_t *row_count)
{
    struct line_row *rows = mem_uninitialised(count, sizeof *rows);
    struct source_pos pos;
    struct recent_names functions = {0}, paths = {0};
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (!image_line(image, addrs[i], &pos))
            continue;
        uint32_t function = number_function(&profile->line_names, &functions, pos.function);
        rows[made++] = (struct line_row){.addr = addrs[i],
                                         .file = number_file(&profile->files, &paths, pos.file),
                                         .line = pos.line,
                                         .function = profile->line_names.strings[function]};
    }
    *row_count = made;
    return rows;
}
