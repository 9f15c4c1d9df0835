/* compare_runs.h - compares a run with a base (--base), prints the comparison and the verdict.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_COMPARE_RUNS_H
#define REGPROF_PROGRAM_COMPARE_RUNS_H

#include "program/run.h"

/* Reads the base and the profiles of RUN, and prints their comparison.  False after a message.  */
bool compare_runs(struct run *run);

#endif
