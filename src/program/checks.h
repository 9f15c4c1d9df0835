/* checks.h - warnings, hints and notes about an image, its profiles and reports.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_CHECKS_H
#define REGPROF_PROGRAM_CHECKS_H

#include "base/message.h"
#include "program/request.h"
#include "symbols/symspec.h"

/* ---- Specs that match nothing ---- */

/* Reports a spec of OPTION that matches nothing, with similar names.  Returns false.  */
bool refuse_spec(const char *option, const struct symspec_miss *miss);

/* Prints a warning for each of MISSES, with the reason or with similar names.  False after a
   message about a spec of --tree, unless another object may match it.  */
bool check_specs(const struct symspec_misses *misses, const struct request *request);

/* Whether IMAGE was built without -pg.  */
bool image_counts_no_calls(struct image *image);

/* Whether the profiles have samples and no calls, and the image was built without -pg.  */
bool counts_no_calls(const struct request *request, const struct profile *profile);

/* ---- Hints ---- */

/* Prints warnings that explain what the reports of ANALYSIS lack: no samples, or many outside every
   function; no calls; no source lines; options that exclude everything.  The table of functions has
   ROW_COUNT rows.  Call it when the sources are read.  */
void hints_print(const struct request *request, const struct analysis *analysis, size_t row_count);

/* Explains why the reports of ANALYSIS cannot be printed; called after the message about it.  */
void hints_explain_failure(const struct request *request, const struct analysis *analysis);

/* ---- Notes ---- */

/* Prints notes on ANALYSIS, unless messages are quiet: an image newer than a profile, and of the
   selected reports: calls that may be missing because several threads counted, no calls counted at
   all, and, on a terminal, few samples.  Call it after the analysis, or after a sum without
   reports.  */
void notes_print(const struct request *request, const struct analysis *analysis);

#endif
