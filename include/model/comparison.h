/* comparison.h - two snapshots, function by function: the base, and what is compared with it.

   Times and calls are those of one run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_MODEL_COMPARISON_H
#define REGPROF_MODEL_COMPARISON_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/snapshot.h"
#include "model/table.h"

enum side { BEFORE, AFTER, SIDES };

enum compared_kind {
    COMPARED_BOTH, /* a function of both sides */
    COMPARED_NEW,  /* a function of the after side only */
    COMPARED_GONE, /* a function of the before side only */
    COMPARED_TOTAL /* all functions together */
};

/* What is compared of a function: its own time, and, if both sides have recorded stacks, or the
   base what they measured, the time of all samples in whose stack it is.  */
enum measure { OWN, INCLUSIVE, MEASURES };

/* A time of a function.  */
struct compared_time {
    double samples[SIDES];  /* of all runs; NaN: not known */
    double variance[SIDES]; /* of the samples of a profile; NaN: not known */
    double time[SIDES];
    double change, error; /* of time, after less before, and its standard error */
    double after_error;   /* of time[AFTER] */
    double p;             /* of such a change by chance, corrected for the number of tests; NaN:
                             untested */
    bool has_taken_over;  /* own time that changed by that of gone callees, where the inclusive time
                             did not change */
    /* In text: the change in percent with its error, and p; NULL: not made.  */
    const char *growth_text, *p_text;
};

/* A row: a function with its clones, or several of one name in one file.  */
struct compared {
    enum compared_kind kind;
    const char *name; /* as printed, without what compilers append to those of clones; `f (a.c)' if
                         the name alone is ambiguous; `f (3 clones)' if it stands for several */
    const char *function;   /* the name without file and number of clones; NULL: the total */
    const char *raw;        /* as in the image */
    const char *label;      /* the name in the style of the table */
    const char *file;       /* NULL: not known */
    const char *moved_from; /* the file before, of a function that has moved; else NULL */
    struct compared_time times[MEASURES]; /* zeros: not compared */
    double calls[SIDES];         /* of all functions, itself included; different if they differ */
    uint64_t whole_calls[SIDES]; /* the same, rounded down */
    double self_calls[SIDES];    /* those of them by itself */
    bool has_varying_calls;      /* runs of one side disagree */
    struct {
        double lowest, highest;
    } run_calls[SIDES]; /* of a run */
    bool lacks_calls; /* in a shared object, and these counted calls on one side only; or the total
                         of such */
    bool is_allowed;  /* acknowledged by the user: no regression */
    const char *callers;      /* `+new -gone'; NULL: the same on both sides */
    const char *gone_callees; /* of a function whose own time grew: what it called before and ran
                                 nowhere after, as it may be inlined; of one whose time shrank:
                                 what it calls after and ran nowhere before; NULL: nothing with
                                 time */
    double gone_time;         /* their own time */
    bool is_in_caller; /* one of those of a function that changed by at most twice their time */
    const char *taken_text; /* gone callees with their time; NULL: not made */
};

/* How much a time must grow so that four of five comparisons see it.  NaN: not known, because at
   most two runs of a side show how times vary.  */
struct visibility {
    double percent; /* growth that is seen with the samples of the base; INFINITY: it has none */
    double samples; /* of the base */
    double need_5, need_10, need_20; /* samples of the base to see 5, 10, 20 % */
};

enum gate_status {
    GATE_NONE,
    GATE_PASSED,
    GATE_REGRESSION,
    GATE_BLIND,        /* the times are not tested */
    GATE_BLIND_FLOOR,  /* what it shall see is less than what it allows */
    GATE_BLIND_RUNS,   /* it would need more runs */
    GATE_BLIND_SAMPLES /* it would need more samples */
};

/* The verdict of a gate.  */
struct verdict {
    enum gate_status status;
    enum measure measure;         /* the times that it is about */
    const struct compared *worst; /* the regression to report; NULL: none */
    bool is_about_calls;          /* `worst' is a regression of calls, not of time */
    const struct compared
        *taken_over; /* the function with has_taken_over that grew most; or NULL */
    const struct compared
        *below;              /* grew as for a regression, but by less than the seconds of one */
    size_t regression_count; /* functions */
    size_t unjudged_count;   /* whose calls vary too much between runs to say whether they grew */
};

/* The name of KIND in tables and in formats for other programs.  */
static inline const char *compared_kind_name(enum compared_kind kind)
{
    static const char *const names[] = {[COMPARED_BOTH] = "both",
                                        [COMPARED_NEW] = "new",
                                        [COMPARED_GONE] = "gone",
                                        [COMPARED_TOTAL] = "total"};
    return names[kind];
}

static inline const char *gate_status_name(enum gate_status status)
{
    static const char *const names[] = {[GATE_NONE] = "none",
                                        [GATE_PASSED] = "passed",
                                        [GATE_REGRESSION] = "regression",
                                        [GATE_BLIND] = "blind"};
    return names[status < GATE_BLIND ? status : GATE_BLIND];
}

/* Why a gate is blind; NULL: it is not.  */
static inline const char *gate_blind_reason(enum gate_status status)
{
    static const char *const names[] = {[GATE_BLIND] = "not tested",
                                        [GATE_BLIND_FLOOR] = "floor",
                                        [GATE_BLIND_RUNS] = "runs",
                                        [GATE_BLIND_SAMPLES] = "samples"};
    return names[status];
}

/* What is known of how times vary by chance: how their changes are judged.  */
enum chance {
    CHANCE_NONE,           /* nothing was sampled: what differs has changed */
    CHANCE_OF_RUNS,        /* several runs of a side show it */
    CHANCE_OF_STATED_RUNS, /* the same, of times that no profile says how it measured */
    CHANCE_OF_SAMPLING,    /* one run a side, or no times: judged by chance of sampling alone */
    CHANCE_OF_ONE_RUN,     /* the same, but that shall not decide: p says which rows are shown */
    CHANCE_UNKNOWN,        /* of several runs of a side, which are not known one by one */
    CHANCE_UNSTATED        /* the profiles do not say how they measured the times of one run */
};

struct chance_traits {
    bool has_p;        /* p and errors are known */
    bool is_tested;    /* p says which changes are significant: times are judged */
    bool shows_errors; /* both are said of changes */
    bool is_stated;    /* no profile says how it measured the times: they are no samples */
};

static inline const struct chance_traits *chance_traits(enum chance chance)
{
    static const struct chance_traits traits[] = {
        [CHANCE_NONE] = {.has_p = true, .is_tested = true},
        [CHANCE_OF_RUNS] = {.has_p = true, .is_tested = true, .shows_errors = true},
        [CHANCE_OF_STATED_RUNS] = {true, true, true, true},
        [CHANCE_OF_SAMPLING] = {.has_p = true, .is_tested = true, .shows_errors = true},
        [CHANCE_OF_ONE_RUN] = {.has_p = true},
        [CHANCE_UNKNOWN] = {.has_p = false},
        [CHANCE_UNSTATED] = {.is_stated = true}};
    return &traits[chance];
}

/* What belongs to the times of one measure.  */
struct compared_measure {
    struct compared_side {
        double runs;
        double exposure; /* runs times samples per unit of time */
        double profiles; /* whose samples are known one by one */
    } sides[SIDES];
    enum chance chance;      /* that of own times, or, of several runs' inclusive ones, unknown */
    size_t tested_count;     /* functions with a p */
    double dispersion;       /* between runs, of `largest'; 1: as by chance */
    double total_dispersion; /* of the total */
    /* The standard deviation of the total between runs, as a share of it, if it is significantly
       larger on one side; else 0.  */
    double unequal_spreads[SIDES];
    const struct compared
        *largest; /* the function with the most samples that was tested, or NULL */
    struct visibility total_visibility, largest_visibility;
};

struct comparison {
    const struct snapshot *snapshots[SIDES];
    size_t measure_count; /* MEASURES, or 1: own times alone */
    struct compared_measure measures[MEASURES];
    /* Functions of both sides, those that changed most first; then new ones; then those that are
       gone; then the total: of inclusive times, that is all stacks.  */
    struct compared *rows;
    size_t row_count;
    size_t kinds[4]; /* rows by compared_kind */
    double alpha;    /* changes with a smaller p are significant */
    struct verdict verdict;
    const char **names[SIDES]; /* by function id: the name of its row */
    struct stack_pairs *paths; /* stacks of both sides; NULL: not made */
    size_t shown_count;        /* rows of the table */
    uint32_t *shown;           /* numbers of the rows that are shown */
    struct table table;
    struct arena arena; /* owns names and notes */
};

/* Sets TIME of one run, and its change, from samples of all runs.  */
static inline void compared_set_times(struct compared_time *time,
                                      const struct compared_measure *measure)
{
    for (enum side side = BEFORE; side < SIDES; side++)
        time->time[side] = time->samples[side] / measure->sides[side].exposure;
    time->change = time->time[AFTER] - time->time[BEFORE];
}

/* By how much in percent the value after is larger than that before; NaN if that is 0.  */
static inline double compared_growth(const double values[SIDES])
{
    return values[BEFORE] > 0 ? 100 * (values[AFTER] / values[BEFORE] - 1) : (double)NAN;
}

enum { COMPARED_CALLS_SIZE = 64, COMPARED_P_SIZE = 16 };

/* Writes the calls of ROW to TEXT of COMPARED_CALLS_SIZE bytes, as the call graph has them: those
   by others, `+' those by itself.  Returns TEXT.  */
static inline const char *compared_calls_text(char *text, const struct compared *row,
                                              enum side side)
{
    double self = row->self_calls[side];
    int length =
        self > 0 ? snprintf(text, COMPARED_CALLS_SIZE, "%.10g+", row->calls[side] - self) : 0;
    char *rest = text + length;
    size_t size = COMPARED_CALLS_SIZE - (size_t)length;
    if (self == 0 && row->calls[side] == floor(row->calls[side]))
        snprintf(rest, size, "%llu", (unsigned long long)row->whole_calls[side]);
    else
        snprintf(rest, size, "%.10g", self > 0 ? self : row->calls[side]);
    return text;
}

/* Writes `p = 0.0004', or `p < 1e-9', to TEXT of COMPARED_P_SIZE bytes.  Returns TEXT.  */
static inline const char *compared_p_text(char *text, double p)
{
    if (p < 1e-9)
        snprintf(text, COMPARED_P_SIZE, "p < 1e-9");
    else
        snprintf(text, COMPARED_P_SIZE, "p = %.2g", p);
    return text;
}

/* Whether ROW may have taken over what its gone callees did: they had most of what it grew by.  Or
   new callees have most of what it shrank by.  */
static inline bool compared_may_take_over(const struct compared *row)
{
    return row->gone_callees != NULL && 2 * row->gone_time >= fabs(row->times[OWN].change);
}

/* What orders changes of times: their size.  A change of an inclusive time changes those of all
   callers as much, which are larger and have larger errors: so it counts in errors or, without any,
   in square roots of the time, to which errors of samples are proportional.  With counted events, c
   from 50 to 100 is 50 / sqrt (150) = 4.1, and its caller from 150 to 200 is 2.7.  */
static inline double compared_weight(const struct compared *row, enum measure measure)
{
    const struct compared_time *time = &row->times[measure];
    if (measure == OWN || time->change == 0)
        return time->change;
    return time->change / (time->error > 0
                               ? time->error
                               : sqrt(fabs(time->time[BEFORE]) + fabs(time->time[AFTER])));
}

/* The unit of times, short.  */
static inline const char *compared_unit(const struct comparison *comparison)
{
    const struct snapshot_unit *unit = &comparison->snapshots[AFTER]->unit;
    return is_in_seconds(unit) ? "s" : unit->name;
}

/* Whether ROW, of both sides, is called more or less: if runs of a side disagree, by all of them.
   Without any calls on one side, those of the other have not changed: they were not recorded.  */
static inline bool compared_calls_differ(const struct comparison *comparison,
                                         const struct compared *row)
{
    if (comparison->snapshots[BEFORE]->totals.calls == 0 ||
        comparison->snapshots[AFTER]->totals.calls == 0)
        return false;
    if (row->has_varying_calls)
        return row->run_calls[BEFORE].highest < row->run_calls[AFTER].lowest ||
               row->run_calls[AFTER].highest < row->run_calls[BEFORE].lowest;
    return row->calls[BEFORE] != row->calls[AFTER];
}

/* The row of all functions together, which is the last.  */
static inline const struct compared *compared_total(const struct comparison *comparison)
{
    return &comparison->rows[comparison->row_count - 1];
}

static inline const struct chance_traits *compared_chance(const struct comparison *comparison,
                                                          enum measure measure)
{
    return chance_traits(comparison->measures[measure].chance);
}

/* Whether the time of ROW has changed: significantly, or, where nothing can be tested, by a
   hundredth of all time.  */
static inline bool compared_has_changed(const struct comparison *comparison,
                                        const struct compared *row, enum measure measure)
{
    const double least = 0.01;
    const struct compared_time *time = &row->times[measure];
    const double *all = compared_total(comparison)->times[measure].time;
    return comparison->measures[measure].chance == CHANCE_UNSTATED
               ? fabs(time->change) > least * fmax(all[BEFORE], all[AFTER])
               : time->p < comparison->alpha;
}

#endif
