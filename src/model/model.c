/* model.c - queries on the model.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

uint32_t files_intern(struct files *files, const char *path)
{
    uint32_t id = string_map_number(&files->map, path);
    files->paths = files->map.strings;
    files->count = files->map.count;
    return id;
}

const struct object_entry *object_map_find(const struct object_map *map, const char *name)
{
    size_t low = 0, high = map->count;
    while (low < high) { /* output depends on which of several equal names is found */
        size_t middle = (low + high) / 2;
        int order = strcmp(name, map->entries[middle].function);
        if (order == 0)
            return &map->entries[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void object_map_free(struct object_map *map)
{
    free(map->entries);
    *map = (struct object_map){0};
}

static bool has_arc(const struct arc_set *set, uint32_t caller, uint32_t callee)
{
    for (size_t i = 0; i < set->count; i++)
        if (is_in(&set->products[i].callers, caller) && is_in(&set->products[i].callees, callee))
            return true;
    return false;
}

bool is_arc_accepted(const struct filters *filters, uint32_t caller, uint32_t callee)
{
    if (filters->include_arcs.count > 0)
        return has_arc(&filters->include_arcs, caller, callee);
    return !has_arc(&filters->exclude_arcs, caller, callee);
}

const struct block *blocks_of(const struct block_table *table, uint32_t symbol, size_t *count)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->blocks[middle].symbol < symbol)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    if (table->count == 0)
        return NULL;
    while (low + *count < table->count && table->blocks[low + *count].symbol == symbol)
        ++*count;
    return table->blocks + low;
}

bool has_histograms(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].histograms > 0)
            return true;
    return false;
}

bool has_arcs(const struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++)
        if (profile->infos[i].arcs > 0 || profile->infos[i].is_bsd)
            return true;
    return false;
}

void profile_own_paths(struct profile *profile)
{
    for (size_t i = 0; i < profile->info_count; i++) {
        const char *path = profile->infos[i].path;
        profile->infos[i].path = arena_copy(&profile->names, path, strlen(path));
    }
}

void top_free(struct top *top)
{
    free(top->rows);
    arena_free(&top->arena);
    *top = (struct top){0};
}

void recorded_stacks_free(struct recorded_stacks *stacks)
{
    string_map_free(&stacks->objects);
    free(stacks->stacks);
    free(stacks->frames);
    free(stacks->ids);
    free(stacks->objects_shown);
    free(stacks->inclusive);
    *stacks = (struct recorded_stacks){0};
}

void per_file_free(struct per_file *table)
{
    free(table->files);
    free(table->paths);
    free(table->spreads);
    free(table->calls);
    free(table->varying);
    free(table->order);
    *table = (struct per_file){0};
}
