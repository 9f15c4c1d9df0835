/* object_totals.c - the objects of a program as rows of the table (--by=object).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/object_totals.h"

#include <string.h>

#include "base/memory.h"

static void add_labels(struct profile *profile)
{
    struct files *files = &profile->files;
    files->count = files->map.count;
    files->paths = files->map.strings;
    files->labels = mem_array(files->count, sizeof *files->labels);
    for (size_t i = 0; i < files->count; i++)
        files->labels[i] = arena_escape(&profile->names, files->paths[i]);
}

void object_totals_build(struct profile *profile, const struct object_total *totals, size_t count,
                         const struct hist_header *header)
{
    struct symtab *symtab = &profile->symtab;
    struct graph *graph = &profile->graph;
    if (header != NULL)
        hist_find_or_add(&profile->hist, header);
    symtab->symbols = mem_array(count, sizeof *symtab->symbols);
    symtab->count = count;
    graph->nodes = mem_array(count, sizeof *graph->nodes);
    graph->cycle = mem_array(count, sizeof *graph->cycle);
    graph->count = graph->symbol_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct object_total *total = &totals[i];
        struct symbol *symbol = &symtab->symbols[i];
        symbol->name = arena_copy(&profile->names, total->name, strlen(total->name));
        symbol->label = arena_escape(&profile->names, total->name);
        symbol->file =
            total->path != NULL ? string_map_number(&profile->files.map, total->path) : NO_ID;
        graph->nodes[i].time = total->samples;
        graph->nodes[i].calls = total->calls;
        profile->hist.samples += total->samples;
        profile->hist.total += total->samples;
    }
    add_labels(profile);
    profile->selection.per_call = (struct si_prefix){' ', 1};
}
