/* spec_nearest.h - what a spec that matches nothing may have meant.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_SPEC_NEAREST_H
#define REGPROF_ANALYSIS_SPEC_NEAREST_H

#include "analysis/spec_match.h"

enum { SPEC_NEAREST = 3 };

/* Lists in NEAREST, the best first, up to SPEC_NEAREST names of functions and files that differ
   from the spec of SIZE bytes by few typing errors or contain it; returns their number.  The names
   are copied to ARENA.  Takes linear time in the number of names: of each, at most
   TEXT_DISTANCE_LIMIT bytes are compared.  */
size_t spec_nearest(struct spec_names *names, const char *text, size_t size, struct arena *arena,
                    const char *nearest[SPEC_NEAREST]);

#endif
