/* notes.h - prints what helps to judge reports in which nothing is wrong.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_NOTES_H
#define REGPROF_PROGRAM_NOTES_H

#include "program/run.h"

/* Prints notes on RUN, unless it is quiet: an image newer than a profile, and of the selected
   reports: calls that may be missing because several threads counted, no calls counted at all, and,
   on a terminal, few samples.  Call it after the analysis, or after a sum without reports.  */
void notes_print(const struct run *run);

#endif
