/* annotate.h - executions by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ANNOTATE_H
#define REGPROF_ANALYSIS_ANNOTATE_H

#include "model/model.h"

struct annotate_rules {
    bool has_zeros;     /* -z: also list sources without executions */
    bool has_all_lines; /* -x: also show counts on lines inside basic blocks */
};

/* Lists in ANNOTATION, which is empty before, the sources of the symbols that the profile's filter
   for annotation accepts, the last mentioned first, and their lines with code.  Requires the
   positions of symbols.  Leaves the texts NULL.  */
void annotate_list(struct annotation *annotation, const struct profile *profile,
                   const struct annotate_rules *rules);

/* Computes the counts shown before each line.  Requires the texts: sources without one have been
   removed.  */
void annotate_count(struct annotation *annotation, const struct profile *profile,
                    const struct annotate_rules *rules);

void annotation_free(struct annotation *annotation);

#endif
