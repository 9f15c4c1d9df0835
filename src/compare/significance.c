/* significance.c - which changes between two sets of runs are more than chance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/significance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "compare/distributions.h"
#include "compare/spread.h"

static const double least_samples = 25;   /* expected on a side, of a function that is tested */
static const double most_for_exact = 1e6; /* samples of both sides */
static const double power = 0.8;

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

/* ---- Models of the error ---- */

static const struct error_model chance_alone = {1, 0, NORMAL};

/* By how much more than by chance the SAMPLES of a run vary.  */
static double dispersion_of(const struct error_model *model, double samples)
{
    double dispersion = model->factor * (1 + model->square * samples);
    return dispersion > 1 ? dispersion : 1;
}

/* The variance of the difference of TIMES, if both sides expect the same: by chance, with the mean
   of all samples; beside chance, with the mean of the times, or else a slow run of the side with
   fewer would make the error small.  */
static double variance_if_equal(const struct error_model *model,
                                const struct comparison *comparison, const double times[SIDES])
{
    const struct comparison_side *before = &comparison->sides[BEFORE],
                                 *after = &comparison->sides[AFTER];
    double all = times[BEFORE] * before->exposure + times[AFTER] * after->exposure;
    double chance = all / before->exposure / after->exposure;
    double mean = (times[BEFORE] + times[AFTER]) / 2;
    double beside = model->square * mean * mean * (1 / before->runs + 1 / after->runs);
    double variance = model->factor * (chance + beside);
    return variance > chance ? variance : chance;
}

/* The variance of TIME on SIDE.  */
static double variance_of(const struct error_model *model, const struct comparison_side *side,
                          double time)
{
    return dispersion_of(model, time * side->exposure / side->runs) * time / side->exposure;
}

/* The model with the larger error of ROW.  */
static struct error_model largest_model(const struct error_models *models,
                                        const struct comparison *comparison,
                                        const struct compared *row)
{
    struct error_model largest = chance_alone;
    for (size_t i = 0; i < models->count; i++)
        if (variance_if_equal(&models->models[i], comparison, row->time) >
            variance_if_equal(&largest, comparison, row->time))
            largest = models->models[i];
    return largest;
}

/* ---- What runs show ---- */

/* How the samples of ROW vary between the profiles of SIDE.  */
static struct run_spread spread_of_row(const struct compared *row,
                                       const struct comparison *comparison, enum side side)
{
    double profiles = comparison->sides[side].profiles;
    double mean = row->samples[side] / profiles;
    if (profiles < 2 || !(mean > 0) || !(row->variance[side] >= 0) ||
        !isfinite(profiles * row->variance[side] / mean))
        return (struct run_spread){0};
    return (struct run_spread){profiles - 1, row->variance[side] / mean,
                               row->samples[side] / comparison->sides[side].runs};
}

/* The model of whole runs, from their own spread.  */
static struct error_models models_of_total(const struct compared *total,
                                           const struct comparison *comparison)
{
    double chi2 = 0, degrees = 0, means = 0;
    for (enum side side = BEFORE; side < SIDES; side++) {
        struct run_spread spread = spread_of_row(total, comparison, side);
        chi2 += spread.degrees * spread.ratio;
        means += spread.degrees * spread.mean;
        degrees += spread.degrees;
    }
    if (!(degrees > 0))
        return (struct error_models){.count = 0};
    double square = chi2 > degrees ? (chi2 - degrees) / means : 0;
    return (struct error_models){{{1, square, degrees}}, 1};
}

/* The model that ROW varies as whole runs do.  What chance adds is known, so this has more degrees
   of freedom than WHOLE_RUNS if that is much of it.  */
static struct error_model shared_model(const struct error_model *whole_runs,
                                       const struct comparison *comparison,
                                       const struct compared *row)
{
    struct error_model model = *whole_runs;
    double all = variance_if_equal(&model, comparison, row->time);
    double beside = all - variance_if_equal(&chance_alone, comparison, row->time);
    model.degrees = beside > 0 ? model.degrees * all / beside : NORMAL;
    return model;
}

/* ---- Tests ---- */

/* The probability that chance makes so large a difference.  */
static double difference_p(const struct compared *row, const struct comparison *comparison,
                           const struct error_models *models)
{
    double e1 = comparison->sides[BEFORE].exposure, e2 = comparison->sides[AFTER].exposure;
    double all = row->samples[BEFORE] + row->samples[AFTER], change = fabs(row->change), p;
    if (!(all > 0))
        return 1;
    if (all <= most_for_exact) {
        uint64_t before = (uint64_t)(row->samples[BEFORE] + 0.5);
        uint64_t after = (uint64_t)(row->samples[AFTER] + 0.5);
        p = binomial_p(after, before + after, e2 / (e1 + e2));
    } else
        p = student_p(change / sqrt(variance_if_equal(&chance_alone, comparison, row->time)),
                      NORMAL);
    for (size_t i = 0; i < models->count; i++) {
        const struct error_model *model = &models->models[i];
        double error = sqrt(variance_if_equal(model, comparison, row->time));
        double by_model = student_p(change / error, model->degrees);
        p = by_model > p ? by_model : p;
    }
    return p;
}

/* The standard errors of the times and of their difference.  */
static void set_errors(struct compared *row, const struct comparison *comparison,
                       const struct error_model *model)
{
    double before = variance_of(model, &comparison->sides[BEFORE], row->time[BEFORE]);
    double after = variance_of(model, &comparison->sides[AFTER], row->time[AFTER]);
    row->after_error = sqrt(after);
    row->error = sqrt(before + after);
}

/* ---- Visibility ---- */

/* What a growth needs to be seen in four of five comparisons, in standard errors.  */
struct deviates {
    double threshold; /* of the test */
    double beyond;    /* of the normal distribution: that far above, four of five are seen */
};

/* The growth of ROW's time in the base, less the growth that is seen, where growth by GROWTH is
   expected and N times as many runs are made.  By MODEL, whose estimate of the error varies, too;
   an exact test adds one sample to the threshold, half of it because counts are whole, and half
   because few counts have exactly the p that is wanted.  */
static double excess(const struct error_model *model, const struct comparison *comparison,
                     double time, double growth, double n, const struct deviates *deviates)
{
    double e1 = comparison->sides[BEFORE].exposure, e2 = comparison->sides[AFTER].exposure;
    const double times[SIDES] = {time, time * (1 + growth)};
    double variance = variance_if_equal(model, comparison, times) / n;
    double spread = (variance_of(model, &comparison->sides[BEFORE], times[BEFORE]) +
                     variance_of(model, &comparison->sides[AFTER], times[AFTER])) /
                    n;
    double beside = 1 - variance_if_equal(&chance_alone, comparison, times) / n / variance;
    double t = deviates->threshold, v = model->degrees, seen = time * growth;
    double whole = v == NORMAL ? (e1 + e2) / (e1 * e2) / n : 0;
    double unsure = (variance * t * t + beside * seen * seen) / (2 * v);
    return seen - whole - t * sqrt(variance) * (1 - 1 / (4 * v)) -
           deviates->beyond * sqrt(spread + unsure);
}

static struct deviates deviates_of(const struct error_model *model, double alpha)
{
    return (struct deviates){student_quantile(alpha, model->degrees),
                             student_quantile(2 * (1 - power), NORMAL)};
}

/* The smallest growth that is seen by all of MODELS.  */
static double visible_growth(const struct error_model *models, size_t count,
                             const struct comparison *comparison, double time, double alpha)
{
    const double most = 1e6;
    double visible = 0;
    for (size_t i = 0; i < count; i++) {
        const struct deviates deviates = deviates_of(&models[i], alpha);
        double low = 0, high = most;
        for (int step = 0; step < 100; step++) {
            double middle = (low + high) / 2;
            if (excess(&models[i], comparison, time, middle, 1, &deviates) < 0)
                low = middle;
            else
                high = middle;
        }
        visible = high > visible ? high : visible;
    }
    return visible < most ? visible : (double)INFINITY;
}

/* How many times as many runs are needed until all of MODELS see GROWTH.  */
static double needed_runs(const struct error_model *models, size_t count,
                          const struct comparison *comparison, double time, double alpha,
                          double growth)
{
    double needed = 0;
    for (size_t i = 0; i < count; i++) {
        const struct deviates deviates = deviates_of(&models[i], alpha);
        double low = -100, high = 100; /* powers of 2 */
        for (int step = 0; step < 60; step++) {
            double middle = (low + high) / 2;
            if (excess(&models[i], comparison, time, growth, exp2(middle), &deviates) < 0)
                low = middle;
            else
                high = middle;
        }
        needed = exp2(high) > needed ? exp2(high) : needed;
    }
    return needed;
}

static struct visibility visibility_of(const struct comparison *comparison,
                                       const struct compared *row, const struct error_models *given,
                                       double alpha)
{
    struct error_model models[3] = {chance_alone};
    double e1 = comparison->sides[BEFORE].exposure, e2 = comparison->sides[AFTER].exposure;
    double n = (row->samples[BEFORE] + row->samples[AFTER]) * e1 / (e1 + e2);
    double time = (n > 0 ? n : 1) / e1, samples = time * e1; /* needs can be said without any */
    size_t count = 1;
    for (size_t i = 0; i < given->count; i++)
        models[count++] = given->models[i];
    return (struct visibility){
        .percent =
            n > 0 ? 100 * visible_growth(models, count, comparison, time, alpha) : (double)INFINITY,
        .samples = n,
        .need_5 = samples * needed_runs(models, count, comparison, time, alpha, 0.05),
        .need_10 = samples * needed_runs(models, count, comparison, time, alpha, 0.10),
        .need_20 = samples * needed_runs(models, count, comparison, time, alpha, 0.20)};
}

/* ---- Functions ---- */

bool significance_is_tested(const struct compared *row, const struct comparison *comparison)
{
    double e1 = comparison->sides[BEFORE].exposure, e2 = comparison->sides[AFTER].exposure;
    double all = row->samples[BEFORE] + row->samples[AFTER];
    return row->kind == COMPARED_BOTH && !comparison->is_spread_unknown &&
           all * fmin(e1, e2) / (e1 + e2) >= least_samples;
}

/* The functions that are tested, and those of them whose spread between runs is known.  */
struct tests {
    struct compared **rows;
    struct function_spread *spreads;
    size_t count, spread_count;
    struct spread_trend trend;
};

/* Lists the rows that are tested, and spreads of the same rows in SHOWN.  If these are not the rows
   themselves, what one shows is in others, too, but less of it, so that it is no exception there:
   each is taken by itself.  */
static void list_tests(struct tests *tests, const struct comparison *comparison,
                       const struct compared *shown)
{
    tests->rows = mem_uninitialised(comparison->row_count, sizeof(struct compared *));
    tests->spreads = mem_uninitialised(comparison->row_count, sizeof *tests->spreads);
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        if (!significance_is_tested(row, comparison))
            continue;
        struct function_spread spread;
        for (enum side side = BEFORE; side < SIDES; side++)
            spread.sides[side] = spread_of_row(&shown[i], comparison, side);
        tests->rows[tests->count++] = row;
        if (spread_degrees(&spread) > 0)
            tests->spreads[tests->spread_count++] = spread;
    }
    tests->trend = spread_fit(tests->spreads, tests->spread_count);
    if (shown != comparison->rows)
        tests->trend.count = 1;
}

static struct error_models models_of(const struct significance *significance,
                                     const struct comparison *comparison,
                                     const struct compared *row)
{
    const struct error_models *whole_runs = &significance->whole_runs;
    struct function_spread spread;
    struct error_models models = {.count = 0};
    for (enum side side = BEFORE; side < SIDES; side++)
        spread.sides[side] = spread_of_row(row, comparison, side);
    if (spread_degrees(&spread) > 0) {
        struct error_model *own = &models.models[models.count++];
        own->square = significance->trend.square;
        own->factor = spread_factor(&significance->trend, &spread, &own->degrees);
    }
    if (whole_runs->count > 0)
        models.models[models.count++] = shared_model(whole_runs->models, comparison, row);
    return models;
}

/* Sets p and errors of the functions that are tested.  */
static void judge_functions(struct comparison *comparison, const struct tests *tests,
                            const struct significance *significance)
{
    double *p = mem_uninitialised(tests->count, sizeof *p);
    for (size_t i = 0; i < tests->count; i++) {
        struct compared *row = tests->rows[i];
        struct error_models models = models_of(significance, comparison, row);
        struct error_model largest = largest_model(&models, comparison, row);
        p[i] = difference_p(row, comparison, &models);
        set_errors(row, comparison, &largest);
        if (comparison->largest == NULL ||
            row->samples[BEFORE] + row->samples[AFTER] >
                comparison->largest->samples[BEFORE] + comparison->largest->samples[AFTER])
            comparison->largest = row;
    }
    holm_adjust(p, tests->count);
    for (size_t i = 0; i < tests->count; i++)
        tests->rows[i]->p = p[i];
    comparison->tested_count = tests->count;
    free(p);
}

static void judge_largest(struct comparison *comparison, const struct tests *tests,
                          const struct significance *significance, double alpha)
{
    const struct compared *row = comparison->largest;
    if (row == NULL)
        return;
    struct error_models models = models_of(significance, comparison, row);
    struct error_model largest = largest_model(&models, comparison, row);
    comparison->dispersion =
        dispersion_of(&largest, row->samples[AFTER] / comparison->sides[AFTER].runs);
    comparison->largest_visibility =
        visibility_of(comparison, row, &models, alpha / (double)tests->count);
}

/* ---- The interface ---- */

struct significance significance_judge(struct comparison *comparison, double alpha,
                                       const struct compared *apart)
{
    struct compared *total = &comparison->rows[comparison->row_count - 1];
    struct tests tests = {0};
    list_tests(&tests, comparison, apart != NULL ? apart : comparison->rows);
    const struct significance significance = {tests.trend, models_of_total(total, comparison)};
    const struct error_models *whole_runs = &significance.whole_runs;
    const struct error_model trend = {1, tests.trend.square, NORMAL};
    struct error_model of_total = largest_model(whole_runs, comparison, total);
    comparison->dispersion = 1;
    comparison->total_dispersion =
        dispersion_of(&of_total, total->samples[AFTER] / comparison->sides[AFTER].runs);
    for (size_t i = 0; i < comparison->row_count; i++) {
        comparison->rows[i].p = NAN;
        set_errors(&comparison->rows[i], comparison, &trend);
    }
    judge_functions(comparison, &tests, &significance);
    judge_largest(comparison, &tests, &significance, alpha);
    set_errors(total, comparison, &of_total);
    if (isfinite(total->samples[BEFORE] + total->samples[AFTER]) && !comparison->is_spread_unknown)
        total->p = difference_p(total, comparison, whole_runs);
    comparison->total_visibility = visibility_of(comparison, total, whole_runs, alpha);
    free(tests.rows);
    free(tests.spreads);
    return significance;
}

double significance_p(const struct significance *significance, const struct comparison *comparison,
                      const struct compared *row)
{
    struct error_models models = models_of(significance, comparison, row);
    return difference_p(row, comparison, &models);
}
