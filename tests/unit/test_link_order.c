/* test_link_order.c - orders of functions and object files, worked out by hand from the rules:

     used       functions with calls; the others count as placed and come last
     arcs       of different functions, by count, descending, stable
     uses       of a function: the arcs to it within the first 90 % of all calls
     favoured   the first of each 80 used functions, by uses: first, unless they call each other
     most       arcs within the first 99 % of all calls make chains; the others come after  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/link_order.h"

#include <stdlib.h>

#include "analysis/free_profile.h"
#include "base/common.h"
#include "program.h"
#include "tap.h"

typedef uint32_t *order_function(const struct symtab *, const struct arc_table *, size_t *);

static void check(struct profile *p, order_function *order, const char *expected, const char *what)
{
    size_t count;
    uint32_t *ids = order(&p->symtab, &p->arcs, &count);
    is_same_ids(ids, count, expected, what);
    free(ids);
    profile_free(p);
}

static void check_functions(size_t symbols, const struct call *calls, size_t count,
                            const char *expected, const char *what)
{
    struct profile p = {0};
    program_symbols(&p, symbols, NULL);
    program_calls(&p, calls, count);
    check(&p, link_order_functions, expected, what);
}

#define CHECK_FUNCTIONS(symbols, expected, what, ...)                                              \
    check_functions(symbols, (const struct call[]){__VA_ARGS__},                                   \
                    ARRAY_LENGTH(((const struct call[]){__VA_ARGS__})), expected, what)

/* ---- Few functions ---- */

static void test_chains(void)
{
    CHECK_FUNCTIONS(3, "0,1,2", "no calls but to itself: by address", {1, 1, 5});
    CHECK_FUNCTIONS(4, "3,2,1,0", "each behind its caller, and unused ones last", {0, 3, 10},
                    {3, 2, 30}, {2, 1, 20});
    /* 1 calls 2 most; 3 is joined to the end of that chain, 4 before it. */
    CHECK_FUNCTIONS(6, "4,1,2,3,5,0", "both ends of a chain", {0, 5, 1}, {0, 4, 1}, {1, 2, 40},
                    {3, 2, 30}, {4, 1, 20}, {5, 2, 10}, {0, 3, 1});
    CHECK_FUNCTIONS(5, "3,4,1,2,0", "two chains: that of the most frequent call first", {0, 1, 1},
                    {0, 3, 1}, {1, 2, 20}, {3, 4, 30});
    CHECK_FUNCTIONS(5, "1,2,3,4,0", "equal counts: the first to appear", {0, 1, 1}, {0, 3, 1},
                    {1, 2, 20}, {3, 4, 20});
}

/* 1000 calls in all; the arc from 2 to 1 is the one that may be beyond 99 %.  */
static void test_most(void)
{
    CHECK_FUNCTIONS(5, "4,3,2,1,0", "arcs beyond 99 % make chains after the others", {0, 4, 3},
                    {0, 2, 2}, {4, 3, 990}, {2, 1, 5});
    /* 3 to 1 is left when 2, 3 have been put out; alone, 1 is a used function like any other. */
    CHECK_FUNCTIONS(4, "3,2,1,0", "nor are they joined to those", {0, 3, 2}, {3, 2, 990},
                    {3, 1, 8});
    CHECK_FUNCTIONS(4, "1,3,2,0", "as within 99 % they are", {0, 3, 1}, {3, 2, 981}, {3, 1, 9},
                    {0, 2, 9});
    CHECK_FUNCTIONS(5, "3,4,1,2,0", "counts of more than 32 bits", {0, 1, 1}, {0, 3, 1},
                    {1, 2, UINT64_C(1) << 33}, {3, 4, UINT64_C(1) << 34});
}

/* ---- Many functions: of each 80 that are used, one is favoured ---- */

enum { FAVOURED_3 = 240, FAVOURED_4 = 320, CALLS = 400 };

struct calls {
    struct call calls[CALLS];
    size_t count;
};

static void add_call(struct calls *list, uint32_t caller, uint32_t callee, uint64_t calls)
{
    list->calls[list->count++] = (struct call){caller, callee, calls};
}

/* The COUNT functions from FIRST on call CALLEE.  */
static void add_callers(struct calls *list, uint32_t first, uint32_t count, uint32_t callee,
                        uint64_t calls)
{
    for (uint32_t i = 0; i < count; i++)
        add_call(list, first + i, callee, calls);
}

/* Function 0, which is not used, calls those of 1 .. USED that no other calls.  */
static void add_rest(struct calls *list, uint32_t used, uint64_t calls)
{
    bool is_called[FAVOURED_4 + 1] = {false};
    for (size_t i = 0; i < list->count; i++)
        is_called[list->calls[i].callee] = true;
    for (uint32_t i = 1; i <= used; i++)
        if (!is_called[i])
            add_call(list, 0, i, calls);
}

/* The order is the COUNT of FIRST, then the others of 1 .. USED by address, then 0.  */
static void check_first(const struct calls *list, uint32_t used, const uint32_t *first,
                        size_t count, const char *what)
{
    static char text[4000];
    size_t size = 0;
    bool is_first[FAVOURED_4 + 1] = {false};
    for (size_t i = 0; i < count; i++) {
        is_first[first[i]] = true;
        size += (size_t)snprintf(text + size, sizeof text - size, "%u,", first[i]);
    }
    for (uint32_t i = 1; i <= used; i++)
        if (!is_first[i])
            size += (size_t)snprintf(text + size, sizeof text - size, "%u,", i);
    snprintf(text + size, sizeof text - size, "0");
    check_functions(used + 1, list->calls, list->count, text, what);
}

/* 200 has 7 uses, 100 has 6, and 50 has 2: its third arc is beyond 90 %.  200 comes first.  The
   other two have an arc in common, so neither is set aside; but that arc counts as placed, and so
   only its caller comes next.  50 is a used function that no arc places.  */
static void test_favoured(void)
{
    struct calls list = {.count = 0};
    add_callers(&list, 1, 7, 200, 1000);
    add_callers(&list, 11, 6, 100, 1000);
    add_callers(&list, 21, 3, 50, 1000);
    add_call(&list, 100, 50, 900);
    add_rest(&list, FAVOURED_3, 1);
    const uint32_t first[] = {200, 100};
    check_first(&list, FAVOURED_3, first, ARRAY_LENGTH(first),
                "favoured functions come first, without those they call");
}

/* 200, 100, 50 and 25 have 7, 6, 4 and 1 uses.  Two pairs have arcs in common, so none is set
   aside: the callers come first, that of the more frequent calls before the other.  */
static void test_favoured_pairs(void)
{
    struct calls list = {.count = 0};
    add_callers(&list, 1, 7, 200, 1000);
    add_callers(&list, 11, 6, 100, 1000);
    add_callers(&list, 21, 4, 50, 1000);
    add_callers(&list, 31, 3, 25, 1000);
    add_call(&list, 200, 100, 10);
    add_call(&list, 50, 25, 20);
    add_rest(&list, FAVOURED_4, 1);
    const uint32_t first[] = {50, 200};
    check_first(&list, FAVOURED_4, first, ARRAY_LENGTH(first),
                "of favoured functions that call each other, the callers by calls");
}

/* 200 has 5 uses, which ends the search at once: chains alone decide.  Callers are joined at the
   nearer end in turn.  */
static void test_five(void)
{
    struct calls list = {.count = 0};
    add_callers(&list, 1, 5, 200, 1000);
    add_callers(&list, 11, 4, 100, 1000);
    add_callers(&list, 21, 3, 50, 1000);
    add_call(&list, 100, 50, 900);
    add_rest(&list, FAVOURED_3, 1);
    const uint32_t first[] = {5, 3, 1, 200, 2, 4, 13, 11, 100, 12, 14, 23, 21, 50, 22};
    check_first(&list, FAVOURED_3, first, ARRAY_LENGTH(first),
                "exactly five uses: none is favoured");
}

/* 5 * 1377 = 6885 is nine tenths of 6885 + 48 + 239 * 3 = 7650, so that the fifth arc is a use, and
   the sixth, after which it is 90.6 %, is not.  */
static void test_nine_tenths(void)
{
    struct calls list = {.count = 0};
    add_callers(&list, 1, 5, 200, 1377);
    add_callers(&list, 6, 1, 200, 48);
    add_rest(&list, FAVOURED_3, 3);
    const uint32_t first[] = {5, 3, 1, 200, 2, 4, 6};
    check_first(&list, FAVOURED_3, first, ARRAY_LENGTH(first), "uses are counted up to 90 %");
}

/* ---- Object files ---- */

static void test_objects(void)
{
    const struct call calls[] = {{1, 3, 10}, {1, 2, 60}, {4, 3, 5}};
    struct profile p = {0};
    program_symbols(&p, 5, NULL);
    program_calls(&p, calls, ARRAY_LENGTH(calls));
    for (size_t i = 0; i < 4; i++)
        p.symtab.symbols[i].is_object = true;
    check(&p, link_order_objects, "2,1,3,0",
          "in order of appearance, without what is of no object; then by address");
}

int main(void)
{
    test_chains();
    test_most();
    test_favoured();
    test_favoured_pairs();
    test_five();
    test_nine_tenths();
    test_objects();
    return tap_done();
}
