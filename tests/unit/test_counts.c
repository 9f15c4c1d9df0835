/* test_counts.c - the order of execution counts: by file, line and address where both have a file,
   else by address.  That is not an order in which everything can be sorted, so what a stable
   top-down merge sort, whose first half has n/2 elements, makes of it is worked out by hand.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/free_profile.h"
#include "analysis/views.h"
#include "base/common.h"
#include "program.h"
#include "tap.h"

struct place {
    const char *file; /* or NULL */
    uint32_t line;
};

static void make(struct profile *p, const struct place *places, size_t count)
{
    *p = (struct profile){0};
    program_symbols(p, count, NULL);
    for (size_t i = 0; i < count; i++) {
        p->symtab.symbols[i].line = places[i].line;
        if (places[i].file != NULL)
            p->symtab.symbols[i].file = files_intern(&p->files, places[i].file);
    }
}

static void check(const struct place *places, size_t count, const char *expected, const char *what)
{
    struct profile p;
    make(&p, places, count);
    views_order_counts(&p.views, &p);
    is_same_ids(p.views.counts, p.views.counts_count, expected, what);
    profile_free(&p);
}

#define CHECK(expected, what, ...)                                                                 \
    check((const struct place[]){__VA_ARGS__},                                                     \
          ARRAY_LENGTH(((const struct place[]){__VA_ARGS__})), expected, what)

static void test_files(void)
{
    CHECK("0,1,2", "no files: by address", {NULL, 0}, {NULL, 0}, {NULL, 0});
    CHECK("1,2,0", "by path, not by first mention", {"/z/a.c", 1}, {"/y/c.c", 5}, {"/z/a", 9});
    CHECK("2,0,1", "one file: by line", {"a.c", 7}, {"a.c", 10}, {"a.c", 2});
    CHECK("1,0,2", "one line: by address", {"a.c", 7}, {"a.c", 2}, {"a.c", 7});
}

static void test_without_a_file(void)
{
    /* 0 and 1 keep their order; 2 goes behind 0, with which alone it is compared. */
    CHECK("0,1,2", "a later half whose first has no file", {"b", 5}, {NULL, 0}, {"a", 9});
    /* 1 before 2 by address; then 1 goes before 0, which is before 2 by address. */
    CHECK("1,0,2", "a later half whose last has none", {"b", 1}, {"a", 1}, {NULL, 0});
    /* The halves are 0, 1 and 3, 2; both of the second go before 0. */
    CHECK("3,2,0,1", "halves of two", {"c", 1}, {NULL, 0}, {"b", 1}, {"a", 1});
    /* The halves are 0, 1 and 2, 3, 4: the latter 2 and 4, 3.  4 goes before 2: 4, 3 was compared
       with 2 from its first on.  All go before 1, but 0 has no file and is before them by address.
     */
    CHECK("0,4,3,2,1", "halves of two and three", {NULL, 0}, {"d", 1}, {"c", 1}, {"b", 1},
          {"a", 1});
}

static void test_filter(void)
{
    static const struct place places[] = {{"b", 1}, {"a", 1}, {"c", 1}};
    bool accepted[] = {true, false, true};
    struct profile p;
    make(&p, places, ARRAY_LENGTH(places));
    p.filters.counts.include = (struct sym_set){accepted, true};
    views_order_counts(&p.views, &p);
    is_same_ids(p.views.counts, p.views.counts_count, "0,2", "only what the filter accepts");
    p.filters.counts.include = (struct sym_set){0};
    profile_free(&p);
}

int main(void)
{
    test_files();
    test_without_a_file();
    test_filter();
    return tap_done();
}
