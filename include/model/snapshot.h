/* snapshot.h - everything a profile says, as the format JSON has it: plain arrays.

   It is filled from a profile (analysis/make_snapshot.h) or from a file (input/json_read.h).
   Tables, comparisons and exporters read it.  Times are in `unit', NaN where they are not known.
   Zeroed = empty; see snapshot_free.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_SNAPSHOT_H
#define REGPROF_MODEL_SNAPSHOT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "model/listed_code.h"
#include "model/times.h"

struct snapshot_input {
    const char *path;
    double rate; /* samples per unit; 0 if the profile has none */
    uint64_t samples, calls;
    double other_samples; /* in other objects, where snapshot.has_others is set */
};

/* Whether other files can refer to a function.  */
enum binding { BINDING_UNKNOWN, BINDING_GLOBAL, BINDING_STATIC };

struct snapshot_function {
    const char *name, *raw; /* as printed, and as in the image; after show_snapshot, the name is
                               unique, and UTF-8 */
    const char *short_name; /* without parameters and template arguments; NULL: not made */
    const char *file;       /* NULL: not known */
    uint32_t line;          /* 0: not known */
    uint32_t cycle;         /* number; 0 = none */
    uint64_t address;
    enum binding binding;
    bool has_address;
    bool is_outside; /* the caller of all calls from outside of the image */
    bool is_other;   /* in another object: it has time if stacks measured it */
    bool is_listed;  /* a function of the image that filters do not leave out of the flat profile */
    double samples;  /* its own, of the histogram; in another object: of stacks, if has_others */
    double self_samples,
        total_samples; /* its own, and with its callees, as in `self' and `total' */
    double self, total, least, most;
    double error, total_error; /* standard errors of `self' and `total'; NaN: not known */
    uint64_t calls, self_calls;
    uint64_t outside_calls; /* from outside of its cycle; `calls' if it is in none */
    double left_out;        /* the part of `samples' that filters of time leave out of the graph */
};

/* How the figures of a function vary between profiles.  */
struct function_spread {
    struct spread samples;
    uint64_t lowest_calls, highest_calls; /* calls by itself included */
};

/* A function whose time varies between profiles by more than chance.  */
struct snapshot_varying {
    uint32_t function;
    double deviation, chance, mean; /* of times; the deviation that chance alone gives */
    uint32_t lowest_in, highest_in; /* inputs */
};

/* A function of the image that has neither time nor calls.  */
struct snapshot_idle {
    const char *name, *file; /* as those of functions */
    enum binding binding;
};

struct snapshot_cycle {
    uint32_t *members; /* function ids */
    size_t count;
};

struct message_list;
struct source_line;
struct stacks;
struct stack_tree;
struct line_costs;
struct code_view;
struct placement;
struct profile_tree;
struct comparison;

/* A source file with its lines with code.  */
struct snapshot_source {
    const char *path;
    const char *text; /* `size' bytes, then a NUL */
    size_t size;
    const struct source_line *lines; /* `line_count', ascending */
    size_t line_count;
};

struct snapshot {
    const char *tool;                            /* `regprof 0.1.0' */
    const char *image_path, *build_id, *machine; /* the build id in hexadecimal; NULL: none */
    const char *unit;                            /* of times: `seconds', mostly */
    const char *value; /* which of several values in this unit: `alloc_space'; NULL: not known */
    double samples, time, outside; /* of all profiles; samples outside functions */
    double unsampled; /* time of the run without samples; 0: hardly any, or not known */
    uint64_t calls;
    struct {
        uint64_t low, high;
    } range;            /* of addresses that have samples or none; low = high: none */
    bool is_uncounted;  /* the program counts no calls: their numbers are not known, not 0, but
                           where they are more, in shared objects that count them */
    bool is_by_line;    /* functions are source lines, several of which have the name of one */
    double min_share;   /* percent: what graphs leave out; below 0: as each format decides */
    double sample_time; /* of one sample of the histogram; NaN without samples */
    bool has_weights;   /* its samples have some that differ; a sample is one of the mean weight */
    char short_unit[UNIT_SIZE];         /* for `unit': `s', mostly */
    double self_total, inclusive_total; /* what 100 % of own and of inclusive times are */
    /* The same in samples, 0 without any; and samples per unit of time, NaN without any: of the
       histogram, or of the stacks that measured `self' and `total' of functions.  */
    double self_samples, inclusive_samples, rate;
    bool has_others;       /* `samples' of functions in other objects are known of each input */
    uint64_t stacked_runs; /* whose stacks are known one by one; 0: not counted */
    struct spread inclusive_spread; /* of the stacks of each, at `rate' */
    enum figures figures;
    enum origin origin; /* of inclusive times; if measured, own times are, too */
    struct {
        const char *const *texts; /* `-k a/b', sorted, each once */
        size_t count;
    } options; /* that change what is counted */
    /* Functions have the ids 0, 1, 2, ..., ascending by address; cycles the numbers 1, 2, ...
       `arcs' and `idle' are empty unless they were asked for; idle functions are listed by file,
       global ones before static ones.  */
    struct snapshot_input *inputs;
    struct snapshot_function *functions;
    struct function_spread *spreads; /* by function; NULL: of one profile (snapshot_spread) */
    struct spread *total_spreads;    /* by function: inclusive samples of each of `stacked_runs' */
    struct {
        struct snapshot_varying *functions; /* the largest deviation first */
        size_t count;
    } varying[2]; /* by more than chance between profiles: own times, and inclusive ones */
    struct snapshot_idle *idle;
    struct arc *arcs;
    struct line_times *arc_times; /* by arc: time of the callee that is charged to the caller */
    struct snapshot_cycle *cycles;
    struct snapshot_source *sources;
    size_t input_count, function_count, idle_count, arc_count, cycle_count, source_count;
    /* By arc: the time in the call graph's entry of the callee, where recursion can make it another
       than that of `arc_times'; NaN, or no array: it is their sum.  */
    double *arc_entries;
    struct arena arena; /* owns the members of cycles, and the texts that nothing else owns */
    const struct stack_tree
        *tree; /* of stacks, as estimated or recorded, with these function ids; NULL: not made */
    const struct stack_tree *thread_tree; /* recorded stacks below their threads; NULL: not made */
    const struct profile_tree *profile_trees; /* stacks of each input; NULL: not made */
    const struct stacks *runs; /* recorded stacks of each input, as for stacks_cut if it is or shall
                                  be in a file; NULL: not made */
    const struct placement *placement;   /* for linkers; NULL: not made */
    const struct line_costs *lines;      /* of the functions; NULL: not made */
    const struct code_view *code;        /* of some functions; NULL: not made */
    const struct comparison *comparison; /* this snapshot is its after side; NULL: no base */
    const struct message_list *messages; /* what gprof said about the profile; NULL: not kept */
};

void snapshot_free(struct snapshot *snapshot);

/* How the figures of the function ID vary.  */
static inline struct function_spread snapshot_spread(const struct snapshot *snapshot, size_t id)
{
    const struct snapshot_function *function = &snapshot->functions[id];
    uint64_t calls = sum_u64(function->calls, function->self_calls);
    return snapshot->spreads != NULL
               ? snapshot->spreads[id]
               : (struct function_spread){{function->samples, NAN}, calls, calls};
}

/* The standard error of a time of SAMPLES; NaN if they are, or if it is not known.  */
static inline double snapshot_error(const struct snapshot *snapshot, double samples)
{
    return figures_traits(snapshot->figures)->error * sampling_error(samples, snapshot->rate);
}

/* The weight of the arc ID among those to its callee: its time, where that is known, else its calls
   times PART, the part of its caller's time that filters keep.  */
static inline double snapshot_arc_weight(const struct snapshot *snapshot, size_t id, double part)
{
    return origin_traits(snapshot->origin)->has_error ? line_total(&snapshot->arc_times[id])
                                                      : (double)snapshot->arcs[id].count * part;
}

/* Whether its functions are code of an image, not names alone at invented addresses.  */
static inline bool snapshot_has_image(const struct snapshot *snapshot)
{
    return strcmp(snapshot->machine, LISTED_ARCH) != 0;
}

/* Whether calls were counted in the program, or in shared objects.  Profiles of other profilers
   have some or do not know of any.  */
static inline bool snapshot_counts_calls(const struct snapshot *snapshot)
{
    bool has_calls = !snapshot->is_uncounted && snapshot_has_image(snapshot);
    for (size_t i = 0; i < snapshot->function_count && !has_calls; i++)
        has_calls = (snapshot->functions[i].calls | snapshot->functions[i].self_calls) != 0;
    return has_calls;
}

/* Whether times are in seconds; histograms can have another unit.  */
static inline bool is_in_seconds(const struct snapshot *snapshot)
{
    return strcmp(snapshot->unit, "seconds") == 0;
}

#endif
