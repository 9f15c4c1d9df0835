/* snapshot.c - frees a snapshot, and the order of its functions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/snapshot.h"

#include <stdlib.h>

#include "model/placement.h"

void snapshot_free(struct snapshot *snapshot)
{
    free(snapshot->inputs);
    free(snapshot->functions);
    free(snapshot->runs.own);
    free(snapshot->runs.inclusive);
    for (size_t i = 0; i < ARRAY_LENGTH(snapshot->runs.varying); i++)
        free(snapshot->runs.varying[i].functions);
    free(snapshot->idle);
    free(snapshot->arcs);
    free(snapshot->arc_times);
    free(snapshot->arc_entries);
    free(snapshot->cycles);
    arena_free(&snapshot->arena);
    *snapshot = (struct snapshot){0};
}

void placement_free(struct placement *placement)
{
    free(placement->functions);
    free(placement->arcs);
    arena_free(&placement->arena);
    *placement = (struct placement){0};
}
