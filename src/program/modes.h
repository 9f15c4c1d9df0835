/* modes.h - what the program can be asked for.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_MODES_H
#define REGPROF_PROGRAM_MODES_H

#include "program/request.h"

/* Each does what one kind of command line asks for, and returns the exit status.  */

/* Prints the reports, tables, or everything in a format.  */
int mode_report(const struct request *request);
/* Writes the sum of the profiles (-s), and prints the reports of it that options select.  */
int mode_sum(const struct request *request);
/* Compares the profiles with a base (--base), and judges the change.  */
int mode_compare(const struct request *request);

/* ---- Reports ---- */

/* Reads, computes and prints what REQUEST asks for.  ANALYSIS has its symbols, if they were read,
   and with -s the sum.  False after a message: also if profiles were skipped (--skip-bad) and the
   reports of the others were printed.  */
bool report(const struct request *request, struct analysis *analysis);

#endif
