/* test_inclusive.c - comparisons of inclusive times and of paths of calls: figures of stacks made
   by hand; how often something seems to have changed in drawn stacks, and how often it is found. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "made_snapshot.h"
#include "model/stack_tree.h"
#include "model/stacks.h"
#include "tap.h"

enum { ROOT = UINT32_MAX };

static const struct compare_rules plain = {
    .alpha = 0.05, .has_paths = true, .judges_one_run = true};

/* ---- Stacks made by hand ---- */

static const struct compared *find(const struct comparison *comparison, const char *name)
{
    for (size_t i = 0; i < comparison->row_count; i++)
        if (strcmp(comparison->rows[i].name, name) == 0)
            return &comparison->rows[i];
    return NULL;
}

static void has_samples(const struct comparison *comparison, const char *name, double before,
                        double after, const char *what)
{
    const struct compared *row = find(comparison, name);
    bool ok = row != NULL && row->times[INCLUSIVE].samples[BEFORE] == before &&
              row->times[INCLUSIVE].samples[AFTER] == after;
    is_true(ok, what);
    if (!ok && row != NULL)
        printf("# %g, %g\n", row->times[INCLUSIVE].samples[BEFORE],
               row->times[INCLUSIVE].samples[AFTER]);
}

/* Recursion, clones, functions of one side, and runs with two rates.  */
static void test_figures(void)
{
    struct made before = {.functions = {{.name = "main"},
                                        {.name = "f.part.0", .file = "a.c"},
                                        {.name = "f", .file = "a.c"},
                                        {.name = "old", .samples = 1}},
                          .count = 4,
                          .profiles = {1, 0},
                          .profile_count = 2};
    struct made after = {.functions = {{.name = "f", .file = "a.c"}, {.name = "main"}}, .count = 2};
    struct stacks old = {
        .count = 7,
        .parent = (uint32_t[]){ROOT, 0, 1, 2, 3, 0, 0},
        .label = (uint32_t[]){0, 2, 1, 0, 2, 3, ROOT},
        .ends = (struct stack_end[]){{2, 30}, {4, 10}, {0, 5}, {6, 2}, {2, 60}, {5, 7}},
        .columns = (struct stack_column[]){{.rate = 100, .end = 4}, {.rate = 300, .end = 6}},
        .column_count = 2};
    struct stacks new = {.count = 2,
                         .parent = (uint32_t[]){ROOT, 0},
                         .label = (uint32_t[]){1, 0},
                         .ends = (struct stack_end[]){{1, 50}, {0, 3}},
                         .columns = (struct stack_column[]){{.rate = 100, .end = 2}},
                         .column_count = 1};
    struct comparison c;
    made_snapshot(&before);
    made_snapshot(&after);
    before.snapshot.runs.stacks = &old;
    before.snapshot.origin = ORIGIN_MEASURED;
    compare_build(&c, &before.snapshot, &after.snapshot, &plain);
    is_true(c.measure_count == 1, "no inclusive times if a side has no stacks");
    compare_free(&c);
    after.snapshot.runs.stacks = &new;
    after.snapshot.origin = ORIGIN_MEASURED;
    compare_build(&c, &before.snapshot, &after.snapshot, &plain);
    has_samples(&c, "main", 114, 53, "each sample counts once, however often main recurs");
    has_samples(&c, "f", 100, 50, "a row of two functions that call each other");
    has_samples(&c, "old", 7, 0, "a function of one side");
    has_samples(&c, "total", 114, 53, "all stacks, those of no function included");
    const struct compared *f = find(&c, "f");
    bool ok =
        f->times[INCLUSIVE].time[BEFORE] == 100.0 / 400 && f->times[INCLUSIVE].time[AFTER] == 0.5;
    is_true(ok, "times of one run, of all runs by all their rates");
    is_true(fabs(f->times[INCLUSIVE].variance[BEFORE] - 800) < 1e-9,
            "the spread is that of equal rates"); /* 80, 40 */
    is_true(isnan(f->times[INCLUSIVE].variance[AFTER]), "one run has none");
    compare_free(&c);
}

/* A base from a file has sums, but no stacks.  */
static void test_sums(void)
{
    struct made before = {.functions = {{.name = "main", .total = 1800},
                                        {.name = "f.part.0", .file = "a.c", .total = 400},
                                        {.name = "f", .file = "a.c", .total = 600},
                                        {.name = "g", .total = 300},
                                        {.name = "h.cold", .total = 200},
                                        {.name = "h"}},
                          .count = 6};
    struct made after = {
        .functions = {{.name = "f", .file = "a.c"}, {.name = "main"}, {.name = "g"}, {.name = "h"}},
        .count = 4};
    struct stacks runs = {.count = 4,
                          .parent = (uint32_t[]){ROOT, 0, 0, 2},
                          .label = (uint32_t[]){1, 0, 2, 3},
                          .ends = (struct stack_end[]){{0, 300}, {1, 200}, {3, 400}},
                          .columns = (struct stack_column[]){{.rate = 100, .end = 3}},
                          .column_count = 1};
    struct comparison c;
    made_snapshot(&before);
    made_snapshot(&after);
    after.snapshot.runs.stacks = &runs;
    after.snapshot.origin = ORIGIN_MEASURED;
    compare_build(&c, &before.snapshot, &after.snapshot, &plain);
    is_true(c.measure_count == 1, "a file with estimated times");
    compare_free(&c);
    before.snapshot.origin = ORIGIN_MEASURED;
    before.snapshot.rate = 200;
    before.snapshot.inclusive_samples = 1900;
    compare_build(&c, &before.snapshot, &after.snapshot, &plain);
    has_samples(&c, "main", 1800, 900, "sums of a file");
    has_samples(&c, "g", 300, 400, "and another one");
    has_samples(&c, "h", 200, 400, "one of two clones has some");
    has_samples(&c, "total", 1900, 900, "the total");
    is_true(find(&c, "g")->times[INCLUSIVE].p < 1e-6 && find(&c, "main")->times[INCLUSIVE].p == 1,
            "are tested");
    const struct compared *f = find(&c, "f");
    is_true(f != NULL && isnan(f->times[INCLUSIVE].samples[BEFORE]) && isnan(f->times[INCLUSIVE].p),
            "two functions in a row are not");
    is_true(c.paths == NULL, "and there are no paths");
    compare_free(&c);
}

/* ---- Paths made by hand ---- */

/* The paths of functions 0 to 5 with OLD and NEW samples each, which end in them.  */
static struct comparison compare_paths(const uint32_t *parents, const uint64_t *old,
                                       const uint64_t *new, size_t count)
{
    static struct made sides[SIDES];
    static struct stacks runs[SIDES];
    static struct stack_column files[SIDES];
    static uint32_t above[6], functions[6];
    static struct stack_end ends[SIDES][6];
    struct comparison c;
    for (enum side side = BEFORE; side < SIDES; side++) {
        sides[side] = (struct made){.functions = {{.name = "a"},
                                                  {.name = "b"},
                                                  {.name = "c"},
                                                  {.name = "d"},
                                                  {.name = "e"},
                                                  {.name = "f\n"}},
                                    .count = 6};
        for (uint32_t i = 0; i < count; i++) {
            above[i] = parents[i];
            functions[i] = i;
            ends[side][i] = (struct stack_end){i, (double)(side == BEFORE ? old[i] : new[i])};
        }
        files[side] = (struct stack_column){.rate = side == BEFORE ? 100 : 200, .end = count};
        runs[side] = (struct stacks){.count = count,
                                     .parent = above,
                                     .label = functions,
                                     .ends = ends[side],
                                     .columns = &files[side],
                                     .column_count = 1};
        made_snapshot(&sides[side]);
        sides[side].snapshot.runs.stacks = &runs[side];
        sides[side].snapshot.origin = ORIGIN_MEASURED;
    }
    compare_build(&c, &sides[BEFORE].snapshot, &sides[AFTER].snapshot, &plain);
    return c;
}

static void test_paths(void)
{
    static const uint32_t parents[] = {ROOT, 0, 1, 0, 3, 3};
    static const uint64_t old[] = {10, 0, 500, 0, 300, 300};
    static const uint64_t new[] = {20, 0, 1000, 0, 900, 300};
    struct comparison c = compare_paths(parents, old, new, 6);
    const struct stack_pairs *paths = c.paths;
    is_equal(paths->stacks.count, 6, "a path for each node");
    is_same_text(paths->names[paths->stacks.label[5]], "f\\x0a",
                 "names without control characters");
    is_true(paths->totals[BEFORE][0] == 2220 && paths->totals[AFTER][0] == 2220,
            "times before are those of runs like those after");
    is_true(paths->samples[BEFORE][2] == 1000 && paths->samples[BEFORE][4] == 600 &&
                paths->samples[AFTER][4] == 900,
            "so are samples that end there");
    is_true(!paths->is_changed[0] && !paths->is_changed[1] && !paths->is_changed[2],
            "paths that did not change");
    is_true(!paths->is_changed[3], "nor one in which two changes make up for each other");
    is_true(paths->is_changed[4] && paths->is_changed[5], "but both are found below it");
    compare_free(&c);
    uint64_t few[] = {10, 0, 5000, 0, 3000, 12}, more[] = {20, 0, 10000, 0, 6000, 60};
    c = compare_paths(parents, few, more, 6);
    is_true(!c.paths->is_changed[5], "a path with few samples has a small part of alpha");
    compare_free(&c);
}

/* A path that changed leaves its part of alpha to what is below it.  */
static void test_inheritance(void)
{
    static const uint32_t parents[] = {ROOT, 0, 1};
    static const uint64_t old[] = {1, 2000, 1000}; /* half of a run after */
    static const uint64_t both[] = {2, 5200, 2203}, one[] = {2, 4000, 2203};
    struct comparison c = compare_paths(parents, old, both, 3); /* of the last one, p = 0.011 */
    is_true(c.paths->is_changed[1] && c.paths->is_changed[2],
            "a third of alpha, that of its level, and two that it inherits are enough");
    compare_free(&c);
    c = compare_paths(parents, old, one, 3);
    is_true(!c.paths->is_changed[1] && !c.paths->is_changed[2], "a third is not enough");
    compare_free(&c);
}

/* ---- Drawn stacks ---- */

enum { MOST_NODES = 400, MOST_RUNS = 20 };

static double uniform(uint64_t *state)
{
    return (next_random(state) + 0.5) / 2147483648.0;
}

static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

/* A factor with the mean 1 and this standard deviation.  */
static double factor(uint64_t *state, double deviation)
{
    double s = sqrt(log1p(deviation * deviation));
    return exp(s * normal(state) - s * s / 2);
}

/* A number of independent events where MEAN are expected.  */
static uint64_t draw_events(uint64_t *state, double mean)
{
    if (mean > 1e4) /* the difference does not matter */
        return (uint64_t)(mean + sqrt(mean) * normal(state) + 0.5);
    uint64_t events = 0;
    for (; mean > 10; mean -= 10) {
        double share = exp(-10.0), u = uniform(state);
        for (unsigned k = 1; u > share && k < 100; k++) {
            u -= share;
            share *= 10.0 / k;
            events++;
        }
    }
    double share = exp(-mean), u = uniform(state);
    for (unsigned k = 1; u > share && k < 100; k++) {
        u -= share;
        share *= mean / k;
        events++;
    }
    return events;
}

enum shape { RANDOM, CHAIN };

struct plan {
    const char *name;
    enum shape shape;
    size_t functions;
    double samples;     /* that end in a place in a run, about */
    double own;         /* by this share of its time each place varies between runs */
    double subtrees;    /* so does each subtree */
    double whole;       /* and a run as a whole */
    double one;         /* and the subtree of the sixth function */
    size_t runs[SIDES]; /* 0: one */
    bool recurs;        /* places are of random functions */
    bool is_exempt;     /* of two runs, those of one function may be alike by chance */
};

struct drawn {
    struct made made[SIDES];
    struct stacks runs[SIDES];
    struct stack_column files[SIDES][MOST_RUNS];
    uint32_t parents[MOST_NODES], functions[MOST_NODES]; /* by place */
    double means[MOST_NODES];                            /* by place */
};

static void draw_tree(struct drawn *drawn, const struct plan *plan, uint64_t *state)
{
    for (uint32_t i = 0; i < plan->functions; i++) {
        uint32_t parent = ROOT;
        if (i > 0)
            parent = plan->shape == CHAIN ? i - 1 : (uint32_t)(uniform(state) * i);
        uint32_t function = plan->recurs ? (uint32_t)(uniform(state) * (double)plan->functions) : i;
        drawn->parents[i] = parent;
        drawn->functions[i] = function;
        drawn->means[i] = plan->samples * -log(uniform(state));
    }
}

/* Draws a side; GROWTH by place.  */
static void draw_side(struct drawn *drawn, const struct plan *plan, enum side side,
                      const double *growth, uint64_t *state)
{
    size_t count = plan->functions, run_count = plan->runs[side] > 0 ? plan->runs[side] : 1;
    struct stacks *runs = &drawn->runs[side];
    double above[MOST_NODES];
    *runs = (struct stacks){.count = count,
                            .parent = drawn->parents,
                            .label = drawn->functions,
                            .ends = mem_array(count * run_count, sizeof *runs->ends),
                            .columns = drawn->files[side],
                            .column_count = run_count};
    for (size_t r = 0, end = 0; r < run_count; r++) {
        double speed = factor(state, plan->whole);
        for (size_t i = 0; i < count; i++) {
            uint32_t parent = drawn->parents[i];
            above[i] = (parent != ROOT ? above[parent] : speed) *
                       factor(state, i == 6 ? plan->one : plan->subtrees);
            double mean = drawn->means[i] * above[i] * factor(state, plan->own) * growth[i];
            uint64_t n = draw_events(state, mean);
            if (n > 0)
                runs->ends[end++] = (struct stack_end){(uint32_t)i, (double)n};
        }
        runs->columns[r] = (struct stack_column){.rate = 100, .end = end};
    }
}

static void begin_functions(struct drawn *drawn, size_t count)
{
    static char names[MOST_NODES][8];
    for (enum side side = BEFORE; side < SIDES; side++) {
        struct made *made = &drawn->made[side];
        made->count = count;
        made->more = mem_array(count, sizeof *made->more);
        for (size_t i = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "f%u", (unsigned)i);
            made->more[i].name = names[i];
        }
        made_snapshot(made);
        made->snapshot.totals.samples = 1; /* times of the histogram do not matter */
    }
}

static void free_drawn(struct drawn *drawn)
{
    for (enum side side = BEFORE; side < SIDES; side++) {
        made_free(&drawn->made[side]);
        free(drawn->made[side].more);
        free(drawn->runs[side].ends);
    }
    free(drawn);
}

static struct drawn *draw(const struct plan *plan, const double *growth, uint64_t *state)
{
    static double same[MOST_NODES];
    struct drawn *drawn = mem_array(1, sizeof *drawn);
    for (size_t i = 0; i < MOST_NODES; i++)
        same[i] = 1;
    begin_functions(drawn, plan->functions);
    draw_tree(drawn, plan, state);
    for (enum side side = BEFORE; side < SIDES; side++) {
        draw_side(drawn, plan, side, side == AFTER && growth != NULL ? growth : same, state);
        drawn->made[side].snapshot.runs.stacks = &drawn->runs[side];
        drawn->made[side].snapshot.origin = ORIGIN_MEASURED;
        drawn->made[side].snapshot.input_count = drawn->runs[side].column_count;
    }
    return drawn;
}

static const struct plan plans[] = {
    {.name = "a chain of 10", .shape = CHAIN, .functions = 10, .samples = 40},
    {.name = "a tree of 100", .functions = 100, .samples = 20},
    {.name = "a tree of 300 with few samples", .functions = 300, .samples = 2},
    {.name = "a recursive tree of 100", .functions = 100, .samples = 20, .recurs = true},
    {"a chain of 30, whole runs vary by 10 %", CHAIN, 30, 40, .runs = {5, 5}, .whole = 0.1},
    {"a chain of 30, each varies by 20 %", CHAIN, 30, 100, .runs = {5, 5}, .own = 0.2},
    {"a tree of 60, each varies by 20 %", RANDOM, 60, 100, .runs = {5, 5}, .own = 0.2},
    {"the same, two runs", RANDOM, 60, 100, .runs = {2, 2}, .own = 0.2},
    {"a tree of 60, subtrees vary by 10 %", RANDOM, 60, 100, .runs = {5, 5}, .subtrees = 0.1},
    {"the same with few samples", RANDOM, 300, 5, .runs = {5, 5}, .subtrees = 0.1},
    {"the same, two runs", RANDOM, 300, 5, .runs = {2, 2}, .subtrees = 0.1},
    {"the same, three runs", RANDOM, 300, 5, .runs = {3, 3}, .subtrees = 0.1},
    {"a chain of 30, subtrees vary by 5 %", CHAIN, 30, 100, .runs = {5, 5}, .subtrees = 0.05},
    {"the same, two runs", CHAIN, 30, 100, .runs = {2, 2}, .subtrees = 0.05},
    {"a tree of 60, one subtree varies by 25 %", RANDOM, 60, 100, .runs = {5, 5}, .one = 0.25},
    {"the same, three runs", RANDOM, 60, 100, .runs = {3, 3}, .one = 0.25},
    {"the same, two runs", RANDOM, 60, 100, .runs = {2, 2}, .one = 0.25, .is_exempt = true},
    {"the same with few samples, five runs", RANDOM, 300, 5, .runs = {5, 5}, .one = 0.25},
    {"all of it, seven runs and one", RANDOM, 60, 100, 0.2, 0.05, 0.05, 0.25, .runs = {7, 1}},
    {"all of it, ten runs", RANDOM, 60, 100, 0.1, 0.05, 0.05, 0.2, .runs = {10, 10}},
    {"all of it, 20 runs, recursive",
     RANDOM,
     60,
     100,
     0.1,
     0.05,
     0.05,
     0.2,
     {20, 20},
     .recurs = true},
};

static struct comparison compare_drawn(const struct drawn *drawn)
{
    struct comparison c;
    compare_build(&c, &drawn->made[BEFORE].snapshot, &drawn->made[AFTER].snapshot, &plain);
    return c;
}

static bool has_changed_row(const struct comparison *c)
{
    for (size_t r = 0; r + 1 < c->row_count; r++)
        if (c->rows[r].times[INCLUSIVE].p < 0.05)
            return true;
    return false;
}

static bool has_changed_path(const struct comparison *c)
{
    for (size_t i = 0; i < c->paths->stacks.count; i++)
        if (c->paths->is_changed[i])
            return true;
    return false;
}

/* Whether so many ALARMS of DRAWS are at most 5 %, to within DEVIATIONS of chance.  */
static bool are_few(size_t alarms, size_t draws, double deviations)
{
    double most = 0.05 * (double)draws;
    return (double)alarms <= most + deviations * sqrt(0.95 * most);
}

static void test_false_alarms(void)
{
    size_t draws = tap_size(20, 1000), all = 0, all_rows = 0, all_paths = 0;
    bool is_good = true;
    for (size_t p = 0; p < sizeof plans / sizeof plans[0]; p++) {
        uint64_t state = 20260101 + p;
        size_t rows = 0, paths = 0;
        for (size_t i = 0; i < draws; i++) {
            struct drawn *drawn = draw(&plans[p], NULL, &state);
            struct comparison c = compare_drawn(drawn);
            rows += has_changed_row(&c);
            paths += has_changed_path(&c);
            compare_free(&c);
            free_drawn(drawn);
        }
        printf("# %5.1f %% functions %5.1f %% paths  %s\n", 100.0 * (double)rows / (double)draws,
               100.0 * (double)paths / (double)draws, plans[p].name);
        fflush(stdout);
        if (plans[p].is_exempt)
            continue;
        is_good &= are_few(rows, draws, 3) && are_few(paths, draws, 3);
        all += draws;
        all_rows += rows;
        all_paths += paths;
    }
    is_true(is_good, "nothing has changed: no plan has many more alarms than 5 %");
    is_true(are_few(all_rows, all, 2), "functions of all plans have at most 5 %");
    is_true(are_few(all_paths, all, 2), "so have paths");
}

/* A place, with 5 to 20 % of all samples, has all below it take 30 % longer.  */
static uint32_t choose_changed(const struct drawn *drawn, size_t count, double *growth)
{
    double totals[MOST_NODES];
    uint32_t changed = ROOT;
    for (size_t i = 0; i < count; i++)
        totals[i] = drawn->means[i];
    for (size_t i = count; i-- > 1;)
        totals[drawn->parents[i]] += totals[i];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = drawn->parents[i];
        if (changed == ROOT && totals[i] > 0.05 * totals[0] && totals[i] < 0.2 * totals[0])
            changed = i;
        growth[i] = i == changed || (i > 0 && growth[parent] > 1) ? 1.3 : 1;
    }
    return changed;
}

static void test_found(void)
{
    const struct plan plan = {.name = "a tree of 100", .functions = 100, .samples = 300};
    size_t draws = tap_size(40, 1000), planted = 0, found = 0, elsewhere = 0;
    uint64_t state = 20260202;
    for (size_t i = 0; i < draws; i++) {
        double growth[MOST_NODES];
        uint64_t before = state;
        struct drawn *drawn = draw(&plan, NULL, &state);
        uint32_t changed = choose_changed(drawn, plan.functions, growth);
        free_drawn(drawn);
        if (changed == ROOT)
            continue;
        state = before; /* the same tree */
        drawn = draw(&plan, growth, &state);
        struct comparison c = compare_drawn(drawn);
        bool is_elsewhere = false;
        for (uint32_t j = 0; j < c.paths->stacks.count; j++) {
            bool is_above = false; /* or the place itself */
            for (uint32_t at = changed; at != ROOT; at = drawn->parents[at])
                is_above |= at == j;
            is_elsewhere |= c.paths->is_changed[j] && growth[j] == 1 && !is_above;
        }
        planted++;
        found += c.paths->is_changed[changed];
        elsewhere += is_elsewhere;
        compare_free(&c);
        free_drawn(drawn);
    }
    printf("# of %zu changes %zu are found; %zu times, something else seems to have changed\n",
           planted, found, elsewhere);
    is_true(planted > draws / 2 && found >= planted * 9 / 10, "planted changes are found");
    is_true(are_few(elsewhere, planted, 2), "and little else");
}

int main(void)
{
    test_figures();
    test_sums();
    test_paths();
    test_inheritance();
    test_false_alarms();
    test_found();
    return tap_done();
}
