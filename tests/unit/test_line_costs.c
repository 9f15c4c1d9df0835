/* test_line_costs.c - own times and calls of functions by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/lines.h"

#include "analysis/free_profile.h"
#include "analysis/hist.h"
#include "model/hist_set.h"
#include "program.h"
#include "tap.h"

enum { MAIN, F, G, H, OUTSIDE, SYMBOLS, BIN = 4, BINS = 16 };

/* What the debug information says: a.c has main, f, g, and h; b.h has what is inlined in f.  */
static const struct line_row rows[] = {{TEXT, 0, 1, "main"},        {TEXT + 0x08, 0, 2, "main"},
                                       {TEXT + 0x10, 0, 10, "f"},   {TEXT + 0x14, 0, 11, "f"},
                                       {TEXT + 0x18, 1, 5, "calc"}, {TEXT + 0x20, 0, 20, "g"},
                                       {TEXT + 0x30, 0, 30, "h"}};

/* g and h are a cycle.  */
static const struct recorded_arc calls[] = {
    {0, TEXT, 1},
    {TEXT + 0x04, TEXT + 0x10, 1},
    {TEXT + 0x0c, TEXT + 0x10, 3},
    {TEXT + 0x18, TEXT + 0x20, 4},
    {TEXT + 0x28, TEXT + 0x30, 2},
    {TEXT + 0x38, TEXT + 0x20, 5},
};

static void add_samples(struct profile *p)
{
    static const unsigned char samples[BINS] = {2, 0, 4, 0, 0, 1, 3, 0, 6, 0, 0, 0, 2};
    struct hist_header header = {TEXT, TEXT + BIN * BINS, BINS, 100, "seconds", 's'};
    struct histogram *histogram = hist_find_or_add(&p->hist, &header);
    hist_reserve(histogram, 100);
    for (uint32_t i = 0; i < BINS; i++)
        hist_add(histogram, i, samples[i]);
}

static void make(struct profile *p, struct address_totals *totals)
{
    static const char *const names[] = {"main", "f", "g", "h"};
    *p = (struct profile){0};
    *totals = (struct address_totals){0};
    files_intern(&p->files, "a.c");
    files_intern(&p->files, "b.h");
    program_symbols(p, 4, names);
    symtab_add_outside(&p->symtab);
    add_samples(p);
    struct arc_builder builder = program_arcs(p);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        arcs_record(&builder, calls[i].from, calls[i].self, calls[i].count);
        address_totals_add_arc(totals, calls[i].from, calls[i].self, calls[i].count);
    }
    arcs_finish(&builder);
    hist_assign(&p->hist, &p->symtab, &p->filters.flat);
    program_graph(p, p->hist.time);
}

static size_t describe(char *text, size_t size, const struct line_cost *cost)
{
    int length = snprintf(text, size, " %u %s:%u", cost->function,
                          cost->file != NULL ? cost->file : "?", cost->line);
    size_t used = (size_t)length;
    if (cost->is_call)
        length = snprintf(text + used, size - used, "->%u x%u %g;", cost->callee,
                          (unsigned)cost->calls, cost->time);
    else
        length = snprintf(text + used, size - used, " %g;", cost->time);
    return used + (size_t)length;
}

/* Ends TOTALS and P.  */
static void check(struct profile *p, struct address_totals *totals, const uint32_t *ids,
                  const char *expected, const char *what)
{
    char text[1000] = "";
    size_t used = 0;
    struct line_costs costs = {0};
    const struct line_cost_rules rules = {.ids = ids,
                                          .sample_time = 0.5,
                                          .calls = totals,
                                          .rows = rows,
                                          .row_count = sizeof rows / sizeof *rows};
    line_costs_build(&costs, p, &rules);
    for (size_t i = 0; i < costs.count; i++)
        used += describe(text + used, sizeof text - used, &costs.costs[i]);
    is_same_text(text, expected, what);
    line_costs_free(&costs);
    address_totals_free(totals);
    profile_free(p);
}

static const uint32_t all[SYMBOLS] = {MAIN, F, G, H, OUTSIDE};

static void test_division(void)
{
    struct profile p;
    struct address_totals totals;
    make(&p, &totals);
    check(&p, &totals, all,
          " 0 ?:0 1; 0 ?:0->1 x1 1.5; 0 a.c:2 2; 0 a.c:2->1 x3 4.5;"
          " 1 a.c:11 0.5; 1 b.h:5 1.5; 1 b.h:5->2 x4 4;"
          " 2 ?:0 3; 2 ?:0->3 x2 0; 3 ?:0 1; 3 ?:0->2 x5 0; 4 ?:0->0 x1 9;",
          "own times by line; times of arcs by the calls of each line, none inside of a cycle");
}

static void test_return_addresses(void)
{
    struct profile p;
    struct address_totals totals;
    make(&p, &totals);
    totals.counts_all_threads = true;
    check(&p, &totals, all,
          " 0 ?:0 1; 0 ?:0->1 x1 1.5; 0 a.c:2 2; 0 a.c:2->1 x3 4.5;"
          " 1 a.c:11 0.5; 1 a.c:11->2 x4 4; 1 b.h:5 1.5;"
          " 2 ?:0 3; 2 ?:0->3 x2 0; 3 ?:0 1; 3 ?:0->2 x5 0; 4 ?:0->0 x1 9;",
          "a call that ends where the next line begins is on the line before");
}

static void test_left_out(void)
{
    static const uint32_t ids[SYMBOLS] = {0, 1, NO_ID, 2, NO_ID};
    struct profile p;
    struct address_totals totals;
    make(&p, &totals);
    check(&p, &totals, ids,
          " 0 ?:0 1; 0 ?:0->1 x1 1.5; 0 a.c:2 2; 0 a.c:2->1 x3 4.5;"
          " 1 a.c:11 0.5; 1 b.h:5 1.5; 2 ?:0 1;",
          "functions that are left out, and calls of them");
}

static void test_filters(void)
{
    struct profile p;
    struct address_totals totals;
    make(&p, &totals);
    p.filters.flat.exclude.has = mem_array(SYMBOLS, sizeof(bool));
    p.filters.flat.exclude.has[F] = true;
    check(&p, &totals, all,
          " 0 ?:0 1; 0 ?:0->1 x1 1.5; 0 a.c:2 2; 0 a.c:2->1 x3 4.5; 1 b.h:5->2 x4 4;"
          " 2 ?:0 3; 2 ?:0->3 x2 0; 3 ?:0 1; 3 ?:0->2 x5 0; 4 ?:0->0 x1 9;",
          "a filter of the flat profile leaves out the own time of a function");
}

int main(void)
{
    test_division();
    test_return_addresses();
    test_left_out();
    test_filters();
    return tap_done();
}
