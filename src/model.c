#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "arcs.h"
#include "blocks.h"
#include "cycles.h"
#include "hist.h"
#include "symspec.h"
#include "symtab.h"
#include "views.h"

uint32_t files_intern(struct files *files, const char *path)
{
    uint32_t id = string_map_number(&files->map, path);
    files->paths = files->map.strings;
    files->count = files->map.count;
    return id;
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
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

void profile_free(struct profile *profile)
{
    string_map_free(&profile->files.map);
    free(profile->files.labels);
    symtab_free(&profile->symtab);
    filters_free(&profile->filters);
    hist_free(&profile->hist);
    arcs_free(&profile->arcs);
    blocks_free(&profile->blocks);
    graph_free(&profile->graph);
    views_free(&profile->views);
    free(profile->infos);
    string_map_free(&profile->line_names);
    arena_free(&profile->names);
    *profile = (struct profile){0};
}
