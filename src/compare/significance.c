/* significance.c - which changes between two sets of runs are more than chance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/significance.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"

/* ---- Constants ---- */

static const double pi = 3.14159265358979323846;

/* ---- Binomial distribution ---- */

/* The probability of K + 1 successes among N events, divided by that of K.  */
static double next_ratio(double k, double n, double odds)
{
    return (n - k) / (k + 1) * odds;
}

/* The sum of those probabilities of 0 to N successes that are at most LIMIT, in units of the
   probability of MODE successes.  Starts at MODE, the most probable number, so it needs no
   factorial, and only terms that are too small to change the sum underflow.  */
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

/* The probability of K successes, divided by that of MODE successes.  */
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
    const double rounding = 1 + 1e-7; /* results for equal probabilities differ by less */
    double events = (double)n, odds = share / (1 - share);
    double mode = (double)(uint64_t)((events + 1) * share);
    if (mode > events)
        mode = events;
    double limit = weight_of((double)k, mode, events, odds) * rounding;
    return sum_below(mode, events, odds, limit) / sum_below(mode, events, odds, DBL_MAX);
}

/* ---- Normal distribution ---- */

double normal_tail(double z)
{
    return erfc(z / sqrt(2)) / 2;
}

/* ---- Student's distribution ---- */

/* For whole DEGREES, with A = atan (T / sqrt (DEGREES)), the probability of values from -T to T is
   the sum of the first terms of a series in cos A, and that of all others the sum of the remaining
   terms.  */
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
    double inside = scale * (sine * sum + (is_odd ? atan(t / sqrt(degrees)) : 0));
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

/* ---- Correction for several tests ---- */

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

/* ---- Limits ---- */

static const double least_samples = 25;    /* of a function that is tested */
static const double most_for_exact = 1000; /* samples of both sides */
static const double power = 0.8;

/* ---- Dispersion ---- */

static void add_functions(struct dispersion *dispersion, const struct comparison_side *side)
{
    for (size_t id = 0; id < side->snapshot->function_count; id++) {
        struct snapshot_function function;
        side->snapshot->function(side->snapshot, id, &function);
        if (function.runs > 1 && function.samples >= least_samples && function.mean > 0 &&
            isfinite(function.variance))
            dispersion_add(dispersion, function.mean, function.variance, (double)function.runs);
    }
}

/* Adds the samples of whole profiles, which may vary more than those of functions, since functions
   vary together.  */
static void add_totals(struct dispersion *dispersion, const struct comparison_side *side)
{
    double count = (double)side->snapshot->input_count, sum = 0, squares = 0;
    for (size_t i = 0; i < side->snapshot->input_count; i++) {
        struct snapshot_input input;
        side->snapshot->input(side->snapshot, i, &input);
        sum += (double)input.samples;
        squares += (double)input.samples * (double)input.samples;
    }
    if (count > 1 && sum > 0)
        dispersion_add(dispersion, sum / count, (squares - sum * sum / count) / (count - 1), count);
}

/* A dispersion, and the degrees of freedom of its estimate.  */
struct spread_between {
    double factor, degrees;
};

static struct spread_between spread_of(const struct dispersion *dispersion)
{
    return (struct spread_between){dispersion_factor(dispersion),
                                   dispersion->degrees > 0 ? dispersion->degrees : NORMAL};
}

/* The larger of A and B: of functions and of whole profiles.  So one run that is slow as a whole is
   not a change.  */
static struct spread_between larger_spread(struct spread_between a, struct spread_between b)
{
    return a.factor > b.factor ? a : b;
}

/* ---- Tests ---- */

static double exact_p(const double samples[SIDES], double share)
{
    uint64_t before = (uint64_t)(samples[BEFORE] + 0.5), after = (uint64_t)(samples[AFTER] + 0.5);
    return binomial_p(after, before + after, share);
}

/* The probability that chance makes so large a difference: by the normal distribution, or by
   Student's where the spread is estimated; or by the exact test, if that gives a larger
   probability.  */
static double difference_p(const double samples[SIDES], double share, struct spread_between spread)
{
    double all = samples[BEFORE] + samples[AFTER];
    if (!(all > 0))
        return 1;
    double z = fabs(samples[AFTER] - all * share) / sqrt(spread.factor * all * share * (1 - share));
    double exact = all <= most_for_exact ? exact_p(samples, share) : 0;
    if (spread.degrees == NORMAL && all <= most_for_exact)
        return exact;
    double p = student_p(z, spread.degrees);
    return p > exact ? p : exact;
}

/* The standard errors of the times and of their difference.  */
static void set_errors(struct compared *row, const struct comparison *comparison, double factor)
{
    double e1 = comparison->sides[BEFORE].exposure, e2 = comparison->sides[AFTER].exposure;
    double before = sqrt(factor * row->samples[BEFORE]) / e1;
    row->after_error = sqrt(factor * row->samples[AFTER]) / e2;
    row->error = sqrt(before * before + row->after_error * row->after_error);
}

static bool is_tested(const struct compared *row)
{
    return row->kind == COMPARED_BOTH &&
           (row->samples[BEFORE] >= least_samples || row->samples[AFTER] >= least_samples);
}

static double share_after(const struct comparison *comparison)
{
    double e1 = comparison->sides[BEFORE].exposure, e2 = comparison->sides[AFTER].exposure;
    return e2 / (e1 + e2);
}

static double all_samples(const struct compared *row)
{
    return row->samples[BEFORE] + row->samples[AFTER];
}

/* Sets p of the functions.  */
static void judge_functions(struct comparison *comparison, struct spread_between spread)
{
    double *p = mem_uninitialised(comparison->row_count, sizeof *p);
    size_t count = 0;
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        row->p = NAN;
        set_errors(row, comparison, spread.factor);
        if (!is_tested(row))
            continue;
        p[count++] = difference_p(row->samples, share_after(comparison), spread);
        if (comparison->largest == NULL || all_samples(row) > all_samples(comparison->largest))
            comparison->largest = row;
    }
    holm_adjust(p, count);
    comparison->tested_count = count;
    count = 0;
    for (size_t i = 0; i < comparison->row_count; i++)
        if (is_tested(&comparison->rows[i]))
            comparison->rows[i].p = p[count++];
    free(p);
}

/* ---- Visibility ---- */

/* With N samples before and R times the exposure after, a growth of D makes the expected deviate
   sqrt (N R) D / sqrt (F (1 + R + R D)), where F is the dispersion.  It must be DEVIATE.  */
static double needed_samples(double deviate, double factor, double r, double d)
{
    return deviate * deviate * factor * (1 + r + r * d) / (r * d * d);
}

static double visible_growth(double deviate, double factor, double r, double n)
{
    double k = deviate * deviate * factor;
    return (k * r + sqrt(k * r * k * r + 4 * n * r * k * (1 + r))) / (2 * n * r);
}

static struct visibility visibility_of(const struct comparison *comparison,
                                       const double samples[SIDES], struct spread_between spread,
                                       double alpha)
{
    double e1 = comparison->sides[BEFORE].exposure, e2 = comparison->sides[AFTER].exposure;
    double n = (samples[BEFORE] + samples[AFTER]) * e1 / (e1 + e2), r = e2 / e1;
    double deviate =
        student_quantile(alpha, spread.degrees) + student_quantile(2 * (1 - power), NORMAL);
    return (struct visibility){.percent = n > 0 ? 100 * visible_growth(deviate, spread.factor, r, n)
                                                : (double)INFINITY,
                               .samples = n,
                               .need_5 = needed_samples(deviate, spread.factor, r, 0.05),
                               .need_10 = needed_samples(deviate, spread.factor, r, 0.10),
                               .need_20 = needed_samples(deviate, spread.factor, r, 0.20)};
}

/* ---- The interface ---- */

void significance_judge(struct comparison *comparison, double alpha)
{
    struct dispersion functions = {0}, totals = {0};
    struct compared *total = &comparison->rows[comparison->row_count - 1];
    for (enum side side = BEFORE; side < SIDES; side++) {
        add_functions(&functions, &comparison->sides[side]);
        add_totals(&totals, &comparison->sides[side]);
    }
    struct spread_between spread = spread_of(&functions);
    struct spread_between total_spread = larger_spread(spread_of(&totals), spread);
    comparison->dispersion = spread.factor;
    comparison->total_dispersion = total_spread.factor;
    judge_functions(comparison, spread);
    set_errors(total, comparison, total_spread.factor);
    if (isfinite(all_samples(total)))
        total->p = difference_p(total->samples, share_after(comparison), total_spread);
    comparison->total_visibility = visibility_of(comparison, total->samples, total_spread, alpha);
    if (comparison->largest != NULL)
        comparison->largest_visibility =
            visibility_of(comparison, comparison->largest->samples, spread,
                          alpha / (double)comparison->tested_count);
}
