/* call_counts.c - the counted calls of functions, for the rows of a tree.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/call_counts.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "model/model.h"

bool is_of_image(const struct snapshot_function *function)
{
    return function->has_address && !function->is_outside;
}

struct call_counts *call_counts_make(const struct snapshot *snapshot)
{
    struct call_counts *counts = mem_array(1, sizeof *counts);
    counts->calls = mem_array(snapshot->arc_count, sizeof *counts->calls);
    counts->inside = mem_array(snapshot->function_count, sizeof *counts->inside);
    counts->callers = mem_array(snapshot->function_count, sizeof *counts->callers);
    counts->others = mem_array(snapshot->function_count, sizeof *counts->others);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        const struct arc *arc = &snapshot->arcs[i];
        uint32_t known = (uint32_t)counts->arcs.count;
        uint32_t number = pair_map_number(&counts->arcs, arc->caller, arc->callee);
        counts->calls[number] = sum_u64(counts->calls[number], arc->count);
        bool is_caller = number == known && is_of_image(&snapshot->functions[arc->caller]);
        counts->callers[arc->callee] += is_caller;
        counts->others[arc->callee] += is_caller && arc->caller != arc->callee;
        if (arc->caller != arc->callee)
            counts->inside[arc->callee] = sum_u64(counts->inside[arc->callee], arc->count);
    }
    counts->arc_count = counts->arcs.count;
    return counts;
}

uint64_t call_counts_of(struct call_counts *counts, uint32_t caller, uint32_t callee)
{
    uint32_t arc = pair_map_number(&counts->arcs, caller, callee);
    return arc < counts->arc_count ? counts->calls[arc] : 0;
}

void call_counts_free(struct call_counts *counts)
{
    if (counts == NULL)
        return;
    pair_map_free(&counts->arcs);
    free(counts->calls);
    free(counts->inside);
    free(counts->callers);
    free(counts->others);
    free(counts);
}
