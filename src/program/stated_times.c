/* stated_times.c - inclusive times and calls that a profile states, in place of stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/stated_times.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "symbols/symtab.h"

/* The own time of FUNCTION in calls of it that took TOTAL.  */
static double share_of(const struct measured_times *function, double total)
{
    return function->total != 0 ? total * fmin(1, function->self / function->total) : 0;
}

/* Fills the inclusive times of MEASURED, which has own times, with the TOTALS of FOREIGN, or else
   with what functions call.  IDS: symbols by place.  */
static void take_totals(struct measured *measured, const struct foreign *foreign,
                        const uint32_t *ids)
{
    for (size_t i = 0; i < foreign->stated.call_count; i++) {
        uint32_t caller = ids[foreign->stated.calls[i].caller];
        if (caller != ids[foreign->stated.calls[i].callee])
            measured->functions[caller].total += foreign->stated.calls[i].total;
    }
    for (size_t f = 0; f < foreign->code.function_count; f++)
        if (!isnan(foreign->stated.totals[f]))
            measured->functions[ids[foreign->code.functions[f].first]].total =
                foreign->stated.totals[f];
}

/* Fills the lines of MEASURED with the calls of FOREIGN; what nobody called has a line, too.  */
static void take_calls(struct measured *measured, const struct foreign *foreign,
                       const uint32_t *ids, size_t symbol_count)
{
    struct pair_map pairs = {0};
    bool *is_called = mem_array(symbol_count, sizeof *is_called);
    free(measured->arcs);
    measured->arcs = mem_array(foreign->stated.call_count + symbol_count, sizeof *measured->arcs);
    for (size_t i = 0; i < foreign->stated.call_count; i++) {
        const struct foreign_call *call = &foreign->stated.calls[i];
        uint32_t caller = ids[call->caller], callee = ids[call->callee];
        struct measured_arc *arc = &measured->arcs[pair_map_number(&pairs, caller, callee)];
        double self =
            isnan(call->self) ? share_of(&measured->functions[callee], call->total) : call->self;
        arc->caller = caller;
        arc->callee = callee;
        arc->outer.self += self;
        arc->outer.total += call->total;
        arc->inner = arc->outer;
        is_called[callee] |= caller != callee;
    }
    measured->arc_count = pairs.count;
    for (uint32_t s = 0; s < symbol_count; s++)
        if (!is_called[s] && measured->functions[s].total != 0)
            measured->arcs[measured->arc_count++] =
                (struct measured_arc){NO_ID, s, measured->functions[s], {0, 0}};
    pair_map_free(&pairs);
    free(is_called);
}

void take_stated_times(struct recorded_stacks *stacks, const struct symtab *symtab,
                       const struct foreign *foreign)
{
    size_t count = foreign->code.place_count;
    uint32_t *ids = mem_uninitialised(count + 1, sizeof *ids);
    for (size_t i = 0; i < count; i++)
        ids[i] = symtab_find(symtab, listed_address(i));
    take_totals(&stacks->measured, foreign, ids);
    take_calls(&stacks->measured, foreign, ids, symtab->count);
    free(ids);
}
