/* significance.h - which changes between two sets of runs are more than chance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_SIGNIFICANCE_H
#define REGPROF_COMPARE_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/spread.h"
#include "model/comparison.h"

/* Holm's correction of the COUNT probabilities at P, so that the probability of one wrong result or
   more in all tests is no larger than in a single test.  */
void holm_adjust(double *p, size_t count);

/* Samples of a function are counts.  If nothing has changed, each sample of a function falls into
   either side with the probability of that side's share of the exposure (runs times rate): an exact
   binomial test.  Where a side has several profiles, their spread shows how much more times differ
   between runs than by chance: of a function (spread.h), and of whole runs, in which functions are
   slower or faster together.  Each gives a test of Welch's, in which the runs of each side have
   their own spread, and the largest p of all three holds.

   Functions are tested if 25 samples or more are expected on both sides under the hypothesis: that
   depends on the sum of their samples, which says nothing about the difference.  Their p is
   corrected for their number, by Holm's method, which is right however the tests depend on each
   other: inclusive times of callers and their callees are almost the same.  The total is tested
   without a correction: functions that seem slower, and a total that does, have half of ALPHA each,
   since the other half is for those that seem faster.  */

/* What varies beside chance on a side.  Times of runs have the relative variance `square', and all
   of that and of chance is multiplied by `factor'.  This is known with `degrees' of freedom.  */
struct side_model {
    double factor, square, degrees;
};

/* What varies beside chance on both sides, each from its own runs (but chance is the least that
   both together can vary by).  If only one side shows how runs vary, the other one is taken to vary
   as much.  */
struct error_model {
    struct side_model sides[SIDES];
    bool is_of_one;    /* both are what one side shows */
    bool knows_chance; /* what chance adds is known; only the rest is an estimate */
};

/* The models of which each must say that a change is more than chance; none: chance alone.  */
struct error_models {
    struct error_model models[2];
    size_t count;
};

/* What a comparison shows of spreads between runs.  */
struct significance {
    struct spread_trend trends[SIDES];
    struct error_models whole_runs;
};

/* Sets error, p, dispersions and visibility of the times of all rows in this MEASURE.  The trend of
   spreads is that of these times, or, as they must be independent, of those in APART, by row, if it
   is not NULL.  */
struct significance significance_judge(struct comparison *comparison, enum measure measure,
                                       const struct compared_time *apart);

/* The p of TIME, of no row of COMPARISON, but with samples, variances and times like those of
   MEASURE; not corrected.  */
double significance_p(const struct significance *significance, const struct comparison *comparison,
                      enum measure measure, const struct compared_time *time);

/* Whether a function of both sides with so many SAMPLES is tested.  */
bool significance_has_enough(const double samples[SIDES], const struct compared_measure *measure);

#endif
