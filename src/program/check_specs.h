/* check_specs.h - warns of specs that match nothing.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_CHECK_SPECS_H
#define REGPROF_PROGRAM_CHECK_SPECS_H

#include "analysis/symspec.h"
#include "base/message.h"

/* Prints a warning for each of MISSES, with the reason or with similar names.  IMAGE is a path.  */
void check_specs(const struct symspec_misses *misses, const char *image,
                 struct diagnostics *diagnostics);

#endif
