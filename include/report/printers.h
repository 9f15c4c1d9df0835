/* printers.h - the reports, one a file, for the table in report.c.

   A printer writes what the profile and its final lists hold; report.h says what it may not do.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_PRINTERS_H
#define REGPROF_REPORT_PRINTERS_H

#include "report/report.h"

/* Each profile file and how many records it has (-i).  */
extern const struct report report_info;
/* Each profile file and its samples and calls (--per-file).  */
extern const struct report report_per_file;
/* The flat profile (-p).  */
extern const struct report report_flat;
/* The call graph (-q), and the function index after it.  */
extern const struct report report_graph, report_index;
/* Execution counts of functions and basic blocks (-C).  */
extern const struct report report_counts;
/* Annotated sources (-A).  */
extern const struct report report_sources;
/* Suggested orders for the linker (-r, -R).  */
extern const struct report report_function_order, report_file_order;

/* Prints one annotated source, number SOURCE of profile->annotation, to a file of its own (-y).  */
void print_source(const struct profile *profile, const struct style *style, size_t source,
                  FILE *out);

#endif
