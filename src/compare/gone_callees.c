/* gone_callees.c - finds what functions may have taken over, callees that run no more; and the
   other way round, what new callees may have taken from them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/gone_callees.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "model/model.h"

/* The rows that a function of SIDE with time or calls is in.  Free with free.  */
static bool *rows_that_ran(const struct comparison *comparison, const struct pairing *pairing,
                           enum side side)
{
    const struct snapshot *snapshot = comparison->snapshots[side];
    bool *ran = mem_array(comparison->row_count, sizeof *ran);
    for (size_t id = 0; id < snapshot->function_count; id++) {
        const struct snapshot_function *function = &snapshot->functions[id];
        if (function->samples > 0 || function->total_samples > 0 || function->calls > 0 ||
            function->self_calls > 0)
            ran[pairing->rows[side][id]] = true;
    }
    return ran;
}

/* The rows called on SIDE that did not run on the other one, by the row of their callers.  What is
   called after but was only idle before is more work, not code that was inlined.  */
static struct id_lists list_calls(const struct comparison *comparison,
                                  const struct pairing *pairing, enum side side)
{
    const struct snapshot *snapshot = comparison->snapshots[side];
    const uint32_t *rows = pairing->rows[side];
    bool *ran = rows_that_ran(comparison, pairing, side == BEFORE ? AFTER : BEFORE);
    uint32_t *callers = mem_uninitialised(snapshot->arc_count, sizeof *callers);
    uint32_t *callees = mem_uninitialised(snapshot->arc_count, sizeof *callees);
    for (size_t i = 0; i < snapshot->arc_count; i++) {
        callees[i] = rows[snapshot->arcs[i].callee];
        bool was_idle = side == AFTER && comparison->rows[callees[i]].kind != COMPARED_NEW;
        callers[i] = ran[callees[i]] || was_idle ? NO_ID : rows[snapshot->arcs[i].caller];
    }
    struct id_lists calls =
        id_lists_make(callers, callees, snapshot->arc_count, comparison->row_count);
    free(callers);
    free(callees);
    free(ran);
    return calls;
}

/* A walk from one row.  */
struct walk {
    uint32_t *found;   /* the rows to go on from */
    uint32_t *seen_by; /* by row: the last row whose walk has found it, plus 1; 0: none */
    size_t count;
};

/* Lists what is called from row CALLER on one side only.  */
static void find_called(struct walk *walk, const struct id_lists *calls, uint32_t caller)
{
    enum { MOST = 1000 }; /* so that walks from very many rows take linear time together */
    walk->count = 0;
    for (size_t done = 0, row = caller;; row = walk->found[done++]) {
        for (size_t i = calls->start[row]; i < calls->start[row + 1] && walk->count < MOST; i++)
            if (walk->seen_by[calls->ids[i]] != caller + 1) {
                walk->seen_by[calls->ids[i]] = caller + 1;
                walk->found[walk->count++] = calls->ids[i];
            }
        if (done == walk->count)
            return;
    }
}

/* The names of the COUNT rows in FOUND: `f, g'; of many, the first ones and `...'.  */
static const char *list_names(struct comparison *comparison, const uint32_t *found, size_t count)
{
    enum { MOST = 4 };
    const char *text = comparison->rows[found[0]].name;
    for (size_t i = 1; i < count && i < MOST; i++)
        text = arena_join(&comparison->arena, text, ", ", comparison->rows[found[i]].name);
    return count > MOST ? arena_join(&comparison->arena, text, ", ...") : text;
}

/* Finds the callees that only SIDE has: before, of functions whose time grew; after, of those whose
   time shrank.  */
static void find_callees(struct comparison *comparison, const struct pairing *pairing,
                         enum side side)
{
    size_t count = comparison->row_count;
    struct walk walk = {mem_uninitialised(count, sizeof *walk.found),
                        mem_array(count, sizeof *walk.seen_by), 0};
    struct id_lists calls = list_calls(comparison, pairing, side);
    for (uint32_t i = 0; i < count; i++) {
        struct compared *row = &comparison->rows[i];
        if (row->kind != COMPARED_BOTH ||
            !(side == BEFORE ? row->times[OWN].change > 0 : row->times[OWN].change < 0))
            continue;
        find_called(&walk, &calls, i);
        for (size_t k = 0; k < walk.count; k++)
            row->gone_time += comparison->rows[walk.found[k]].times[OWN].time[side];
        if (row->gone_time > 0)
            row->gone_callees = list_names(comparison, walk.found, walk.count);
        for (size_t k = 0; k < walk.count && compared_may_take_over(row); k++)
            comparison->rows[walk.found[k]].is_in_caller = true;
    }
    free(walk.found);
    free(walk.seen_by);
    id_lists_free(&calls);
}

void gone_callees_find(struct comparison *comparison, const struct pairing *pairing)
{
    find_callees(comparison, pairing, BEFORE);
    find_callees(comparison, pairing, AFTER);
}
