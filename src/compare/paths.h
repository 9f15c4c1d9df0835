/* paths.h - which paths of calls take longer or less long than before.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_COMPARE_PATHS_H
#define REGPROF_COMPARE_PATHS_H

#include "compare/joint_stacks.h"
#include "compare/significance.h"
#include "model/comparison.h"
#include "model/stack_tree.h"

/* Makes the paths of JOINT: a node of the tree of calls stands for the path that leads to it, and
   its time is that of all stacks that begin with it.  If nothing has changed, the probability that
   any path is marked as changed is at most the alpha of COMPARISON, whose tests of inclusive times
   found SIGNIFICANCE, and whose rows are those of JOINT.  Free with paths_free.

   Callers' times contain those of their callees, so many paths are tested of which each seems to
   change if one does.  Alpha is spent down the tree: each level has an equal part of it, which its
   paths share as they share the samples of both sides.  A path that changed leaves its part to the
   paths below it, as these share its samples.  So a change is followed down to where it is, and one
   below a path that did not change, because something else made up for it, can still be found.  A
   path is tested only if the one above it is: if enough samples are expected of it.  With alpha
   0.06 and three levels, main;f with half of all samples has 0.01.  If its p is smaller, main;f;g
   with 0.4 of all samples has 0.4 x 0.02 and inherits as much: 0.016, and not 0.008.

   The sum of all parts is alpha, a true hypothesis inherits only from false ones above it, and what
   these leave goes to disjoint subtrees: so the parts of all true hypotheses together are at most
   alpha, however the tests depend on each other.  See Bretz, Maurer, Brannath, Posch: A graphical
   approach to sequentially rejective multiple test procedures (Statistics in Medicine 28, 2009);
   Goeman, Finos: The inheritance procedure (Statistical Applications in Genetics and Molecular
   Biology 11, 2012); and for trees without inheritance Meinshausen: Hierarchical testing of
   variable importance (Biometrika 95, 2008).  The shares are of sums of both sides, which say
   nothing about their difference.  */
struct stack_pairs *paths_build(const struct stacks joint[SIDES],
                                const struct comparison *comparison,
                                const struct significance *significance);

/* The paths of TREES, estimated stacks of the sides of COMPARISON: none is tested.  Free with
   paths_free.  */
struct stack_pairs *paths_of_estimates(const struct comparison *comparison,
                                       const struct stack_tree trees[SIDES]);

void paths_free(struct stack_pairs *paths);

#endif
