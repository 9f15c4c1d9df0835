/* test_gate.c - the gate on drawn data: how often it fires without a change, and sees one.

   tests/gate_rates.py does the same with the program, and with more kinds of spread.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/gate.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compare/compare.h"
#include "made_snapshot.h"
#include "tap.h"

/* ---- Draws ---- */

static double uniform(uint64_t *state)
{
    return (next_random(state) + 0.5) / 2147483648.0;
}

/* A number of events where 1 is expected.  */
static unsigned draw_one(uint64_t *state)
{
    double u = uniform(state), share = 0.36787944117144232; /* exp (-1) */
    unsigned events = 0;
    while (u > share && events < 20) {
        u -= share;
        share /= ++events;
    }
    return events;
}

/* A number of independent events (a Poisson variable) where MEAN are expected: those of whole
   units, and of one more unit, of which each event counts with the probability of the rest.  */
static double draw_events(uint64_t *state, double mean)
{
    double events = 0, whole = (double)(uint64_t)mean;
    for (double i = 0; i < whole; i++)
        events += draw_one(state);
    for (unsigned rest = draw_one(state); rest > 0; rest--)
        events += uniform(state) < mean - whole;
    return events;
}

/* What is drawn.  */
struct plan {
    size_t functions;
    double samples;      /* expected of each function in a run */
    double dispersion;   /* each event makes as many samples */
    double noise[SIDES]; /* a run as a whole is slower or faster by up to this share */
    size_t runs[SIDES];
    size_t changed; /* the first ones */
    double growth;  /* of the changed ones, after */
};

static void draw_side(struct made *made, const struct plan *plan, enum side side, uint64_t *state)
{
    made->count = plan->functions;
    made->profile_count = plan->runs[side];
    for (size_t run = 0; run < plan->runs[side]; run++) {
        double speed = 1 + plan->noise[side] * (2 * uniform(state) - 1), all = 0;
        for (size_t f = 0; f < plan->functions; f++) {
            double growth = side == AFTER && f < plan->changed ? plan->growth : 0;
            double mean = plan->samples * (1 + growth) * speed;
            double n = plan->dispersion * draw_events(state, mean / plan->dispersion);
            made->more[f].samples += n;
            made->more[f].squares += n * n;
            all += n;
        }
        made->profiles[run] = (uint64_t)all;
    }
}

static struct made_function *make_functions(size_t count)
{
    struct made_function *functions = mem_array(count, sizeof *functions);
    char *names = malloc(count * 8);
    if (names == NULL)
        abort();
    for (size_t f = 0; f < count; f++) {
        functions[f].name = names + 8 * f;
        snprintf(names + 8 * f, 8, "f%05u", (unsigned)f);
    }
    return functions;
}

static void free_functions(struct made_function *functions)
{
    free((void *)functions[0].name);
    free(functions);
}

/* What a gate says of DRAWS draws.  */
struct outcome {
    size_t fired;      /* regressions */
    size_t found;      /* the first function is one of them, or the worst */
    size_t found_only; /* and the only one */
};

static struct outcome draw_all(const struct plan *plan, const struct gate_rules *rules,
                               size_t draws)
{
    const struct compare_rules compare = {0, rules->alpha, false};
    struct outcome outcome = {0};
    uint64_t state = 20260101;
    for (size_t i = 0; i < draws; i++) {
        struct made sides[SIDES] = {{.more = make_functions(plan->functions)},
                                    {.more = make_functions(plan->functions)}};
        struct comparison c;
        for (enum side side = BEFORE; side < SIDES; side++)
            draw_side(&sides[side], plan, side, &state);
        compare_build(&c, made_snapshot(&sides[BEFORE]), made_snapshot(&sides[AFTER]), &compare);
        gate_judge(&c, rules);
        bool found = c.verdict.worst != NULL && strcmp(c.verdict.worst->name, "f00000") == 0;
        outcome.fired += c.verdict.status == GATE_REGRESSION;
        outcome.found += found;
        outcome.found_only += found && c.verdict.regression_count == 1;
        compare_free(&c);
        for (enum side side = BEFORE; side < SIDES; side++) {
            made_free(&sides[side]);
            free_functions(sides[side].more);
        }
    }
    return outcome;
}

/* ---- Checks ---- */

/* The strictest gate: every significant change counts.  */
static const struct gate_rules any_change = {.has_time = true, .alpha = 0.05, .scope = SCOPE_BOTH};
static const struct gate_rules any_function = {
    .has_time = true, .alpha = 0.05, .scope = SCOPE_FUNCTION};

/* Of the draws without a change, at most 5 % fire, give or take two standard errors.  */
static void check_false_alarms(struct plan plan, const char *what)
{
    const size_t draws = tap_size(200, 1000);
    const double most = 0.05 * (double)draws + 2 * sqrt(0.05 * 0.95 * (double)draws);
    struct outcome outcome = draw_all(&plan, &any_change, draws);
    is_true((double)outcome.fired <= most, what);
    printf("# fired in %.1f %%\n", 100.0 * (double)outcome.fired / (double)draws);
}

static void check_power(struct plan plan, double least, const char *what)
{
    enum { POWER_DRAWS = 1000 }; /* the limits are near, so fewer would not do */
    struct outcome outcome = draw_all(&plan, &any_function, POWER_DRAWS);
    is_true((double)outcome.found >= least * POWER_DRAWS, what);
    printf("# found in %.1f %%\n", 100.0 * (double)outcome.found / POWER_DRAWS);
}

static void test_false_alarms(void)
{
    check_false_alarms((struct plan){10, 100, 1, {0, 0}, {1, 1}, 0, 0}, "one run each");
    check_false_alarms((struct plan){10, 40, 1, {0, 0}, {5, 5}, 0, 0}, "five runs each");
    check_false_alarms((struct plan){10, 40, 1, {0, 0}, {2, 7}, 0, 0}, "two runs, then seven");
    check_false_alarms((struct plan){10, 40, 3, {0, 0}, {5, 5}, 0, 0},
                       "dispersion 3, five runs each");
    check_false_alarms((struct plan){10, 40, 3, {0, 0}, {3, 3}, 0, 0},
                       "dispersion 3, three runs each");
    check_false_alarms((struct plan){1, 400, 3, {0, 0}, {2, 2}, 0, 0},
                       "dispersion 3, two runs of one function");
    check_false_alarms((struct plan){10, 200, 1, {0.1, 0.1}, {5, 5}, 0, 0},
                       "runs up to 10 % slower or faster, five each");
    check_false_alarms((struct plan){10, 200, 1, {0.1, 0.1}, {3, 3}, 0, 0},
                       "runs up to 10 % slower or faster, three each");
    check_false_alarms((struct plan){10, 1000, 1, {0.03, 0.1}, {20, 5}, 0, 0},
                       "20 runs that hardly vary, five that do");
    check_false_alarms((struct plan){10, 1000, 1, {0.1, 0.03}, {5, 20}, 0, 0},
                       "five runs that vary, 20 that hardly do");
    check_false_alarms((struct plan){10, 1000, 1, {0.03, 0.07}, {10, 5}, 0, 0},
                       "ten runs that vary less than five");
}

static void test_power(void)
{
    check_power((struct plan){10, 800, 1, {0, 0}, {1, 1}, 1, 0.2}, 0.80,
                "20 % on 800 samples, one of ten functions");
    check_power((struct plan){1, 800, 1, {0, 0}, {1, 1}, 1, 0.2}, 0.95,
                "20 % on 800 samples, the only function");
    /* The spread of each function is an estimate, which costs a few of these.  */
    check_power((struct plan){10, 160, 1, {0, 0}, {5, 5}, 1, 0.2}, 0.75,
                "20 % on 800 samples in five runs, one of ten");
    check_power((struct plan){10, 480, 3, {0, 0}, {5, 5}, 1, 0.2}, 0.75,
                "20 % on 2400 samples in five runs, dispersion 3, one of ten");
}

/* One of 10,000 functions gets slower.  */
static void test_many(void)
{
    const struct plan plan = {10000, 30, 1, {0, 0}, {1, 1}, 1, 3};
    const size_t draws = tap_size(20, 60);
    struct outcome outcome = draw_all(&plan, &any_function, draws);
    is_true(outcome.found >= draws * 95 / 100, "one of 10,000 functions is found");
    is_true(outcome.found_only >= draws * 90 / 100, "and nothing else in 95 %, give or take 5");
    printf("# %zu and %zu of %zu draws\n", outcome.found, outcome.found_only, draws);
}

int main(void)
{
    test_false_alarms();
    test_power();
    test_many();
    return tap_done();
}
