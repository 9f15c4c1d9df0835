/* trees_by_profile.h - the call stacks of each of several profiles, made while they are read.

   Only the stacks of a profile are kept, so memory does not grow with the number of profiles times
   that of functions or arcs.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_TREES_BY_PROFILE_H
#define REGPROF_PROGRAM_TREES_BY_PROFILE_H

#include "analysis/arcs.h"
#include "analysis/make_snapshot.h"
#include "model/model.h"
#include "model/stack_tree.h"

/* All trees together have at most STACK_NODES_TOGETHER nodes, except that each has up to
   STACK_NODES_LEAST.  */
enum { STACK_NODES_TOGETHER = 2000000, STACK_NODES_LEAST = 1000 };

/* While profiles are read: add the histograms of each to profile.hist and its arcs to `arcs', then
   call trees_by_profile_end.  */
struct trees_by_profile {
    const struct profile *all; /* has files, symbols and filters; its per_file.expected is the
                                  number of profiles */
    unsigned entry_units;      /* see hist_assign */
    bool has_zeros;            /* see views_order_rows */
    struct profile profile;    /* the one being read; files, symbols and filters are not owned */
    struct arc_builder arcs;   /* its arcs */
    struct profile_tree *trees;
    size_t count, capacity;
};

/* Prepares TREES, which stays where it is, for the first profile.  */
void trees_by_profile_begin(struct trees_by_profile *trees, const struct profile *all,
                            unsigned entry_units, bool has_zeros);

/* To be called after each profile: makes its stacks, and frees the rest of it.  */
void trees_by_profile_end(struct trees_by_profile *trees);

/* To be called after the last profile: frees what was read of one that is not complete.  */
void trees_by_profile_finish(struct trees_by_profile *trees);

/* Turns the symbol ids of the nodes into function ids of the snapshot of all profiles, which are
   those of the nodes from then on.  */
void trees_by_profile_number(struct trees_by_profile *trees,
                             const struct profile_snapshot *snapshot);

void trees_by_profile_free(struct trees_by_profile *trees);

#endif
