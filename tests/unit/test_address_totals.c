/* test_address_totals.c - sums: adding up by address, the limits of formats, and reading a written
   sum back.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/write_sum.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/hist_set.h"
#include "tap.h"

static const struct gmon_layout layouts[] = {
    {false, false, 8}, {true, false, 8}, {false, false, 4}, {true, false, 4}, {true, true, 4}};

/* ---- Data ---- */

/* A sum: histograms, calls and executions.  */
struct whole {
    struct hist_set hist;
    struct address_totals sum;
};

static void add_histogram(struct whole *whole, vma low, uint64_t first, uint64_t last)
{
    struct hist_header header = {low, low + 16, 4, 100, "seconds", 's'};
    struct histogram *histogram = hist_find_or_add(&whole->hist, &header);
    hist_reserve(histogram, first > last ? first : last);
    hist_add(histogram, 0, first);
    hist_add(histogram, 3, last);
}

static void whole_free(struct whole *whole)
{
    hist_free(&whole->hist);
    address_totals_free(&whole->sum);
}

static bool have_same_counts(const struct pair_map *a, const uint64_t *a_counts,
                             const struct pair_map *b, const uint64_t *b_counts)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->pairs[i].a != b->pairs[i].a || a->pairs[i].b != b->pairs[i].b ||
            a_counts[i] != b_counts[i])
            return false;
    return true;
}

static bool have_same_histograms(const struct hist_set *a, const struct hist_set *b)
{
    if (a->count != b->count || a->rate != b->rate || strcmp(a->dimension, b->dimension) != 0 ||
        a->abbreviation != b->abbreviation)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct histogram *x = &a->hists[i], *y = &b->hists[i];
        if (x->low != y->low || x->high != y->high || x->bin_count != y->bin_count ||
            x->order != y->order)
            return false;
        for (uint32_t bin = 0; bin < x->bin_count; bin++)
            if (bin_of(x, bin) != bin_of(y, bin))
                return false;
    }
    return true;
}

static void check_same(const struct whole *a, const struct whole *b, const char *what)
{
    char text[200];
    snprintf(text, sizeof text, "%s: histograms", what);
    is_true(have_same_histograms(&a->hist, &b->hist), text);
    snprintf(text, sizeof text, "%s: calls", what);
    is_true(have_same_counts(&a->sum.arcs, a->sum.arc_counts, &b->sum.arcs, b->sum.arc_counts),
            text);
    snprintf(text, sizeof text, "%s: executions", what);
    is_true(
        have_same_counts(&a->sum.blocks, a->sum.block_counts, &b->sum.blocks, b->sum.block_counts),
        text);
}

/* ---- Adding up ---- */

static void test_adding(void)
{
    struct address_totals sum = {0};
    address_totals_add_arc(&sum, 8, 16, 3);
    address_totals_add_arc(&sum, 4, 16, 0);
    address_totals_add_arc(&sum, 8, 16, 4);
    is_equal(sum.arcs.count, 2, "calls of one pair add up, and one with count 0 stays");
    is_equal(sum.arc_counts[0], 7, "their number");
    is_equal(sum.arcs.pairs[1].a, 4, "in order of first appearance");
    address_totals_add_arc(&sum, 8, 16, UINT64_MAX - 7);
    address_totals_add_arc(&sum, 8, 16, 1);
    is_equal(sum.arc_counts[0], UINT64_MAX, "what fits nowhere stays at the largest");
    address_totals_add_block(&sum, 8, 5);
    address_totals_add_block(&sum, 8, 6);
    is_equal(sum.block_counts[0], 11, "executions add up");
    address_totals_free(&sum);
}

/* ---- Writing and reading back ---- */

static bool add_read_histogram(void *context, const struct hist_record *h)
{
    struct whole *whole = context;
    if (hist_check(&whole->hist, &h->header) != HIST_OK)
        return false;
    hist_add_record(&whole->hist, h, 1);
    return true;
}

static bool add_read_arc(void *context, vma from, vma self, uint64_t count)
{
    address_totals_add_arc(&((struct whole *)context)->sum, from, self, count);
    return true;
}

static bool add_read_block(void *context, vma addr, uint64_t count)
{
    address_totals_add_block(&((struct whole *)context)->sum, addr, count);
    return true;
}

static void check_round_trip(const struct whole *whole, const struct gmon_layout *layout,
                             enum gmon_format format, const char *what)
{
    char *bytes = NULL;
    size_t size = 0;
    struct whole back = {0};
    const struct gmon_visitor visitor = {&back, add_read_histogram, add_read_arc, add_read_block};
    FILE *out = open_memstream(&bytes, &size);
    is_true(sum_fits(&whole->hist, &whole->sum, format, what), "it fits");
    is_true(write_sum_to(out, &whole->hist, &whole->sum, layout, format), "it is written");
    fclose(out);
    const struct gmon_bytes file = {what, (unsigned char *)bytes, size, false};
    is_true(gmon_read(&file, GMON_AUTO, layout, &visitor, NULL), "it is read");
    check_same(whole, &back, what);
    whole_free(&back);
    free(bytes);
}

static void test_magic(void)
{
    struct whole whole = {0};
    add_histogram(&whole, 0x2000, 65535, 65536);
    add_histogram(&whole, 0x1000, 1000000, 0);
    address_totals_add_arc(&whole.sum, 0x2000, 0x1000, UINT32_MAX);
    address_totals_add_arc(&whole.sum, 0x1000, 0x1000, (uint64_t)UINT32_MAX + 1);
    address_totals_add_arc(&whole.sum, 0x1004, 0x1000, 0);
    address_totals_add_arc(&whole.sum, 0x1008, 0x1000, (uint64_t)5 << 32);
    address_totals_add_block(&whole.sum, 0x2004, 0);
    address_totals_add_block(&whole.sum, 0x1004, UINT32_MAX);
    address_totals_add_block(&whole.sum, 0x1008, (uint64_t)3 << 32);
    for (size_t i = 0; i < ARRAY_LENGTH(layouts); i++)
        check_round_trip(&whole, &layouts[i], GMON_MAGIC, "a sum in the magic format");
    whole_free(&whole);
}

static void test_bsd(void)
{
    struct whole whole = {0};
    add_histogram(&whole, 0x1000, 65535, 7);
    address_totals_add_arc(&whole.sum, 0x2000, 0x1000, UINT32_MAX);
    address_totals_add_arc(&whole.sum, 0x1000, 0x1000, (uint64_t)UINT32_MAX + 1);
    for (size_t i = 0; i < ARRAY_LENGTH(layouts); i++) {
        check_round_trip(&whole, &layouts[i], GMON_BSD, "a sum in BSD's format");
        check_round_trip(&whole, &layouts[i], GMON_BSD44, "a sum in 4.4BSD's format");
    }
    whole_free(&whole);
}

static void test_empty(void)
{
    struct whole whole = {0};
    address_totals_add_arc(&whole.sum, 1, 2, 3);
    check_round_trip(&whole, &layouts[0], GMON_MAGIC, "a sum without a histogram");
    whole_free(&whole);
}

/* ---- Sums that a format cannot represent ---- */

static void refuse(struct whole *whole, enum gmon_format format, const char *what)
{
    is_true(!sum_fits(&whole->hist, &whole->sum, format, "(expected) sum"), what);
    whole_free(whole);
}

static void test_refusals(void)
{
    struct whole whole = {0};
    refuse(&whole, GMON_BSD, "BSD: no histogram");
    add_histogram(&whole, 0x1000, 1, 1);
    add_histogram(&whole, 0x2000, 1, 1);
    refuse(&whole, GMON_BSD44, "BSD: two histograms");
    add_histogram(&whole, 0x1000, 65536, 1);
    refuse(&whole, GMON_BSD44, "BSD: a bin above 65535");
    add_histogram(&whole, 0x1000, 1, 1);
    address_totals_add_block(&whole.sum, 0x1000, 1);
    refuse(&whole, GMON_BSD44, "BSD: executions");
    add_histogram(&whole, 0x1000, 1, 1);
    whole.hist.rate = 0;
    refuse(&whole, GMON_BSD44, "BSD: rate 0");
    add_histogram(&whole, 0x1000, 1, 1);
    whole.hist.rate = 99;
    is_true(sum_fits(&whole.hist, &whole.sum, GMON_BSD44, "sum"), "4.4BSD: any rate");
    refuse(&whole, GMON_BSD, "BSD: no rate but 100");
    add_histogram(&whole, 0x1000, 1, 1);
    strcpy(whole.hist.dimension, "ticks");
    refuse(&whole, GMON_BSD, "BSD: another dimension");
    address_totals_add_arc(&whole.sum, 1, 2, UINT64_MAX);
    refuse(&whole, GMON_MAGIC, "magic: a count of more records than any disk has room for");
}

int main(void)
{
    test_adding();
    test_magic();
    test_bsd();
    test_empty();
    test_refusals();
    return tap_done();
}
