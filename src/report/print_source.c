/* print_source.c - prints annotated source (-A).  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "report/columns.h"
#include "report/printers.h"

/* Before each line of text there is a margin, as wide as MARGIN, with the line's counts and an
   arrow, or blank.  What does not fit is cut.

             10 -> if (a < b)
        3,5,120 ->     a = b;
                   }  */

enum { MARGIN = 16, ARROW = 4, SUMMARY_WIDTH = 9, DIGITS_MAX = 20 };

#define LONGEST 1000000000000u /* the first count that the margin has no room for */

static void print_margin(struct sheet *w, const uint64_t *counts, size_t count, bool is_rare)
{
    char list[MARGIN + 1 + DIGITS_MAX + 1] = "#####", margin[sizeof list + ARROW];
    int used = 0;
    if (count == 1 && !is_rare && counts[0] < LONGEST) { /* most have one, and printf is slow */
        format_count(w, counts[0], MARGIN - ARROW);
        format_text(w, " -> ");
        return;
    }
    for (size_t i = 0; i < count && used < MARGIN && !is_rare; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%llu", i > 0 ? "," : "",
                         (unsigned long long)counts[i]);
    snprintf(margin, sizeof margin, "%*s -> ", MARGIN - ARROW, list);
    format_bytes(w, margin, MARGIN);
}

/* What was seen of a source's lines.  */
struct tally {
    uint32_t lines;       /* of text */
    uint32_t code_lines;  /* that code was made from */
    uint32_t shown_lines; /* that have counts before them */
};

static void print_line(struct sheet *w, const struct profile *profile, const struct style *style,
                       const struct source_line *line, struct tally *tally)
{
    if (line != NULL)
        tally->code_lines++;
    if (line == NULL || line->count_start == line->count_end) {
        format_blanks(w, MARGIN);
        return;
    }
    tally->shown_lines++;
    print_margin(w, profile->annotation.counts + line->count_start,
                 line->count_end - line->count_start, line->shown < style->min_count);
}

static struct tally print_text(struct sheet *w, const struct profile *profile,
                               const struct style *style, const struct source *source)
{
    const struct source_line *line = profile->annotation.lines + source->line_start;
    const struct source_line *end = profile->annotation.lines + source->line_end;
    struct tally tally = {0};
    for (size_t at = 0; at < source->size;) {
        const char *text = source->text + at;
        const char *newline = memchr(text, '\n', source->size - at);
        size_t length = newline != NULL ? (size_t)(newline - text) + 1 : source->size - at;
        tally.lines++;
        bool has_code = line < end && line->line == tally.lines;
        print_line(w, profile, style, has_code ? line : NULL, &tally);
        line += has_code;
        format_bytes(w, text, length);
        at += length;
    }
    return tally;
}

static void print_top(struct sheet *w, const struct annotation *annotation,
                      const struct source *source, unsigned length)
{
    format_text(w, "\n\nTop ");
    format_count(w, length, 0);
    format_text(w, " Lines:\n\n     Line      Count\n\n");
    for (uint32_t i = source->top_start; i < source->top_end && i - source->top_start < length;
         i++) {
        const struct source_line *line = &annotation->lines[annotation->top[i]];
        format_count(w, line->line, 9);
        format_char(w, ' ');
        format_count(w, line->calls, 10);
        format_char(w, '\n');
    }
}

static void print_figure(struct sheet *w, uint64_t value, const char *what)
{
    format_count(w, value, SUMMARY_WIDTH);
    format_text(w, what);
}

static void print_ratio(struct sheet *w, double value, const char *what)
{
    format_fixed(w, value, SUMMARY_WIDTH, 2);
    format_text(w, what);
}

static void print_summary(struct sheet *w, const struct source *source, const struct tally *tally)
{
    double code_lines = tally->code_lines;
    bool has_code = tally->code_lines > 0;
    format_text(w, "\nExecution Summary:\n\n");
    print_figure(w, tally->code_lines, "   Executable lines in this file\n");
    print_figure(w, tally->shown_lines, "   Lines executed\n");
    print_ratio(w, has_code ? 100.0 * tally->shown_lines / code_lines : 100.0,
                "   Percent of the file executed\n");
    format_char(w, '\n');
    print_figure(w, source->calls, "   Total number of line executions\n");
    print_ratio(w, has_code ? (double)source->calls / code_lines : 0.0,
                "   Average executions per line\n");
}

static void write_source(struct sheet *w, const struct profile *profile, const struct style *style,
                         const struct source *source)
{
    struct tally tally = print_text(w, profile, style, source);
    if (style->table_length > 0)
        print_top(w, &profile->annotation, source, style->table_length);
    print_summary(w, source, &tally);
}

void print_source(const struct profile *profile, const struct style *style, size_t number,
                  FILE *out)
{
    struct sheet w;
    format_begin(&w, profile, style, out);
    write_source(&w, profile, style, &profile->annotation.sources[number]);
    format_end(&w);
}

void print_sources(const struct profile *profile, const struct style *style, FILE *out)
{
    struct sheet w;
    format_begin(&w, profile, style, out);
    for (size_t i = 0; i < profile->annotation.count; i++) {
        const struct source *source = &profile->annotation.sources[i];
        format_text(&w, i > 0 ? "\n\f\n*** File " : "*** File ");
        format_text(&w, profile->files.labels[source->file]);
        format_text(&w, ":\n");
        write_source(&w, profile, style, source);
    }
    format_end(&w);
}
