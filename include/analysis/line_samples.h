/* line_samples.h - samples and calls by source line, beside a profile by function.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_LINE_SAMPLES_H
#define REGPROF_ANALYSIS_LINE_SAMPLES_H

#include "model/model.h"

/* Lists in ANNOTATION, which is empty before, the sources with samples or calls, and their lines
   with code, as -l counts them: each sample belongs to the line of its address.  ROWS are what the
   debug information says at every address where it may change, as for line_symbols_split.  The
   filter for annotation selects functions.  Leaves the texts NULL.  */
void line_samples_list(struct annotation *annotation, const struct profile *profile,
                       const struct line_row *rows, size_t count, vma text_end,
                       unsigned entry_units);

#endif
