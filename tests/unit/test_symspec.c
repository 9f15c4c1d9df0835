/* test_symspec.c - symspecs: the symbols and arcs that a spec matches.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "symbols/symspec.h"

#include <stdlib.h>

#include "analysis/free_profile.h"
#include "base/memory.h"
#include "symbols/symtab.h"
#include "tap.h"

/* What follows `_Z' is the name as it is printed.  */
static bool may_be_mangled(const void *context, const char *name)
{
    (void)context;
    return strncmp(name, "_Z", 2) == 0;
}

static char *demangle(const void *context, const char *name)
{
    (void)context;
    return mem_copy(name + 2, strlen(name + 2));
}

static const struct demangler demangler = {NULL, may_be_mangled, demangle};

/* Symbols 0 to 5: f and g in a.c, f in b.c, lines 10 20 30; then one without a file, mcount; then
   names that are printed in another way.  */
static void make(struct profile *p)
{
    static const struct {
        const char *name, *file;
        uint32_t line;
    } table[] = {{"f", "/src/a.c", 10},
                 {"g", "/src/a.c", 20},
                 {"f", "/src/sub/b.c", 30},
                 {"h", "/src/sub/b.c", 10},
                 {"f.isra.0", NULL, 0},
                 {"mcount", NULL, 0},
                 {"_Zk::area() const", "/src/k.cc", 3},
                 {"_Zk::area(int)", "/src/k.cc", 5},
                 {"_Zint m<int>(int)", "/src/k.cc", 7},
                 {"_Zk::operator*(k)", "/src/k.cc", 9},
                 {"__mesh_MOD_heavy", "/src/m.f90", 2}};
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
            text[used++] = (char)(i < 10 ? '0' + i : 'A' + i - 10);
    text[used] = 0;
    return text;
}

static void resolve(const struct symspecs *specs, struct profile *p)
{
    struct symspec_misses misses = {0};
    symspecs_resolve(specs, &(struct symspec_context){&p->symtab, &p->files, &demangler},
                     &p->filters, &misses);
    symspec_misses_free(&misses);
}

/* Checks the symbols that the specs, which end with NULL, match together.  */
static void check(const char *const *specs, const char *expected, const char *what)
{
    struct profile p;
    struct symspecs list = {0};
    char text[20];
    make(&p);
    for (; *specs; specs++)
        symspecs_add(&list, SPEC_INCLUDE_FLAT, 'p', *specs);
    resolve(&list, &p);
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
    CHECK("0123456789A", "nothing before it is all", "/h");
    CHECK("", "so a directory is none", "sub/b.c");
    CHECK("4", "a name with a dot, behind a colon", ":f.isra.0");
    CHECK("4", "and without a colon, since no file is called so", "f.isra.0");
    CHECK("", "names are whole", "mcoun");
    CHECK("023", "several are a union", "f", "h");
    CHECK("012", "also where they overlap", "f", "a.c");
}

static void test_printed(void)
{
    CHECK("6", "a name with its parameters", "k::area() const");
    CHECK("6", "without what qualifies it", "k::area()");
    CHECK("7", "its parameters tell which", "k::area(int)");
    CHECK("67", "without parameters", "k::area");
    CHECK("67", "behind a file", "k.cc:k::area");
    CHECK("67", "behind a colon", ":k::area");
    CHECK("", "in another file", "a.c:k::area");
    CHECK("", "names are whole", "area");
    CHECK("8", "a template with its result", "int m<int>(int)");
    CHECK("8", "without its result", "m<int>(int)");
    CHECK("8", "and without parameters", "m<int>");
    CHECK("8", "and without arguments", "m<...>");
    CHECK("A", "a procedure of a Fortran module", "heavy");
    CHECK("A", "in its file", "m.f90:heavy");
    CHECK("9", "a star that a name has", "k::operator*");
    CHECK("679", "a star that none has", "k::*");
    CHECK("67", "a question mark", "k::are?");
    CHECK("679", "stars around", "*:*k*)*");
    CHECK("0123", "a star in the name of a file", "?.c");
    CHECK("3", "and in that of its function", "b.?:[h]", "b.?:h*");
    CHECK("02", "a raw name goes before all others", "f");
}

/* The similar names, separated by blanks, of a spec that matches nothing.  */
static void check_nearest(const char *spec, const char *expected)
{
    struct profile p;
    struct symspecs list = {0};
    struct symspec_misses misses = {0};
    char text[200] = "";
    make(&p);
    symspecs_add(&list, SPEC_INCLUDE_FLAT, 'p', spec);
    symspecs_resolve(&list, &(struct symspec_context){&p.symtab, &p.files, &demangler}, &p.filters,
                     &misses);
    if (is_equal(misses.count, 1, spec))
        for (size_t i = 0; i < misses.misses[0].nearest_count; i++)
            strcat(strcat(text, text[0] != '\0' ? " " : ""), misses.misses[0].nearest[i]);
    is_same_text(text, expected, spec);
    symspec_misses_free(&misses);
    symspecs_free(&list);
    profile_free(&p);
}

static void test_nearest(void)
{
    check_nearest("mcuont", "mcount");
    check_nearest("MCOUNT", "mcount");
    check_nearest("area", "k::area");
    check_nearest("k::aera", "k::area");
    check_nearest("k.c:k::area", "a.c b.c k.cc");
    check_nearest("b.cc", "b.c k.cc");
    check_nearest("f.isra.1", "f.isra.0");
    check_nearest("b.c:mcoun", "mcount");
    check_nearest("havy", "heavy");
    check_nearest("nothing", "");
    check_nearest("11", "");
}

/* What is wrong with a spec is said once, and where.  */
static void test_misses(void)
{
    struct profile p;
    struct symspecs list = {0};
    struct symspec_misses misses = {0};
    make(&p);
    symspecs_add(&list, SPEC_EXCLUDE_TIME, 'E', "nothing");
    symspecs_add(&list, SPEC_EXCLUDE_GRAPH, 'E', list.specs[0].text);
    symspecs_add(&list, SPEC_EXCLUDE_ARCS, 'k', "f/others");
    symspecs_add(&list, SPEC_EXCLUDE_ARCS, 'k', "f");
    symspecs_add(&list, SPEC_INCLUDE_FLAT, 'p', "g");
    symspecs_resolve(&list, &(struct symspec_context){&p.symtab, &(struct files){0}, &demangler},
                     &p.filters, &misses);
    is_equal(misses.count, 3, "three match nothing");
    is_true(misses.misses[0].option == 'E' && misses.misses[0].size == 7, "one option, one miss");
    is_same_text(misses.misses[1].text, "others", "the side of a pair that matches nothing");
    is_true(misses.misses[2].reason == SPEC_NOT_A_PAIR, "an option for calls without a pair");
    symspec_misses_free(&misses);
    symspecs_free(&list);
    profile_free(&p);
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
        symspecs_add(&list, target, 'k', *specs);
    resolve(&list, &p);
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

static void test_versions(void)
{
    static const char *const specs[] = {"now", "now [libc.so.6]", "now@@V_2.17"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct profile p;
        struct symspecs list = {0};
        char text[20];
        make(&p);
        p.symtab.symbols[1].name = "now@@V_2.17 [libc.so.6]";
        symspecs_add(&list, SPEC_TREE, 'p', specs[i]);
        resolve(&list, &p);
        is_same_text(members(&p, &p.filters.tree, text), "1", specs[i]);
        symspecs_free(&list);
        profile_free(&p);
    }
}

static void test_profilers(void)
{
    struct profile p;
    struct symspecs none = {0};
    make(&p);
    resolve(&none, &p);
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
    symspecs_add(&list, SPEC_INCLUDE_FLAT, 'p', "f");
    is_true(!symspecs_need_source(&list), "a function needs no debug information");
    symspecs_add(&list, SPEC_INCLUDE_FLAT, 'p', "10");
    is_true(symspecs_need_source(&list), "a line does");
    symspecs_free(&list);
    symspecs_add(&list, SPEC_EXCLUDE_ARCS, 'k', "f/a.c:g");
    is_true(symspecs_need_source(&list), "a file does, in a pair, too");
    symspecs_free(&list);
}

int main(void)
{
    test_specs();
    test_printed();
    test_nearest();
    test_misses();
    test_arcs();
    test_versions();
    test_profilers();
    test_needs();
    return tap_done();
}
