/* significance.h - which changes between two sets of runs are more than chance.

   Samples of a function are counts.  Under the hypothesis that nothing has changed, each sample of
   a function falls into either side with the probability of that side's share of the exposure (runs
   times rate): a binomial test, exact up to 1,000 samples.  Where a side has several runs, their
   spread shows by which factor counts vary more than by chance; it is pooled over functions, and
   divides the square of the normal deviate.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_SIGNIFICANCE_H
#define REGPROF_COMPARE_SIGNIFICANCE_H

#include "model/comparison.h"

/* Sets the dispersion, and error, p and visibility of all rows with samples.  Functions are tested
   if they have 25 samples or more on either side, and their p is corrected for their number; the
   total is a test of its own.  ALPHA is the probability below which a change is seen.  */
void significance_judge(struct comparison *comparison, double alpha);

#endif
