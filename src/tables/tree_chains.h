/* tree_chains.h - calls of a tree that branch nowhere, for one row.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_TABLES_TREE_CHAINS_H
#define REGPROF_TABLES_TREE_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct chain_node {
    uint32_t above;     /* node; NO_ID: none */
    double size, least; /* `least': that rows below it need */
    bool may_begin, may_follow;
};

/* By node: the one below it that is in one row with it, or NO_ID.  A node is in a row with one
   below it that has at least 99 % of its size, if the others have no row: together less than
   `least'. Free with free.  */
uint32_t *find_chains(const struct chain_node *nodes, size_t count);

/* `a > b > (4) > z' of more than four of the COUNT NAMES, which get SEPARATORs between them.  */
const char *chain_text(struct arena *arena, const char *const *names, size_t count,
                       const char *separator);

#endif
