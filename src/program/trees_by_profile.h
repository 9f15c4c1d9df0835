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
#include "stacks/make_stack_tree.h"

/* All trees together have at most STACK_NODES_TOGETHER nodes, but each may have
   STACK_NODES_LEAST.  */
enum { STACK_NODES_TOGETHER = 2000000, STACK_NODES_LEAST = 1000 };

/* The trees while profiles are read.  The caller adds the histograms of each profile to
   profile.hist and its arcs to `arcs', then calls trees_by_profile_end.  */
struct trees_by_profile {
    const struct profile *all; /* has files, symbols and filters; its per_file.expected is the
                                  number of profiles */
    bool has_zeros;            /* see views_order_rows */
    struct profile profile;  /* the profile being read; files, symbols and filters are not owned */
    struct arc_builder arcs; /* of the profile being read */
    struct profile_tree *trees;
    size_t count, capacity;
};

/* Prepares TREES, which must not move, for the first profile.  */
void trees_by_profile_begin(struct trees_by_profile *trees, const struct profile *all,
                            bool has_zeros);

/* Called after each profile: makes its tree, and frees its other data.  */
void trees_by_profile_end(struct trees_by_profile *trees);

/* Called after the last profile: frees what was read of an incomplete one.  */
void trees_by_profile_finish(struct trees_by_profile *trees);

/* Replaces the symbol ids of the nodes by function ids of the snapshot of all profiles.  */
void trees_by_profile_number(struct trees_by_profile *trees,
                             const struct profile_snapshot *snapshot);

/* Puts the stacks of NAMED, which keeps those of each profile, in place of estimated ones.
   ARE_SECONDS: the unit of their rate.  */
void trees_by_profile_take_recorded(struct trees_by_profile *trees,
                                    const struct named_stacks *named, bool are_seconds);

void trees_by_profile_free(struct trees_by_profile *trees);

#endif
