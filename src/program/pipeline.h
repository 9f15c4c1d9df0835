/* pipeline.h - the stages of a run in order, its demangler and its table of functions.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PIPELINE_H
#define REGPROF_PROGRAM_PIPELINE_H

#include "program/run.h"

/* ---- The table of functions (--top) ---- */

/* Builds the table of SNAPSHOT, with what people see around it.  PREFIX: of times per call.  */
void build_top(struct top *top, const struct snapshot *snapshot, const struct top_rules *rules,
               const struct si_prefix *prefix);

/* Adds lines below a table for people that say what its columns mean, and what its times, those of
   IMAGE, leave out; none with -b.  */
void explain_top(struct top *top, const struct plan *plan, struct image *image);

/* ---- Stages ---- */

/* Runs all stages, from an executable and its profiles to reports.  False after a message: also if
   profiles were skipped (--skip-bad) and the reports of the others were printed.  */
bool run_all(struct run *run);

/* Runs the stages up to the snapshot, and prints nothing but messages.  False after a message.  */
bool run_snapshot(struct run *run);

void run_free(struct run *run);

#endif
