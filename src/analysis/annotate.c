/* annotate.c - adds up executions by source line; lists the lines with the most.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/annotate.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/sort.h"

struct annotator {
    struct annotation *result;
    const struct profile *profile;
    const struct annotate_rules *rules;
    uint32_t *ids;     /* accepted symbols: last file first, lines ascending, then by address */
    uint64_t previous; /* the last count shown on the line before */
};

/* ---- Symbols by file and line ---- */

static int compare_positions(const void *context, uint32_t a, uint32_t b)
{
    const struct symbol *symbols = context;
    const struct symbol *left = &symbols[a], *right = &symbols[b];
    if (left->file != right->file)
        return left->file > right->file ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

static size_t list_symbols(struct annotator *by)
{
    const struct symtab *symtab = &by->profile->symtab;
    size_t count = 0;
    by->ids = mem_array(symtab->count, sizeof *by->ids);
    for (size_t i = 0; i < symtab->count; i++)
        if (symtab->symbols[i].file != NO_ID &&
            is_accepted(&by->profile->filters.annotate, (uint32_t)i))
            by->ids[count++] = (uint32_t)i;
    sort_ids(by->ids, count, compare_positions, symtab->symbols);
    return count;
}

static const struct symbol *symbol_at(const struct annotator *by, size_t i)
{
    return &by->profile->symtab.symbols[by->ids[i]];
}

static uint64_t sum_calls(const struct annotator *by, size_t from, size_t to)
{
    uint64_t sum = 0;
    for (size_t i = from; i < to; i++)
        sum = sum_u64(sum, by->profile->arcs.calls[by->ids[i]]);
    return sum;
}

static double sum_samples(const struct annotator *by, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to && by->profile->hist.time != NULL; i++)
        sum += by->profile->hist.time[by->ids[i]];
    return sum;
}

/* ---- Lines and sources ---- */

/* Adds the line of the symbols [FROM, TO) of the list.  */
static void add_line(struct annotator *by, size_t from, size_t to)
{
    struct annotation *result = by->result;
    struct source_line *line = &result->lines[result->line_count++];
    line->line = symbol_at(by, from)->line;
    line->calls = sum_calls(by, from, to);
    line->samples = sum_samples(by, from, to);
    line->symbol = by->ids[from];
    line->has_several = to - from > 1;
}

static int compare_calls(const void *context, uint32_t a, uint32_t b)
{
    const struct source_line *lines = context;
    if (lines[a].calls != lines[b].calls)
        return lines[a].calls > lines[b].calls ? -1 : 1;
    return lines[a].line < lines[b].line ? -1 : 1;
}

static void list_top(struct annotation *result, struct source *source)
{
    source->top_end = source->top_start;
    for (uint32_t i = source->line_start; i < source->line_end; i++)
        if (result->lines[i].calls > 0)
            result->top[source->top_end++] = i;
    sort_ids(result->top + source->top_start, source->top_end - source->top_start, compare_calls,
             result->lines);
}

/* Adds the source of the symbols [FROM, TO) of the list.  */
static void add_source(struct annotator *by, size_t from, size_t to)
{
    struct annotation *result = by->result;
    uint64_t calls = sum_calls(by, from, to);
    if (calls == 0 && !by->rules->has_zeros)
        return;
    struct source *source = &result->sources[result->count++];
    *source = (struct source){.file = symbol_at(by, from)->file,
                              .line_start = (uint32_t)result->line_count,
                              .top_start = (uint32_t)result->line_count,
                              .calls = calls};
    for (size_t next; from < to; from = next) {
        for (next = from + 1; next < to && symbol_at(by, next)->line == symbol_at(by, from)->line;)
            next++;
        add_line(by, from, next);
    }
    source->line_end = (uint32_t)result->line_count;
    list_top(result, source);
}

void annotate_list(struct annotation *annotation, const struct profile *profile,
                   const struct annotate_rules *rules)
{
    struct annotator by = {.result = annotation, .profile = profile, .rules = rules};
    size_t count = list_symbols(&by);
    annotation->sources = mem_array(profile->files.count, sizeof *annotation->sources);
    annotation->lines = mem_array(count, sizeof *annotation->lines);
    annotation->top = mem_array(count, sizeof *annotation->top);
    for (size_t from = 0, next; from < count; from = next) {
        for (next = from + 1;
             next < count && symbol_at(&by, next)->file == symbol_at(&by, from)->file;)
            next++;
        add_source(&by, from, next);
    }
    free(by.ids);
}

/* ---- Counts shown before a line ---- */

/* Adds COUNT to the counts shown before LINE.  With -x, a count equal to the one before it is only
   added to the sum.  */
static void show(struct annotator *by, struct source_line *line, uint64_t count)
{
    struct annotation *result = by->result;
    line->shown = sum_u64(line->shown, count);
    if (by->rules->has_all_lines && line->count_end > line->count_start &&
        result->counts[line->count_end - 1] == count)
        return;
    if (line->count_end == UINT32_MAX)
        die(MSG_TOO_MANY_BLOCKS, (unsigned long)UINT32_MAX - 1);
    result->counts = mem_grow(result->counts, &result->count_capacity, result->count_count + 1,
                              sizeof *result->counts);
    result->counts[result->count_count++] = count;
    line->count_end++;
}

/* Whether the code of LINE, whose first symbol has COUNT blocks, continues the block before it.  */
static bool continues_block(const struct source_line *line, const struct symbol *symbol,
                            const struct block *blocks, size_t count)
{
    return count == 0 || line->has_several || blocks[0].addr != symbol->addr;
}

/* A line where functions begin shows their calls; with -x another line shows the count of the block
   before it again.  Of the symbols of a line, only the blocks of the first one are shown.  */
static void show_line(struct annotator *by, struct source_line *line)
{
    const struct symbol *symbol = &by->profile->symtab.symbols[line->symbol];
    size_t count;
    const struct block *blocks = blocks_of(&by->profile->blocks, line->symbol, &count);
    line->count_start = line->count_end = (uint32_t)by->result->count_count;
    if (symbol->is_func)
        show(by, line, line->calls);
    else if (by->rules->has_all_lines && continues_block(line, symbol, blocks, count))
        show(by, line, by->previous);
    for (size_t i = 0; i < count; i++)
        show(by, line, blocks[i].count);
    if (line->count_end > line->count_start)
        by->previous = by->result->counts[line->count_end - 1];
}

/* Computes the summary.  Lines of code after the end of the text, which may be older than the
   program, are not counted.  */
static void summarise(const struct annotation *annotation, struct source *source)
{
    for (uint32_t l = source->line_start; l < source->line_end; l++) {
        const struct source_line *line = &annotation->lines[l];
        if (line->line > source->text_lines)
            break;
        source->code_lines++;
        source->executed_lines += line->count_end > line->count_start;
    }
    double code_lines = source->code_lines;
    bool has_code = source->code_lines > 0;
    source->executed_percent = has_code ? 100.0 * source->executed_lines / code_lines : 100.0;
    source->mean_executions = has_code ? (double)source->calls / code_lines : 0.0;
}

/* With -x, the first line of a source may repeat the last count of the source before it.  */
void annotate_count(struct annotation *annotation, const struct profile *profile,
                    const struct annotate_rules *rules)
{
    struct annotator by = {.result = annotation, .profile = profile, .rules = rules};
    for (size_t i = 0; i < annotation->count; i++) {
        struct source *source = &annotation->sources[i];
        for (uint32_t l = source->line_start; l < source->line_end; l++)
            if (annotation->lines[l].line <= source->text_lines)
                show_line(&by, &annotation->lines[l]);
        summarise(annotation, source);
    }
}

void annotation_free(struct annotation *annotation)
{
    for (size_t i = 0; i < annotation->count; i++)
        free(annotation->sources[i].text);
    free(annotation->sources);
    free(annotation->lines);
    free(annotation->counts);
    free(annotation->top);
    *annotation = (struct annotation){0};
}
