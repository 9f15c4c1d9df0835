/* object_totals.h - the objects of a program as rows of the table (--by=object).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_OBJECT_TOTALS_H
#define REGPROF_TABLES_OBJECT_TOTALS_H

#include "model/hist_set.h"

/* What the profiles of an object add up to.  */
struct object_total {
    const char *name; /* `prog', `libfoo.so.1' */
    const char *path; /* of the object's file; NULL if it was not found */
    double samples;   /* at the rate of the whole */
    uint64_t calls;   /* received, by calls from outside as well */
};

/* Fills PROFILE, which is empty, so that top_build makes a row of each object: each is a symbol
   with its samples as own time.  HIST describes the time; its histograms are not used.  The names
   and paths are copied.  */
void object_totals_build(struct profile *profile, const struct object_total *totals, size_t count,
                         const struct hist_header *header);

#endif
