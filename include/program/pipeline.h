/* pipeline.h - the stages of a run.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_PIPELINE_H
#define REGPROF_PROGRAM_PIPELINE_H

#include "program/run.h"

/* Takes RUN through all stages.  False after a message; some profiles may then have been used, and
   the reports of the others printed (--skip-bad).  */
bool run_all(struct run *run);
void run_free(struct run *run);

#endif
