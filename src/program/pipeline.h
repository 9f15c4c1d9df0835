/* pipeline.h - the stages of a run in order, its demangler and its table of functions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PIPELINE_H
#define REGPROF_PROGRAM_PIPELINE_H

#include "program/run.h"

/* ---- The table of functions (--top) ---- */

/* Whether some column or option needs the source positions of the functions.  */
bool top_needs_positions(const struct top_options *options);

/* Builds the table of RUN, with the title above and the notes below it.  */
void build_top(struct run *run);

/* ---- Stages ---- */

/* Runs all stages, from an executable and its profiles to reports.  False after a message: also if
   profiles were skipped (--skip-bad) and the reports of the others were printed.  */
bool run_all(struct run *run);

/* Runs the stages up to the snapshot, and prints nothing but messages.  False after a message.  */
bool run_snapshot(struct run *run);

void run_free(struct run *run);

#endif
