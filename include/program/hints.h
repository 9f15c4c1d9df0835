/* hints.h - why a report looks empty, and what can be done about it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_HINTS_H
#define REGPROF_PROGRAM_HINTS_H

#include "program/run.h"

/* Warns of what leaves the reports of RUN without what a reader expects in them: no samples, or
   many outside every function, no calls, no lines; options that exclude everything.  The profile is
   analysed and its sources are read.  */
void hints_give(const struct run *run);

#endif
