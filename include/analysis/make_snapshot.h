/* make_snapshot.h - makes a snapshot of a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_MAKE_SNAPSHOT_H
#define REGPROF_ANALYSIS_MAKE_SNAPSHOT_H

#include "model/model.h"
#include "model/snapshot.h"

/* A snapshot, and which symbols its functions are.  */
struct profile_snapshot {
    struct snapshot snapshot;
    const struct profile *profile;
    uint32_t *symbols; /* by function id */
    uint32_t *ids;     /* by symbol id; NO_ID: not in the snapshot */
};

/* Takes all functions with time or calls, and those at the ends of arcs.  Requires a profile after
   all passes, which must outlive MADE.  The caller sets tool and image.  Free with
   profile_snapshot_free.  */
void snapshot_build(struct profile_snapshot *made, const struct profile *profile);
/* Lists the arcs: copies, or those of PROFILE itself, of which MADE was made; it has none
   afterwards.  */
void snapshot_list_arcs(struct profile_snapshot *made);
void snapshot_take_arcs(struct profile_snapshot *made, struct profile *profile);
/* Lists the functions of the image that have neither time nor calls; all symbols must have labels
   and positions.  */
void snapshot_list_idle(struct profile_snapshot *made);
/* Takes the bounds that the profile has now; others are NaN.  */
void snapshot_set_bounds(struct profile_snapshot *made);
/* Begins GROUPS, a snapshot in the units of WHOLE, whose functions are at most COUNT groups of
   those of WHOLE, such as objects.  Free with snapshot_free.  */
void snapshot_begin_groups(struct snapshot *groups, const struct snapshot *whole, size_t count);
/* Adds a group of so many SAMPLES, and of TOTAL (NaN: not known) with what it called, if it has
   any.  NAME must outlive GROUPS.  */
void snapshot_add_group(struct snapshot *groups, const char *name, double samples, double total);
/* Makes the short names of the functions.  */
void snapshot_shorten_names(struct snapshot *snapshot);

void profile_snapshot_free(struct profile_snapshot *made);

#endif
