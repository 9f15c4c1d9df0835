/* significance.h - which changes between two sets of runs are more than chance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_SIGNIFICANCE_H
#define REGPROF_COMPARE_SIGNIFICANCE_H

#include <stddef.h>
#include <stdint.h>

#include "model/comparison.h"

/* ---- Statistics ---- */

/* The exact two-sided binomial test: the probability that of N events, each of which is a success
   with the probability SHARE (in (0, 1)), a number is a success that is no more probable than
   K.  Takes linear time in N.  */
double binomial_p(uint64_t k, uint64_t n, double share);

/* The probability that a standard normal variable is above Z, which is not negative.  */
double normal_tail(double z);

/* The probability that a variable with Student's distribution is further from 0 than T, for DEGREES
   of freedom (1 or more; from 1,000 on an approximation).  */
double student_p(double t, double degrees);

/* The T for which student_p (T, DEGREES) is P, in (0, 1); for the normal distribution, DEGREES is
   NORMAL.  */
#define NORMAL 1e15
double student_quantile(double p, double degrees);

/* Holm's correction of the COUNT probabilities at P, so that the probability of one wrong result or
   more in all tests is no larger than in a single test.  */
void holm_adjust(double *p, size_t count);

/* The dispersion of counts: how much more they vary between runs than counts of independent events
   would.  Start with a zeroed struct.  */
struct dispersion {
    double chi2, degrees;
};

/* Adds the counts of RUNS runs (2 or more) with this MEAN (above 0) and VARIANCE (with the divisor
   RUNS - 1).  */
void dispersion_add(struct dispersion *dispersion, double mean, double variance, double runs);

/* Pearson's chi-squared divided by its degrees of freedom; 1 if that is less or not known.  */
double dispersion_factor(const struct dispersion *dispersion);

/* ---- Judgement ---- */

/* Samples of a function are counts.  Under the hypothesis that nothing has changed, each sample of
   a function falls into either side with the probability of that side's share of the exposure (runs
   times rate): a binomial test, exact up to 1,000 samples.  Where a side has several runs, their
   spread shows by which factor counts vary more than by chance; it is pooled over functions, and
   divides the square of the normal deviate.  */

/* Sets the dispersion, and error, p and visibility of all rows with samples.  Functions are tested
   if they have 25 samples or more on either side, and their p is corrected for their number; the
   total is tested without a correction.  ALPHA is the probability below which a change is seen.  */
void significance_judge(struct comparison *comparison, double alpha);

#endif
