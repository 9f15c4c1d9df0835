/* spread.h - how much more the samples of functions vary between runs than by chance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_SPREAD_H
#define REGPROF_COMPARE_SPREAD_H

#include <stddef.h>

/* What the runs of a side show of a function.  */
struct run_spread {
    double degrees; /* of freedom: profiles - 1; 0: nothing is known */
    double ratio;   /* the variance of the samples of a profile, divided by their mean */
    double mean;    /* samples in a run */
};

/* The model of a side.  Beside chance, the times of a function differ between runs by a share whose
   square is the same for all functions, `square': so the samples of a function that has M in a run
   vary by the factor 1 + square M more than by chance.  That is the trend.  The factors of single
   functions are distributed about it like a spread that was measured with `degrees' degrees of
   freedom: few if functions differ, many if all follow the trend.  */
struct spread_trend {
    double square, degrees;
    double all_degrees; /* of freedom, of all functions */
    size_t count;       /* functions among which one is no exception if it varies as it may by
                           chance in one of so many */
};

/* The trend under which what COUNT functions show is most probable.  Takes linear time.  */
struct spread_trend spread_fit(const struct run_spread *functions, size_t count);

/* The share, 0 to 1, of its degrees of freedom with which TREND counts for FUNCTION, which is one
   of those that it was found from: less than 1 if that is an exception.  */
double spread_prior(const struct spread_trend *trend, const struct run_spread *function);

/* By how much FUNCTION varies more than TREND says, and the degrees of freedom with which that is
   known: its own spread, moved towards the trend, as far as the others are alike, and as it is no
   exception: SHARE, of spread_prior.  It has degrees of freedom of its own.  A function with 4 and
   the chi-squared 12, 3 times the trend, among others with 8: (8 + 12) / (8 + 4) = 1.67, with 12.
 */
double spread_factor(const struct spread_trend *trend, const struct run_spread *function,
                     double share, double *degrees);

#endif
