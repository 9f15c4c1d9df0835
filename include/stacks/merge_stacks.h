/* merge_stacks.h - the stacks of the two sides of a comparison as one list.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_MERGE_STACKS_H
#define REGPROF_STACKS_MERGE_STACKS_H

#include "model/stack_tree.h"

struct stack_side {
    const struct stack_tree *tree; /* of estimated stacks */
    const char *const *names;      /* of functions, by id: equal if they are the same function */
    double scale;                  /* samples are multiplied by it */
};

/* Makes the stacks of SIDES, before and after; names are copied.  Frames are the same if they have
   the same name, and all `[cycle N]' are: their numbers are those of one side.  */
void stack_pairs_build(struct stack_pairs *pairs, const struct stack_side sides[2]);
void stack_pairs_free(struct stack_pairs *pairs);

#endif
