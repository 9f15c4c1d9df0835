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

static const struct error_model chance_alone = {.sides = {{1, 0, NORMAL}, {1, 0, NORMAL}}};

/* By how much more than by chance the SAMPLES of a run vary: factor (1 + square samples).  If times
   vary by 2 % (square 0.0004), 10,000 samples vary 5 times as much: their standard deviation is
   224, and not 100.  */
static double dispersion_of(const struct side_model *model, double samples)
{
    double dispersion = model->factor * (1 + model->square * samples);
    return dispersion > 1 ? dispersion : 1;
}

/* The variance of a difference of times, if both sides expect the same; what chance adds to it,
   which is the least there can be; and the degrees of freedom with which it is known.  */
struct difference {
    double chance, variance, degrees;
};

/* A side of r runs with the exposure e has the variance V = factor (rate / e + square mean^2 / r).
   What chance adds, rate / e, is that of all samples, rate = (t1 e1 + t2 e2) / (e1 + e2); the rest
   is of mean = (t1 + t2) / 2, or else a slow run of the side with fewer would make the error small.
   Degrees are Welch's, (V1 + V2)^2 / (V1^2 / d1 + V2^2 / d2): mostly of the side with the larger V.
   If what chance adds is known, they are those of the rest, times V1 + V2 by the rest.

   4 runs a side, 100 samples per second, 2.0 and 2.2 s, which vary by 5 % (square 0.0025) with 3
   degrees of freedom: 2.1 / 400 + 0.0025 x 2.1^2 / 4 = 0.0080 each, an error of 0.127 s of the
   difference, with 6 degrees: 0.2 s are 1.58 errors, p = 0.17.  */
static struct difference difference_if_equal(const struct error_model *model,
                                             const struct compared_measure *measure,
                                             const double times[SIDES])
{
    const struct compared_side *sides = measure->sides;
    double e1 = sides[BEFORE].exposure, e2 = sides[AFTER].exposure;
    double rate = (times[BEFORE] * e1 + times[AFTER] * e2) / (e1 + e2);
    double mean = (times[BEFORE] + times[AFTER]) / 2, all = 0, estimated = 0, unsure = 0;
    for (enum side side = BEFORE; side < SIDES; side++) {
        const struct side_model *of = &model->sides[side];
        double chance = rate / sides[side].exposure;
        double beside = of->square * mean * mean / sides[side].runs;
        double part = model->knows_chance ? beside : of->factor * (chance + beside);
        all += of->factor * (chance + beside);
        estimated += part;
        unsure += part * part / of->degrees;
    }
    double degrees = model->is_of_one ? model->sides[BEFORE].degrees
                     : unsure > 0     ? estimated * estimated / unsure
                                      : NORMAL;
    if (model->knows_chance)
        degrees = estimated > 0 ? degrees * all / estimated : NORMAL;
    double chance = rate * (1 / e1 + 1 / e2);
    return (struct difference){chance, all > chance ? all : chance, degrees};
}

/* The variance of TIME on SIDE.  */
static double variance_of(const struct side_model *model, const struct compared_side *side,
                          double time)
{
    return dispersion_of(model, time * side->exposure / side->runs) * time / side->exposure;
}

/* The model with the larger error of TIME.  */
static struct error_model largest_model(const struct error_models *models,
                                        const struct compared_measure *measure,
                                        const struct compared_time *time)
{
    struct error_model largest = chance_alone;
    for (size_t i = 0; i < models->count; i++)
        if (difference_if_equal(&models->models[i], measure, time->time).variance >
            difference_if_equal(&largest, measure, time->time).variance)
            largest = models->models[i];
    return largest;
}

/* ---- What runs show ---- */

/* How the samples of TIME vary between the profiles of SIDE.  */
static struct run_spread spread_of(const struct compared_time *time,
                                   const struct compared_measure *measure, enum side side)
{
    double profiles = measure->sides[side].profiles;
    double mean = time->samples[side] / profiles;
    if (profiles < 2 || !(mean > 0) || !(time->variance[side] >= 0) ||
        !isfinite(profiles * time->variance[side] / mean))
        return (struct run_spread){0};
    return (struct run_spread){profiles - 1, time->variance[side] / mean,
                               time->samples[side] / measure->sides[side].runs};
}

/* Takes what one side shows for both, if the other one shows nothing.  False if no side does.  */
static bool complete_model(struct error_model *model)
{
    bool is_known[SIDES] = {model->sides[BEFORE].degrees > 0, model->sides[AFTER].degrees > 0};
    model->is_of_one = is_known[BEFORE] != is_known[AFTER];
    if (model->is_of_one)
        model->sides[is_known[BEFORE] ? AFTER : BEFORE] =
            model->sides[is_known[BEFORE] ? BEFORE : AFTER];
    return is_known[BEFORE] || is_known[AFTER];
}

/* The model of whole runs, from their own spread.  */
static struct error_models models_of_total(const struct compared_time *total,
                                           const struct compared_measure *measure)
{
    struct error_model model = {.is_of_one = false};
    for (enum side side = BEFORE; side < SIDES; side++) {
        struct run_spread spread = spread_of(total, measure, side);
        if (spread.degrees > 0)
            model.sides[side] = (struct side_model){
                1, spread.ratio > 1 ? (spread.ratio - 1) / spread.mean : 0, spread.degrees};
    }
    bool is_known = complete_model(&model);
    return (struct error_models){{model}, is_known};
}

/* ---- Tests ---- */

/* The probability that chance makes so large a difference: the largest of chance alone, which is a
   binomial test, or of the normal distribution where that would be slow, and of MODELS.  */
static double difference_p(const struct compared_time *time, const struct compared_measure *measure,
                           const struct error_models *models)
{
    double e1 = measure->sides[BEFORE].exposure, e2 = measure->sides[AFTER].exposure;
    double all = time->samples[BEFORE] + time->samples[AFTER], change = fabs(time->change), p;
    if (!(all > 0))
        return 1;
    if (all <= most_for_exact) {
        uint64_t before = (uint64_t)(time->samples[BEFORE] + 0.5);
        uint64_t after = (uint64_t)(time->samples[AFTER] + 0.5);
        p = binomial_p(after, before + after, e2 / (e1 + e2));
    } else
        p = student_p(change /
                          sqrt(difference_if_equal(&chance_alone, measure, time->time).variance),
                      NORMAL);
    for (size_t i = 0; i < models->count; i++) {
        struct difference difference = difference_if_equal(&models->models[i], measure, time->time);
        double by_model = student_p(change / sqrt(difference.variance), difference.degrees);
        p = by_model > p ? by_model : p;
    }
    return p;
}

/* The standard errors of the times and of their difference; NaN if they are not known.  */
static void set_errors(struct compared_time *time, const struct compared_measure *measure,
                       const struct error_model *model)
{
    double before = variance_of(&model->sides[BEFORE], &measure->sides[BEFORE], time->time[BEFORE]);
    double after = variance_of(&model->sides[AFTER], &measure->sides[AFTER], time->time[AFTER]);
    if (!chance_traits(measure->chance)->has_p)
        before = after = NAN;
    time->after_error = sqrt(after);
    time->error = sqrt(before + after);
}

/* ---- Visibility ---- */

/* What sees growth of a time: each of the models must, in four of five comparisons.  */
struct view {
    const struct compared_measure *measure;
    double time; /* of the base */
    struct {
        struct error_model model;
        double degrees, threshold; /* of its test: 1.96 errors for many degrees and alpha 0.05 */
    } models[3];
    size_t count;
    double beyond; /* 0.84: four of five normal values are less far below their mean */
};

/* By how much the growth of the time by GROWTH is more than what four of five comparisons see by
   model I of VIEW, if N times as many runs are made:

       g (1 - b / 4v) - w - t s (1 - 1 / 4v) - 0.84 sqrt (S + (t^2 s^2 + b g^2) / 2v)

   g is the growth, s^2 the variance of the test, which expects equal times, S that of the two times
   themselves, t the threshold and v the degrees.  A test has an estimate of s, which is
   s (1 - 1 / 4v) on average and has the variance s^2 / 2v.  So has the growth that a comparison
   says it sees, but for the part of chance, which is known: b is the share of s^2 that is not
   chance.  w = 1 / e1 + 1 / e2, for exact tests, is what one sample changes: half of it because
   counts are whole, and half because few counts have exactly the p that is wanted.

   1,000 samples a side that vary by chance: growth by 13.1 % has s = sqrt (2.131 / 1000) = 4.6 %
   and sqrt (S) as well, so 0.2 % + (1.96 + 0.84) x 4.6 % are seen, which is 13.1 %.  With 8 degrees
   and nothing by chance, growth of 3.57 s is seen; of 3.20 s if it were not itself an estimate.  */
static double excess(const struct view *view, size_t i, double growth, double n)
{
    const struct compared_side *sides = view->measure->sides;
    const struct error_model *model = &view->models[i].model;
    const double times[SIDES] = {view->time, view->time * (1 + growth)};
    double e1 = sides[BEFORE].exposure, e2 = sides[AFTER].exposure;
    struct difference difference = difference_if_equal(model, view->measure, times);
    double variance = difference.variance / n;
    double spread = (variance_of(&model->sides[BEFORE], &sides[BEFORE], times[BEFORE]) +
                     variance_of(&model->sides[AFTER], &sides[AFTER], times[AFTER])) /
                    n;
    double beside = 1 - difference.chance / difference.variance;
    double t = view->models[i].threshold, v = view->models[i].degrees, seen = view->time * growth;
    double whole = v >= NORMAL ? (e1 + e2) / (e1 * e2) / n : 0;
    double unsure = (variance * t * t + beside * seen * seen) / (2 * v);
    return seen * (1 - beside / (4 * v)) - whole - t * sqrt(variance) * (1 - 1 / (4 * v)) -
           view->beyond * sqrt(spread + unsure);
}

static bool is_seen(const struct view *view, double growth, double n)
{
    for (size_t i = 0; i < view->count; i++)
        if (excess(view, i, growth, n) < 0)
            return false;
    return true;
}

/* The smallest growth that is seen.  */
static double visible_growth(const struct view *view)
{
    const double most = 1e6;
    double low = 0, high = most;
    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;
        if (is_seen(view, middle, 1))
            high = middle;
        else
            low = middle;
    }
    return high < most ? high : (double)INFINITY;
}

/* How many times as many runs are needed to see GROWTH.  */
static double needed_runs(const struct view *view, double growth)
{
    double low = -100, high = 100; /* powers of 2 */
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2;
        if (is_seen(view, growth, exp2(middle)))
            high = middle;
        else
            low = middle;
    }
    return exp2(high);
}

/* The most profiles of a side.  */
static double most_profiles(const struct compared_measure *measure)
{
    return fmax(measure->sides[BEFORE].profiles, measure->sides[AFTER].profiles);
}

static struct visibility visibility_of(const struct compared_measure *measure,
                                       const struct compared_time *of,
                                       const struct error_models *given, double alpha)
{
    double e1 = measure->sides[BEFORE].exposure, e2 = measure->sides[AFTER].exposure;
    double n = (of->samples[BEFORE] + of->samples[AFTER]) * e1 / (e1 + e2);
    double time = (n > 0 ? n : 1) / e1, samples = time * e1; /* needs can be said without any */
    struct view view = {measure,
                        time,
                        {{.model = chance_alone}},
                        1 + given->count,
                        student_quantile(2 * (1 - power), NORMAL)};
    if (most_profiles(measure) == 2)
        return (struct visibility){NAN, n, NAN, NAN, NAN};
    for (size_t i = 0; i < view.count; i++) {
        if (i > 0)
            view.models[i].model = given->models[i - 1];
        view.models[i].degrees =
            difference_if_equal(&view.models[i].model, measure, (double[]){time, time}).degrees;
        view.models[i].threshold = student_quantile(alpha, view.models[i].degrees);
    }
    return (struct visibility){.percent = n > 0 ? 100 * visible_growth(&view) : (double)INFINITY,
                               .samples = n,
                               .need_5 = samples * needed_runs(&view, 0.05),
                               .need_10 = samples * needed_runs(&view, 0.10),
                               .need_20 = samples * needed_runs(&view, 0.20)};
}

/* ---- Functions ---- */

bool significance_has_enough(const double samples[SIDES], const struct compared_measure *measure)
{
    double e1 = measure->sides[BEFORE].exposure, e2 = measure->sides[AFTER].exposure;
    return chance_traits(measure->chance)->has_p &&
           (samples[BEFORE] + samples[AFTER]) * fmin(e1, e2) / (e1 + e2) >= least_samples;
}

/* Lists the rows of COMPARISON that are tested in ROWS, and sets TRENDS to those of their spreads,
   or of those of the same rows in APART.  What a function shows there is in others, too, but less
   of it, so that it is no exception there: each is taken by itself.  Returns the number of rows. */
static size_t list_tests(struct comparison *comparison, enum measure which,
                         const struct compared_time *apart, struct compared **rows,
                         struct spread_trend trends[SIDES])
{
    const struct compared_measure *measure = &comparison->measures[which];
    struct run_spread *spreads[SIDES];
    size_t count = 0, spread_counts[SIDES] = {0, 0};
    for (enum side side = BEFORE; side < SIDES; side++)
        spreads[side] = mem_uninitialised(comparison->row_count, sizeof *spreads[side]);
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        const struct compared_time *time = &row->times[which];
        if (row->kind != COMPARED_BOTH || !significance_has_enough(time->samples, measure))
            continue;
        rows[count++] = row;
        for (enum side side = BEFORE; side < SIDES; side++) {
            struct run_spread spread = spread_of(apart != NULL ? &apart[i] : time, measure, side);
            if (spread.degrees > 0)
                spreads[side][spread_counts[side]++] = spread;
        }
    }
    for (enum side side = BEFORE; side < SIDES; side++) {
        trends[side] = spread_fit(spreads[side], spread_counts[side]);
        if (apart != NULL)
            trends[side].count = 1;
        free(spreads[side]);
    }
    return count;
}

/* The models of TIME: its own spread, moved towards the trend (spread.h), and that of whole runs,
   if these are known.  */
static struct error_models models_of(const struct significance *significance,
                                     const struct compared_measure *measure,
                                     const struct compared_time *time)
{
    const struct error_models *whole_runs = &significance->whole_runs;
    struct error_models models = {.count = 0};
    struct error_model own = {.is_of_one = false};
    struct run_spread spreads[SIDES];
    double share = 1; /* an exception on one side is taken to be one on both */
    for (enum side side = BEFORE; side < SIDES; side++) {
        spreads[side] = spread_of(time, measure, side);
        share = fmin(share, spread_prior(&significance->trends[side], &spreads[side]));
    }
    for (enum side side = BEFORE; side < SIDES; side++) {
        struct side_model *model = &own.sides[side];
        model->square = significance->trends[side].square;
        if (spreads[side].degrees > 0)
            model->factor =
                spread_factor(&significance->trends[side], &spreads[side], share, &model->degrees);
    }
    if (complete_model(&own))
        models.models[models.count++] = own;
    if (whole_runs->count > 0) {
        models.models[models.count] = whole_runs->models[0];
        models.models[models.count++].knows_chance = true;
    }
    return models;
}

/* Sets p and errors of the COUNT functions in ROWS, which are tested, and finds the largest.  */
static void judge_functions(struct compared_measure *measure, enum measure which,
                            const struct significance *significance, struct compared **rows,
                            size_t count)
{
    double *p = mem_uninitialised(count, sizeof *p), most = -1;
    for (size_t i = 0; i < count; i++) {
        struct compared_time *time = &rows[i]->times[which];
        struct error_models models = models_of(significance, measure, time);
        struct error_model largest = largest_model(&models, measure, time);
        p[i] = difference_p(time, measure, &models);
        set_errors(time, measure, &largest);
        if (time->samples[BEFORE] + time->samples[AFTER] > most) {
            most = time->samples[BEFORE] + time->samples[AFTER];
            measure->largest = rows[i];
        }
    }
    holm_adjust(p, count);
    for (size_t i = 0; i < count; i++)
        rows[i]->times[which].p = p[i];
    measure->tested_count = count;
    free(p);
}

/* Sets what is said of the largest function, which has TIME.  A growth of it is seen if its p times
   the number of functions is below ALPHA, as Holm's correction has it for the smallest p.  */
static void judge_largest(struct compared_measure *measure, const struct compared_time *time,
                          const struct significance *significance, double alpha)
{
    struct error_models models = models_of(significance, measure, time);
    struct error_model largest = largest_model(&models, measure, time);
    measure->dispersion =
        dispersion_of(&largest.sides[AFTER], time->samples[AFTER] / measure->sides[AFTER].runs);
    measure->largest_visibility =
        visibility_of(measure, time, &models, alpha / (double)measure->tested_count);
}

/* Notes how the TOTAL varies between runs if that differs between the sides.  */
static void compare_spreads(struct compared_measure *measure, const struct compared_time *total,
                            double alpha)
{
    struct run_spread spreads[SIDES];
    double squares[SIDES] = {0};
    for (enum side side = BEFORE; side < SIDES; side++) {
        spreads[side] = spread_of(total, measure, side);
        squares[side] = spreads[side].ratio / spreads[side].mean;
    }
    enum side larger = squares[AFTER] > squares[BEFORE] ? AFTER : BEFORE, other = 1 - larger;
    if (!(squares[BEFORE] > 0) || !(squares[AFTER] > 0) ||
        f_tail(squares[larger] / squares[other], spreads[larger].degrees, spreads[other].degrees) >
            alpha / 2)
        return;
    for (enum side side = BEFORE; side < SIDES; side++)
        measure->unequal_spreads[side] = sqrt(squares[side]);
}

/* Whether TIME, which has no errors, is the same on both sides but for rounding.  */
static bool is_equal(const struct compared_time *time)
{
    const double rounding = 1e-12;
    return fabs(time->change) <= rounding * fmax(time->time[BEFORE], time->time[AFTER]);
}

/* Judges counts that have no errors: those that differ have changed.  */
static void judge_exact(struct comparison *comparison, enum measure which)
{
    struct compared_measure *measure = &comparison->measures[which];
    for (size_t i = 0; i < comparison->row_count; i++) {
        struct compared *row = &comparison->rows[i];
        struct compared_time *time = &row->times[which];
        bool is_judged = row->kind == COMPARED_BOTH || row->kind == COMPARED_TOTAL;
        time->p = is_judged ? is_equal(time) : (double)NAN;
        time->error = time->after_error = 0;
        if (row->kind != COMPARED_BOTH)
            continue;
        measure->tested_count++;
        if (measure->largest == NULL || /* or NaN */
            !(time->samples[BEFORE] <= measure->largest->times[which].samples[BEFORE]))
            measure->largest = row;
    }
    measure->dispersion = measure->total_dispersion = 1;
}

/* ---- The interface ---- */

struct significance significance_judge(struct comparison *comparison, enum measure which,
                                       const struct compared_time *apart)
{
    struct compared_measure *measure = &comparison->measures[which];
    struct compared_time *total = &comparison->rows[comparison->row_count - 1].times[which];
    struct significance significance = {0};
    if (measure->chance == CHANCE_NONE) {
        judge_exact(comparison, which);
        return significance;
    }
    struct compared **tested = mem_uninitialised(comparison->row_count, sizeof(struct compared *));
    size_t count = list_tests(comparison, which, apart, tested, significance.trends);
    significance.whole_runs = models_of_total(total, measure);
    const struct error_models *whole_runs = &significance.whole_runs;
    const struct error_model trend = {.sides = {{1, significance.trends[BEFORE].square, NORMAL},
                                                {1, significance.trends[AFTER].square, NORMAL}}};
    struct error_model of_total = largest_model(whole_runs, measure, total);
    measure->dispersion = 1;
    measure->total_dispersion =
        dispersion_of(&of_total.sides[AFTER], total->samples[AFTER] / measure->sides[AFTER].runs);
    for (size_t i = 0; i < comparison->row_count; i++) {
        comparison->rows[i].times[which].p = NAN;
        set_errors(&comparison->rows[i].times[which], measure, &trend);
    }
    compare_spreads(measure, total, comparison->alpha);
    judge_functions(measure, which, &significance, tested, count);
    if (measure->largest != NULL)
        judge_largest(measure, &measure->largest->times[which], &significance, comparison->alpha);
    set_errors(total, measure, &of_total);
    if (isfinite(total->samples[BEFORE] + total->samples[AFTER]) &&
        chance_traits(measure->chance)->has_p)
        total->p = difference_p(total, measure, whole_runs);
    measure->total_visibility = visibility_of(measure, total, whole_runs, comparison->alpha);
    free(tested);
    return significance;
}

double significance_p(const struct significance *significance, const struct comparison *comparison,
                      enum measure measure, const struct compared_time *time)
{
    if (comparison->measures[measure].chance == CHANCE_NONE)
        return is_equal(time);
    struct error_models models = models_of(significance, &comparison->measures[measure], time);
    return difference_p(time, &comparison->measures[measure], &models);
}
