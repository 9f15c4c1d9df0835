/* write_sum.h - a sum as a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_WRITE_SUM_H
#define REGPROF_PROGRAM_WRITE_SUM_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/address_totals.h"
#include "input/gmon.h"

/* Whether FORMAT (not GMON_AUTO) can hold the sum: the BSD formats have one histogram with bins of
   16 bits, count seconds, in the older one at 100 samples each, and have no basic blocks.  A
   message with PATH says what does not fit.  */
bool sum_fits(const struct hist_set *hist, const struct address_totals *sum,
              enum gmon_format format, const char *path);

/* Writes the sum onto OUT in FORMAT (not GMON_AUTO), which can hold it.  False if writing failed;
   errors are in OUT too.  */
bool write_sum_to(FILE *out, const struct hist_set *hist, const struct address_totals *sum,
                  const struct gmon_layout *layout, enum gmon_format format);

/* Writes histograms, calls and executions as a profile in FORMAT (GMON_AUTO: the magic one) to
   PATH, or to standard output if that is "-".  Everything stands in order of first appearance.
   False after a message, among others if FORMAT cannot hold the sum: then what was at PATH before
   is still there.  */
bool write_sum(const struct hist_set *hist, const struct address_totals *sum,
               const struct gmon_layout *layout, enum gmon_format format, const char *path);

#endif
