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

/* What a function is.  The first two have an address.  */
enum function_kind {
    FUNCTION_CODE,    /* of the image */
    FUNCTION_OUTSIDE, /* the caller of all calls from outside of the image */
    FUNCTION_NO_CODE, /* the callee of all indirect calls, a program, or another group */
    FUNCTION_OTHER    /* in another object: it has time if stacks measured it */
};

struct snapshot_function {
    const char *name, *raw; /* as printed, and as in the image; after show_snapshot, the name is
                               unique, and UTF-8 */
    const char *short_name; /* without parameters and template arguments; NULL: not made */
    const char *file;       /* NULL: not known */
    uint32_t line;          /* 0: not known */
    uint32_t cycle;         /* number; 0 = none */
    uint64_t address;
    enum binding binding;
    enum function_kind kind;
    bool is_listed; /* a function of the image that filters do not leave out of the flat profile */
    double samples; /* its own, of the histogram; in another object: of stacks, if has_others */
    /* Its own, and with its callees, of the histogram or of the stacks that measured times; their
       times and errors follow (snapshot_time, snapshot_error).  NaN: not known.  */
    double self_samples, total_samples;
    double least, most; /* bounds of the time with callees; NaN: not known */
    uint64_t calls, self_calls;
    double left_out; /* the part of `samples' that filters of time leave out of the graph */
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
    uint64_t calls; /* from outside of it */
};

struct message_list;
struct stacks;
struct stack_tree;
struct line_costs;
struct code_view;
struct placement;
struct profile_tree;
struct annotation;
struct files;

/* The program.  */
struct snapshot_image {
    const char *path, *build_id, *machine; /* the build id in hexadecimal; NULL: none */
    uint64_t low, high; /* range of the addresses that have samples or none; low = high: none */
};

/* What times are in.  */
struct snapshot_unit {
    const char *name;  /* `seconds', mostly */
    const char *value; /* which of several values in this unit: `alloc_space'; NULL: not known */
    char abbreviation[UNIT_SIZE]; /* `s', mostly */
};

/* What was recorded in all profiles, stacks left out.  */
struct snapshot_totals {
    double samples, time;
    double outside;   /* samples outside functions */
    double unsampled; /* time of the run without samples; 0: hardly any, or not known */
    uint64_t calls;
};

/* How figures vary between inputs, of which each is a run, and the stacks of each.  */
struct snapshot_runs {
    struct function_spread *own; /* by function */
    /* Inclusive samples, at the rate of the snapshot, of `count' runs whose stacks are known one by
       one (0: not counted): by function, and of all stacks.  */
    struct spread *inclusive, all;
    uint64_t count;
    const struct stacks *stacks; /* recorded ones of each, as for stacks_cut if it is or shall be in
                                    a file; NULL: not made */
    struct {
        struct snapshot_varying *functions; /* the largest deviation first */
        size_t count;
    } varying[2]; /* by more than chance: own times, and inclusive ones */
};

/* What some formats show beside what a profile says.  Its makers own it; NULL: not made.  */
struct snapshot_extras {
    const struct stack_tree *tree; /* of stacks, as estimated or recorded, with function ids */
    const struct stack_tree *thread_tree;     /* recorded stacks below their threads */
    const struct profile_tree *profile_trees; /* stacks of each input */
    const struct placement *placement;        /* for linkers */
    const struct line_costs *lines;           /* of the functions */
    const struct code_view *code;             /* of some functions */
    const struct annotation *annotation;      /* source files, whose lines have code */
    const struct files *files;                /* their paths */
    const struct message_list *messages;      /* what gprof said about the profile */
    double min_share; /* percent: what graphs leave out; below 0: as each format decides */
};

struct snapshot {
    const char *tool; /* `regprof 0.1.0' */
    struct snapshot_image image;
    struct snapshot_unit unit;
    struct snapshot_totals totals;
    bool is_uncounted;  /* the program counts no calls: their numbers are not known, not 0, but
                           where they are more, in shared objects that count them */
    bool is_by_line;    /* functions are source lines, several of which have the name of one */
    double sample_time; /* of one sample of the histogram; NaN without samples */
    bool has_weights;   /* its samples have some that differ; a sample is one of the mean weight */
    /* What 100 % of own and of inclusive times are in samples, 0 without any; and samples per unit
       of time, NaN without any: of the histogram, or of the stacks that measured times of
       functions.  */
    double self_samples, inclusive_samples, rate;
    bool has_others; /* `samples' of functions in other objects are known of each input */
    enum figures figures;
    enum origin origin; /* of inclusive times; if measured, own times are, too */
    struct {
        const char *const *texts; /* `-k a/b', sorted, each once */
        size_t count;
    } options; /* that change what is counted */
    /* Functions have the ids 0, 1, 2, ..., ascending by address; cycles the numbers 1, 2, ...
       `arcs' and `idle' are empty unless they were asked for; idle functions are listed by file,
       global ones before static ones.  */
    struct snapshot_runs runs;
    struct snapshot_input *inputs;
    struct snapshot_function *functions;
    struct snapshot_idle *idle;
    struct arc *arcs;
    struct line_times *arc_times; /* by arc: time of the callee that is charged to the caller */
    struct snapshot_cycle *cycles;
    size_t input_count, function_count, idle_count, arc_count, cycle_count;
    /* By arc: the time in the call graph's entry of the callee, where recursion can make it another
       than that of `arc_times'; NaN, or no array: it is their sum.  */
    double *arc_entries;
    struct arena arena; /* owns the members of cycles, and the texts that nothing else owns */
    struct snapshot_extras extras;
};

void snapshot_free(struct snapshot *snapshot);

static inline bool function_has_address(const struct snapshot_function *function)
{
    return function->kind <= FUNCTION_OUTSIDE;
}

/* The time of SAMPLES.  */
static inline double snapshot_time(const struct snapshot *snapshot, double samples)
{
    return samples / snapshot->rate;
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
    return strcmp(snapshot->image.machine, LISTED_ARCH) != 0;
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
static inline bool is_in_seconds(const struct snapshot_unit *unit)
{
    return strcmp(unit->name, "seconds") == 0;
}

#endif
