#include "sum_file.h"

#include <stdlib.h>

#include "messages.h"

bool sum_fits(const struct hist_set *hist, const struct sum *sum, enum gmon_format format,
              const char *path)
{
    if (format == GMON_MAGIC)
        return true;
    if (hist->count != 1)
        return problem(MSG_BSD_ONE_HISTOGRAM, path, hist->count);
    if (gmon_parts(&hist->hists[0]) > 1)
        return problem(MSG_BSD_BINS, path);
    if (sum->blocks.count > 0)
        return problem(MSG_BSD_BLOCKS, path);
    return true;
}

static void write_histograms(FILE *out, const struct hist_set *hist,
                             const struct gmon_layout *layout, enum gmon_format format)
{
    const struct histogram **by_order = mem_array(hist->count, sizeof *by_order);
    for (size_t i = 0; i < hist->count; i++)
        by_order[hist->hists[i].order] = &hist->hists[i];
    for (size_t i = 0; i < hist->count; i++)
        gmon_write_histogram(out, layout, format, hist, by_order[i]);
    free(by_order);
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
