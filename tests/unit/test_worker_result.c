/* test_worker_result.c - what a worker hands over: all of it, or it counts as nothing.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "program/worker_result.h"

#include <stdlib.h>

#include "analysis/profile.h"
#include "base/memory.h"
#include "model/hist_set.h"
#include "tap.h"

enum { BINS = 4, MOST_BYTES = 10000 };

static const struct hist_header header = {0x1000, 0x1010, BINS, 100, "seconds", 's'};
static const struct hist_header wide_header = {0x2000, 0x2010, BINS, 100, "seconds", 's'};

/* Two histograms, the second with large bins, two arcs, a block and a file.  */
static void fill(struct profile *profile, struct address_totals *sum)
{
    struct histogram *histogram = hist_find_or_add(&profile->hist, &header);
    hist_reserve(histogram, 7);
    hist_add(histogram, 2, 7);
    histogram = hist_find_or_add(&profile->hist, &wide_header);
    hist_reserve(histogram, UINT64_C(1) << 40);
    hist_add(histogram, 3, UINT64_C(1) << 40);
    address_totals_add_arc(sum, 0x1004, 0x1008, 5);
    address_totals_add_arc(sum, 0x1004, 0x100c, 6);
    address_totals_add_block(sum, 0x1002, 9);
    profile->infos = mem_array(1, sizeof *profile->infos);
    profile->info_count = profile->info_capacity = 1;
    profile->infos[0] = (struct file_info){.path = "gmon.out", .histograms = 2};
}

/* What a worker with this profile writes; its size.  */
static size_t write_result(char *bytes)
{
    struct profile profile = {0};
    struct address_totals sum = {0};
    FILE *file = tmpfile();
    fill(&profile, &sum);
    is_true(worker_result_write(file, &profile, &sum), "a result is written");
    rewind(file);
    size_t size = fread(bytes, 1, MOST_BYTES, file);
    fclose(file);
    address_totals_free(&sum);
    profile_free(&profile);
    return size;
}

/* Whether the first SIZE of BYTES are a whole result.  */
static bool read_result(struct worker_result *result, const char *bytes, size_t size)
{
    FILE *file = tmpfile();
    fwrite(bytes, 1, size, file);
    rewind(file);
    *result = (struct worker_result){0};
    bool ok = worker_result_read(result, file);
    fclose(file);
    return ok;
}

static void test_whole(const char *bytes, size_t size)
{
    struct worker_result result;
    is_true(read_result(&result, bytes, size), "and read");
    is_equal(result.hist.count, 2, "both histograms");
    is_equal(bin_of(&result.hist.hists[0], 2), 7, "samples");
    is_equal(bin_of(&result.hist.hists[1], 3), UINT64_C(1) << 40, "many samples");
    is_equal(result.sum.arcs.count, 2, "both arcs");
    is_equal(result.sum.arcs.pairs[1].b, 0x100c, "the callee of the second");
    is_equal(result.sum.arc_counts[1], 6, "and its calls");
    is_equal(result.sum.blocks.pairs[0].a, 0x1002, "a block");
    is_equal(result.sum.block_counts[0], 9, "and its executions");
    is_equal(result.info_count, 1, "a file");
    is_equal(result.infos[0].histograms, 2, "and its records");
    worker_result_free(&result);
}

static void test_cut(const char *bytes, size_t size)
{
    struct worker_result result;
    size_t accepted = 0;
    for (size_t part = 0; part < size; part++) {
        accepted += read_result(&result, bytes, part);
        worker_result_free(&result);
    }
    is_equal(accepted, 0, "no part of it is accepted, wherever it is cut");
}

int main(void)
{
    static char bytes[MOST_BYTES];
    size_t size = write_result(bytes);
    is_true(size > 100 && size < MOST_BYTES, "it has a size");
    test_whole(bytes, size);
    test_cut(bytes, size);
    return tap_done();
}
