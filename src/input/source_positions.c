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

/* The number of S in MAP.  PREVIOUS is the result of the previous call (NO_ID for none), which is
   usually the same.  */
static uint32_t number_name(struct string_map *map, uint32_t previous, const char *s)
{
    if (previous < map->count && strcmp(map->strings[previous], s) == 0)
        return previous;
    return string_map_number(map, s);
}

struct line_row *source_positions_of_lines(struct profile *profile, struct image *image,
                                           const vma *addrs, size_t count, size_t *row_count)
{
    struct line_row *rows = mem_uninitialised(count, sizeof *rows);
    struct source_pos pos;
    uint32_t name = NO_ID, file = NO_ID;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (!image_line(image, addrs[i], &pos))
            continue;
        name = number_name(&profile->line_names, name, pos.function);
        if (file == NO_ID || strcmp(profile->files.paths[file], pos.file) != 0)
            file = files_intern(&profile->files, pos.file);
        rows[made++] = (struct line_row){.addr = addrs[i],
                                         .file = file,
                                         .line = pos.line,
                                         .function = profile->line_names.strings[name]};
    }
    *row_count = made;
    return rows;
}
