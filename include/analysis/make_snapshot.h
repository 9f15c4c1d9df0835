/* make_snapshot.h - makes a snapshot of a profile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_ANALYSIS_MAKE_SNAPSHOT_H
#define REGPROF_ANALYSIS_MAKE_SNAPSHOT_H

#include "model/model.h"
#include "model/snapshot.h"

/* A snapshot and the memory that it needs.  */
struct profile_snapshot {
    struct snapshot snapshot; /* valid while this struct stays where it is */
    const struct profile *profile;
    bool has_calls;
    uint32_t *symbols;        /* by function id */
    uint32_t *ids;            /* by symbol id; NO_ID: not in the snapshot */
    uint32_t *members;        /* as in graph, but function ids */
    uint32_t *idle;           /* symbol ids of idle functions; NULL: not listed */
    const char **short_names; /* by function id; NULL: not made */
    struct arena arena;       /* owns short names */
};

/* Takes all functions with time or calls, and those at the ends of arcs.  Requires a profile after
   all passes; bounds that are not computed become NaN.  The caller sets tool and image.  */
void snapshot_build(struct profile_snapshot *made, const struct profile *profile);
/* Lists the functions of the image that have neither time nor calls; all symbols must have labels
   and positions.  */
void snapshot_list_idle(struct profile_snapshot *made);
/* Makes the short names of the functions.  */
void snapshot_shorten_names(struct profile_snapshot *made);

void snapshot_free(struct profile_snapshot *made);

#endif
