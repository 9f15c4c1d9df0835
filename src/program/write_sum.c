/* write_sum.c - writes a sum as a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "program/write_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

static bool fits_bsd(const struct hist_set *hist, const struct address_totals *sum,
                     enum gmon_format format, const char *path)
{
    enum { MAX_BINS = INT32_MAX / 2 };
    if (hist->count != 1)
        return problem(MSG_BSD_ONE_HISTOGRAM, path, hist->count);
    if (hist->hists[0].bin_count > MAX_BINS)
        return problem(MSG_BSD_SIZE, path);
    if (gmon_parts(&hist->hists[0]) > 1)
        return problem(MSG_BSD_BINS, path);
    if (sum->blocks.count > 0)
        return problem(MSG_BSD_BLOCKS, path);
    if (strcmp(hist->dimension, "seconds") != 0 || hist->abbreviation != 's')
        return problem(MSG_BSD_DIMENSION, path, hist->dimension);
    if (hist->rate == 0 || (format == GMON_BSD && hist->rate != GMON_BSD_RATE))
        return problem(MSG_BSD_RATE, path, (unsigned long)hist->rate);
    return true;
}

/* A record holds up to 2^32 - 1 calls; more calls are split into several records.  2^52 calls, in
   2^20 records, are no real count but a damaged file, and larger counts would fill the disk.  */
static bool fits_magic(const struct address_totals *sum, const char *path)
{
    const uint64_t max = (uint64_t)1 << 20;
    uint64_t more = 0;
    for (size_t i = 0; i < sum->arcs.count; i++) {
        more += sum->arc_counts[i] >> 32;
        if (more > max)
            return problem(MSG_COUNT_TOO_LARGE, path, (unsigned long long)sum->arc_counts[i],
                           (unsigned long long)sum->arcs.pairs[i].a,
                           (unsigned long long)sum->arcs.pairs[i].b);
    }
    return true;
}

bool sum_fits(const struct hist_set *hist, const struct address_totals *sum,
              enum gmon_format format, const char *path)
{
    return format == GMON_MAGIC ? fits_magic(sum, path) : fits_bsd(hist, sum, format, path);
}

/* The records in the order of writing; writing overwrites `blocks'.  Allocated before the file is
   created, so that no file is left behind if memory is exhausted.  */
struct sum_order {
    const struct histogram **hists;
    struct gmon_block *blocks;
};

static void order_sum(struct sum_order *order, const struct hist_set *hist,
                      const struct address_totals *sum)
{
    order->hists = hist_by_appearance(hist);
    order->blocks = mem_array(sum->blocks.count, sizeof *order->blocks);
    for (size_t i = 0; i < sum->blocks.count; i++)
        order->blocks[i] = (struct gmon_block){sum->blocks.pairs[i].a, sum->block_counts[i]};
}

static void free_order(struct sum_order *order)
{
    free(order->hists);
    free(order->blocks);
}

static bool write_records(FILE *out, const struct hist_set *hist, const struct address_totals *sum,
                          struct sum_order *order, const struct gmon_layout *layout,
                          enum gmon_format format)
{
    gmon_write_start(out, layout, format, sum->counts_all_threads);
    for (size_t i = 0; i < hist->count; i++)
        gmon_write_histogram(out, layout, format, hist, order->hists[i]);
    for (size_t i = 0; i < sum->arcs.count && !ferror(out); i++)
        gmon_write_arc(out, layout, format, sum->arcs.pairs[i].a, sum->arcs.pairs[i].b,
                       sum->arc_counts[i]);
    gmon_write_blocks(out, layout, order->blocks, sum->blocks.count);
    return !ferror(out);
}

bool write_sum_to(FILE *out, const struct hist_set *hist, const struct address_totals *sum,
                  const struct gmon_layout *layout, enum gmon_format format)
{
    struct sum_order order;
    order_sum(&order, hist, sum);
    bool ok = write_records(out, hist, sum, &order, layout, format);
    free_order(&order);
    return ok;
}

bool write_sum(const struct hist_set *hist, const struct address_totals *sum,
               const struct gmon_layout *layout, enum gmon_format format, const char *path)
{
    struct sum_order order;
    struct atomic_file file;
    bool ok;
    if (format == GMON_AUTO)
        format = GMON_MAGIC;
    if (!sum_fits(hist, sum, format, path))
        return false;
    order_sum(&order, hist, sum);
    if (strcmp(path, "-") == 0) {
        ok = write_records(stdout, hist, sum, &order, layout, format); /* main prints errors */
    } else {
        ok = atomic_file_begin(&file, path);
        if (ok) {
            write_records(file.file, hist, sum, &order, layout, format);
            ok = atomic_file_end(&file);
        }
    }
    free_order(&order);
    return ok;
}
