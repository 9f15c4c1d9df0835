/* test_per_file.c - comparison of profiles: samples and calls, and the functions that vary most. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/per_file.h"

#include <stdlib.h>

#include "analysis/profile.h"
#include "input/gmon.h"
#include "program.h"
#include "tap.h"

/* Reads one profile per row of TIMES, which has its samples by function; each function has one
   bin.  */
static void read_profiles(struct profile *p, const double *times, size_t files, size_t functions)
{
    struct per_file_builder builder = {&p->symtab, &p->filters.flat, 0, &p->per_file, .calls = 0};
    struct hist_header header = {
        TEXT, TEXT + functions * FUNCTION_SIZE, (uint32_t)functions, 100, "seconds", 's'};
    for (size_t f = 0; f < files; f++) {
        struct histogram *histogram = hist_find_or_add(&builder.hist, &header);
        hist_reserve(histogram, GMON_LARGEST_BIN);
        for (size_t s = 0; s < functions; s++)
            hist_add(histogram, (uint32_t)s, (uint64_t)times[f * functions + s]);
        builder.calls += 10 * f;
        per_file_end(&builder);
    }
    per_file_finish(&builder);
}

static void test_figures(void)
{
    struct profile p = {0};
    program_symbols(&p, 2, (const char *[]){"one", "two"});
    read_profiles(&p, (double[]){3, 1, 0, 0, 1, 7}, 3, 2);
    const struct per_file *table = &p.per_file;
    is_equal(table->count, 3, "a row for each profile");
    is_equal(table->files[0].samples, 4, "samples of the first");
    is_equal(table->files[1].samples, 0, "one without any");
    is_equal(table->files[2].calls, 20, "calls of the last");
    is_equal(table->sum.samples, 12, "their sum");
    is_equal(table->lowest.samples, 0, "minimum");
    is_equal(table->highest.samples, 8, "maximum");
    is_equal(table->sum.calls, 30, "calls of all");
    is_equal(table->highest.calls, 20, "most calls");
    is_equal(table->varying_count, 2, "both vary");
    const struct variation *most = &table->varying[0];
    is_equal(most->symbol, 1, "the second one most");
    is_equal(most->file, 2, "where it has its maximum");
    is_same_double(most->lowest, 0, "its minimum is in the profile that has none of it");
    is_same_double(most->mean, 8.0 / 3, "its mean");
    is_same_double(most->highest, 7, "its maximum");
    is_true(fabs(most->deviation - sqrt(50.0 / 3 - 64.0 / 9)) < 1e-12, "its standard deviation");
    is_same_double(table->varying[1].lowest, 0, "the other one's minimum");
    profile_free(&p);
}

static void test_ranking(void)
{
    struct profile p = {0};
    program_symbols(&p, 8, (const char *[]){"h", "g", "even", "f", "e", "d", "c", "b"});
    read_profiles(&p, (double[]){0, 5, 9, 0, 0, 0, 0, 1, 4, 1, 9, 4, 4, 4, 4, 8}, 2, 8);
    const struct per_file *table = &p.per_file;
    char order[MOST_VARYING + 1] = "";
    for (size_t i = 0; i < table->varying_count; i++)
        order[i] = p.symtab.symbols[table->varying[i].symbol].name[0];
    is_same_text(order, "bcdef", "five at most, the largest first, then by name");
    profile_free(&p);
}

static void test_equal(void)
{
    struct profile p = {0};
    program_symbols(&p, 1, NULL);
    read_profiles(&p, (double[]){1e9, 1e9, 1e9}, 3, 1);
    is_equal(p.per_file.varying_count, 0, "what does not vary is not listed");
    profile_free(&p);
}

static void test_filter(void)
{
    struct profile p = {0};
    bool left_out[] = {true, false};
    program_symbols(&p, 2, NULL);
    p.filters.flat.exclude = (struct sym_set){left_out, true};
    read_profiles(&p, (double[]){1, 0, 9, 2}, 2, 2);
    is_equal(p.per_file.varying_count, 1, "what the flat profile leaves out is not listed");
    is_equal(p.per_file.varying[0].symbol, 1, "but others are");
    is_equal(p.per_file.files[1].samples, 11, "its samples count");
    p.filters.flat.exclude = (struct sym_set){0};
    profile_free(&p);
}

static void test_nothing(void)
{
    struct profile p = {0};
    program_symbols(&p, 1, NULL);
    read_profiles(&p, NULL, 0, 1);
    is_equal(p.per_file.count + p.per_file.varying_count, 0, "no profiles, no figures");
    profile_free(&p);
}

int main(void)
{
    test_figures();
    test_ranking();
    test_equal();
    test_filter();
    test_nothing();
    return tap_done();
}
