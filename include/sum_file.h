/* sum_file.h - a sum as a profile.  */

#ifndef REGPROF_SUM_FILE_H
#define REGPROF_SUM_FILE_H

#include <stdio.h>

#include "gmon.h"
#include "sum.h"

/* Whether FORMAT (not GMON_AUTO) can hold the sum: the BSD formats have one histogram with bins of
   16 bits, count seconds, at 100 samples each in the older one, and know no basic blocks.  Says
   what does not fit if not; PATH is for the message.  */
bool sum_fits(const struct hist_set *hist, const struct sum *sum, enum gmon_format format,
              const char *path);

/* Writes HIST and SUM onto OUT in FORMAT (not GMON_AUTO), everything in order of first appearance.
   Whether all went well; errors are in OUT too.  */
bool sum_write(FILE *out, const struct hist_set *hist, const struct sum *sum,
               const struct gmon_layout *layout, enum gmon_format format);

#endif
