/* fuzz_gmon.c - profile data in every format, byte order and word size: reads it, adds it up,
   writes the sum and reads it back.  The first byte selects the layout.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/address_totals.h"
#include "base/hash.h"
#include "fuzz.h"
#include "input/gmon.h"
#include "program/write_sum.h"

struct whole {
    struct hist_set hist;
    struct address_totals sum;
};

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
    struct whole *whole = context;
    address_totals_add_arc(&whole->sum, from, self, count);
    return true;
}

static bool add_read_block(void *context, vma addr, uint64_t count)
{
    struct whole *whole = context;
    address_totals_add_block(&whole->sum, addr, count);
    return true;
}

static void whole_free(struct whole *whole)
{
    hist_free(&whole->hist);
    address_totals_free(&whole->sum);
}

static void check_counts(const struct pair_map *a, const uint64_t *a_counts,
                         const struct pair_map *b, const uint64_t *b_counts)
{
    FUZZ_CHECK(a->count == b->count);
    for (size_t i = 0; i < a->count; i++)
        FUZZ_CHECK(a->pairs[i].a == b->pairs[i].a && a->pairs[i].b == b->pairs[i].b &&
                   a_counts[i] == b_counts[i]);
}

static void check_same(const struct whole *a, const struct whole *b)
{
    FUZZ_CHECK(a->hist.count == b->hist.count && a->hist.rate == b->hist.rate);
    for (size_t i = 0; i < a->hist.count; i++) {
        const struct histogram *x = &a->hist.hists[i], *y = &b->hist.hists[i];
        FUZZ_CHECK(x->low == y->low && x->high == y->high && x->bin_count == y->bin_count &&
                   x->order == y->order);
        for (uint32_t bin = 0; bin < x->bin_count; bin++)
            FUZZ_CHECK(bin_of(x, bin) == bin_of(y, bin));
    }
    check_counts(&a->sum.arcs, a->sum.arc_counts, &b->sum.arcs, b->sum.arc_counts);
    check_counts(&a->sum.blocks, a->sum.block_counts, &b->sum.blocks, b->sum.block_counts);
}

/* Whether a file of the sum is small enough to be written.  */
static bool is_small(const struct whole *whole)
{
    for (size_t i = 0; i < whole->sum.arcs.count; i++)
        if (whole->sum.arc_counts[i] >> 36 != 0)
            return false;
    return true;
}

static void check_round_trip(const struct whole *whole, const struct gmon_layout *layout)
{
    char *bytes = NULL;
    size_t size = 0;
    struct whole back = {0};
    const struct gmon_visitor visitor = {&back, add_read_histogram, add_read_arc, add_read_block};
    if (!is_small(whole) || !sum_fits(&whole->hist, &whole->sum, GMON_MAGIC, "sum"))
        return;
    FILE *out = open_memstream(&bytes, &size);
    FUZZ_CHECK(write_sum_to(out, &whole->hist, &whole->sum, layout, GMON_MAGIC));
    fclose(out);
    const struct gmon_bytes file = {"sum", (const unsigned char *)bytes, size, false};
    FUZZ_CHECK(gmon_read(&file, GMON_AUTO, layout, &visitor, NULL));
    check_same(whole, &back);
    whole_free(&back);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    unsigned flags = input_byte(&input);
    const struct gmon_layout layout = {.is_big_endian = (flags & 4) != 0,
                                       .sign_extends = (flags & 8) != 0,
                                       .pointer_size = (flags & 16) != 0 ? 8 : 4};
    struct whole whole = {0};
    struct file_info info = {0};
    const struct gmon_visitor visitor = {&whole, add_read_histogram, add_read_arc, add_read_block};
    const struct gmon_bytes file = {"profile", input.at, input.left, false};
    if (gmon_read(&file, (enum gmon_format)(flags & 3), &layout, &visitor, &info)) {
        FUZZ_CHECK(whole.sum.arcs.count <= info.arcs && whole.hist.count <= info.histograms);
        check_round_trip(&whole, &layout);
    }
    whole_free(&whole);
    return 0;
}
