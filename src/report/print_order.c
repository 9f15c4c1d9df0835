/* print_order.c - prints the orders of functions and files for linking (-r, -R).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"
#include "report/printers.h"

/* Suggested orders are input for other programs: one name per line, not demangled, as linkers need
   it.  */

static void print_line(struct sheet *sheet, const char *name)
{
    out_escaped(&sheet->out, name);
    out_char(&sheet->out, '\n');
}

static void print_function_order(const struct profile *profile, const struct style *style,
                                 FILE *out)
{
    struct sheet sheet;
    columns_begin(&sheet, profile, style, out);
    for (size_t i = 0; i < profile->views.function_count; i++)
        print_line(&sheet, profile->symtab.symbols[profile->views.functions[i]].name);
    columns_end(&sheet);
}

static void print_file_order(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet sheet;
    columns_begin(&sheet, profile, style, out);
    for (size_t i = 0; i < profile->views.object_count; i++)
        print_line(&sheet, profile->views.objects[i]);
    columns_end(&sheet);
}

const struct report report_function_order = {.kind = REPORT_FUNCTION_ORDER,
                                             .name = "function order",
                                             .needs = NEEDS_CALLERS | NEEDS_FUNCTION_ORDER,
                                             .print = print_function_order,
                                             .is_bare = true};

const struct report report_file_order = {.kind = REPORT_FILE_ORDER,
                                         .name = "file order",
                                         .needs = NEEDS_CALLERS | NEEDS_OBJECT_ORDER,
                                         .print = print_file_order,
                                         .is_bare = true};
