/* measure_times.c - times of the call graph from recorded stacks, in place of estimated ones.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/measure_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "symbols/symtab.h"

/* By symbol, of SYMBOL_COUNT: the object that called it, if only one did; else NO_ID.  Free with
   free.  */
static uint32_t *find_calling_objects(const struct recorded_stacks *stacks, size_t symbol_count)
{
    uint32_t *objects = mem_uninitialised(symbol_count, sizeof *objects);
    bool *is_unsure = mem_array(symbol_count, sizeof *is_unsure);
    for (size_t s = 0; s < symbol_count; s++)
        objects[s] = NO_ID;
    for (size_t i = 0; i < stacks->measured.arc_count; i++) {
        const struct measured_arc *arc = &stacks->measured.arcs[i];
        if (arc->caller != NO_ID && arc->caller <= stacks->frames.symbol_count)
            continue;
        is_unsure[arc->callee] |= objects[arc->callee] != NO_ID;
        objects[arc->callee] = arc->caller;
    }
    for (size_t s = 0; s < symbol_count; s++)
        if (is_unsure[s])
            objects[s] = NO_ID;
    free(is_unsure);
    return objects;
}

/* Calls from outside are counted without the object that made them, which stacks show.  */
void measure_arcs(struct arc_builder *arcs, const struct recorded_stacks *stacks)
{
    uint32_t *objects = find_calling_objects(stacks, arcs->symtab->count);
    arcs_replace_caller(arcs, symtab_outside(arcs->symtab), objects);
    for (size_t i = 0; i < stacks->measured.arc_count; i++) {
        const struct measured_arc *arc = &stacks->measured.arcs[i];
        if (arc->caller != NO_ID && arc->caller != objects[arc->callee])
            arcs_add(arcs, arc->caller, arc->callee, 0);
    }
    free(objects);
}

/* SAMPLES, which are a difference of sums of up to MOST.  Files of several rates have no whole
   samples, and what rounding leaves of them is none: else it might be printed as -0.00.  */
static double known_difference(double samples, double most)
{
    const double least = 1e-6, part = 1e-12;
    return fabs(samples) < least + part * most ? 0 : samples;
}

struct line_times measured_line(const struct measured_times *times, double most)
{
    return (struct line_times){known_difference(times->self, most),
                               known_difference(times->total - times->self, most)};
}

/* Fills the lines of arcs, and of what no function called; if calls of it from outside were
   counted, it was called from there.  */
static void fill_arcs(struct times *times, const struct arc_table *arcs,
                      const struct measured *measured, uint32_t outside)
{
    struct pair_map numbers = {0}; /* arc ids */
    for (size_t i = 0; i < arcs->count; i++)
        pair_map_number(&numbers, arcs->arcs[i].caller, arcs->arcs[i].callee);
    for (size_t i = 0; i < measured->arc_count; i++) {
        const struct measured_arc *arc = &measured->arcs[i];
        bool is_start = arc->caller == NO_ID;
        uint32_t caller = is_start ? outside : arc->caller;
        uint32_t number = pair_map_number(&numbers, caller, arc->callee);
        if (number >= arcs->count) {
            times->starts[arc->callee] = measured_line(&arc->outer, times->total);
            continue;
        }
        times->callers[number] = measured_line(&arc->outer, times->total);
        if (!is_start)
            times->callees[number] = measured_line(&arc->inner, times->total);
    }
    pair_map_free(&numbers);
}

/* Stated times count what members of a cycle call more than once.  Lets no member have more than
   the cycle as a whole: what its members do themselves, and what they call outside of it. Functions
   are the first COUNT nodes.  */
static void limit_to_cycles(struct measured *measured, const struct graph *graph, size_t count)
{
    double *totals = mem_array(graph->cycle_count + 1, sizeof *totals); /* by cycle number */
    for (size_t s = 0; s < count; s++)
        totals[graph->cycle[s]] += measured->functions[s].self;
    for (size_t i = 0; i < measured->arc_count; i++) {
        const struct measured_arc *arc = &measured->arcs[i];
        if (arc->caller != NO_ID && graph->cycle[arc->caller] != graph->cycle[arc->callee])
            totals[graph->cycle[arc->caller]] += arc->outer.total;
    }
    for (size_t s = 0; s < count; s++)
        if (graph->cycle[s] != 0)
            measured->functions[s].total =
                fmin(measured->functions[s].total, totals[graph->cycle[s]]);
    for (size_t i = 0; i < measured->arc_count; i++) {
        struct measured_arc *arc = &measured->arcs[i];
        double most = measured->functions[arc->callee].total;
        if (arc->caller != NO_ID)
            most = fmin(most, measured->functions[arc->caller].total);
        arc->outer.total = fmin(arc->outer.total, most);
        arc->outer.self = fmin(arc->outer.self, arc->outer.total);
        arc->inner = arc->outer;
    }
    free(totals);
}

/* Leaves no cycle in the graph.  */
static void dissolve_cycles(struct graph *graph, const struct arc_table *arcs)
{
    graph->count = graph->symbol_count;
    graph->cycle_count = 0;
    memset(graph->cycle, 0, graph->symbol_count * sizeof *graph->cycle);
    memset(graph->is_internal, 0, arcs->count / 8 + 1);
    for (size_t i = 0; i < arcs->count; i++)
        if (arcs->arcs[i].caller == arcs->arcs[i].callee)
            graph->is_internal[i / 8] |= (uint8_t)(1u << i % 8);
}

void measure_times(struct times *times, struct graph *graph, const struct arc_table *arcs,
                   struct recorded_stacks *stacks, uint32_t outside)
{
    size_t symbols = graph->symbol_count, ids = frames_count(&stacks->frames);
    if (stacks->rules.is_stated)
        limit_to_cycles(&stacks->measured, graph, stacks->frames.symbol_count);
    dissolve_cycles(graph, arcs);
    times_free(times);
    *times = (struct times){.origin = ORIGIN_MEASURED,
                            .rate = stacks->rate,
                            .total = stacks->counted,
                            .nodes = mem_array(symbols, sizeof *times->nodes),
                            .inclusive = mem_array(symbols, sizeof *times->inclusive),
                            .callees = mem_array(arcs->count, sizeof *times->callees),
                            .callers = mem_array(arcs->count, sizeof *times->callers),
                            .starts = mem_array(symbols, sizeof *times->starts)};
    fill_arcs(times, arcs, &stacks->measured, outside);
    for (size_t s = 0; s < symbols && s < ids; s++) {
        times->nodes[s] = measured_line(&stacks->measured.functions[s], times->total);
        times->inclusive[s] = stacks->measured.functions[s].total;
    }
}
