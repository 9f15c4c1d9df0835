/* run_objects.h - runs the pipeline for each object, or makes a table of objects (--objects).
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_RUN_OBJECTS_H
#define REGPROF_PROGRAM_RUN_OBJECTS_H

#include <stdbool.h>

#include "base/message.h"
#include "model/hist_set.h"
#include "options/plan.h"

/* ---- Objects as rows (--by=object) ---- */

/* The sum of an object's profiles.  */
struct object_total {
    const char *name; /* `prog', `libfoo.so.1' */
    const char *path; /* of the object's file; NULL if it was not found */
    double samples;   /* at the rate of the table */
    uint64_t calls;   /* calls of its functions, also from outside */
};

/* Fills PROFILE, which is empty, so that top_build makes a row of each object: each is a symbol
   with its samples as own time.  HIST describes the time; its histograms are not used.  The names
   and paths are copied.  */
void object_totals_build(struct profile *profile, const struct object_total *totals, size_t count,
                         const struct hist_header *header);

/* ---- Reports of objects (--objects) ---- */

/* Prints the reports of the program and of each object that has profiles beside those of the
   program, or, with --by=object, one table of all objects.  False after a message; an object whose
   file is not found is a warning.  */
bool run_objects(const struct options *options, const struct plan *plan,
                 struct diagnostics *diagnostics);

#endif
