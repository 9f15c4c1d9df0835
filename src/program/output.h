/* output.h - prints what a run has computed, in its format and where the options say.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_OUTPUT_H
#define REGPROF_PROGRAM_OUTPUT_H

#include "program/run.h"

/* Allocates the memory that output_print needs.  */
void output_prepare(struct run *run);

/* Prints run->reports, which have been computed, on standard output or into the file of -o, which
   is complete or unchanged.  False after a message.  */
bool output_print(const struct run *run);

/* Writes each annotated source to a file of its own (-y).  False after a message.  */
bool output_write_sources(const struct run *run);

#endif
