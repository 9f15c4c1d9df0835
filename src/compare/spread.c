/* spread.c - how much more the samples of functions vary between runs than by chance.

   The method is that of tests with few measurements of many things: estimates of a variance are
   scaled chi-squared variables, and their scales are drawn from a scaled inverse chi-squared
   distribution, whose parameters are found from all of them (empirical Bayes).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/spread.h"

#include <math.h>

#include "base/common.h"
#include "compare/distributions.h"

/* Pearson's chi-squared of FUNCTION, if the trend is SQUARE: degrees ratio / (1 + square mean).
   Five runs with 400 samples each that vary 3 times as much as by chance: 4 x 3 = 12 without a
   trend, and 2.4 if times vary by 10 % (square 0.01).  */
static double chi_squared(const struct run_spread *function, double square)
{
    return function->degrees * function->ratio / (1 + square * function->mean);
}

/* ---- The most probable trend ---- */

/* The logarithm of the probability of what FUNCTIONS show, if the trend is SQUARE and the spreads
   have DEGREES D about it, less a constant.  Of a function with d degrees of its own and the
   chi-squared X, the density is that of F: with T = 1 + square mean,

       T^(-d/2) gamma ((d + D) / 2) / gamma (D / 2) (2 / D)^(d/2) (1 + X / D)^(-(d + D)/2)

   and if spreads follow the trend (D = INFINITY), T^(-d/2) exp (-X / 2).  */
static double log_probability(const struct run_spread *functions, size_t count, double square,
                              double degrees)
{
    double sum = 0, last = -1, constant = 0;
    for (size_t i = 0; i < count; i++) {
        double own = functions[i].degrees, chi2 = chi_squared(&functions[i], square);
        if (own != last && isfinite(degrees)) {
            constant =
                lgamma((own + degrees) / 2) - lgamma(degrees / 2) - own / 2 * log(degrees / 2);
            last = own;
        }
        sum -= own / 2 * log(1 + square * functions[i].mean);
        sum +=
            isfinite(degrees) ? constant - (own + degrees) / 2 * log1p(chi2 / degrees) : -chi2 / 2;
    }
    return sum;
}

/* The most probable trend within a factor of 2 from SQUARE, by bisection with the golden ratio.  */
static double refined(const struct run_spread *functions, size_t count, double square,
                      double degrees)
{
    const double golden = 0.6180339887498949;
    double low = -1, high = 1; /* logarithms to the base 2 */
    for (int i = 0; i < 20; i++) {
        double left = high - golden * (high - low), right = low + golden * (high - low);
        if (log_probability(functions, count, square * exp2(left), degrees) <
            log_probability(functions, count, square * exp2(right), degrees))
            low = left;
        else
            high = right;
    }
    return square * exp2((low + high) / 2);
}

struct spread_trend spread_fit(const struct run_spread *functions, size_t count)
{
    enum { FIRST = -6, LAST = 14 }; /* powers of 2: the trend of the function with most samples */
    static const double degrees[] = {1, 2, 4, 8, 16, 32, 64, 128, (double)INFINITY};
    struct spread_trend best = {.count = count};
    double mean = 0, most = -(double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        best.all_degrees += functions[i].degrees;
        mean = fmax(mean, functions[i].mean);
    }
    if (!(mean > 0))
        return best;
    for (int power = FIRST - 1; power <= LAST; power++)
        for (size_t i = 0; i < ARRAY_LENGTH(degrees); i++) {
            double square = power < FIRST ? 0 : exp2(power) / mean;
            double found = log_probability(functions, count, square, degrees[i]);
            if (found > most) {
                most = found;
                best.square = square;
                best.degrees = degrees[i];
            }
        }
    if (best.square > 0)
        best.square = refined(functions, count, best.square, best.degrees);
    return best;
}

/* ---- One function ---- */

static double prior_degrees(const struct spread_trend *trend, const struct run_spread *function)
{
    double others = trend->all_degrees - function->degrees;
    double prior = trend->degrees < others ? trend->degrees : others;
    return prior > 0 ? prior : 0;
}

double spread_prior(const struct spread_trend *trend, const struct run_spread *function)
{
    double own = function->degrees, prior = prior_degrees(trend, function);
    if (!(own > 0) || !(prior > 0))
        return 1;
    double chi2 = chi_squared(function, trend->square);
    double as_large = (double)trend->count * f_tail(chi2 / own, own, prior);
    return as_large < 1 ? as_large : 1;
}

double spread_factor(const struct spread_trend *trend, const struct run_spread *function,
                     double share, double *degrees)
{
    double own = function->degrees, chi2 = chi_squared(function, trend->square);
    double prior = share * prior_degrees(trend, function);
    *degrees = prior + own;
    return (prior + chi2) / (prior + own);
}
