/* distributions.c - probabilities of tests: binomial, normal, Student's and F.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/distributions.h"

#include <float.h>
#include <math.h>

/* ---- The incomplete beta function ---- */

static double away_from_zero(double x)
{
    return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* The continued fraction of the incomplete beta function, by Lentz's method, which needs about the
   square root of A or B steps if X is below the mean, A / (A + B).  */
static double beta_fraction(double a, double b, double x)
{
    enum { MOST_STEPS = 1000000 };
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
    for (int i = 1; i <= MOST_STEPS; i++) {
        double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= c * d;
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= c * d;
        if (!(fabs(c * d - 1) >= DBL_EPSILON)) /* also if it is not a number */
            break;
    }
    return value;
}

/* The probability that a variable with the beta distribution A, B is below X; Y is 1 - X.  */
static double beta_below(double a, double b, double x, double y)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double density = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return density * beta_fraction(a, b, x) / a;
    return 1 - density * beta_fraction(b, a, y) / b;
}

/* ---- The distributions ---- */

double binomial_p(uint64_t k, uint64_t n, double share)
{
    double successes = (double)k, failures = (double)n - successes;
    double at_least = k > 0 ? beta_below(successes, failures + 1, share, 1 - share) : 1;
    double at_most = k < n ? beta_below(failures, successes + 1, 1 - share, share) : 1;
    double p = 2 * (at_least < at_most ? at_least : at_most);
    return p < 1 ? p : 1;
}

double normal_tail(double z)
{
    return erfc(z / sqrt(2)) / 2;
}

double student_p(double t, double degrees)
{
    const double many = 10000;
    double sum = degrees + t * t;
    if (degrees < many)
        return beta_below(degrees / 2, 0.5, degrees / sum, t * t / sum);
    return 2 * normal_tail(t * (1 - 1 / (4 * degrees)) / sqrt(1 + t * t / (2 * degrees)));
}

double student_quantile(double p, double degrees)
{
    double low = 0, high = 1;
    while (student_p(high, degrees) > p)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (student_p(middle, degrees) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double f_tail(double x, double degrees, double other_degrees)
{
    double sum = other_degrees + degrees * x;
    return beta_below(other_degrees / 2, degrees / 2, other_degrees / sum, degrees * x / sum);
}
