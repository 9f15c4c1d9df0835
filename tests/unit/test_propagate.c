/* test_propagate.c - propagation of time to callers, and the effect of filters.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/propagate.h"
#include "base/memory.h"

#include "analysis/free_profile.h"
#include "program.h"
#include "tap.h"

static void run(struct profile *p, size_t symbols, const struct call *calls, size_t count,
                const double *times)
{
    program_symbols(p, symbols, NULL);
    program_calls(p, calls, count);
    program_times(p, times);
}

static void check_node(const struct profile *p, uint32_t node, double self, double child,
                       const char *what)
{
    char text[120];
    snprintf(text, sizeof text, "%s: self", what);
    is_same_double(p->times.nodes[node].self, self, text);
    snprintf(text, sizeof text, "%s: children", what);
    is_same_double(p->times.nodes[node].children, child, text);
}

static void test_shares(void)
{
    struct profile p = {0};
    static const struct call calls[] = {{0, 2, 3}, {1, 2, 1}, {2, 3, 7}};
    run(&p, 4, calls, 3, (double[]){1, 2, 8, 4});
    check_node(&p, 3, 4, 0, "a leaf");
    check_node(&p, 2, 8, 4, "its only caller has all of it");
    check_node(&p, 0, 1, 9, "three of four calls: three quarters");
    check_node(&p, 1, 2, 3, "one of four: a quarter");
    is_same_double(p.times.callees[0].self, 6, "the arc has the own time");
    is_same_double(p.times.callees[0].children, 3, "and the children's");
    is_same_double(p.times.total, 15, "the total is everybody's own time");
    profile_free(&p);
}

static void test_self_calls(void)
{
    struct profile p = {0};
    static const struct call calls[] = {{0, 1, 1}, {1, 1, 1000}};
    run(&p, 2, calls, 2, (double[]){1, 5});
    check_node(&p, 1, 5, 0, "calls to itself bring nothing");
    check_node(&p, 0, 1, 5, "nor do they take anything");
    profile_free(&p);
}

/* Symbols 1 and 2 call each other, and 0 calls 1 by an arc with COUNT calls, if there is one.  */
static double time_of_cycle(bool is_called, uint64_t count)
{
    struct profile p = {0};
    const struct call calls[] = {{1, 2, 4}, {2, 1, 3}, {0, 1, count}};
    run(&p, 3, calls, is_called ? 3 : 2, (double[]){1, 5, 7});
    double self = p.times.nodes[3].self;
    is_same_double(p.times.nodes[0].children, count > 0 ? 12 : 0, "time goes to who called");
    is_same_double(p.times.nodes[1].self + p.times.nodes[2].self, 12, "members keep theirs");
    profile_free(&p);
    return self;
}

static void test_uncalled_cycle(void)
{
    is_same_double(time_of_cycle(true, 1), 12, "a cycle that was called has its time");
    is_same_double(time_of_cycle(true, 0), 12, "and so has one with a caller that never called it");
    is_same_double(time_of_cycle(false, 0), 0, "without a caller it has no entry, and no time");
}

static void test_no_calls(void)
{
    struct profile p = {0};
    static const struct call calls[] = {{0, 1, 0}};
    run(&p, 2, calls, 1, (double[]){1, 5});
    check_node(&p, 0, 1, 0, "no calls, no share");
    is_same_double(p.graph.nodes[1].fraction, 1, "what nobody called is whole");
    profile_free(&p);
}

static void test_cycle(void)
{
    struct profile p = {0};
    static const struct call calls[] = {{0, 1, 1},  {5, 2, 3}, {1, 2, 50},
                                        {2, 1, 60}, {2, 3, 2}, {4, 3, 2}};
    run(&p, 6, calls, 6, (double[]){1, 10, 30, 8, 0, 2});
    check_node(&p, 6, 40, 4,
               "a cycle has its members' own time and what they inherit from outside");
    check_node(&p, 2, 30, 4, "a member inherits from outside only");
    check_node(&p, 1, 10, 0, "not from other members");
    check_node(&p, 0, 1, 11, "a call of a member is one of the whole");
    check_node(&p, 5, 2, 33, "in proportion to all calls from outside");
    profile_free(&p);
}

static void test_excluded_time(void)
{
    struct profile p = {0};
    bool *left_out = mem_array(3, sizeof *left_out);
    static const struct call calls[] = {{0, 1, 1}, {0, 2, 1}};
    left_out[1] = true;
    p.filters.time.exclude = (struct sym_set){left_out, true};
    run(&p, 3, calls, 2, (double[]){1, 2, 4});
    check_node(&p, 1, 0, 0, "excluded");
    check_node(&p, 0, 1, 4, "what is excluded does not reach callers");
    is_same_double(p.times.total, 5, "nor the total");
    is_true(p.graph.nodes[1].is_shown, "but is shown");
    profile_free(&p);
}

static void test_included_time(void)
{
    struct profile p = {0};
    bool *kept = mem_array(3, sizeof *kept);
    static const struct call calls[] = {{0, 1, 1}, {1, 2, 1}};
    kept[1] = true;
    p.filters.time.include = (struct sym_set){kept, true};
    run(&p, 3, calls, 2, (double[]){1, 2, 4});
    check_node(&p, 0, 0, 0, "a caller of what is included is not");
    check_node(&p, 1, 2, 4, "included");
    check_node(&p, 2, 4, 0, "what it calls is included with it");
    is_same_double(p.times.total, 6, "the total is of what is included");
    profile_free(&p);
}

static void test_partial_time(void)
{
    struct profile p = {0};
    bool *kept = mem_array(4, sizeof *kept);
    static const struct call calls[] = {{0, 2, 3}, {1, 2, 1}, {2, 3, 1}};
    kept[0] = true;
    p.filters.time.include = (struct sym_set){kept, true};
    run(&p, 4, calls, 3, (double[]){1, 2, 8, 4});
    is_same_double(p.graph.nodes[2].fraction, 0.75,
                   "three of four calls come from what is included");
    check_node(&p, 2, 6, 3, "so three quarters of it are");
    check_node(&p, 3, 3, 0, "and of what it calls");
    check_node(&p, 0, 1, 9, "the caller has its share of the whole");
    profile_free(&p);
}

static void test_flags(void)
{
    struct profile p = {0};
    bool *kept = mem_array(4, sizeof *kept);
    static const struct call calls[] = {{0, 1, 1}, {1, 2, 1}};
    kept[1] = true;
    p.filters.graph.include = (struct sym_set){kept, true};
    run(&p, 4, calls, 2, (double[]){1, 2, 4, 8});
    is_true(!p.graph.nodes[0].is_shown, "a caller of what is included is not shown");
    is_true(p.graph.nodes[1].is_shown, "what is included is");
    is_true(p.graph.nodes[2].is_shown, "and what it calls");
    is_true(!p.graph.nodes[3].is_shown, "and nothing else");
    profile_free(&p);
}

static void test_excluded_flags(void)
{
    struct profile p = {0};
    bool *left_out = mem_array(4, sizeof *left_out);
    static const struct call calls[] = {{0, 1, 1}, {1, 2, 1}};
    left_out[1] = true;
    p.filters.graph.exclude = (struct sym_set){left_out, true};
    run(&p, 4, calls, 2, (double[]){1, 2, 4, 8});
    is_true(p.graph.nodes[0].is_shown && !p.graph.nodes[1].is_shown,
            "an excluded one is not shown");
    is_true(p.graph.nodes[2].is_shown, "what only it calls is shown: nothing excludes that");
    check_node(&p, 0, 1, 6, "time is not affected");
    profile_free(&p);
}

static void test_unreachable_cycle(void)
{
    struct profile p = {0};
    static const struct call calls[] = {{0, 1, 3}, {1, 0, 2}, {1, 2, 1}};
    run(&p, 3, calls, 3, (double[]){1, 2, 4});
    is_same_double(p.graph.nodes[3].time, 3, "a cycle nobody calls has its members' time");
    is_same_double(p.times.total, 7, "which is in the total");
    check_node(&p, 1, 2, 4, "its members inherit");
    profile_free(&p);
}

int main(void)
{
    test_shares();
    test_self_calls();
    test_no_calls();
    test_uncalled_cycle();
    test_cycle();
    test_excluded_time();
    test_included_time();
    test_partial_time();
    test_flags();
    test_excluded_flags();
    test_unreachable_cycle();
    return tap_done();
}
