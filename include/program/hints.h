/* hints.h - why a report looks empty, and what can be done about it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_HINTS_H
#define REGPROF_PROGRAM_HINTS_H

#include "input/image.h"
#include "program/options.h"

/* Warns of what leaves the reports of the set KINDS (or-ed report_kind) without what their reader
   hopes for: no samples, or many outside of all functions, no calls, no lines; options that leave
   nothing.  PROFILE is analysed and its annotated sources are read.  */
void hints_give(const struct profile *profile, const struct image *image,
                const struct options *options, unsigned kinds);

#endif
