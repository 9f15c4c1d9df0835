/* report.h - prints the selected reports in order.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_REPORT_H
#define REGPROF_REPORT_REPORT_H

#include <stdio.h>

#include "report/printers.h"

/* The union of the needs (or-ed report_need) of the reports KINDS (or-ed report_kind).  */
unsigned reports_needs(unsigned kinds);

/* Whether the files of PROFILE have the records that the reports KINDS need; false after a
   message.  */
bool reports_are_possible(unsigned kinds, const struct profile *profile);

/* Prints the reports KINDS (or-ed report_kind) in the order of the table.  TOP: the table of
   functions; NULL unless it is one of KINDS.  Check ferror(OUT) afterwards.  */
void reports_print(unsigned kinds, const struct profile *profile, const struct table *top,
                   const struct style *style, FILE *out);

#endif
