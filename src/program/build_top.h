/* build_top.h - the table of functions (--top) as the options ask for it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_BUILD_TOP_H
#define REGPROF_PROGRAM_BUILD_TOP_H

#include "program/run.h"

/* Whether some column or option needs the source positions of the functions.  */
bool top_needs_positions(const struct top_options *options);

/* Builds the table of RUN, with the title above and the notes below it.  */
void build_top(struct run *run);

#endif
