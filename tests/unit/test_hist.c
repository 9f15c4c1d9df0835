/* test_hist.c - histograms: adding them up, and assigning samples to symbols.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/hist.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/hist_set.h"
#include "symbols/symtab.h"
#include "tap.h"

static struct hist_header header(vma low, vma high, uint32_t bin_count)
{
    return (struct hist_header){low, high, bin_count, 100, "seconds", 's'};
}

/* Makes functions at the COUNT addresses except the last, which is the end of the text.  */
static void make_symbols(struct symtab *table, const vma *addrs, size_t count)
{
    struct symbol *symbols = mem_array(count - 1, sizeof *symbols);
    for (size_t i = 0; i < count - 1; i++)
        symbols[i] = (struct symbol){.addr = addrs[i], .name = "f", .is_func = true};
    *table = (struct symtab){0};
    symtab_build_from(table, symbols, count - 1, addrs[count - 1]);
}

static void add(struct hist_set *set, struct hist_header h, const uint64_t *bins)
{
    struct histogram *histogram = hist_find_or_add(set, &h);
    uint64_t most = 0;
    for (uint32_t i = 0; i < h.bin_count; i++)
        most = bins[i] > most ? bins[i] : most;
    hist_reserve(histogram, most);
    for (uint32_t i = 0; i < h.bin_count; i++)
        hist_add(histogram, i, bins[i]);
}

/* ---- Adding up ---- */

static void test_same_range(void)
{
    struct hist_set set = {0};
    struct hist_header h = header(0x1000, 0x1010, 4);
    add(&set, h, (uint64_t[]){1, 2, 3, 4});
    is_equal(hist_check(&set, &h), HIST_OK, "the same range again is fine");
    h.rate = 999;
    is_equal(hist_check(&set, &h), HIST_OK, "at any rate");
    add(&set, h, (uint64_t[]){65535, 0, 0, 65535});
    is_equal(set.count, 1, "one range is one histogram");
    is_equal(bin_of(&set.hists[0], 0), 65536, "samples add up, past 16 bits");
    is_same_double(set.rate, 100, "the first rate counts");
    is_same_double(set.scale, 2.0, "units per bin");
    hist_free(&set);
}

static void test_wide_sums(void)
{
    struct hist_set set = {0};
    struct hist_header h = header(0x1000, 0x1008, 2);
    add(&set, h, (uint64_t[]){UINT32_MAX, 5});
    is_true(set.hists[0].wide == NULL, "32 bits do for 32 bits");
    add(&set, h, (uint64_t[]){1, 1});
    is_equal(bin_of(&set.hists[0], 0), 0x100000000, "samples add up, past 32 bits");
    is_equal(bin_of(&set.hists[0], 1), 6, "all of them");
    hist_clear(&set.hists[0]);
    is_equal(bin_of(&set.hists[0], 0), 0, "and can be taken out again");
    hist_free(&set);
}

static void test_scale(void)
{
    struct hist_set set = {0};
    add(&set, header(0x1000, 0x1007, 2), (uint64_t[]){0, 0});
    is_same_double(set.scale, 1.5, "bytes are halved as integers, then shared as they are");
    hist_free(&set);
}

static void test_conflicts(void)
{
    struct hist_set set = {0};
    struct hist_header other = header(0x2000, 0x2010, 4);
    add(&set, header(0x1000, 0x1010, 4), (uint64_t[]){0, 0, 0, 0});
    is_equal(hist_check(&set, &other), HIST_OK, "a separate range is fine");
    memcpy(other.dimension, "ticks", 6);
    is_equal(hist_check(&set, &other), HIST_DIMENSION_MISMATCH, "in the same dimension");
    other = header(0x2000, 0x2010, 4);
    other.abbreviation = 't';
    is_equal(hist_check(&set, &other), HIST_DIMENSION_MISMATCH, "with the same letter");
    other = header(0x2000, 0x2010, 8);
    is_equal(hist_check(&set, &other), HIST_SCALE_MISMATCH, "and the same scale");
    static const vma overlaps[][2] = {
        {0x1004, 0x1008}, {0xffc, 0x1004}, {0x100c, 0x1014}, {0xff0, 0x1020}, {0x1000, 0x100c}};
    for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++) {
        vma low = overlaps[i][0], high = overlaps[i][1];
        other = header(low, high, (uint32_t)(high - low) / 4);
        is_equal(hist_check(&set, &other), HIST_OVERLAP, "an overlap is not");
    }
    other = header(0x1010, 0x1020, 4);
    is_equal(hist_check(&set, &other), HIST_OK, "one that begins where the other ends is fine");
    other = header(0xff0, 0x1000, 4);
    is_equal(hist_check(&set, &other), HIST_OK, "and one that ends where the other begins");
    hist_free(&set);
}

static void test_covering(void)
{
    struct hist_set set = {0};
    add(&set, header(0x2000, 0x2010, 4), (uint64_t[]){0, 0, 0, 0});
    add(&set, header(0x1000, 0x1010, 4), (uint64_t[]){0, 0, 0, 0});
    is_true(set.hists[0].low == 0x1000 && set.hists[1].low == 0x2000, "they are kept by address");
    is_true(hist_covering(&set, 0xfff) == NULL, "nothing before the first");
    is_true(hist_covering(&set, 0x1000) == &set.hists[0], "its first address");
    is_true(hist_covering(&set, 0x100f) == &set.hists[0], "its last");
    is_true(hist_covering(&set, 0x1010) == NULL, "the gap");
    is_true(hist_covering(&set, 0x2004) == &set.hists[1], "the other one");
    is_true(hist_covering(&set, UINT64_MAX) == NULL, "nothing behind");
    hist_free(&set);
}

/* ---- Assigning samples ---- */

static const struct filter everything;

static void check_times(struct hist_set *set, struct symtab *table, const double *times,
                        const char *what)
{
    char text[120];
    for (size_t i = 0; i < table->count; i++) {
        snprintf(text, sizeof text, "%s: symbol %zu", what, i);
        is_same_double(set->time[i], times[i], text);
    }
    hist_free(set);
    symtab_free(table);
}

static void test_narrow_bins(void)
{
    struct hist_set set = {0};
    struct symtab table;
    make_symbols(&table, (vma[]){0x1000, 0x1008, 0x1010}, 3);
    add(&set, header(0x1000, 0x1010, 8), (uint64_t[]){1, 2, 3, 4, 10, 0, 0, 20});
    hist_assign(&set, &table, &everything);
    is_same_double(set.total, 40, "every sample is in the total");
    check_times(&set, &table, (double[]){10, 30}, "bins narrower than functions");
}

static void test_wide_bins(void)
{
    struct hist_set set = {0};
    struct symtab table;
    make_symbols(&table, (vma[]){0x1000, 0x1004, 0x1006, 0x1010, 0x1018, 0x1020}, 6);
    add(&set, header(0x1000, 0x1020, 2), (uint64_t[]){16, 6});
    hist_assign(&set, &table, &everything);
    check_times(&set, &table, (double[]){4, 2, 10, 3, 3}, "bins wider than functions");
}

static void test_odd_addresses(void)
{
    struct hist_set set = {0};
    struct symtab table;
    /* In units of two bytes, the second and the third symbol both start at 0x801.  */
    make_symbols(&table, (vma[]){0x1001, 0x1002, 0x1003, 0x1008}, 4);
    add(&set, header(0x1000, 0x1008, 4), (uint64_t[]){5, 7, 0, 9});
    hist_assign(&set, &table, &everything);
    check_times(&set, &table, (double[]){5, 0, 16}, "odd addresses count as the even ones below");
}

static void test_fractional_scale(void)
{
    struct hist_set set = {0};
    struct symtab table;
    make_symbols(&table, (vma[]){0x1000, 0x1004, 0x1014}, 3);
    /* 10 units in 4 bins: bins start at units 0, 2, 5, 7.  */
    add(&set, header(0x1000, 0x1014, 4), (uint64_t[]){1, 1, 1, 1});
    hist_assign(&set, &table, &everything);
    double second = 3.0 / 2.5 + 2.0 / 2.5 + 3.0 / 2.5;
    check_times(&set, &table, (double[]){2.0 / 2.5, second}, "bins start at whole units");
}

static void test_outside(void)
{
    struct hist_set set = {0};
    struct symtab table;
    make_symbols(&table, (vma[]){0x1004, 0x1008}, 2);
    add(&set, header(0x1000, 0x1010, 4), (uint64_t[]){1, 2, 4, 8});
    hist_assign(&set, &table, &everything);
    is_same_double(set.total, 15, "what no symbol covers is in the total all the same");
    check_times(&set, &table, (double[]){2}, "the last symbol ends with the text");
}

static void test_filter(void)
{
    struct hist_set set = {0};
    struct symtab table;
    bool left_out[] = {true, false};
    struct filter filter = {.exclude = {left_out, true}};
    make_symbols(&table, (vma[]){0x1000, 0x1006, 0x1010}, 3);
    add(&set, header(0x1000, 0x1010, 2), (uint64_t[]){8, 2});
    hist_assign(&set, &table, &filter);
    is_same_double(set.total, 4, "what is left out is taken off the total");
    check_times(&set, &table, (double[]){0, 4}, "what is left out earns nothing");
}

static void test_include_filter(void)
{
    struct hist_set set = {0};
    struct symtab table;
    bool kept[] = {true, false}, left_out[] = {true, true};
    struct filter filter = {.include = {kept, true}, .exclude = {left_out, true}};
    make_symbols(&table, (vma[]){0x1000, 0x1008, 0x1010}, 3);
    add(&set, header(0x1000, 0x1010, 2), (uint64_t[]){8, 2});
    hist_assign(&set, &table, &filter);
    is_same_double(set.total, 8, "an include set decides alone");
    check_times(&set, &table, (double[]){8, 0}, "included");
}

static void test_several(void)
{
    struct hist_set set = {0};
    struct symtab table;
    make_symbols(&table, (vma[]){0x1000, 0x1008, 0x1010, 0x1020}, 4);
    add(&set, header(0x1010, 0x1020, 4), (uint64_t[]){1, 0, 0, 1});
    add(&set, header(0x1000, 0x1008, 2), (uint64_t[]){3, 4});
    hist_assign(&set, &table, &everything);
    check_times(&set, &table, (double[]){7, 0, 2}, "several histograms");
}

static void test_entry(void)
{
    struct hist_set set = {0};
    struct symtab table;
    make_symbols(&table, (vma[]){0x1000, 0x1006, 0x1010}, 3);
    add(&set, header(0x1000, 0x1010, 4), (uint64_t[]){4, 4, 4, 4});
    table.entry_units = 1;
    hist_assign(&set, &table, &everything);
    check_times(&set, &table, (double[]){8, 8}, "an entry that crosses into the next bin moves");
}

int main(void)
{
    test_same_range();
    test_wide_sums();
    test_scale();
    test_conflicts();
    test_covering();
    test_narrow_bins();
    test_wide_bins();
    test_odd_addresses();
    test_fractional_scale();
    test_outside();
    test_filter();
    test_include_filter();
    test_several();
    test_entry();
    return tap_done();
}
