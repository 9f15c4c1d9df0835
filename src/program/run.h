/* run.h - the data of a run: one executable, its profiles and the reports to print.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_RUN_H
#define REGPROF_PROGRAM_RUN_H

#include <stdio.h>

#include "analysis/address_totals.h"
#include "analysis/lines.h"
#include "analysis/make_snapshot.h"
#include "base/message.h"
#include "input/image.h"
#include "input/profile_load.h"
#include "input/stack_file.h"
#include "options/plan.h"
#include "program/trees_by_profile.h"
#include "stacks/make_stack_tree.h"
#include "tables/call_tree.h"

/* Set what is above `profile'; the rest is zero before the run.  Several runs can exist at
   once.  */
struct run {
    const struct options *options; /* not owned, as all members up to `out' */
    const struct plan *plan;
    struct image *image;
    struct diagnostics *diagnostics;
    const struct message_list *messages; /* of the diagnostics; NULL: not kept */
    FILE *out;                           /* for the reports */
    struct profile_list inputs;          /* the profiles; see find_profiles */
    bool has_inputs, has_read_stacks;
    struct stacks_origin origin; /* of the first file of stacks */
    struct profile profile;
    struct address_totals sum; /* of the profiles, with -s; their calls, with plan->has_lines */
    struct line_row *rows;     /* of the image's lines, with plan->has_lines */
    size_t row_count;
    struct profile_snapshot snapshot;
    struct top top;                /* the table of functions */
    struct trees_by_profile trees; /* if the format shows each profile */
    struct stack_tree tree;  /* of stacks, if the format shows them, or for the tree of calls */
    struct call_tree calls;  /* the tree of calls */
    struct line_costs lines; /* of the snapshot, with plan->has_lines */
    void *prepared;          /* by the format's exporter; or NULL */
    struct comparison comparison; /* with the base */
    enum gate_status gate;        /* of the comparison */
    char *build_id;               /* of the image, or NULL */
    unsigned reports;             /* to print: or-ed report_kind */
    unsigned needs;               /* of `reports': or-ed report_need */
};

/* Whether the reports may show recorded stacks.  */
static inline bool run_has_stacks(const struct run *run)
{
    return run->plan->stacks != STACKS_NONE && run->profile.recorded.counted > 0;
}

/* Whether inclusive times are measured by stacks, not estimated from calls.  */
static inline bool run_is_measured(const struct run *run)
{
    return run->plan->is_measured && run->profile.recorded.counted > 0;
}

/* The recorded stacks, when the snapshot is made.  */
static inline struct named_stacks run_named_stacks(const struct run *run)
{
    return (struct named_stacks){&run->profile.recorded, &run->profile.symtab, run->snapshot.ids};
}

#endif
