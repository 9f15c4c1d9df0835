/* test_link_order.c - orders of functions and object files, worked out by hand from the rules:

     used       functions with calls; the others count as placed and come last
     arcs       of different functions, by count, descending, stable
     uses       of a function: the arcs to it within the first 90 % of all calls
     favoured   the first of each 80 used functions, by uses: first, unless they call each other
     most       arcs within the first 99 % of all calls make chains; the others come after  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/link_order.h"

#include <stdlib.h>

#include "analysis/profile.h"
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
}

/* ---- Many: 240 used functions, so that three are favoured ---- */

enum { USED = 240, HUB = 200, OTHER_HUB = 100, THIRD_HUB = 50, CALLS = 400 };

struct calls {
    struct call calls[CALLS];
    size_t count;
};

/* The COUNT functions from FIRST on call CALLEE.  */
static void add_callers(struct calls *list, uint32_t first, size_t count, uint32_t callee,
                        uint64_t calls)
{
    for (size_t i = 0; i < count; i++)
        list->calls[list->count++] = (struct call){first + (uint32_t)i, callee, calls};
}

/* Function 0, which is not used, calls all others but the hubs.  */
static void add_rest(struct calls *list)
{
    for (uint32_t i = 1; i <= USED; i++)
        if (i != HUB && i != OTHER_HUB && i != THIRD_HUB)
            list->calls[list->count++] = (struct call){0, i, 1};
}

/* The ids 1 .. USED but those in BEFORE, which come first, and at last 0.  */
static char *with_rest(const uint32_t *before, size_t count)
{
    static char text[4000];
    size_t used = 0;
    bool is_before[USED + 1] = {false};
    for (size_t i = 0; i < count; i++) {
        is_before[before[i]] = true;
        used += (size_t)snprintf(text + used, sizeof text - used, "%u,", before[i]);
    }
    for (uint32_t i = 1; i <= USED; i++)
        if (!is_before[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "%u,", i);
    snprintf(text + used, sizeof text - used, "0");
    return text;
}

/* HUB has 7 uses, OTHER_HUB 6, THIRD_HUB 2: its third arc is beyond 90 %.  HUB comes first.  The
   other two have an arc in common, so neither is set aside; but that arc counts as placed, and so
   only its caller comes next.  THIRD_HUB is a used function that no arc places.  */
static void test_favoured(void)
{
    struct calls list = {.count = 0};
    add_callers(&list, 1, 7, HUB, 1000);
    add_callers(&list, 11, 6, OTHER_HUB, 1000);
    add_callers(&list, 21, 3, THIRD_HUB, 1000);
    add_callers(&list, OTHER_HUB, 1, THIRD_HUB, 900);
    add_rest(&list);
    const uint32_t first[] = {HUB, OTHER_HUB};
    check_functions(USED + 1, list.calls, list.count, with_rest(first, ARRAY_LENGTH(first)),
                    "favoured functions come first, without those they call");
}

/* HUB has 5 uses, which ends the search at once: chains alone decide.  Callers are joined at the
   nearer end in turn.  */
static void test_five(void)
{
    struct calls list = {.count = 0};
    add_callers(&list, 1, 5, HUB, 1000);
    add_callers(&list, 11, 4, OTHER_HUB, 1000);
    add_callers(&list, 21, 3, THIRD_HUB, 1000);
    add_callers(&list, OTHER_HUB, 1, THIRD_HUB, 900);
    add_rest(&list);
    const uint32_t first[] = {5, 3, 1, HUB, 2, 4, 13, 11, OTHER_HUB, 12, 14, 23, 21, THIRD_HUB, 22};
    check_functions(USED + 1, list.calls, list.count, with_rest(first, ARRAY_LENGTH(first)),
                    "exactly five uses: none is favoured");
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
    test_five();
    test_objects();
    return tap_done();
}
