/* profile_stacks.h - the call stacks of each of several profiles, made while they are read.

   Only the stacks of a profile are kept, so memory does not grow with the number of profiles times
   that of functions or arcs.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_STACKS_PROFILE_STACKS_H
#define REGPROF_STACKS_PROFILE_STACKS_H

#include "analysis/arcs.h"
#include "analysis/make_snapshot.h"
#include "model/model.h"
#include "model/stack_tree.h"

/* All trees together have at most STACK_NODES_TOGETHER nodes, except that each has up to
   STACK_NODES_LEAST.  */
enum { STACK_NODES_TOGETHER = 2000000, STACK_NODES_LEAST = 1000 };

/* While profiles are read: add the histograms of each to profile.hist and its arcs to `arcs', then
   call profile_stacks_end.  */
struct profile_stacks {
    const struct profile *all; /* has files, symbols and filters; its per_file.expected is the
                                  number of profiles */
    unsigned entry_units;      /* see hist_assign */
    bool has_zeros;            /* see views_order_rows */
    struct profile profile;    /* the one being read; files, symbols and filters are not owned */
    struct arc_builder arcs;   /* its arcs */
    struct input_stacks *inputs;
    size_t count, capacity;
};

/* Prepares STACKS, which stays where it is, for the first profile.  */
void profile_stacks_begin(struct profile_stacks *stacks, const struct profile *all,
                          unsigned entry_units, bool has_zeros);

/* To be called after each profile: makes its stacks, and frees the rest of it.  */
void profile_stacks_end(struct profile_stacks *stacks);

/* To be called after the last profile: frees what was read of one that is not complete.  */
void profile_stacks_finish(struct profile_stacks *stacks);

/* Turns the symbol ids of the nodes into function ids of the snapshot of all profiles, which are
   those of the nodes from then on.  */
void profile_stacks_number(struct profile_stacks *stacks, const struct profile_snapshot *snapshot);

void profile_stacks_free(struct profile_stacks *stacks);

#endif
