/* checks.h - warnings, hints and notes about an image, its profiles and reports.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_CHECKS_H
#define REGPROF_PROGRAM_CHECKS_H

#include "analysis/callscan.h"
#include "base/hash.h"
#include "base/message.h"
#include "program/run.h"
#include "symbols/symspec.h"

/* ---- Profiles of another executable ---- */

/* Set the first four; the rest is zero at the start.  */
struct image_check {
    struct image *image;
    const struct text_ranges *text; /* of the image */
    struct diagnostics *diagnostics;
    const struct symtab *symtab; /* of the image's functions; NULL: they have not been read */
    struct callee_sample sample; /* of the profile being read */
    struct pair_map known;       /* callees that were looked at: (address, 0) */
    bool *matches;               /* by number in `known': whether it can be a callee in the image */
    size_t match_count, match_capacity;
    vma *symbols; /* addresses of symbols, ascending; NULL until they are needed */
    size_t symbol_count;
    size_t foreign; /* profiles that another executable wrote */
};

/* Called for each arc of the profile being read; SELF is its callee.  */
void image_check_callee(struct image_check *check, vma self);

/* Called when the profile at PATH has been read.  Warns of the first profile that another
   executable wrote.  */
void image_check_profile(struct image_check *check, const char *path);

/* Called when all profiles have been read.  Warns if another executable wrote several.  Frees what
   the check holds.  */
void image_check_end(struct image_check *check);

/* ---- Specs that match nothing ---- */

/* Prints a warning for each of MISSES, with the reason or with similar names.  IMAGE is a path.  */
void check_specs(const struct symspec_misses *misses, const char *image,
                 struct diagnostics *diagnostics);

/* ---- Hints ---- */

/* Prints warnings that explain what the reports of RUN lack: no samples, or many outside every
   function; no calls; no source lines; options that exclude everything.  Call it after the profile
   is analysed and its sources are read.  */
void hints_print(const struct run *run);

/* Explains why the reports of RUN cannot be printed; called after the message about it.  */
void hints_explain_failure(const struct run *run);

/* ---- Notes ---- */

/* Prints notes on RUN, unless it is quiet: an image newer than a profile, and of the selected
   reports: calls that may be missing because several threads counted, no calls counted at all, and,
   on a terminal, few samples.  Call it after the analysis, or after a sum without reports.  */
void notes_print(const struct run *run);

#endif
