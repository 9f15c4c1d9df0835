/* statistics.c - tests and distributions for the comparison of profiles.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/statistics.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/sort.h"

static const double pi = 3.14159265358979323846;

/* ---- Binomial distribution ---- */

/* How often K of N events succeed, by how often the next number does.  */
static double next_ratio(double k, double n, double odds)
{
    return (n - k) / (k + 1) * odds;
}

/* The sum of the probabilities of 0 to N successes, as far as they are not above LIMIT, in units of
   the probability of MODE.  Starting there, no factorial is needed, and what underflows is nothing
   beside the rest.  */
static double sum_below(double mode, double n, double odds, double limit)
{
    const uint64_t start = (uint64_t)mode, end = (uint64_t)n;
    double sum = 1 <= limit ? 1 : 0, weight = 1;
    for (uint64_t k = start; k < end && weight > 0; k++) {
        weight *= next_ratio((double)k, n, odds);
        sum += weight <= limit ? weight : 0;
    }
    weight = 1;
    for (uint64_t k = start; k > 0 && weight > 0; k--) {
        weight /= next_ratio((double)(k - 1), n, odds);
        sum += weight <= limit ? weight : 0;
    }
    return sum;
}

/* The probability of K successes in the same unit.  */
static double weight_of(double k, double mode, double n, double odds)
{
    double weight = 1;
    const uint64_t start = (uint64_t)mode, end = (uint64_t)k;
    for (uint64_t i = start; i < end; i++)
        weight *= next_ratio((double)i, n, odds);
    for (uint64_t i = start; i > end; i--)
        weight /= next_ratio((double)(i - 1), n, odds);
    return weight;
}

double binomial_p(uint64_t k, uint64_t n, double share)
{
    const double rounding = 1 + 1e-7; /* numbers that are equally probable differ by less */
    double events = (double)n, odds = share / (1 - share);
    double mode = (double)(uint64_t)((events + 1) * share);
    if (mode > events)
        mode = events;
    double limit = weight_of((double)k, mode, events, odds) * rounding;
    return sum_below(mode, events, odds, limit) / sum_below(mode, events, odds, DBL_MAX);
}

/* ---- Normal distribution ---- */

/* e to the power of -X, for X from 0 to 700: that of what is left after subtracting a multiple of
   log 2, by its power series, times a power of 2.  */
static double exp_negative(double x)
{
    const double log2_high = 6.93147180369123816490e-01, log2_low = 1.90821492927058770002e-10;
    int power = (int)(x / log2_high);
    double rest = (x - power * log2_high) - power * log2_low, sum = 1;
    for (int i = 22; i > 0; i--)
        sum = 1 - rest / i * sum;
    return ldexp(sum, -power);
}

double normal_tail(double z)
{
    const double middle = 3, most = 37; /* beyond which the tail is 0 for a double */
    if (z > most)
        return 0;
    double density = exp_negative(z * z / 2) / sqrt(2 * pi);
    if (z < middle) { /* the power series of the part between 0 and Z */
        double term = z, sum = 0;
        for (int i = 3; sum + term > sum; i += 2) {
            sum += term;
            term *= z * z / i;
        }
        return 0.5 - density * sum;
    }
    double fraction = z; /* the continued fraction of the tail */
    for (int i = 100; i > 0; i--)
        fraction = z + i / fraction;
    return density / fraction;
}

/* ---- Student's distribution ---- */

/* By halving the angle three times, and a power series.  X is not negative.  */
static double arc_tangent(double x)
{
    double factor = 1, sum = 0;
    for (int i = 0; i < 3; i++, factor *= 2)
        x /= 1 + sqrt(1 + x * x);
    for (int i = 31; i > 0; i -= 2)
        sum = 1.0 / i - x * x * sum;
    return factor * x * sum;
}

/* For whole DEGREES, with A = atan (T / sqrt (DEGREES)), the probability inside of T is the sum of
   the first terms of a series in cos A, and that outside the sum of the others.  */
static double student_by_series(double t, unsigned degrees)
{
    bool is_odd = degrees % 2 != 0;
    double square = degrees / (degrees + t * t), sine = sqrt(t * t / (degrees + t * t));
    double term = is_odd ? sqrt(square) : 1, sum = 0, scale = is_odd ? 2 / pi : 1;
    unsigned i = 0;
    for (; i < degrees / 2; i++) {
        sum += term;
        term *= square * (2.0 * i + 1 + is_odd) / (2.0 * i + 2 + is_odd);
    }
    double inside = scale * (sine * sum + (is_odd ? arc_tangent(t / sqrt(degrees)) : 0));
    if (inside < 0.999)
        return 1 - inside;
    for (sum = 0; sum + term > sum; i++) {
        sum += term;
        term *= square * (2.0 * i + 1 + is_odd) / (2.0 * i + 2 + is_odd);
    }
    return scale * sine * sum;
}

double student_p(double t, double degrees)
{
    const double many = 1000;
    if (degrees < many)
        return student_by_series(t, (unsigned)degrees);
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

/* ---- Several tests ---- */

static int compare_ascending(const void *context, uint32_t a, uint32_t b)
{
    const double *p = context;
    return p[a] < p[b] ? -1 : p[a] > p[b] ? 1 : 0;
}

void holm_adjust(double *p, size_t count)
{
    uint32_t *order = identity_ids(count);
    double least = 0;
    sort_ids(order, count, compare_ascending, p);
    for (size_t i = 0; i < count; i++) {
        double adjusted = p[order[i]] * (double)(count - i);
        if (adjusted > least)
            least = adjusted < 1 ? adjusted : 1;
        p[order[i]] = least;
    }
    free(order);
}

/* ---- Dispersion ---- */

void dispersion_add(struct dispersion *dispersion, double mean, double variance, double runs)
{
    dispersion->chi2 += (runs - 1) * variance / mean;
    dispersion->degrees += runs - 1;
}

double dispersion_factor(const struct dispersion *dispersion)
{
    double factor = dispersion->degrees > 0 ? dispersion->chi2 / dispersion->degrees : 1;
    return factor > 1 ? factor : 1;
}
