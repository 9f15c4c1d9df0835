/* made_snapshot.h - snapshots made by hand, or drawn.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_MADE_SNAPSHOT_H
#define TESTS_MADE_SNAPSHOT_H

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/snapshot.h"

enum { MADE_FUNCTIONS = 16, MADE_ARCS = 8, MADE_PROFILES = 20 };

/* One profile with the rate 100, unless they say otherwise.  */
struct made {
    struct made_function {
        const char *name, *file;
        double samples;
        uint64_t calls;
        enum binding binding;
        bool varies;             /* its calls, between runs */
        double total;            /* inclusive samples */
        double squares;          /* sum of the squares of its samples in each run */
    } functions[MADE_FUNCTIONS]; /* or, if there are more: */
    struct made_function *more;
    size_t count;
    struct made_arc {
        uint32_t from, to;
        uint64_t calls;
    } arcs[MADE_ARCS];
    size_t arc_count;
    uint64_t profiles[MADE_PROFILES]; /* samples of each; unless 0 profiles are given */
    size_t profile_count;
    uint32_t rate;
    struct snapshot snapshot; /* with these lists: */
    struct snapshot_input inputs[MADE_PROFILES];
    struct snapshot_function snapshot_functions[MADE_FUNCTIONS], *many; /* many: of `more' */
    struct function_spread spreads[MADE_FUNCTIONS], *many_spreads;
    struct arc snapshot_arcs[MADE_ARCS];
    struct line_times arc_times[MADE_ARCS]; /* none */
};

static inline const struct made_function *made_functions(const struct made *made)
{
    return made->more != NULL ? made->more : made->functions;
}

static inline struct snapshot_function made_function(const struct made_function *from)
{
    return (struct snapshot_function){.name = from->name,
                                      .raw = from->name,
                                      .file = from->file,
                                      .binding = from->binding,
                                      .samples = from->samples,
                                      .total_samples = from->total,
                                      .calls = from->calls};
}

static inline struct function_spread made_spread(const struct made_function *from, double runs)
{
    double mean = from->samples / runs;
    double variance = runs > 1 ? (from->squares - from->samples * mean) / (runs - 1) : (double)NAN;
    return (struct function_spread){{mean, runs > 1 && from->squares == 0 ? 0 : variance},
                                    from->calls - from->varies,
                                    from->calls};
}

/* Valid until the next call for MADE.  If it has `more' functions, free with made_free.  */
static inline const struct snapshot *made_snapshot(struct made *made)
{
    struct snapshot *snapshot = &made->snapshot;
    struct snapshot_function *functions = made->snapshot_functions;
    struct function_spread *spreads = made->spreads;
    if (made->more != NULL) {
        functions = made->many = mem_resize(made->many, made->count, sizeof *functions);
        spreads = made->many_spreads = mem_resize(made->many_spreads, made->count, sizeof *spreads);
    }
    *snapshot = (struct snapshot){.tool = "test",
                                  .image = {"image", NULL, "none"},
                                  .unit.name = "seconds",
                                  .inputs = made->inputs,
                                  .functions = functions,
                                  .runs.own = spreads,
                                  .arcs = made->snapshot_arcs,
                                  .arc_times = made->arc_times,
                                  .input_count = made->profile_count > 0 ? made->profile_count : 1,
                                  .function_count = made->count,
                                  .arc_count = made->arc_count};
    for (size_t i = 0; i < made->count; i++) {
        functions[i] = made_function(&made_functions(made)[i]);
        spreads[i] = made_spread(&made_functions(made)[i], (double)snapshot->input_count);
    }
    for (size_t i = 0; i < made->arc_count; i++)
        made->snapshot_arcs[i] =
            (struct arc){made->arcs[i].from, made->arcs[i].to, made->arcs[i].calls};
    for (size_t i = 0; i < made->count; i++) {
        snapshot->totals.samples += made_functions(made)[i].samples;
        snapshot->totals.calls += made_functions(made)[i].calls;
    }
    for (size_t i = 0; i < MADE_PROFILES; i++)
        made->inputs[i] = (struct snapshot_input){
            .path = "gmon.out",
            .rate = made->rate != 0 ? made->rate : 100,
            .samples =
                made->profile_count > 0 ? made->profiles[i] : (uint64_t)snapshot->totals.samples};
    return snapshot;
}

static inline void made_free(struct made *made)
{
    free(made->many);
    free(made->many_spreads);
    made->many = NULL;
    made->many_spreads = NULL;
}

#endif
