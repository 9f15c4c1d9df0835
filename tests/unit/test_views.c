/* test_views.c - views: the order of each list.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/views.h"

#include "analysis/free_profile.h"
#include "program.h"
#include "tap.h"

static void make(struct profile *p, const char *const *names, size_t symbols,
                 const struct call *calls, size_t count, const double *times)
{
    *p = (struct profile){0};
    program_symbols(p, symbols, names);
    program_calls(p, calls, count);
    program_graph(p, times);
}

/* Compares the ages of the arcs in a row, which identify them in `calls', with a text.  */
static void check_row(const struct profile *p, const uint32_t *row, size_t count,
                      const char *expected, const char *what)
{
    uint32_t ages[20];
    for (size_t i = 0; i < count; i++)
        ages[i] = program_age(p, row[i]);
    is_same_ids(ages, count, expected, what);
}

static void test_flat(void)
{
    struct profile p;
    static const char *const names[] = {"d", "c", "b", "a", "zero", "called"};
    static const struct call calls[] = {{0, 1, 5}, {0, 2, 5}, {0, 5, 1}};
    make(&p, names, 6, calls, 3, (double[]){2, 3, 3, 3, 0, 0});
    is_same_ids(p.views.flat, p.views.flat_count, "2,1,3,0,5",
                "flat: by time, then calls, then name; without what has neither");
    is_same_ids(p.views.by_name, p.views.by_name_count, "3,2,1,5,0", "index: by name");
    profile_free(&p);
}

static void test_ranks(void)
{
    struct profile p;
    static const char *const names[] = {"_x", "y", "b", "a", "_a"};
    static const struct call calls[] = {{1, 2, 3}, {1, 3, 3}, {1, 0, 9}, {1, 4, 9}};
    make(&p, names, 5, calls, 4, (double[]){0, 0, 0, 0, 0});
    is_same_ids(p.views.graph, p.graph.count, "3,2,1,4,0",
                "ties: names without underscore, then calls, then name");
    is_equal(p.graph.nodes[3].index, 1, "indexes count from one");
    profile_free(&p);
}

static void test_cycles_first(void)
{
    struct profile p;
    static const char *const names[] = {"main", "a", "b", "c", "d"};
    static const struct call calls[] = {{0, 1, 1}, {1, 2, 1}, {2, 1, 1},
                                        {0, 3, 1}, {3, 4, 1}, {4, 3, 1}};
    make(&p, names, 5, calls, 6, (double[]){0, 0, 0, 0, 0});
    is_same_ids(p.views.graph, p.graph.count, "5,6,1,3,2,4,0",
                "cycles before functions, then calls");
    is_same_ids(p.views.by_name, p.views.by_name_count, "1,2,3,4,5,6", "index: cycles at the end");
    profile_free(&p);
}

static void test_children(void)
{
    struct profile p;
    static const char *const names[] = {"f", "a", "b", "c", "ring"};
    static const struct call calls[] = {{0, 0, 50}, {0, 4, 9}, {4, 0, 2}, {0, 1, 1},
                                        {0, 2, 1},  {0, 3, 7}, {0, 3, 1}};
    make(&p, names, 5, calls, 7, (double[]){0, 3, 5, 3, 0});
    const uint32_t *start = p.arcs.callee_start;
    check_row(&p, p.views.callees + start[0], start[1] - start[0], "4,5,3,1,0",
              "children: by time, then calls; then those of the cycle, then itself");
    profile_free(&p);
}

static void test_parents(void)
{
    struct profile p;
    static const char *const names[] = {"f", "a", "b", "c", "ring"};
    static const struct call calls[] = {{1, 0, 3}, {0, 0, 50}, {2, 0, 8},
                                        {4, 0, 2}, {0, 4, 1},  {3, 0, 3}};
    make(&p, names, 5, calls, 6, (double[]){6, 0, 0, 0, 0});
    const uint32_t *start = p.arcs.callers.start;
    check_row(&p, p.views.callers + start[0], start[1] - start[0], "1,3,0,5,2",
              "parents: itself, the cycle's, then by time; ties in order of first appearance");
    profile_free(&p);
}

static void test_members(void)
{
    struct profile p;
    static const char *const names[] = {"a", "b", "c", "d"};
    static const struct call calls[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 5}, {3, 0, 1}, {1, 1, 7}};
    make(&p, names, 4, calls, 5, (double[]){0, 0, 0, 2});
    is_same_ids(p.views.members, 4, "3,1,0,2",
                "members: by time, then calls and self calls; ties stand");
    profile_free(&p);
}

static void test_ties_stand(void)
{
    struct profile p;
    static const char *const names[] = {"f", "c", "b", "a"};
    static const struct call calls[] = {{0, 3, 2}, {0, 1, 2}, {0, 2, 2}};
    make(&p, names, 4, calls, 3, (double[]){0, 0, 0, 0});
    is_same_ids(p.views.callees, 3, "0,1,2", "callees: ties in order of first appearance");
    profile_free(&p);
}

int main(void)
{
    test_flat();
    test_ranks();
    test_cycles_first();
    test_children();
    test_parents();
    test_members();
    test_ties_stand();
    return tap_done();
}
