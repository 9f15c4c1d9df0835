/* snapshot.c - frees a snapshot.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "model/snapshot.h"

#include <stdlib.h>

void snapshot_free(struct snapshot *snapshot)
{
    free(snapshot->inputs);
    free(snapshot->functions);
    free(snapshot->idle);
    free(snapshot->arcs);
    free(snapshot->arc_entries);
    free(snapshot->cycles);
    free(snapshot->sources);
    arena_free(&snapshot->arena);
    *snapshot = (struct snapshot){0};
}
