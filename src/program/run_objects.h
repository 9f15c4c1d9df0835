/* run_objects.h - runs the pipeline for each object, or makes a table of objects (--objects).
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_RUN_OBJECTS_H
#define REGPROF_PROGRAM_RUN_OBJECTS_H

#include <stdbool.h>

#include "base/message.h"
#include "options/plan.h"

/* Prints the reports of the program and of each object that has profiles beside those of the
   program, or, with --by=object, one table of all objects.  False after a message; an object whose
   file is not found is a warning.  */
bool run_objects(const struct options *options, const struct plan *plan,
                 struct diagnostics *diagnostics);

#endif
