/* tree_chains.h - calls of a tree that branch nowhere, for one row.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_TREE_CHAINS_H
#define REGPROF_TABLES_TREE_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct chain_node {
    uint32_t above; /* node; NO_ID: none */
    double self, size;
    bool may_fold; /* it is a function */
};

/* By node: the one below it that is in one row with it, or NO_ID.  A function is in a row with what
   it calls if it has no time of its own, if one callee has at least 99 % of its time, and if the
   others have no row: together less than LEAST, which rows need.  Free with free.  */
uint32_t *find_chains(const struct chain_node *nodes, size_t count, double least);

/* `a > b > (4) > z' for more than four of the COUNT NAMES, which get SEPARATORs between them.  */
const char *chain_text(struct arena *arena, const char *const *names, size_t count,
                       const char *separator);

#endif
