#include "analysis/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

static int ascending(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By file, line and address if both have a file, else by address.  That is not transitive, so the
   order is what sort_ids_by_merging makes of it.  */
static int compare_places(const void *context, uint32_t a, uint32_t b)
{
    const struct profile *profile = context;
    const struct symbol *left = &profile->symtab.symbols[a], *right = &profile->symtab.symbols[b];
    int order = 0;
    if (left->file != NO_ID && right->file != NO_ID) {
        if (left->file != right->file)
            order = strcmp(profile->files.paths[left->file], profile->files.paths[right->file]);
        if (order == 0)
            order = ascending(left->line, right->line);
    }
    return order != 0 ? order : ascending(left->addr, right->addr);
}

void counts_order(struct views *views, const struct profile *profile)
{
    views->counts = mem_array(profile->symtab.count, sizeof *views->counts);
    for (size_t i = 0; i < profile->symtab.count; i++)
        if (is_accepted(&profile->filters.counts, (uint32_t)i) &&
            !profile->symtab.symbols[i].is_indirect_target)
            views->counts[views->counts_count++] = (uint32_t)i;
    sort_ids_by_merging(views->counts, views->counts_count, compare_places, profile);
}
