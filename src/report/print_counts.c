/* print_counts.c - prints the execution counts (-C).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"
#include "report/printers.h"

/* Prints `/src/a.c:20: (alpha:0x401020) 10 executions'.  Names are not demangled.  */
static void print_count(struct sheet *w, const struct profile *profile, const struct count_row *row)
{
    const struct symbol *symbol = &profile->symtab.symbols[row->symbol];
    char text[32];
    snprintf(text, sizeof text, ":0x%llx) ", (unsigned long long)row->addr);
    if (symbol->file != NO_ID)
        out_text(&w->out, profile->files.labels[symbol->file]);
    else
        out_text(&w->out, "<unknown>");
    out_char(&w->out, ':');
    out_count(&w->out, symbol->line, 0);
    out_text(&w->out, ": (");
    out_escaped(&w->out, symbol->name);
    out_text(&w->out, text);
    out_count(&w->out, row->count, 0);
    out_text(&w->out, " executions\n");
}

static void print_counts(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet w;
    columns_begin(&w, profile, style, out);
    for (size_t i = 0; i < profile->selection.count_count; i++)
        print_count(&w, profile, &profile->selection.counts[i]);
    columns_end(&w);
}

const struct report report_counts = {.kind = REPORT_COUNTS,
                                     .name = "execution counts",
                                     .needs = NEEDS_COUNTS,
                                     .print = print_counts};
