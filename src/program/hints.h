/* hints.h - warnings, hints and notes about an image, its profiles and reports.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_PROGRAM_HINTS_H
#define REGPROF_PROGRAM_HINTS_H

#include "base/message.h"
#include "program/request.h"
#include "symbols/symspec.h"

/* ---- Specs that match nothing ---- */

/* Reports a spec of OPTION that matches nothing, with similar names.  Returns false.  */
bool hints_refuse_spec(const char *option, const struct symspec_miss *miss);

/* Prints a warning for each of MISSES, with the reason or with similar names.  False after a
   message about a spec of --tree, unless another object may match it.  */
bool hints_check_specs(const struct symspec_misses *misses, const struct request *request);

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
void hints_print_notes(const struct request *request, const struct analysis *analysis);

#endif
