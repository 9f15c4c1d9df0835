/* made_snapshot.h - snapshots made by hand, or drawn.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TESTS_MADE_SNAPSHOT_H
#define TESTS_MADE_SNAPSHOT_H

#include <math.h>

#include "model/snapshot.h"

enum { MADE_FUNCTIONS = 16, MADE_ARCS = 8, MADE_PROFILES = 8 };

/* One profile with the rate 100, unless they say otherwise.  */
struct made {
    struct made_function {
        const char *name, *file;
        double samples;
        uint64_t calls;
        enum binding binding;
        bool varies;             /* its calls, between runs */
        double total;            /* inclusive time */
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
    struct snapshot snapshot;
};

static inline const struct made_function *made_functions(const struct made *made)
{
    return made->more != NULL ? made->more : made->functions;
}

static inline void made_input(const struct snapshot *snapshot, size_t i,
                              struct snapshot_input *input)
{
    const struct made *made = snapshot->context;
    *input = (struct snapshot_input){
        .path = "gmon.out",
        .rate = made->rate != 0 ? made->rate : 100,
        .samples = made->profile_count > 0 ? made->profiles[i] : (uint64_t)snapshot->samples};
}

static inline void made_function(const struct snapshot *snapshot, size_t id,
                                 struct snapshot_function *function)
{
    const struct made *made = snapshot->context;
    const struct made_function *from = &made_functions(made)[id];
    double runs = (double)snapshot->input_count, mean = from->samples / runs;
    *function = (struct snapshot_function){
        .name = from->name,
        .raw = from->name,
        .file = from->file,
        .binding = from->binding,
        .samples = from->samples,
        .total = from->total,
        .runs = snapshot->input_count,
        .mean = mean,
        .variance = runs > 1 ? (from->squares - from->samples * mean) / (runs - 1) : (double)NAN,
        .calls = from->calls,
        .lowest_calls = from->calls - from->varies,
        .highest_calls = from->calls};
    if (runs > 1 && from->squares == 0)
        function->variance = 0;
}

static inline void made_arc(const struct snapshot *snapshot, size_t i, struct snapshot_arc *arc)
{
    const struct made *made = snapshot->context;
    *arc = (struct snapshot_arc){
        .from = made->arcs[i].from, .to = made->arcs[i].to, .calls = made->arcs[i].calls};
}

static inline const struct snapshot *made_snapshot(struct made *made)
{
    struct snapshot *snapshot = &made->snapshot;
    *snapshot = (struct snapshot){.tool = "test",
                                  .image_path = "image",
                                  .machine = "none",
                                  .unit = "seconds",
                                  .input_count = made->profile_count > 0 ? made->profile_count : 1,
                                  .function_count = made->count,
                                  .arc_count = made->arc_count,
                                  .input = made_input,
                                  .function = made_function,
                                  .arc = made_arc,
                                  .context = made};
    for (size_t i = 0; i < made->count; i++) {
        snapshot->samples += made_functions(made)[i].samples;
        snapshot->calls += made_functions(made)[i].calls;
    }
    return snapshot;
}

#endif
