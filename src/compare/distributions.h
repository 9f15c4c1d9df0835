/* distributions.h - probabilities of tests: binomial, normal, Student's and F.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_DISTRIBUTIONS_H
#define REGPROF_COMPARE_DISTRIBUTIONS_H

#include <stdint.h>

/* The exact binomial test of N events, each of which is a success with the probability SHARE (in
   (0, 1)): twice the probability of K successes or more, or of K or fewer, whichever is smaller; at
   most 1.  So each direction has half of the errors, also if SHARE is not 1/2.  */
double binomial_p(uint64_t k, uint64_t n, double share);

/* The probability that a standard normal variable is above Z, which is not negative.  */
double normal_tail(double z);

/* Degrees of freedom of the normal distribution, as those of Student's.  */
#define NORMAL 1e15

/* The probability that a variable with Student's distribution is further from 0 than T, for DEGREES
   of freedom (above 0; from 10,000 on an approximation).  */
double student_p(double t, double degrees);

/* The T for which student_p (T, DEGREES) is P, in (0, 1).  */
double student_quantile(double p, double degrees);

/* The probability that a variable with the F distribution, of these degrees of freedom (above 0),
   is above X, which is not negative.  */
double f_tail(double x, double degrees, double other_degrees);

#endif
