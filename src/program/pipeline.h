/* pipeline.h - runs all stages, from an executable and its profiles to reports.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PIPELINE_H
#define REGPROF_PROGRAM_PIPELINE_H

#include "program/run.h"

/* Runs all stages.  False after a message: also if profiles were skipped (--skip-bad) and the
   reports of the others were printed.  */
bool run_all(struct run *run);

/* Runs the stages up to the snapshot, and prints nothing but messages.  False after a message.  */
bool run_snapshot(struct run *run);

void run_free(struct run *run);

#endif
