#include "sum_file.h"

#include <stdlib.h>
#include <string.h>

#include "messages.h"

enum { BSD_RATE = 100 }; /* what readers assume of a file that has none */

static bool fits_bsd(const struct hist_set *hist, const struct sum *sum, enum gmon_format format,
                     const char *path)
{
    enum { MOST_BINS = INT32_MAX / 2 };
    if (hist->count != 1)
        return problem(MSG_BSD_ONE_HISTOGRAM, path, hist->count);
    if (gmon_parts(&hist->hists[0]) > 1)
        return problem(MSG_BSD_BINS, path);
    if (hist->hists[0].bin_count > MOST_BINS)
        return problem(MSG_BSD_SIZE, path);
    if (sum->blocks.count > 0)
        return problem(MSG_BSD_BLOCKS, path);
    if (strcmp(hist->dimension, "seconds") != 0 || hist->abbreviation != 's')
        return problem(MSG_BSD_DIMENSION, path, hist->dimension);
    if (hist->rate == 0 || (format == GMON_BSD && hist->rate != BSD_RATE))
        return problem(MSG_BSD_RATE, path, (unsigned long)hist->rate);
    return true;
}

/* A count of more than 2^52 is no count but a damaged file, and would fill a disk with records.  */
static bool fits_magic(const struct sum *sum, const char *path)
{
    const uint64_t most = (uint64_t)1 << 52;
    for (size_t i = 0; i < sum->arcs.count; i++)
        if (sum->arc_counts[i] > most)
            return problem(MSG_COUNT_TOO_LARGE, path, (unsigned long long)sum->arc_counts[i],
                           (unsigned long long)sum->arcs.pairs[i].a,
                           (unsigned long long)sum->arcs.pairs[i].b);
    return true;
}

bool sum_fits(const struct hist_set *hist, const struct sum *sum, enum gmon_format format,
              const char *path)
{
    return format == GMON_MAGIC ? fits_magic(sum, path) : fits_bsd(hist, sum, format, path);
}

static void write_histograms(FILE *out, const struct hist_set *hist,
                             const struct gmon_layout *layout, enum gmon_format format)
{
    const struct histogram **hists = hist_by_appearance(hist);
    for (size_t i = 0; i < hist->count; i++)
        gmon_write_histogram(out, layout, format, hist, hists[i]);
    free(hists);
}

static void write_blocks(FILE *out, const struct sum *sum, const struct gmon_layout *layout)
{
    struct gmon_block *blocks = mem_array(sum->blocks.count, sizeof *blocks);
    for (size_t i = 0; i < sum->blocks.count; i++)
        blocks[i] = (struct gmon_block){sum->blocks.pairs[i].a, sum->block_counts[i]};
    gmon_write_blocks(out, layout, blocks, sum->blocks.count);
    free(blocks);
}

bool sum_write(FILE *out, const struct hist_set *hist, const struct sum *sum,
               const struct gmon_layout *layout, enum gmon_format format)
{
    gmon_write_start(out, layout, format);
    write_histograms(out, hist, layout, format);
    for (size_t i = 0; i < sum->arcs.count && !ferror(out); i++)
        gmon_write_arc(out, layout, format, sum->arcs.pairs[i].a, sum->arcs.pairs[i].b,
                       sum->arc_counts[i]);
    if (sum->blocks.count > 0)
        write_blocks(out, sum, layout);
    return !ferror(out);
}
