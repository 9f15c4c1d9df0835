/* free_profile.c - frees a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/free_profile.h"

#include <stdlib.h>

#include "analysis/annotate.h"
#include "analysis/arcs.h"
#include "analysis/bounds.h"
#include "analysis/cycles.h"
#include "analysis/views.h"
#include "base/hash.h"
#include "model/hist_set.h"
#include "symbols/symspec.h"
#include "symbols/symtab.h"

void profile_free(struct profile *profile)
{
    string_map_free(&profile->files.map);
    free(profile->files.labels);
    object_map_free(&profile->objects);
    symtab_free(&profile->symtab);
    filters_free(&profile->filters);
    hist_free(&profile->hist);
    arcs_free(&profile->arcs);
    blocks_free(&profile->blocks);
    graph_free(&profile->graph);
    times_free(&profile->times);
    views_free(&profile->views);
    selection_free(&profile->selection);
    bounds_free(&profile->bounds);
    annotation_free(&profile->annotation);
    per_file_free(&profile->per_file);
    recorded_stacks_free(&profile->recorded);
    free(profile->infos);
    string_map_free(&profile->line_names);
    arena_free(&profile->names);
    *profile = (struct profile){0};
}
