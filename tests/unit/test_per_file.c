/* test_per_file.c - comparison of profiles: samples and calls, and the functions that vary most. */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/per_file.h"

#include <stdlib.h>

#include "analysis/free_profile.h"
#include "analysis/per_file_figures.h"
#include "base/memory.h"
#include "input/gmon.h"
#include "program.h"
#include "tap.h"

/* Reads one profile per row of TIMES, which has its samples by function; each function has one
   bin.  */
static void read_profiles(struct profile *p, const double *times, size_t files, size_t functions)
{
    struct per_file_builder builder = {&p->symtab, &p->filters.flat, &p->per_file, .hist = {0}};
    struct hist_header header = {
        TEXT, TEXT + functions * FUNCTION_SIZE, (uint32_t)functions, 100, "seconds", 's'};
    for (size_t f = 0; f < files; f++) {
        struct histogram *histogram = hist_find_or_add(&builder.hist, &header);
        hist_reserve(histogram, HIST_LARGEST_BIN);
        for (size_t s = 0; s < functions; s++)
            hist_add(histogram, (uint32_t)s, (uint64_t)times[f * functions + s]);
        builder.figures.calls += 10 * f;
        per_file_end(&builder);
    }
    per_file_finish(&builder, 1, NULL);
}

static void test_figures(void)
{
    struct profile p = {0};
    program_symbols(&p, 2, (const char *[]){"one", "two"});
    read_profiles(&p, (double[]){30, 10, 0, 0, 10, 70}, 3, 2);
    const struct per_file *table = &p.per_file;
    is_equal(table->count, 3, "a row for each profile");
    is_equal(table->files[0].samples, 40, "samples of the first");
    is_equal(table->files[1].samples, 0, "one without any");
    is_equal(table->files[2].calls, 20, "calls of the last");
    is_equal(table->all_samples.sum, 120, "their sum");
    is_equal(table->all_samples.lowest, 0, "minimum");
    is_equal(table->all_samples.highest, 80, "maximum");
    is_equal(table->all_calls.sum, 30, "calls of all");
    is_equal(table->all_calls.highest, 20, "most calls");
    is_equal(table->own.count, 2, "both vary");
    const struct variation *most = &table->own.functions[0];
    is_equal(most->symbol, 1, "the second one most");
    is_equal(most->highest_file, 2, "where it has its maximum");
    is_equal(most->lowest_file, 1, "where it has its minimum");
    is_same_double(most->lowest, 0, "its minimum is in the profile that has none of it");
    is_same_double(most->mean, 80.0 / 3, "its mean");
    is_same_double(most->highest, 70, "its maximum");
    is_true(fabs(most->deviation - sqrt(5000.0 / 3 - 6400.0 / 9)) < 1e-12,
            "its standard deviation");
    is_true(fabs(most->chance - sqrt(160.0 / 9)) < 1e-12, "that of chance alone");
    is_true(table->is_beyond_chance, "samples vary by more");
    is_true(fabs(table->all_samples.chance - sqrt(80.0 / 3)) < 1e-12, "than by this");
    is_same_double(table->own.functions[1].lowest, 0, "the other one's minimum");
    profile_free(&p);
}

static void test_ranking(void)
{
    struct profile p = {0};
    program_symbols(&p, 8, (const char *[]){"h", "g", "even", "f", "e", "d", "c", "b"});
    read_profiles(&p, (double[]){0, 50, 90, 0, 0, 0, 0, 10, 40, 10, 90, 40, 40, 40, 40, 80}, 2, 8);
    const struct per_file *table = &p.per_file;
    char order[9] = "";
    for (size_t i = 0; i < table->own.count; i++)
        order[i] = p.symtab.symbols[table->own.functions[i].symbol].name[0];
    is_same_text(order, "bcdefgh", "the largest first, then by name");
    profile_free(&p);
}

/* ---- Tables ---- */

enum { FILES = 12, UNUSUAL = 7 };

/* Profiles r.0, r.1, ... r.11: each has 10 samples, except that UNUSUAL has 100, and the first two
   have 9 and 11.  */
static void read_ranks(struct profile *p)
{
    static const char *const paths[FILES] = {"r.0", "r.1", "r.2", "r.3", "r.4",  "r.5",
                                             "r.6", "r.7", "r.8", "r.9", "r.10", "r.11"};
    double times[FILES];
    program_symbols(p, 1, NULL);
    p->infos = mem_array(FILES, sizeof *p->infos);
    for (size_t i = 0; i < FILES; i++) {
        times[i] = 10;
        p->infos[i].path = paths[i];
    }
    times[0] = 9;
    times[1] = 11;
    times[UNUSUAL] = 100;
    read_profiles(p, times, FILES, 1);
}

/* The profiles in the order of SORT, ENDS at each end.  */
static void is_ordered(const char *sort, size_t ends, const char *expected)
{
    struct profile p = {0};
    struct per_file_rules rules = {.most_ends = ends};
    const char *unknown;
    size_t length;
    read_ranks(&p);
    if (sort[0] != '\0')
        is_true(column_list_parse(&rules.sort, &per_file_columns, sort, true, &unknown, &length),
                sort);
    per_file_name(&p);
    per_file_tables(&p.per_file, &rules, &p.symtab, &p.names);
    is_same_ids(p.per_file.order, p.per_file.by_file.row_count, expected, sort);
    profile_free(&p);
}

static void test_order(void)
{
    is_ordered("", 0, "0,1,2,3,4,5,6,7,8,9,10,11");
    is_ordered("samples", 0, "7,1,2,3,4,5,6,8,9,10,11,0");
    is_ordered("-samples", 2, "0,2,1,7");
    is_ordered("share%,profile", 1, "7,0");
    is_ordered("time,-profile", 3, "7,1,11,3,2,0");
    is_ordered("calls", 2, "11,10,1,0");
    is_ordered("-profile", 5, "11,10,9,8,7,4,3,2,1,0");
    is_ordered("deviations", 6, "7,1,2,3,4,5,6,8,9,10,11,0");
    is_ordered("deviations", SIZE_MAX, "7,1,2,3,4,5,6,8,9,10,11,0");
}

static void test_unknown_columns(void)
{
    struct column_list sort;
    const char *unknown;
    size_t length;
    is_true(
        !column_list_parse(&sort, &per_file_columns, "samples,self,calls", true, &unknown, &length),
        "no such column");
    is_true(length == 4 && memcmp(unknown, "self", 4) == 0, "which is named");
    is_true(!column_list_parse(&sort, &per_file_columns, "", true, &unknown, &length),
            "an empty name");
    char many[(MOST_COLUMNS + 1) * sizeof "time"];
    for (size_t i = 0; i < sizeof many; i++)
        many[i] = "time,"[i % sizeof "time"];
    many[sizeof many - 1] = '\0';
    is_true(!column_list_parse(&sort, &per_file_columns, many, true, &unknown, &length),
            "too many");
    many[sizeof many - sizeof "time" - 1] = '\0';
    is_true(column_list_parse(&sort, &per_file_columns, many, true, &unknown, &length),
            "as many as there may be");
}

static void test_outliers(void)
{
    struct profile p = {0};
    const struct per_file *table = &p.per_file;
    read_ranks(&p);
    is_equal(table->outlier_count, 1, "one is far from the mean");
    is_true(per_file_is_outlier(table, UNUSUAL), "this one");
    is_true(fabs(table->all_samples.deviation - 24.8780) < 1e-4, "the standard deviation");
    is_true(fabs(per_file_distance(table, UNUSUAL) - 3.3162) < 1e-4, "its distance");
    is_true(fabs(per_file_distance(table, 0) + 0.3416) < 1e-4, "that of the lowest");
    is_equal(table->all_samples.lowest_in, 0, "where the minimum is");
    is_equal(table->all_samples.highest_in, UNUSUAL, "where the maximum is");
    is_equal(table->all_calls.lowest_in, 0, "the fewest calls");
    is_equal(table->all_calls.highest_in, FILES - 1, "the most calls");
    profile_free(&p);
}

static void test_functions_shown(void)
{
    struct profile p = {0};
    program_symbols(&p, 3, (const char *[]){"a", "b", "c"});
    p.infos = mem_array(2, sizeof *p.infos);
    p.infos[0].path = p.infos[1].path = "same";
    read_profiles(&p, (double[]){10, 20, 30, 90, 80, 70}, 2, 3);
    per_file_name(&p);
    per_file_tables(&p.per_file, &(struct per_file_rules){.most_functions = 2}, &p.symtab,
                    &p.names);
    is_equal(p.per_file.own.table.row_count, 2, "as many functions as asked for");
    profile_free(&p);
}

static void test_equal(void)
{
    struct profile p = {0};
    program_symbols(&p, 1, NULL);
    read_profiles(&p, (double[]){1e9, 1e9, 1e9}, 3, 1);
    is_equal(p.per_file.own.count, 0, "what does not vary is not listed");
    is_equal(p.per_file.all_samples.lowest_in, NO_ID, "and is lowest nowhere");
    is_equal(p.per_file.all_samples.highest_in, NO_ID, "nor highest");
    is_equal(p.per_file.outlier_count, 0, "nor far from the mean");
    profile_free(&p);
    p = (struct profile){0};
    program_symbols(&p, 2, NULL);
    read_profiles(&p, (double[]){100, 2, 115, 0, 88, 0, 109, 0}, 4, 2);
    is_equal(p.per_file.own.count, 0, "nor what varies as by chance");
    is_true(!p.per_file.is_beyond_chance, "and profiles are alike");
    profile_free(&p);
}

static void test_filter(void)
{
    struct profile p = {0};
    bool left_out[] = {true, false};
    program_symbols(&p, 2, NULL);
    p.filters.flat.exclude = (struct sym_set){left_out, true};
    read_profiles(&p, (double[]){10, 0, 90, 20}, 2, 2);
    is_equal(p.per_file.own.count, 1, "what the flat profile leaves out is not listed");
    is_equal(p.per_file.own.functions[0].symbol, 1, "but others are");
    is_equal(p.per_file.files[1].samples, 110, "its samples count");
    p.filters.flat.exclude = (struct sym_set){0};
    profile_free(&p);
}

static void test_nothing(void)
{
    struct profile p = {0};
    program_symbols(&p, 1, NULL);
    read_profiles(&p, NULL, 0, 1);
    is_equal(p.per_file.count + p.per_file.own.count, 0, "no profiles, no figures");
    profile_free(&p);
}

int main(void)
{
    test_figures();
    test_ranking();
    test_order();
    test_unknown_columns();
    test_outliers();
    test_functions_shown();
    test_equal();
    test_filter();
    test_nothing();
    return tap_done();
}
