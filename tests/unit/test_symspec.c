/* test_symspec.c - symspecs: the symbols and arcs that a spec matches.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "analysis/symspec.h"

#include <stdlib.h>

#include "analysis/profile.h"
#include "analysis/symtab.h"
#include "base/memory.h"
#include "tap.h"

/* Symbols 0 to 5: f and g in a.c, f in b.c, lines 10 20 30; then one without a file, mcount.  */
static void make(struct profile *p)
{
    static const struct {
        const char *name, *file;
        uint32_t line;
    } table[] = {{"f", "/src/a.c", 10},     {"g", "/src/a.c", 20}, {"f", "/src/sub/b.c", 30},
                 {"h", "/src/sub/b.c", 10}, {"f.isra.0", NULL, 0}, {"mcount", NULL, 0}};
    size_t count = sizeof table / sizeof *table;
    struct symbol *symbols = mem_array(count, sizeof *symbols);
    *p = (struct profile){0};
    for (size_t i = 0; i < count; i++)
        symbols[i] = (struct symbol){
            .addr = 0x1000 + 16 * i,
            .name = table[i].name,
            .file = table[i].file ? files_intern(&p->files, table[i].file) : NO_ID,
            .line = table[i].line,
            .is_func = true,
        };
    symtab_build_from(&p->symtab, symbols, count, 0x2000);
}

static const char *members(const struct profile *p, const struct sym_set *set, char *text)
{
    size_t used = 0;
    for (uint32_t i = 0; i < p->symtab.count; i++)
        if (is_in(set, i))
            text[used++] = (char)('0' + i);
    text[used] = 0;
    return text;
}

/* Checks the symbols that the specs, which end with NULL, match together.  */
static void check(const char *const *specs, const char *expected, const char *what)
{
    struct profile p;
    struct symspecs list = {0};
    char text[20];
    make(&p);
    for (; *specs; specs++)
        symspecs_add(&list, SPEC_INCLUDE_FLAT, *specs);
    symspecs_resolve(&list, &p.symtab, &p.files, &p.filters);
    is_same_text(members(&p, &p.filters.flat.include, text), expected, what);
    is_true(p.filters.flat.include.is_given == (*expected != 0),
            "a set is given when something matched");
    symspecs_free(&list);
    profile_free(&p);
}

#define CHECK(expected, what, ...) check((const char *const[]){__VA_ARGS__, NULL}, expected, what)

static void test_specs(void)
{
    CHECK("02", "a name is a function", "f");
    CHECK("02", "so it is after a colon", ":f");
    CHECK("01", "what has a dot is a file", "a.c");
    CHECK("01", "so is what is before a colon", "a.c:");
    CHECK("03", "digits are a line", "10");
    CHECK("03", "also after a colon", ":10");
    CHECK("2", "file and function", "b.c:f");
    CHECK("3", "file and line", "b.c:10");
    CHECK("", "a function that the file has not", "a.c:h");
    CHECK("", "a file that is not there", "c.c");
    CHECK("", "a function that is not there", "nothing");
    CHECK("", "a line that is not there", "11");
    CHECK("01", "files go by their last part", "a.c:");
    CHECK("02", "what is behind a slash is for calls", "f/h");
    CHECK("012345", "nothing before it is all", "/h");
    CHECK("", "so a directory is none", "sub/b.c");
    CHECK("4", "a name with a dot, behind a colon", ":f.isra.0");
    CHECK("", "the same without is a file", "f.isra.0");
    CHECK("", "names are whole", "mcoun");
    CHECK("023", "several are a union", "f", "h");
    CHECK("012", "also where they overlap", "f", "a.c");
}

static const char *arcs_text(const struct profile *p, char *text)
{
    size_t used = 0;
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++)
            if (is_arc_accepted(&p->filters, a, b))
                used += (size_t)snprintf(text + used, 200 - used, "%u%u ", a, b);
    text[used ? used - 1 : 0] = 0;
    return text;
}

static void check_arcs(enum symspec_target target, const char *const *specs, const char *expected,
                       const char *what)
{
    struct profile p;
    struct symspecs list = {0};
    char text[200];
    make(&p);
    for (; *specs; specs++)
        symspecs_add(&list, target, *specs);
    symspecs_resolve(&list, &p.symtab, &p.files, &p.filters);
    is_same_text(arcs_text(&p, text), expected, what);
    symspecs_free(&list);
    profile_free(&p);
}

#define CHECK_ARCS(target, expected, what, ...)                                                    \
    check_arcs(target, (const char *const[]){__VA_ARGS__, NULL}, expected, what)

static void test_arcs(void)
{
    CHECK_ARCS(SPEC_INCLUDE_ARCS, "13", "a pair", "g/h");
    CHECK_ARCS(SPEC_INCLUDE_ARCS, "10 12", "a pair stands for every pair of matches", "g/f");
    CHECK_ARCS(SPEC_INCLUDE_ARCS, "10 11 12 13", "an empty side matches everything", "g/");
    CHECK_ARCS(SPEC_INCLUDE_ARCS, "03 13 23 33", "on either side", "/h");
    CHECK_ARCS(SPEC_INCLUDE_ARCS, "13 31", "several are a union", "g/h", "h/g");
    CHECK_ARCS(SPEC_INCLUDE_ARCS, "10 13", "also those of one caller", "g/h", "g/a.c:f");
    CHECK_ARCS(SPEC_EXCLUDE_ARCS, "01 03 10 11 12 13 21 23 30 31 32 33", "left out", "f/f");
    CHECK_ARCS(SPEC_INCLUDE_ARCS, "00 01 02 03 10 11 12 13 20 21 22 23 30 31 32 33",
               "no pair, no arc set", "g");
    CHECK_ARCS(SPEC_EXCLUDE_ARCS, "00 01 02 03 10 11 12 13 20 21 22 23 30 31 32 33",
               "a side that matches nothing", "g/nothing");
}

static void test_profilers(void)
{
    struct profile p;
    struct symspecs none = {0};
    make(&p);
    symspecs_resolve(&none, &p.symtab, &p.files, &p.filters);
    is_true(!is_accepted(&p.filters.flat, 5), "mcount is not in the flat profile");
    is_true(!is_accepted(&p.filters.graph, 5), "nor in the graph");
    is_true(!is_accepted(&p.filters.time, 5), "nor in its time");
    is_true(is_accepted(&p.filters.counts, 5), "but in the counts");
    is_true(is_accepted(&p.filters.flat, 0), "others are");
    profile_free(&p);
}

static void test_needs(void)
{
    struct symspecs list = {0};
    symspecs_add(&list, SPEC_INCLUDE_FLAT, "f");
    is_true(!symspecs_need_source(&list), "a function needs no debug information");
    symspecs_add(&list, SPEC_INCLUDE_FLAT, "10");
    is_true(symspecs_need_source(&list), "a line does");
    symspecs_free(&list);
    symspecs_add(&list, SPEC_EXCLUDE_ARCS, "f/a.c:g");
    is_true(symspecs_need_source(&list), "a file does, in a pair, too");
    symspecs_free(&list);
}

int main(void)
{
    test_specs();
    test_arcs();
    test_profilers();
    test_needs();
    return tap_done();
}
