/* test_annotate.c - executions by source line, on symbols whose lines and counts are made up.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/annotate.h"

#include "analysis/arcs.h"
#include "analysis/free_profile.h"
#include "base/common.h"
#include "program.h"
#include "tap.h"

struct place {
    uint32_t file, line;
    bool is_func;
    uint64_t calls;
};

static void make(struct profile *p, const struct place *places, size_t count)
{
    *p = (struct profile){0};
    files_intern(&p->files, "first.c");
    files_intern(&p->files, "second.c");
    program_symbols(p, count, NULL);
    program_calls(p, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        struct symbol *symbol = &p->symtab.symbols[i];
        symbol->file = places[i].file;
        symbol->line = places[i].line;
        symbol->is_func = places[i].is_func;
        symbol->is_line = !places[i].is_func;
        p->arcs.calls[i] = places[i].calls;
    }
}

/* What is shown before the lines of the first source: "5:2 6:4,9".  */
static void check_shown(const struct profile *p, const char *expected, const char *what)
{
    const struct annotation *annotation = &p->annotation;
    const struct source *source = &annotation->sources[0];
    char text[500] = "";
    size_t used = 0;
    for (uint32_t l = source->line_start; l < source->line_end; l++) {
        const struct source_line *line = &annotation->lines[l];
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%u:", used ? " " : "", line->line);
        for (uint32_t i = line->count_start; i < line->count_end; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu",
                                     i > line->count_start ? "," : "",
                                     (unsigned long long)annotation->counts[i]);
    }
    is_same_text(text, expected, what);
}

/* ---- Sources and lines ---- */

static const struct place functions[] = {{0, 10, true, 3}, {0, 20, true, 9},     {0, 10, true, 4},
                                         {1, 1, true, 0},  {NO_ID, 0, true, 99}, {0, 30, true, 7},
                                         {0, 40, true, 1}, {0, 50, true, 0}};

static void test_list(void)
{
    struct profile p;
    make(&p, functions, ARRAY_LENGTH(functions));
    annotate_list(&p.annotation, &p, &(struct annotate_rules){.has_zeros = false});
    is_equal(p.annotation.count, 1, "a source without executions is not listed");
    const struct source *source = &p.annotation.sources[0];
    const struct source_line *lines = p.annotation.lines;
    is_equal(source->file, 0, "the other one is");
    is_equal(source->calls, 24, "calls of all its functions");
    is_equal(source->line_end - source->line_start, 5, "two functions on one line are one line");
    is_equal(lines[0].line, 10, "lines ascend");
    is_equal(lines[0].calls, 7, "calls of one line add up");
    is_true(lines[0].has_several && !lines[1].has_several, "a line with several symbols is marked");
    is_equal(lines[0].symbol, 0, "the first symbol stands for the line");
    is_same_ids(p.annotation.top + source->top_start, source->top_end - source->top_start,
                "1,0,2,3",
                "top lines: most calls first, of as many the first line, and none without");
    profile_free(&p);
}

static void test_zeros(void)
{
    struct profile p;
    make(&p, functions, ARRAY_LENGTH(functions));
    annotate_list(&p.annotation, &p, &(struct annotate_rules){.has_zeros = true});
    is_equal(p.annotation.count, 2, "-z: a source without executions is listed");
    is_equal(p.annotation.sources[0].file, 1, "the file mentioned last comes first");
    is_equal(p.annotation.sources[0].top_end - p.annotation.sources[0].top_start, 0,
             "it has no top lines");
    profile_free(&p);
}

/* The lines and top lines of both stand one after the other.  */
static void test_two_sources(void)
{
    static const struct place both[] = {
        {0, 10, true, 1}, {0, 20, true, 3}, {1, 5, true, 2}, {1, 6, true, 4}};
    struct profile p;
    make(&p, both, ARRAY_LENGTH(both));
    annotate_list(&p.annotation, &p, &(struct annotate_rules){.has_zeros = false});
    const struct source *first = &p.annotation.sources[0], *second = &p.annotation.sources[1];
    is_equal(p.annotation.count, 2, "two sources");
    is_equal(p.annotation.lines[first->line_start].line, 5, "a line of the first");
    is_equal(p.annotation.lines[second->line_start].line, 10, "a line of the second");
    is_same_ids(p.annotation.top + first->top_start, first->top_end - first->top_start, "1,0",
                "top lines of the first");
    is_same_ids(p.annotation.top + second->top_start, second->top_end - second->top_start, "3,2",
                "top lines of the second");
    profile_free(&p);
}

static void test_filter(void)
{
    struct profile p;
    bool left_out[] = {true, false, true, false, false, true, true, true};
    make(&p, functions, ARRAY_LENGTH(functions));
    p.filters.annotate.exclude = (struct sym_set){left_out, true};
    annotate_list(&p.annotation, &p, &(struct annotate_rules){.has_zeros = false});
    is_equal(p.annotation.sources[0].calls, 9, "only symbols that the filter accepts");
    is_equal(p.annotation.sources[0].line_end, 1, "only their lines");
    p.filters.annotate.exclude = (struct sym_set){0};
    profile_free(&p);
}

/* ---- What is shown ---- */

/* A function and four lines: a block at the start of line 6 and one in it; none on 7; one in the
   middle of 8, and one in the middle of 9 with the same count.  */
static const struct place lines[] = {
    {0, 5, true, 2}, {0, 6, false, 0}, {0, 7, false, 0}, {0, 8, false, 0}, {0, 9, false, 0}};

static void add_block(struct profile *p, uint32_t symbol, vma offset, uint64_t count)
{
    blocks_record(&p->blocks, &p->symtab, TEXT + symbol * FUNCTION_SIZE + offset, count);
}

static void annotate(struct profile *p, uint64_t text_lines, bool has_all_lines)
{
    const struct annotate_rules rules = {.has_all_lines = has_all_lines};
    make(p, lines, ARRAY_LENGTH(lines));
    add_block(p, 1, 0, 4);
    add_block(p, 1, 8, 9);
    add_block(p, 3, 8, 1);
    add_block(p, 4, 8, 1);
    blocks_finish(&p->blocks);
    annotate_list(&p->annotation, p, &rules);
    p->annotation.sources[0].text_lines = text_lines;
    annotate_count(&p->annotation, p, &rules);
}

static void test_shown(void)
{
    struct profile p;
    annotate(&p, 100, false);
    const struct source *source = &p.annotation.sources[0];
    check_shown(&p, "5:2 6:4,9 7: 8:1 9:1", "calls of a function, counts of blocks");
    is_equal(p.annotation.lines[1].shown, 13, "counts of a line add up");
    is_equal(source->code_lines, 5, "lines with code");
    is_equal(source->executed_lines, 4, "executed ones");
    is_same_double(source->executed_percent, 80, "the share of these");
    is_same_double(source->mean_executions, 2.0 / 5, "calls for each line with code");
    profile_free(&p);
}

/* A line without a block of its own goes on with the block before it.  */
static void test_all_lines(void)
{
    struct profile p;
    annotate(&p, 100, true);
    check_shown(&p, "5:2 6:4,9 7:9 8:9,1 9:1",
                "-x: the count before is repeated, and equal neighbours are dropped");
    is_equal(p.annotation.sources[0].executed_lines, 5, "-x: then all lines are executed");
    profile_free(&p);
}

static void test_short_text(void)
{
    struct profile p;
    annotate(&p, 6, false);
    check_shown(&p, "5:2 6:4,9 7: 8: 9:", "lines behind the end of the text show nothing");
    is_equal(p.annotation.sources[0].code_lines, 2, "and do not count");
    is_same_double(p.annotation.sources[0].executed_percent, 100, "in the share either");
    profile_free(&p);
    annotate(&p, 4, false);
    is_same_double(p.annotation.sources[0].executed_percent, 100, "no line of the text has code");
    is_same_double(p.annotation.sources[0].mean_executions, 0, "so there is no mean");
    profile_free(&p);
}

/* Of two symbols on one line, the blocks of the first are shown.  */
static void test_shared_line(void)
{
    static const struct place shared[] = {{0, 3, true, 1}, {0, 3, true, 5}};
    struct profile p;
    make(&p, shared, ARRAY_LENGTH(shared));
    add_block(&p, 0, 8, 7);
    add_block(&p, 1, 8, 8);
    blocks_finish(&p.blocks);
    annotate_list(&p.annotation, &p, &(struct annotate_rules){.has_zeros = false});
    p.annotation.sources[0].text_lines = 3;
    annotate_count(&p.annotation, &p, &(struct annotate_rules){.has_zeros = false});
    check_shown(&p, "3:6,7", "two functions on one line: calls of both, blocks of the first");
    profile_free(&p);
}

int main(void)
{
    test_list();
    test_zeros();
    test_two_sources();
    test_filter();
    test_shown();
    test_all_lines();
    test_short_text();
    test_shared_line();
    return tap_done();
}
