/* times.h - calls, and what the counts of a profile mean: times of functions and calls, and their
   errors.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_TIMES_H
#define REGPROF_MODEL_TIMES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All calls from one function to another.  */
struct arc {
    uint32_t caller, callee; /* symbol ids; in a snapshot, function ids */
    uint64_t count;
};

/* How the figures of a profile came about.  */
enum figures {
    FIGURES_SAMPLED, /* the number of samples varies by chance */
    FIGURES_COUNTED, /* all that happened was counted: no error */
    FIGURES_STATED,  /* the profile does not say how they were measured: errors are not known */
    /* As stated ones, but they can be negative: one profile less another, or memory that was freed.
       100 % is the sum of the absolute values of all samples.  */
    FIGURES_SIGNED
};

/* What is known of figures.  */
struct figures_traits {
    const char *name;    /* the member of JSON that is true; NULL: none */
    const char *heading; /* in the flat profile, in place of the time of a sample */
    const char *stacked; /* how inclusive times of stacks are known */
    double chance;       /* the variance of N samples is so many times N */
    double error;        /* what that is in standard errors of N samples; NaN: not known */
    bool has_samples;    /* each stands for some time */
    bool has_signs;      /* they can be negative */
    bool is_stated;      /* the profile does not say how they were measured */
};

static inline const struct figures_traits *figures_traits(enum figures figures)
{
    static const char heading[] = "As stated, in ", stacked[] = "stated by the profile";
    static const struct figures_traits traits[] = {
        [FIGURES_SAMPLED] = {.stacked = "measured by sampled stacks",
                             .chance = 1,
                             .error = 1,
                             .has_samples = true},
        [FIGURES_COUNTED] = {.name = "exact", .heading = "Counted in ", .stacked = "counted"},
        [FIGURES_STATED] = {.name = "stated",
                            .heading = heading,
                            .stacked = stacked,
                            .chance = 1,
                            .error = NAN,
                            .is_stated = true},
        [FIGURES_SIGNED] = {.name = "signed",
                            .heading = heading,
                            .stacked = stacked,
                            .chance = 1,
                            .error = NAN,
                            .has_signs = true}};
    return &traits[figures];
}

/* How a figure varies between profiles.  */
struct spread {
    double mean, variance; /* variance with the divisor count - 1; NaN for one profile */
};

/* Adds VALUE, the COUNTth, to SPREAD, whose variance is that many squares of distances until it is
   divided.  */
static inline void spread_add(struct spread *spread, double value, size_t count)
{
    double distance = value - spread->mean;
    spread->mean += distance / (double)count;
    spread->variance += distance * (value - spread->mean);
}

/* The divisor of the variance of COUNT values.  */
static inline double spread_divisor(size_t count)
{
    return count > 1 ? (double)count - 1 : (double)NAN;
}

/* Weights of samples, added up.  Their sum has the relative error of sum^2 / squares samples of one
   weight: that many are counted, the effective samples.  Example: of the weights 1, 1 and 4, sum is
   6 and squares is 18; the three samples are two effective ones of the weight 3.  */
struct weights {
    double sum, squares;
    double count; /* samples that were recorded; NaN: not known */
};

/* The weight of one of the samples that are counted; 1 if there are none.  */
static inline double weight_of_sample(const struct weights *all)
{
    return all->sum > 0 ? all->squares / all->sum : 1;
}

/* How times that include those of callees are known.  */
enum origin {
    ORIGIN_ESTIMATED, /* passed on to callers in proportion to numbers of calls */
    ORIGIN_MEASURED   /* from recorded stacks; there are no cycles then */
};

/* What is known of inclusive times.  */
struct origin_traits {
    const char *name; /* in JSON */
    bool has_error;   /* their samples were counted: their error is known, lines have some, and
                         the time of a call is not that of an average one */
    bool has_objects; /* time in other objects is in them */
    bool has_bounds;  /* bounds say how far they may be off */
    bool dissolves;   /* cycles: each member has its own */
};

static inline const struct origin_traits *origin_traits(enum origin origin)
{
    static const struct origin_traits traits[] = {
        [ORIGIN_ESTIMATED] = {.name = "estimated", .has_bounds = true},
        [ORIGIN_MEASURED] = {
            .name = "measured", .has_error = true, .has_objects = true, .dissolves = true}};
    return &traits[origin];
}

/* Two columns of a line in an entry of the call graph, in samples.  */
struct line_times {
    double self, children;
};

/* What the call graph says, in samples of the histogram, or recorded stacks.  Filled by
   propagate or by measure_times.  */
struct times {
    enum origin origin;
    double rate;              /* samples per unit of time; 1 if it is not known */
    double total;             /* samples that are 100 % */
    struct line_times *nodes; /* by node id: the line that an entry is about */
    double *inclusive; /* by node id: with callees, filters or not; as the flat profile has it */
    struct line_times *callees; /* by arc id: the callee's line in the entry of the caller */
    struct line_times *callers; /* by arc id: the caller's line in the entry of the callee;
                                   `callees' itself unless recursion can make them differ */
    struct line_times *starts;  /* by symbol id: the line of what no function called; NULL: none */
};

void times_free(struct times *times);

/* What both columns of a line add up to.  */
static inline double line_total(const struct line_times *line)
{
    return line->self + line->children;
}

/* The standard error of the time of SAMPLES at RATE: the number of samples that a run draws varies
   from run to run by its square root.  NaN if SAMPLES are.  */
double sampling_error(double samples, double rate);

#endif
