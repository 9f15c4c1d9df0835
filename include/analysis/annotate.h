/* annotate.h - executions by source line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_ANNOTATE_H
#define REGPROF_ANALYSIS_ANNOTATE_H

#include "model/model.h"

struct annotate_rules {
    bool has_zeros;     /* -z: sources without executions as well */
    bool has_all_lines; /* -x: what is shown on lines inside of basic blocks */
};

/* Computes the sources of ANNOTATION (empty before) and their lines with code: those of the symbols
   that the profile's filter for annotation accepts, the source mentioned last first.  Positions
   must be known. The texts stay NULL.  */
void annotate_list(struct annotation *annotation, const struct profile *profile,
                   const struct annotate_rules *rules);

/* Computes what is shown before each line that is in its text.  Sources without a text are gone by
 * now.  */
void annotate_count(struct annotation *annotation, const struct profile *profile,
                    const struct annotate_rules *rules);

void annotation_free(struct annotation *annotation);

#endif
