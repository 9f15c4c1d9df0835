/* hints.h - warnings that explain why a report is empty.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_HINTS_H
#define REGPROF_PROGRAM_HINTS_H

#include "program/run.h"

/* Prints warnings that explain what the reports of RUN lack: no samples, or many outside every
   function; no calls; no source lines; options that exclude everything.  Call it after the profile
   is analysed and its sources are read.  */
void hints_print(const struct run *run);

/* Explains why the reports of RUN cannot be printed, after the message that says so.  */
void hints_explain_failure(const struct run *run);

#endif
