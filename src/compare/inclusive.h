/* inclusive.h - compares inclusive times, of recorded stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_INCLUSIVE_H
#define REGPROF_COMPARE_INCLUSIVE_H

#include "compare/pairing.h"
#include "model/comparison.h"

/* Compares the inclusive times of the rows of COMPARISON, unless a side has no recorded stacks:
   sets them, and their measure, and judges them.  HAS_PATHS: makes the paths of calls, too
   (paths.h).  A base from a file has the inclusive times of stacks, and these without what is
   small: so paths are those that both sides have.  Older files have no stacks: then there are no
   paths.  */
void inclusive_build(struct comparison *comparison, const struct pairing *pairing, bool has_paths);

#endif
