/* printers.h - one function per report, for the registry in report/report.c.

   A printer writes what the profile and its views hold; see report/report.h for what it may not do.
 */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_PRINTERS_H
#define REGPROF_REPORT_PRINTERS_H

#include <stdio.h>

#include "model/model.h"
#include "report/report.h"

/* What each profile file holds.  */
void print_info(const struct profile *profile, const struct style *style, FILE *out);

/* What each profile file adds to the whole, and which functions vary most between them.  */
void print_perfile(const struct profile *profile, const struct style *style, FILE *out);

/* Functions by their own time.  */
void print_flat(const struct profile *profile, const struct style *style, FILE *out);

/* Functions with their callers and callees, by the time spent in and below them.  */
void print_graph(const struct profile *profile, const struct style *style, FILE *out);

/* How often functions, and with -l basic blocks, were executed.  */
void print_counts(const struct profile *profile, const struct style *style, FILE *out);

/* Sources with the executions of each line: all of them, or source NUMBER alone.  */
void print_sources(const struct profile *profile, const struct style *style, FILE *out);
void print_source(const struct profile *profile, const struct style *style, size_t number,
                  FILE *out);

/* Where the call graph has which function, by name.  */
void print_index(const struct profile *profile, const struct style *style, FILE *out);

/* Functions, and object files, in the order that is suggested to link them.  */
void print_function_order(const struct profile *profile, const struct style *style, FILE *out);
void print_file_order(const struct profile *profile, const struct style *style, FILE *out);

#endif
