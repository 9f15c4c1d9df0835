/* print_varying.h - prints the functions whose times vary most between profiles (--per-file).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_REPORT_PRINT_VARYING_H
#define REGPROF_REPORT_PRINT_VARYING_H

#include "report/columns.h"

/* Prints the functions with a heading, or nothing if there are none.  */
void print_varying(struct sheet *sheet, const struct per_file *figures);

#endif
