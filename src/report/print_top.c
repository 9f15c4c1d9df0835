/* print_top.c - prints the table of functions, source lines or files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/out.h"
#include "report/printers.h"
#include "report/table_text.h"

static void print_top(const struct profile *profile, const struct style *style, FILE *file)
{
    struct out out;
    out_begin(&out, file);
    table_print_text(&profile->top.table, &out, style->terminal_width);
    out_end(&out);
}

const struct report report_top = {.kind = REPORT_TOP,
                                  .name = "table of functions",
                                  .needs = NEEDS_GRAPH | NEEDS_ENTRIES | NEEDS_CALLERS |
                                           NEEDS_LABELS | NEEDS_TOP,
                                  .print = print_top};
