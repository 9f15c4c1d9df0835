/* print_counts.c - prints the execution counts (-C).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/columns.h"
#include "report/prefetch.h"
#include "report/printers.h"

/* `/src/a.c:20: (alpha:0x401020) 10 executions'.  Names are those of the image, not demangled.  */
static void print_count(struct sheet *w, const struct profile *profile, const struct symbol *symbol,
                        vma addr, uint64_t count)
{
    char text[32];
    snprintf(text, sizeof text, ":0x%llx) ", (unsigned long long)addr);
    if (symbol->file != NO_ID)
        format_text(w, profile->files.labels[symbol->file]);
    else
        format_text(w, "<unknown>");
    format_char(w, ':');
    format_count(w, symbol->line, 0);
    format_text(w, ": (");
    format_escaped(w, symbol->name);
    format_text(w, text);
    format_count(w, count, 0);
    format_text(w, " executions\n");
}

/* The calls of a symbol, then its basic blocks in the order the profiles had them.  */
static void print_symbol(struct sheet *w, const struct profile *profile, const struct style *style,
                         uint32_t id)
{
    const struct symbol *symbol = &profile->symtab.symbols[id];
    size_t count;
    const struct block *blocks = blocks_of(&profile->blocks, id, &count);
    if (profile->arcs.calls[id] > 0 || style->has_zeros)
        print_count(w, profile, symbol, symbol->addr, profile->arcs.calls[id]);
    for (size_t i = 0; i < count; i++)
        if (blocks[i].count > 0 || style->has_zeros)
            print_count(w, profile, symbol, blocks[i].addr, blocks[i].count);
}

void print_counts(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet w;
    format_begin(&w, profile, style, out);
    for (size_t i = 0; i < profile->views.counts_count; i++) {
        prefetch_names(profile, profile->views.counts, i, profile->views.counts_count);
        print_symbol(&w, profile, style, profile->views.counts[i]);
    }
    format_end(&w);
}
