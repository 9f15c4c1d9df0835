/* write_sum.h - a sum as a profile.  */

#ifndef REGPROF_PROGRAM_WRITE_SUM_H
#define REGPROF_PROGRAM_WRITE_SUM_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/address_totals.h"
#include "input/gmon.h"

/* Whether FORMAT (not GMON_AUTO) can hold the sum: the BSD formats have one histogram with bins of
   16 bits, count seconds, at 100 samples each in the older one, and know no basic blocks.  Says
   what does not fit if not; PATH is for the message.  */
bool sum_fits(const struct hist_set *hist, const struct address_totals *sum,
              enum gmon_format format, const char *path);

/* A sum in the order it is written, which sum_write uses up.  It is made before a file is begun, so
   that want of memory leaves none behind.  */
struct sum_order {
    const struct histogram **hists;
    struct gmon_block *blocks;
};
void sum_order(struct sum_order *order, const struct hist_set *hist,
               const struct address_totals *sum);
void sum_order_free(struct sum_order *order);

/* Writes HIST and SUM onto OUT in FORMAT (not GMON_AUTO), everything in order of first appearance.
   Whether all went well; errors are in OUT too.  Takes no memory.  */
bool sum_write(FILE *out, const struct hist_set *hist, const struct address_totals *sum,
               struct sum_order *order, const struct gmon_layout *layout, enum gmon_format format);

#endif
