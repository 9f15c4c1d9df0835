/* significance.c - which changes between two sets of runs are more than chance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/significance.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compare/statistics.h"

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

/* The samples of whole profiles, which may vary more, since functions vary together.  */
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

/* By which factor counts vary, and how sure that is.  */
struct spread_between {
    double factor, degrees;
};

static struct spread_between spread_of(const struct dispersion *dispersion)
{
    return (struct spread_between){dispersion_factor(dispersion),
                                   dispersion->degrees > 0 ? dispersion->degrees : NORMAL};
}

/* The larger of both factors, so that one run that is slow as a whole is not a change.  */
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

/* The probability that chance makes so large a difference.  The normal distribution, or Student's
   where the spread is estimated, is replaced by the exact one where that is less sure.  */
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

/* Tests the functions.  */
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

/* ---- All ---- */

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
