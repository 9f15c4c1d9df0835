/* print_source.c - prints annotated source (-A).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "report/columns.h"
#include "report/printers.h"

/* Before each line of text is a margin of MARGIN bytes, with the line's counts and an arrow, or
   blank.  Longer lists of counts are cut.

             10 -> if (a < b)
        3,5,120 ->     a = b;
                   }  */

enum { MARGIN = 16, ARROW = 4, SUMMARY_WIDTH = 9, DIGITS_MAX = 20 };

#define COUNT_LIMIT 1000000000000u /* the first count that is too wide for the margin */

/* Prints the margin of a line with COUNT counts; `#####' if it IS_RARE.  */
static void print_margin(struct sheet *w, const uint64_t *counts, size_t count, bool is_rare)
{
    char list[MARGIN + 1 + DIGITS_MAX + 1] = "#####", margin[sizeof list + ARROW];
    int used = 0;
    if (count == 1 && !is_rare && counts[0] < COUNT_LIMIT) { /* the usual case, without printf */
        out_count(&w->out, counts[0], MARGIN - ARROW);
        out_text(&w->out, " -> ");
        return;
    }
    for (size_t i = 0; i < count && used < MARGIN && !is_rare; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%llu", i > 0 ? "," : "",
                         (unsigned long long)counts[i]);
    snprintf(margin, sizeof margin, "%*s -> ", MARGIN - ARROW, list);
    out_bytes(&w->out, margin, MARGIN);
}

static void print_line(struct sheet *w, const struct profile *profile, const struct style *style,
                       const struct source_line *line)
{
    if (line == NULL || line->count_start == line->count_end) {
        out_blanks(&w->out, MARGIN);
        return;
    }
    print_margin(w, profile->annotation.counts + line->count_start,
                 line->count_end - line->count_start, line->shown < style->min_count);
}

static void print_text(struct sheet *w, const struct profile *profile, const struct style *style,
                       const struct source *source)
{
    const struct source_line *line = profile->annotation.lines + source->line_start;
    const struct source_line *end = profile->annotation.lines + source->line_end;
    uint32_t number = 0;
    for (size_t at = 0; at < source->size;) {
        const char *text = source->text + at;
        const char *newline = memchr(text, '\n', source->size - at);
        size_t length = newline != NULL ? (size_t)(newline - text) + 1 : source->size - at;
        number++;
        bool has_code = line < end && line->line == number;
        print_line(w, profile, style, has_code ? line : NULL);
        line += has_code;
        out_bytes(&w->out, text, length);
        at += length;
    }
}

static void print_top(struct sheet *w, const struct annotation *annotation,
                      const struct source *source, unsigned length)
{
    out_text(&w->out, "\n\nTop ");
    out_count(&w->out, length, 0);
    out_text(&w->out, " Lines:\n\n     Line      Count\n\n");
    for (uint32_t i = source->top_start; i < source->top_end && i - source->top_start < length;
         i++) {
        const struct source_line *line = &annotation->lines[annotation->top[i]];
        out_count(&w->out, line->line, 9);
        out_char(&w->out, ' ');
        out_count(&w->out, line->calls, 10);
        out_char(&w->out, '\n');
    }
}

static void print_figure(struct sheet *w, uint64_t value, const char *what)
{
    out_count(&w->out, value, SUMMARY_WIDTH);
    out_text(&w->out, what);
}

static void print_ratio(struct sheet *w, double value, const char *what)
{
    out_fixed(&w->out, value, SUMMARY_WIDTH, 2);
    out_text(&w->out, what);
}

static void print_summary(struct sheet *w, const struct source *source)
{
    out_text(&w->out, "\nExecution Summary:\n\n");
    print_figure(w, source->code_lines, "   Executable lines in this file\n");
    print_figure(w, source->executed_lines, "   Lines executed\n");
    print_ratio(w, source->executed_percent, "   Percent of the file executed\n");
    out_char(&w->out, '\n');
    print_figure(w, source->calls, "   Total number of line executions\n");
    print_ratio(w, source->mean_executions, "   Average executions per line\n");
}

static void write_source(struct sheet *w, const struct profile *profile, const struct style *style,
                         const struct source *source)
{
    print_text(w, profile, style, source);
    if (style->table_length > 0)
        print_top(w, &profile->annotation, source, style->table_length);
    print_summary(w, source);
}

void print_source(const struct profile *profile, const struct style *style, size_t number,
                  FILE *out)
{
    struct sheet w;
    columns_begin(&w, profile, style, out);
    write_source(&w, profile, style, &profile->annotation.sources[number]);
    columns_end(&w);
}

static void print_sources(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet w;
    columns_begin(&w, profile, style, out);
    for (size_t i = 0; i < profile->annotation.count; i++) {
        const struct source *source = &profile->annotation.sources[i];
        out_text(&w.out, i > 0 ? "\n\f\n*** File " : "*** File ");
        out_text(&w.out, profile->files.labels[source->file]);
        out_text(&w.out, ":\n");
        write_source(&w, profile, style, source);
    }
    columns_end(&w);
}

/* Whether sources were found that are not written to files of their own (-y).  */
static bool has_output(const struct profile *profile, const struct style *style)
{
    return profile->annotation.count > 0 && !style->has_separate_files;
}

const struct report report_sources = {.kind = REPORT_SOURCE,
                                      .name = "annotated source",
                                      .needs = NEEDS_ANNOTATION,
                                      .print = print_sources,
                                      .has_output = has_output};
