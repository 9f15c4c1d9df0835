/* write_sum.h - writes a sum as a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_WRITE_SUM_H
#define REGPROF_PROGRAM_WRITE_SUM_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/address_totals.h"
#include "input/gmon.h"

/* Whether FORMAT (not GMON_AUTO) can represent the sum; false after a message that names PATH.  The
   BSD formats have one histogram with bins of 16 bits, measured in seconds (in the older format at
   100 samples per second), and no basic blocks.  */
bool sum_fits(const struct hist_set *hist, const struct address_totals *sum,
              enum gmon_format format, const char *path);

/* Writes the sum to OUT in FORMAT (not GMON_AUTO), which sum_fits accepts.  False, without a
   message, if writing failed; ferror(OUT) is then set.  */
bool write_sum_to(FILE *out, const struct hist_set *hist, const struct address_totals *sum,
                  const struct gmon_layout *layout, enum gmon_format format);

/* Writes histograms, calls and executions, each in order of first appearance, as a profile in
   FORMAT (GMON_AUTO: the magic format) to PATH, or to standard output if that is "-".  False after
   a message, also if sum_fits rejects FORMAT; a file that was at PATH is then unchanged.  Prints no
   message about errors on standard output: main does.  */
bool write_sum(const struct hist_set *hist, const struct address_totals *sum,
               const struct gmon_layout *layout, enum gmon_format format, const char *path);

#endif
