/* line_samples.c - samples and calls by source line, beside a profile by function.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/line_samples.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/annotate.h"
#include "analysis/hist.h"
#include "analysis/line_symbols.h"
#include "analysis/symtab.h"
#include "base/memory.h"

/* The calls of the functions that begin where a symbol does, by symbol id.  */
static uint64_t *calls_of(const struct symtab *lines, const struct profile *profile)
{
    uint64_t *calls = mem_array(lines->count, sizeof *calls);
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t function = symtab_find(&profile->symtab, lines->symbols[i].addr);
        if (function != NO_ID && profile->symtab.symbols[function].addr == lines->symbols[i].addr)
            calls[i] = profile->arcs.calls[function];
    }
    return calls;
}

/* Whether a source has samples or calls.  */
static bool has_activity(const struct annotation *annotation, const struct source *source)
{
    for (uint32_t l = source->line_start; l < source->line_end; l++)
        if (annotation->lines[l].samples > 0 || annotation->lines[l].calls > 0)
            return true;
    return false;
}

static void remove_idle(struct annotation *annotation)
{
    size_t kept = 0;
    for (size_t i = 0; i < annotation->count; i++)
        if (has_activity(annotation, &annotation->sources[i]))
            annotation->sources[kept++] = annotation->sources[i];
    annotation->count = kept;
}

void line_samples_list(struct annotation *annotation, const struct profile *profile,
                       const struct line_row *rows, size_t count, vma text_end,
                       unsigned entry_units)
{
    static const struct filter all = {0};
    const struct annotate_rules rules = {.has_zeros = true};
    const struct filter *filter = &profile->filters.annotate;
    /* A profile by line that shares histograms and files with the one by function.  */
    struct profile lines = {.files = profile->files, .hist = profile->hist};
    line_symbols_build(&lines.symtab, &profile->symtab, rows, count, text_end);
    hist_assign(&lines.hist, &lines.symtab, &all, entry_units);
    lines.arcs.calls = calls_of(&lines.symtab, profile);
    line_symbols_copy_filter(&lines.filters.annotate, filter, &lines.symtab, &profile->symtab);
    annotate_list(annotation, &lines, &rules);
    remove_idle(annotation);
    line_symbols_free_filter(&lines.filters.annotate);
    free(lines.arcs.calls);
    free(lines.hist.time);
    symtab_free(&lines.symtab);
}
