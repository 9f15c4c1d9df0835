/* inclusive.h - compares inclusive times, of recorded stacks.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_INCLUSIVE_H
#define REGPROF_COMPARE_INCLUSIVE_H

#include "compare/pairing.h"
#include "model/comparison.h"

/* Compares the inclusive times of the rows of COMPARISON, which has no row of the total yet: judged
   rows in the same order, and the total.  Sets *PATHS to the paths of calls (paths.h), unless PATHS
   is NULL.  A base from a file has the inclusive times of stacks, and these without what is small:
   so paths are those that both sides have.  Older files have no stacks: then there are no paths.
   NULL: a side has no recorded stacks.  Free with inclusive_free.  */
struct comparison *inclusive_build(const struct comparison *comparison,
                                   const struct pairing *pairing, struct stack_pairs **paths);
void inclusive_free(struct comparison *inclusive);

#endif
