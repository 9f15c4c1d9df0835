/* test_bounds.c - bounds of inclusive times: by hand, by definition, and at size.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/bounds.h"

#include <stdlib.h>

#include "analysis/free_profile.h"
#include "base/sort.h"
#include "program.h"
#include "tap.h"

/* The inclusive time of a symbol or its cycle as the call graph has it.  A cycle that nobody calls
   from outside has no own time there; test_uncalled_cycle.  */
static double total_of(const struct profile *p, uint32_t symbol)
{
    uint32_t id = node_of_symbol(&p->graph, symbol);
    const struct node *node = &p->graph.nodes[id];
    bool is_uncalled_cycle = p->graph.cycle[symbol] != 0 && node->calls == 0;
    return is_uncalled_cycle ? node->time + p->times.nodes[id].children
                             : line_total(&p->times.nodes[id]);
}

static void finish(struct profile *p, const double *times)
{
    program_times(p, times);
    uint32_t *all = identity_ids(p->graph.count);
    bounds_compute(p, all, p->graph.count);
    free(all);
}

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

static bool is_between(double value, double least, double most)
{
    return (value >= least || is_close(value, least)) && (value <= most || is_close(value, most));
}

/* ---- By hand.  Function i has 2^i ticks, so that a sum says whose they are. ---- */

enum { MOST_FUNCTIONS = 12 };

static void make(struct profile *p, size_t symbols, const struct call *calls, size_t count)
{
    double times[MOST_FUNCTIONS];
    for (size_t i = 0; i < symbols; i++)
        times[i] = (double)(1 << i);
    *p = (struct profile){0};
    program_symbols(p, symbols, NULL);
    program_calls(p, calls, count);
    finish(p, times);
}

/* "0123-0123" - whose ticks TICKS are.  */
static size_t list_owners(char *text, double ticks)
{
    size_t used = 0;
    for (unsigned i = 0; i < MOST_FUNCTIONS; i++)
        if ((unsigned)ticks >> i & 1)
            text[used++] = (char)('0' + i);
    text[used] = 0;
    return used;
}

static void check(struct profile *p, const char *expected, const char *what)
{
    char text[2 * MOST_FUNCTIONS * MOST_FUNCTIONS + 4 * MOST_FUNCTIONS] = "";
    size_t used = 0;
    bool ok = p->bounds.is_known;
    for (uint32_t s = 0; s < p->symtab.count; s++) {
        if (s > 0)
            text[used++] = ' ';
        used += list_owners(text + used, p->bounds.least[s]);
        text[used++] = '-';
        used += list_owners(text + used, p->bounds.most[s]);
        ok = ok && is_between(total_of(p, s), p->bounds.least[s], p->bounds.most[s]);
    }
    is_same_text(text, expected, what);
    is_true(ok, "total is between");
    profile_free(p);
}

static void make_and_check(size_t symbols, const struct call *calls, size_t count,
                           const char *expected, const char *what)
{
    struct profile p;
    make(&p, symbols, calls, count);
    check(&p, expected, what);
}

#define CHECK(symbols, expected, what, ...)                                                        \
    make_and_check(symbols, (const struct call[]){__VA_ARGS__},                                    \
                   sizeof((const struct call[]){__VA_ARGS__}) / sizeof(struct call), expected,     \
                   what)

static void test_acyclic(void)
{
    make_and_check(2, NULL, 0, "0-0 1-1", "functions without calls");
    CHECK(3, "012-012 12-12 2-2", "a chain", {0, 1, 1}, {1, 2, 1});
    CHECK(4, "0123-0123 1-13 2-23 3-3", "a diamond", {0, 1, 1}, {0, 2, 9}, {1, 3, 1}, {2, 3, 9});
    CHECK(4, "02-023 1-13 2-23 3-3", "two roots, a callee of their own, and one of both", {0, 2, 1},
          {1, 3, 1}, {2, 3, 1});
    CHECK(4, "0123-0123 123-123 2-23 3-3", "a call past a function", {0, 1, 1}, {1, 2, 1},
          {1, 3, 1}, {2, 3, 1});
    CHECK(3, "012-012 12-12 2-2", "calls to itself", {0, 1, 1}, {1, 1, 8}, {1, 2, 1}, {2, 2, 5});
    CHECK(3, "01-01 1-1 2-2", "calls to itself are not called by others", {0, 1, 1}, {2, 2, 5});
    CHECK(3, "01-01 1-1 2-2", "arcs that were never called lead nowhere", {0, 1, 1}, {0, 2, 0},
          {1, 2, 0});
    CHECK(3, "012-012 12-12 2-2", "and are no callers", {0, 1, 1}, {0, 2, 0}, {1, 2, 3}, {2, 2, 0});
}

/* The example of bounds.h: main, parse, lex, draw, copy.  */
static void test_example(void)
{
    const double times[] = {0, 5, 40, 10, 30}, least[] = {85, 45, 40, 10, 30},
                 most[] = {85, 75, 40, 40, 30};
    struct profile p = {0};
    program_symbols(&p, 5, NULL);
    program_calls(&p, (const struct call[]){{0, 1, 7}, {0, 3, 2}, {1, 2, 9}, {1, 4, 1}, {3, 4, 1}},
                  5);
    finish(&p, times);
    is_true(memcmp(p.bounds.least, least, sizeof least) == 0 &&
                memcmp(p.bounds.most, most, sizeof most) == 0,
            "the example of the header");
    profile_free(&p);
}

static void test_cyclic(void)
{
    CHECK(4, "0123-0123 123-123 23-123 3-3", "a loop with what it calls", {0, 1, 1}, {1, 2, 1},
          {2, 1, 1}, {2, 3, 1});
    CHECK(4, "0123-0123 1-123 2-23 3-23", "a cycle with two entries, irreducible", {0, 1, 1},
          {0, 2, 1}, {1, 3, 1}, {2, 3, 1}, {3, 2, 1});
    CHECK(5, "0-0234 1-1234 2-234 34-234 4-4", "a cycle with an entry from either root", {0, 2, 1},
          {1, 3, 1}, {2, 3, 4}, {3, 2, 4}, {3, 4, 1});
    CHECK(4, "0-0 1-123 23-123 3-3", "a cycle that nobody calls", {1, 2, 1}, {2, 1, 1}, {2, 3, 1});
    CHECK(4, "0123-0123 123-123 23-23 3-3", "a cycle of one is none", {0, 1, 1}, {1, 1, 1},
          {1, 2, 1}, {2, 3, 1});
    CHECK(3, "012-012 12-12 2-12", "a cycle only with arcs that were never called is one",
          {0, 1, 1}, {1, 2, 1}, {2, 1, 0});
}

static void test_member_below_least(void)
{
    struct profile p;
    make(&p, 4, (const struct call[]){{0, 1, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}}, 4);
    is_true(line_total(&p.times.nodes[1]) < p.bounds.least[1],
            "a member's own entry may be below what holds for its cycle");
    is_same_double(p.bounds.least[4], p.bounds.least[1],
                   "the cycle's node has the `least' of the only member that is entered");
    is_same_double(p.bounds.most[4], p.bounds.most[1], "and the same `most'");
    profile_free(&p);
}

static void test_uncalled_cycle(void)
{
    struct profile p;
    make(&p, 3, (const struct call[]){{0, 1, 1}, {1, 0, 1}, {1, 2, 1}}, 3);
    is_same_double(line_total(&p.times.nodes[3]), 4,
                   "the call graph has no own time of such a cycle");
    is_same_double(p.bounds.least[3], 7, "`least' has it");
    is_same_double(p.times.inclusive[3], 7, "and so has its time, with what it inherits");
    profile_free(&p);
}

/* ---- Callers that the table does not have ---- */

static vma at(uint32_t symbol)
{
    return TEXT + symbol * (vma)FUNCTION_SIZE;
}

/* 0 calls 1; 1 calls 2; the address FROM calls 2 and excluded arcs are dropped.  */
static void record(struct profile *p, vma from, uint64_t count)
{
    const double times[] = {1, 2, 4};
    struct arc_builder builder = program_arcs(p);
    arcs_record(&builder, at(0), at(1), 1);
    arcs_record(&builder, at(1), at(2), 1);
    arcs_record(&builder, from, at(2), count);
    arcs_finish(&builder);
    finish(p, times);
}

static void test_other_callers(void)
{
    struct profile p = {0};
    program_symbols(&p, 3, NULL);
    record(&p, TEXT - 1, 1);
    check(&p, "01-012 1-12 2-2", "a call from no symbol");
    program_symbols(&p, 3, NULL);
    record(&p, TEXT - 1, 0);
    check(&p, "012-012 12-12 2-2", "that never was");
}

static void test_excluded_arcs(void)
{
    bool *caller = mem_array(3, sizeof *caller), *callee = mem_array(3, sizeof *callee);
    struct profile p = {0};
    caller[0] = callee[2] = true;
    p.filters.exclude_arcs.products = mem_array(1, sizeof *p.filters.exclude_arcs.products);
    p.filters.exclude_arcs.products[0] = (struct arc_product){{caller, true}, {callee, true}};
    p.filters.exclude_arcs.count = 1;
    program_symbols(&p, 3, NULL);
    record(&p, at(0), 1);
    is_equal(p.arcs.count, 2, "an excluded arc is dropped");
    check(&p, "01-012 1-12 2-2", "its callee is called from elsewhere");
}

/* ---- Filters ---- */

/* Two functions, the first of which calls the second; *SET names symbol SYMBOL.  */
static void filter(struct profile *p, struct sym_set *set, uint32_t symbol, const double *times)
{
    set->has = mem_array(3, sizeof *set->has);
    set->has[symbol] = set->is_given = true;
    program_symbols(p, 3, NULL);
    program_calls(p, (const struct call[]){{0, 1, 1}}, 1);
    finish(p, times);
}

static bool is_blank(const struct profile *p)
{
    bool ok = !p->bounds.is_known;
    for (size_t i = 0; i < p->graph.count; i++)
        ok = ok && isnan(p->bounds.least[i]) && isnan(p->bounds.most[i]);
    return ok;
}

static void test_filters(void)
{
    const double times[] = {1, 2, 0};
    struct profile p = {0};
    filter(&p, &p.filters.time.include, 0, times);
    is_true(is_blank(&p), "no bounds where only some times are included");
    profile_free(&p);
    filter(&p, &p.filters.time.exclude, 1, times);
    is_true(is_blank(&p), "nor where time is excluded");
    profile_free(&p);
    filter(&p, &p.filters.time.exclude, 2, times);
    check(&p, "01-01 1-1 -", "functions without time may be excluded, like the profiler's");
    filter(&p, &p.filters.graph.exclude, 1, times);
    check(&p, "01-01 1-1 -", "what is not shown counts");
}

static void test_calls(void)
{
    const double times[] = {1, 2, 4};
    const uint32_t asked[] = {1, 1}, more[] = {2};
    struct profile p = {0};
    program_symbols(&p, 3, NULL);
    program_calls(&p, (const struct call[]){{0, 1, 1}, {1, 2, 1}}, 2);
    program_graph(&p, times);
    bounds_compute(&p, NULL, 0);
    is_same_double(p.bounds.least[0], 7, "`least' of all");
    is_true(isnan(p.bounds.most[0]), "`most' of none");
    bounds_compute(&p, asked, 2);
    bounds_compute(&p, more, 1);
    is_true(isnan(p.bounds.most[0]), "`most' only of nodes in the list");
    is_same_double(p.bounds.most[1], 6, "which may repeat");
    is_same_double(p.bounds.most[2], 4, "and of a later list");
    profile_free(&p);
    program_symbols(&p, 3, NULL);
    program_calls(&p, (const struct call[]){{0, 1, 1}}, 1);
    finish(&p, (const double[]){0, 0, 0});
    check(&p, "- - -", "no time at all");
}

/* Counts stop at the largest: then callers share more than there is.  */
static void test_saturated(void)
{
    struct profile p;
    make(&p, 4, (const struct call[]){{0, 1, 1}, {0, 2, 1}, {1, 3, UINT64_MAX}, {2, 3, UINT64_MAX}},
         4);
    is_true(total_of(&p, 0) > p.bounds.most[0], "too many calls: the total counts a callee twice");
    is_same_double(p.bounds.most[0], 15, "`most' does not");
    is_same_double(p.bounds.least[0], 15, "nor does `least'");
    profile_free(&p);
}

/* ---- By definition ---- */

/* Functions as bits.  */
struct relation {
    uint32_t of[MOST_FUNCTIONS];
};

static void close_transitively(struct relation *relation, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < count; i++)
            if (relation->of[i] >> k & 1)
                relation->of[i] |= relation->of[k];
}

struct drawn {
    struct profile profile;
    double times[MOST_FUNCTIONS];
    size_t count;
    bool is_entered[MOST_FUNCTIONS]; /* from no symbol */
    struct relation groups;          /* the functions of one's cycle, or oneself */
    struct relation calls;           /* if they were made, or in one's group */
};

static void note_calls(struct drawn *drawn, const struct call *calls, size_t count)
{
    struct relation all = {{0}};
    for (size_t i = 0; i < drawn->count; i++)
        all.of[i] = (uint32_t)1 << i;
    for (size_t i = 0; i < count; i++)
        all.of[calls[i].caller] |= (uint32_t)1 << calls[i].callee;
    close_transitively(&all, drawn->count);
    for (size_t i = 0; i < drawn->count; i++)
        for (size_t j = 0; j < drawn->count; j++)
            if ((all.of[i] >> j & 1) && (all.of[j] >> i & 1))
                drawn->groups.of[i] |= (uint32_t)1 << j;
    for (size_t i = 0; i < count; i++)
        if (calls[i].count > 0 || (drawn->groups.of[calls[i].caller] >> calls[i].callee & 1))
            drawn->calls.of[calls[i].caller] |= (uint32_t)1 << calls[i].callee;
}

static void draw(struct drawn *drawn, uint64_t *state)
{
    struct call calls[3 * MOST_FUNCTIONS];
    struct profile *p = &drawn->profile;
    *drawn = (struct drawn){.count = 1 + next_random(state) % MOST_FUNCTIONS};
    uint32_t n = (uint32_t)drawn->count, call_count = next_random(state) % (3 * n);
    struct arc_builder builder = program_arcs(p);
    program_symbols(p, n, NULL);
    for (uint32_t i = 0; i < call_count; i++) {
        uint32_t a = next_random(state) % n, b = next_random(state) % n;
        bool is_turned = a > b && next_random(state) % 4 > 0;
        calls[i] = (struct call){is_turned ? b : a, is_turned ? a : b,
                                 next_random(state) % 6 * (next_random(state) % 1000)};
        arcs_add(&builder, calls[i].caller, calls[i].callee, calls[i].count);
    }
    for (uint32_t i = 0; i < n; i++) {
        drawn->times[i] = next_random(state) % 4 == 0 ? 0 : next_random(state) % 10000 / 7.0;
        drawn->is_entered[i] = next_random(state) % 16 == 0;
        arcs_record(&builder, TEXT - 1, at(i), drawn->is_entered[i]);
    }
    arcs_finish(&builder);
    note_calls(drawn, calls, call_count);
    finish(p, drawn->times);
}

/* What is reached from FIRST (bits) without the functions REMOVED (bits).  */
static uint32_t reached_without(const struct drawn *drawn, uint32_t first, uint32_t removed)
{
    uint32_t reached = first & ~removed, before = 0;
    while (reached != before) {
        before = reached;
        for (size_t i = 0; i < drawn->count; i++)
            if (before >> i & 1)
                reached |= drawn->calls.of[i] & ~removed;
    }
    return reached;
}

/* Functions that are called from no symbol, and those in groups that nobody calls from outside.  */
static uint32_t entries_of(const struct drawn *drawn)
{
    uint32_t entries = 0;
    for (size_t i = 0; i < drawn->count; i++) {
        uint32_t group = drawn->groups.of[i], callers = 0;
        for (size_t j = 0; j < drawn->count; j++) {
            if (!(group >> j & 1) && (drawn->calls.of[j] & group) != 0)
                callers |= (uint32_t)1 << j;
            if ((group >> j & 1) && drawn->is_entered[j])
                callers |= (uint32_t)1 << j;
        }
        entries |= callers == 0 ? group : drawn->is_entered[i] ? (uint32_t)1 << i : 0;
    }
    return entries;
}

static double sum_of(const struct drawn *drawn, uint32_t functions)
{
    double sum = 0;
    for (size_t i = 0; i < drawn->count; i++)
        sum += functions >> i & 1 ? drawn->times[i] : 0;
    return sum;
}

/* What is wrong with the bounds, if anything.  */
static const char *find_mistake(const struct drawn *drawn)
{
    const struct bounds *bounds = &drawn->profile.bounds;
    const struct graph *graph = &drawn->profile.graph;
    uint32_t entries = entries_of(drawn), all = ((uint32_t)1 << drawn->count) - 1;
    if (reached_without(drawn, entries, 0) != all)
        return "entries do not lead everywhere";
    for (uint32_t i = 0; i < drawn->count; i++) {
        uint32_t group = drawn->groups.of[i];
        double least = sum_of(drawn, all & ~reached_without(drawn, entries, (uint32_t)1 << i));
        double whole = sum_of(drawn, all & ~reached_without(drawn, entries, group));
        double most = sum_of(drawn, reached_without(drawn, group, 0));
        if (!is_close(bounds->least[i], least))
            return "least";
        if (!is_close(bounds->least[node_of_symbol(graph, i)], whole))
            return "least of the cycle";
        if (!is_close(bounds->most[i], most))
            return "most";
        if (bounds->least[i] > bounds->most[i])
            return "order";
        if (!is_between(total_of(&drawn->profile, i), whole, most))
            return "total";
    }
    return NULL;
}

static void test_definition(void)
{
    uint64_t state = 1;
    unsigned wrong = 0, cycles = 0, exact = 0, functions = 0;
    for (unsigned i = 0; i < 2000; i++) {
        struct drawn drawn;
        draw(&drawn, &state);
        const char *mistake = find_mistake(&drawn);
        if (mistake != NULL && wrong++ == 0)
            printf("# graph %u: %s\n", i, mistake);
        cycles += drawn.profile.graph.cycle_count > 0;
        for (size_t s = 0; s < drawn.count; s++)
            exact += drawn.profile.bounds.least[s] == drawn.profile.bounds.most[s];
        functions += (unsigned)drawn.count;
        profile_free(&drawn.profile);
    }
    is_equal(wrong, 0, "2,000 random graphs: what is reached when f is removed");
    printf("# %u with cycles, %u of %u functions exact\n", cycles, exact, functions);
    is_true(cycles > 500 && cycles < 1500, "some with cycles, some without");
    is_true(exact > functions / 4 && exact < functions / 4 * 3, "some bounds equal, some not");
}

/* ---- Large ---- */

static double *some_times(size_t count)
{
    double *times = mem_array(count, sizeof *times);
    for (size_t i = 0; i < count; i++)
        times[i] = (double)(i % 7);
    return times;
}

/* Bounds of COUNT functions, `most' of the first ASKED.  */
static void compute_large(struct profile *p, const struct call *calls, size_t call_count,
                          size_t count, size_t asked, const char *what)
{
    double *times = some_times(count);
    uint32_t *ids = identity_ids(count);
    *p = (struct profile){0};
    program_symbols(p, count, NULL);
    program_calls(p, calls, call_count);
    program_times(p, times);
    bounds_compute(p, ids, asked);
    bool ok = true;
    for (uint32_t s = 0; s < asked; s++)
        ok = ok && is_between(total_of(p, s), p->bounds.least[s], p->bounds.most[s]);
    is_true(ok, what);
    free(ids);
    free(times);
}

static void test_large(void)
{
    enum { MANY = 20000, MANY_CALLS = 125000 };
    const uint32_t large = (uint32_t)tap_size(250000, 1000000);
    struct call *calls = mem_array(2 * (size_t)large, sizeof *calls);
    struct profile p;
    uint64_t state = 9;
    for (uint32_t i = 0; i + 1 < large; i++)
        calls[i] = (struct call){i, i + 1, 1};
    compute_large(&p, calls, large - 1, large, 20, "a long chain");
    is_true(p.bounds.least[0] == p.bounds.most[0], "all of it belongs to the first");
    profile_free(&p);
    for (uint32_t i = 1; i + 1 < large; i++) {
        calls[2 * i - 2] = (struct call){0, i, 1};
        calls[2 * i - 1] = (struct call){i, large - 1, 1};
    }
    compute_large(&p, calls, 2 * (large - 2), large, 20, "a wide fan");
    profile_free(&p);
    for (uint32_t i = 0; i < MANY_CALLS; i++) {
        uint32_t a = next_random(&state) % MANY, b = next_random(&state) % MANY;
        calls[i] = (struct call){a < b ? a : b, a < b ? b : a, 1 + i % 5};
    }
    compute_large(&p, calls, MANY_CALLS, MANY, MANY, "`most' of all of 20,000 functions");
    profile_free(&p);
    free(calls);
}

int main(void)
{
    test_acyclic();
    test_example();
    test_cyclic();
    test_member_below_least();
    test_uncalled_cycle();
    test_other_callers();
    test_excluded_arcs();
    test_filters();
    test_calls();
    test_saturated();
    test_definition();
    test_large();
    return tap_done();
}
