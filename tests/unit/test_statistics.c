/* test_statistics.c - tests and distributions, compared with the values of SciPy 1.10.1.

   The rows are what this prints, in which the first values are those of the rows:
     from scipy.stats import binom, f, norm, t
     min(1, 2 * min(binom.cdf(k, n, share), binom.sf(k - 1, n, share)))
     norm.sf(z), 2 * t.sf(x, degrees), t.isf(p / 2, degrees), f.sf(x, degrees, others)  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/significance.h"

#include "base/common.h"
#include "compare/distributions.h"
#include "compare/spread.h"
#include "tap.h"

static void is_close(double actual, double expected, double relative, const char *what)
{
    bool passed = fabs(actual - expected) <= relative * fabs(expected);
    if (!is_true(passed, what))
        printf("# %.17g instead of %.17g\n", actual, expected);
}

static void test_binomial(void)
{
    static const struct {
        uint64_t k, n;
        double share, p;
    } rows[] = {
        {0, 25, 0.5, 5.9604644775390625e-08},
        {25, 25, 0.5, 5.9604644775390625e-08},
        {3, 30, 0.25, 0.074898651447601716},
        {20, 30, 0.5, 0.098737146705389051},
        {500, 1000, 0.5, 1},
        {560, 1000, 0.5, 0.00016504987055045286},
        {90, 1000, 0.050000000000000003, 1.9487930610007904e-07},
        {13, 40, 0.20000000000000001, 0.086483244752647404},
        {1, 2, 0.5, 1},
        {0, 0, 0.5, 1},
        {30, 600, 0.090909090909090912, 0.00023651262070093946},
        {7, 7, 0.90000000000000002, 0.95659380000000016},
        {51000, 100000, 0.5, 2.5887160383468948e-10},
        {3200, 60000, 0.050000000000000003, 0.00021426212412298582},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char what[60];
        snprintf(what, sizeof what, "binomial test: %d of %d", (int)rows[i].k, (int)rows[i].n);
        const double rounding = rows[i].n < 10000 ? 1e-11 : 1e-10; /* lgamma loses digits */
        is_close(binomial_p(rows[i].k, rows[i].n, rows[i].share), rows[i].p, rounding, what);
    }
}

static void test_normal(void)
{
    static const double rows[][2] = {
        {0, 0.5},
        {0.1, 0.46017216272297101},
        {0.5, 0.30853753872598688},
        {1, 0.15865525393145707},
        {1.959963984540054, 0.025000000000000001},
        {2.5, 0.0062096653257761323},
        {3, 0.0013498980316300933},
        {3.5, 0.00023262907903552502},
        {5, 2.8665157187919328e-07},
        {8, 6.2209605742717405e-16},
        {12, 1.776482112077653e-33},
        {20, 2.7536241186061556e-89},
        {37, 5.7255712225239266e-300},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char what[60];
        snprintf(what, sizeof what, "normal tail: %g", rows[i][0]);
        is_close(normal_tail(rows[i][0]), rows[i][1], 1e-12, what);
    }
    is_same_double(normal_tail(40), 0, "beyond the range of a double");
}

static void test_student(void)
{
    static const double rows[][3] = {
        {0, 1, 1},
        {1, 1, 0.49999999999999956},
        {12.706, 1, 0.050000802358133173},
        {2, 2, 0.18350341907227391},
        {30, 2, 0.0011092626819596588},
        {0.01, 3, 0.99264911141285195},
        {2.306, 8, 0.050000322761284174},
        {5, 9, 0.00073896790980324239},
        {10, 9, 3.57823743192474e-06},
        {40, 9, 1.8982998449339835e-11},
        {3, 80, 0.0035983975751583568},
        {6, 81, 5.2885074294542768e-08},
        {1, 999, 0.31755266017641276},
        {2.5, 12.75, 0.026899262908585648},
        {4, 0.5, 0.31922008298867149},
        {3.3, 72.4, 0.0015022553557720118},
        {5, 9999, 5.8303364102283042e-07},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char what[60];
        snprintf(what, sizeof what, "Student: %g, %g degrees", rows[i][0], rows[i][1]);
        is_close(student_p(rows[i][0], rows[i][1]), rows[i][2], 1e-11, what);
    }
    is_close(student_p(4.5, 5000), 6.9495106555929785e-06, 1e-4, "Student: many degrees");
    is_close(student_p(2, 100000), 0.045502963457506436, 1e-6, "Student: very many");
}

static void test_f(void)
{
    static const double rows[][4] = {
        {1, 8, 16, 0.47255669020643826},
        {5, 8, 16, 0.0030558267728845461},
        {0.1, 2, 18, 0.90533655025309745},
        {30, 4, 7.5, 0.00011011800852825863},
        {0, 3, 5, 1},
        {2.5, 38, 640, 3.0427200849211209e-06},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char what[60];
        snprintf(what, sizeof what, "F: %g, %g and %g degrees", rows[i][0], rows[i][1], rows[i][2]);
        is_close(f_tail(rows[i][0], rows[i][1], rows[i][2]), rows[i][3], 1e-11, what);
    }
}

static void test_quantiles(void)
{
    static const double rows[][3] = {
        {0.05, 1, 12.706204736432102},       {0.05, 2, 4.3026527299112765},
        {0.05, 8, 2.3060041350333709},       {0.005, 80, 2.8869720449307632},
        {0.4, 8, 0.88888951776697434},       {0.5, NORMAL, 0.67448975019608171},
        {0.05, NORMAL, 1.9599639845400545},  {0.005, NORMAL, 2.8070337683438042},
        {0.4, NORMAL, 0.84162123357291418},  {2e-6, NORMAL, 4.7534243088228987},
        {2e-12, NORMAL, 7.0344838253011313},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        char what[60];
        snprintf(what, sizeof what, "quantile: %g, %g degrees", rows[i][0], rows[i][1]);
        is_close(student_quantile(rows[i][0], rows[i][1]), rows[i][2], 1e-8, what);
    }
}

static void test_holm(void)
{
    double p[] = {0.01, 0.04, 0.03, 0.005}; /* R: p.adjust (c (...), "holm") */
    const double adjusted[] = {0.03, 0.06, 0.06, 0.02};
    holm_adjust(p, ARRAY_LENGTH(p));
    for (size_t i = 0; i < ARRAY_LENGTH(p); i++)
        is_close(p[i], adjusted[i], 1e-15, "Holm's correction");
    double large[] = {0.9, 0.6};
    holm_adjust(large, ARRAY_LENGTH(large));
    is_same_double(large[0], 1, "no probability is above 1");
    holm_adjust(large, 0);
    double single = 0.02;
    holm_adjust(&single, 1);
    is_same_double(single, 0.02, "one test is not corrected");
}

/* ---- Spreads ---- */

enum { MOST_SPREADS = 40 };

/* COUNT functions with 10 samples in a run, 20, 30 ..., of nine runs, that follow the trend SQUARE.
 */
static void make_spreads(struct run_spread *functions, size_t count, double square)
{
    for (size_t i = 0; i < count; i++) {
        double mean = 10 * (double)(i + 1);
        functions[i] = (struct run_spread){8, 1 + square * mean, mean};
    }
}

static void test_trend(void)
{
    struct run_spread functions[MOST_SPREADS] = {0};
    double degrees;
    struct spread_trend none = spread_fit(functions, 0);
    is_same_double(none.square, 0, "no functions, no trend");
    make_spreads(functions, MOST_SPREADS, 0);
    struct spread_trend chance = spread_fit(functions, MOST_SPREADS);
    is_same_double(chance.square, 0, "counts that vary as by chance");
    is_true(isinf(chance.degrees), "all alike");
    make_spreads(functions, MOST_SPREADS, 0.01);
    struct spread_trend trend = spread_fit(functions, MOST_SPREADS);
    is_close(trend.square, 0.01, 1e-3, "times that vary by 10 %");
    is_close(spread_factor(&trend, &functions[3], 1, &degrees), 1, 1e-3, "a function on the trend");
    is_same_double(degrees, 8 * MOST_SPREADS, "no more degrees than the runs of all have");
}

static void test_exception(void)
{
    struct run_spread functions[MOST_SPREADS] = {0};
    double degrees;
    make_spreads(functions, MOST_SPREADS, 0.01);
    functions[7].ratio = 40;
    struct spread_trend trend = spread_fit(functions, MOST_SPREADS);
    is_close(trend.square, 0.01, 0.1, "one exception hardly changes the trend");
    double share = spread_prior(&trend, &functions[7]);
    double factor = spread_factor(&trend, &functions[7], share, &degrees);
    is_true(degrees < 8.5 && factor > 20, "it has its own spread and degrees of freedom");
    share = spread_prior(&trend, &functions[8]);
    factor = spread_factor(&trend, &functions[8], share, &degrees);
    is_true(degrees > 15 && factor < 1.1, "and the others have the trend's");
    make_spreads(functions, 1, 0.01);
    trend = spread_fit(functions, 1);
    spread_factor(&trend, &functions[0], spread_prior(&trend, &functions[0]), &degrees);
    is_same_double(degrees, 8, "a single function has only its own");
    functions[0] = (struct run_spread){0};
    is_same_double(spread_prior(&trend, &functions[0]), 1, "one run shows no exception");
}

int main(void)
{
    test_binomial();
    test_normal();
    test_student();
    test_f();
    test_quantiles();
    test_holm();
    test_trend();
    test_exception();
    return tap_done();
}
