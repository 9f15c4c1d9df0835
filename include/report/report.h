/* report.h - the reports that are asked for, in the order they are printed.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_REPORT_H
#define REGPROF_REPORT_REPORT_H

#include <stdio.h>

#include "report/printers.h"

/* What the reports of the set KINDS (or-ed report_kind) need together.  */
unsigned reports_needs(unsigned kinds);

/* Whether the files of PROFILE have the records that the reports of the set KINDS need; a message
   says what is missing.  */
bool reports_are_possible(unsigned kinds, const struct profile *profile);

/* Prints the reports of the set KINDS (or-ed report_kind) in their order.  Errors of OUT stay in
   OUT.  */
void reports_print(unsigned kinds, const struct profile *profile, const struct style *style,
                   FILE *out);

#endif
