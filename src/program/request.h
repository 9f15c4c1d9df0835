/* request.h - what is asked of one image and its profiles, and the data of them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_REQUEST_H
#define REGPROF_PROGRAM_REQUEST_H

#include <stdio.h>

#include "analysis/address_totals.h"
#include "analysis/lines.h"
#include "analysis/make_snapshot.h"
#include "base/files.h"
#include "base/message.h"
#include "foreign/foreign.h"
#include "input/image.h"
#include "input/profile_list.h"
#include "input/stack_file.h"
#include "model/placement.h"
#include "options/plan.h"
#include "program/trees_by_profile.h"
#include "stacks/make_stack_tree.h"

struct found_run; /* find_record.h */

/* Not changed once its profiles are listed.  It owns nothing.  A mode that needs another image or
   other profiles, as that of the base, makes a request of its own.  */
struct request {
    const struct options *options;
    const struct plan *plan;
    struct image *image;
    struct foreign *foreign; /* the profiles of another profiler that IMAGE is made of; or empty */
    struct open_files *opened; /* what looking for these has opened */
    struct diagnostics *diagnostics;
    const struct message_list *messages; /* of the diagnostics; NULL: not kept */
    FILE *out;                           /* for the reports */
    const struct found_run *run;         /* whose record has the profiles, or an empty one */
    const struct profile_list *inputs;   /* the profiles of the image */
    const struct stacks_plan *stacks;    /* of the plan, or none */
    bool has_slide;                      /* the addresses of the profiles are not looked at */
    vma slide; /* how much higher these are; without has_slide, if nothing else is found */
};

/* The functions of the objects of recorded stacks, by object (read_objects.h).  */
struct objects_read {
    struct object_code *code;
    struct image **images; /* own the names, but those of generated code; NULL: not read */
    char **names;
    size_t count;
};

/* Calls that were counted in shared objects.  */
struct object_calls {
    struct arc *arcs; /* by input; ids as those of recorded stacks; NO_ID: called from elsewhere */
    size_t *ends;     /* by input: its last one, plus 1; NULL: there are none */
    size_t count, capacity;
    size_t bad_count; /* profiles that could not be read */
};

/* The data of one image and its profiles.  Set `reports'; the rest is zero at the start.  */
struct analysis {
    unsigned reports; /* to print: or-ed report_kind; 0: those for which there is data */
    unsigned needs;   /* of `reports': or-ed report_need */
    struct profile profile;
    bool has_read_stacks, has_read_symbols;
    bool is_refused;                  /* the profiles are of another program, after a message */
    struct stacks_origin origin;      /* of the first file of stacks */
    struct objects_read objects;      /* of the stacks, if their code may be shown */
    struct object_calls object_calls; /* in these; none unless stacks measure times */
    struct address_totals sum; /* of the profiles, with -s; their calls, with plan->has_lines */
    struct line_row *rows;     /* of the image's lines, with plan->has_lines */
    size_t row_count;
    struct profile_snapshot snapshot; /* see analyse_snapshot */
    struct snapshot groups;           /* whose functions are objects or threads (--by) */
    struct placement placement;       /* of its functions, if the format is an order */
    struct stacks cut;                /* the stacks of each input, for JSON */
    struct trees_by_profile trees;    /* if the format shows each profile */
    struct stack_tree thread_tree;    /* of those of each thread */
    struct stack_tree tree; /* of stacks, for a page or a format, or for the tree of calls */
    char *build_id;         /* of the image, or NULL */
};

/* The recorded stacks, when the snapshot is made.  */
static inline struct named_stacks analysis_stacks(const struct analysis *analysis)
{
    return (struct named_stacks){&analysis->profile.recorded, &analysis->profile.symtab,
                                 analysis->snapshot.ids,
                                 analysis->snapshot.snapshot.function_count};
}

#endif
