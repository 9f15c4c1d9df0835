/* test_compare.c - comparisons of snapshots made by hand: pairs, figures, order, gate.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "compare/compare.h"

#include "base/common.h"
#include "compare/compare_table.h"
#include "compare/gate.h"
#include "made_snapshot.h"
#include "tap.h"

static const struct compare_rules plain = {.alpha = 0.05, .judges_one_run = true};

static const struct compared *find(const struct comparison *comparison, const char *name)
{
    for (size_t i = 0; i < comparison->row_count; i++)
        if (strcmp(comparison->rows[i].name, name) == 0)
            return &comparison->rows[i];
    return NULL;
}

/* Whether there is a row called NAME with these samples; negative: none on that side.  */
static void has_row(const struct comparison *comparison, const char *name, double before,
                    double after, const char *what)
{
    const struct compared *row = find(comparison, name);
    enum compared_kind kind = before < 0 ? COMPARED_NEW : after < 0 ? COMPARED_GONE : COMPARED_BOTH;
    bool ok = row != NULL && row->kind == kind &&
              row->times[OWN].samples[BEFORE] == (before < 0 ? 0 : before) &&
              row->times[OWN].samples[AFTER] == (after < 0 ? 0 : after);
    is_true(ok, what);
    if (!ok && row != NULL)
        printf("# kind %d, %g, %g\n", row->kind, row->times[OWN].samples[BEFORE],
               row->times[OWN].samples[AFTER]);
}

static void test_pairs(void)
{
    struct made before = {.functions = {{.name = "same", .file = "a.c", .samples = 1},
                                        {.name = "unsaid", .file = "a.c", .samples = 2},
                                        {.name = "twice", .file = "/old/x.c", .samples = 3},
                                        {.name = "twice", .file = "/old/y.c", .samples = 4},
                                        {.name = "header", .file = "h.h", .samples = 5},
                                        {.name = "header", .file = "h.h", .samples = 6},
                                        {.name = "bare", .samples = 7},
                                        {.name = "gone", .file = "a.c", .samples = 8},
                                        {.name = "many", .file = "1.c", .samples = 9},
                                        {.name = "many", .file = "2.c", .samples = 10},
                                        {.name = "silent", .file = "a.c", .samples = 0}},
                          .count = 11};
    struct made after = {.functions = {{.name = "new", .file = "a.c", .samples = 100},
                                       {.name = "twice", .file = "/new/y.c", .samples = 40},
                                       {.name = "twice", .file = "/new/x.c", .samples = 30},
                                       {.name = "unsaid", .file = "b.c", .samples = 20},
                                       {.name = "same", .file = "a.c", .samples = 10},
                                       {.name = "header", .file = "h.h", .samples = 50},
                                       {.name = "bare", .file = "c.c", .samples = 70},
                                       {.name = "many", .file = "2.c", .samples = 90},
                                       {.name = "many", .file = "3.c", .samples = 91},
                                       {.name = "many", .file = "4.c", .samples = 92}},
                         .count = 10};
    struct comparison c;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    has_row(&c, "same", 1, 10, "the same name and file");
    has_row(&c, "unsaid (a.c)", 2, -1, "one of another file is another function");
    has_row(&c, "unsaid (b.c)", -1, 20, "also if there is only one");
    has_row(&c, "twice (x.c)", 3, 30, "one of two, by its file below another directory");
    has_row(&c, "twice (y.c)", 4, 40, "the other one");
    has_row(&c, "header", 11, 50, "several of one name in one file are one row, of one after");
    has_row(&c, "bare", 7, 70, "a file known on one side only");
    has_row(&c, "gone", 8, -1, "only before");
    has_row(&c, "new", -1, 100, "only after");
    has_row(&c, "many (2.c)", 10, 90, "one of several pairs by its file");
    has_row(&c, "many (1.c)", 9, -1, "what is left over is ambiguous: gone");
    has_row(&c, "many (4.c)", -1, 92, "and new");
    is_true(find(&c, "silent") == NULL, "no row for what has neither time nor calls");
    is_equal(c.kinds[COMPARED_BOTH], 6, "pairs");
    is_equal(c.kinds[COMPARED_NEW], 4, "new functions");
    is_equal(c.kinds[COMPARED_GONE], 3, "gone functions");
    is_true(compared_total(&c)->kind == COMPARED_TOTAL, "the last row is the total");
    compare_free(&c);
}

static void test_clones(void)
{
    struct made before = {
        .functions = {{.name = "helper.lto_priv.0", .file = "a.c", .samples = 500},
                      {.name = "helper.lto_priv.1", .file = "b.c", .samples = 100},
                      {.name = "g.constprop.0", .file = "a.c", .samples = 1},
                      {.name = "g.part.0.cold", .file = "a.c", .samples = 2},
                      {.name = "f(int) [clone .constprop.1] [clone .isra.0]", .samples = 3},
                      {.name = "inner.2", .file = "a.c", .samples = 4},
                      {.name = "h.llvm.9261687860627946343", .file = "a.c", .samples = 5},
                      {.name = "v.avx2", .file = "a.c", .samples = 6},
                      {.name = ".0", .file = "a.c", .samples = 7},
                      {.name = "one", .samples = 8},
                      {.name = "two", .samples = 9},
                      {.name = "two", .samples = 10},
                      {.name = "loop(int) [clone ._omp_fn.0]", .file = "a.c", .samples = 21},
                      {.name = "loop(int) [clone .avx2.0]", .file = "a.c", .samples = 22}},
        .count = 14};
    struct made after = {.functions = {{.name = "helper.lto_priv.1", .file = "a.c", .samples = 501},
                                       {.name = "helper.lto_priv.0", .file = "b.c", .samples = 101},
                                       {.name = "helper", .file = "c.c", .samples = 900},
                                       {.name = "g", .file = "a.c", .samples = 11},
                                       {.name = "g.localalias", .file = "a.c", .samples = 12},
                                       {.name = "g.cold", .file = "a.c", .samples = 0},
                                       {.name = "f(int)", .samples = 13},
                                       {.name = "inner.0", .file = "a.c", .samples = 14},
                                       {.name = "h.__uniq.77.llvm.1", .file = "a.c", .samples = 15},
                                       {.name = "v.default", .file = "a.c", .samples = 16},
                                       {.name = ".0", .file = "a.c", .samples = 17},
                                       {.name = "one.lto_priv.0.part.0", .samples = 18},
                                       {.name = "one.lto_priv.0", .samples = 18},
                                       {.name = "two.lto_priv.0", .samples = 19},
                                       {.name = "two.lto_priv.1.constprop.0", .samples = 20},
                                       {.name = "two.lto_priv.1.constprop.1", .samples = 20}},
                         .count = 16};
    struct made_function more[18];
    memcpy(more, after.functions, sizeof after.functions);
    more[16] = (struct made_function){.name = "loop(int)", .file = "a.c", .samples = 0};
    more[17] = (struct made_function){
        .name = "loop(int) [clone ._omp_fn.1]", .file = "a.c", .samples = 25};
    after.more = more;
    after.count = 18;
    struct comparison c;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    has_row(&c, "helper (a.c)", 500, 501, "numbers are no identity, files are");
    has_row(&c, "helper (b.c)", 100, 101, "of both");
    has_row(&c, "helper (c.c)", -1, 900, "and a third file's is new");
    has_row(&c, "g (2 clones)", 3, 23, "clones of one function are added up, those with figures");
    has_row(&c, "f(int)", 3, 13, "demangled names of clones");
    has_row(&c, "inner", 4, 14, "a nested function");
    has_row(&c, "h", 5, 15, "clang's suffixes");
    has_row(&c, "v.avx2", 6, -1, "versions for processors are no clones");
    has_row(&c, ".0", 7, 17, "a name that is nothing but a suffix");
    has_row(&c, "one (2 clones)", 8, 36, "a function and its part, where files are not known");
    has_row(&c, "two (3 clones)", 19, 59, "two functions and two, one of them as two clones");
    has_row(&c, "loop(int)", 21, 25, "the body of a parallel loop is a part of the function");
    has_row(&c, "loop(int) [clone .avx2.0]", 22, -1, "another suffix is kept");
    compare_free(&c);
    after.count = 13;
    after.more[9] = (struct made_function){.name = "two", .samples = 9};
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    has_row(&c, "two", -1, 9, "one of two functions is not the sum of both");
    has_row(&c, "two (2 clones)", 19, -1, "nor the other way");
    compare_free(&c);
    made_free(&after);
}

static void test_moves(void)
{
    struct made before = {
        .functions =
            {{.name = "f", .file = "/w/a.c", .samples = 1, .binding = BINDING_GLOBAL},
             {.name = "s", .file = "/w/a.c", .samples = 2, .binding = BINDING_STATIC},
             {.name = "both", .file = "/w/a.c", .samples = 3, .binding = BINDING_GLOBAL},
             {.name = "both", .file = "/w/b.c", .samples = 4, .binding = BINDING_STATIC},
             {.name = "unsaid", .file = "/w/a.c", .samples = 5},
             {.name = "hidden", .file = "/w/lib/x.c", .samples = 6, .binding = BINDING_STATIC},
             {.name = "lib", .file = "/w/lib/x.c", .samples = 7, .binding = BINDING_GLOBAL},
             {.name = "stays", .file = "/w/lib/y.c", .samples = 8, .binding = BINDING_GLOBAL}},
        .count = 8};
    struct made after = {
        .functions =
            {{.name = "f", .file = "/w/b.c", .samples = 10, .binding = BINDING_GLOBAL},
             {.name = "s", .file = "/w/b.c", .samples = 20, .binding = BINDING_STATIC},
             {.name = "both", .file = "/w/c.c", .samples = 30, .binding = BINDING_GLOBAL},
             {.name = "both", .file = "/w/d.c", .samples = 40, .binding = BINDING_STATIC},
             {.name = "unsaid", .file = "/w/b.c", .samples = 50, .binding = BINDING_GLOBAL},
             {.name = "hidden", .file = "/w/app/x.c", .samples = 60, .binding = BINDING_STATIC},
             {.name = "lib", .file = "/w/app/x.c", .samples = 70, .binding = BINDING_GLOBAL},
             {.name = "stays", .file = "/w/lib/y.c", .samples = 80, .binding = BINDING_GLOBAL}},
        .count = 8};
    struct comparison c;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    has_row(&c, "f", 1, 10, "a global function moves");
    is_same_text(find(&c, "f")->file, "/w/b.c", "it is in one file");
    is_same_text(find(&c, "f")->moved_from, "/w/a.c", "and was in another one");
    has_row(&c, "s", 2, 20, "a static function moves, if there is only one of that name");
    is_same_text(find(&c, "s")->moved_from, "/w/a.c", "it was in another file");
    has_row(&c, "both (c.c)", 3, 30, "the global one of two");
    has_row(&c, "both (d.c)", -1, 40, "not the static one");
    has_row(&c, "unsaid (a.c)", 5, -1, "a function that one side says nothing of");
    has_row(&c, "lib", 7, 70, "the directory changed");
    has_row(&c, "hidden", 6, 60, "of one file only: its static functions have moved");
    is_same_text(find(&c, "hidden")->moved_from, "/w/lib/x.c", "from there");
    is_true(find(&c, "stays")->moved_from == NULL, "the same file");
    compare_table(&c, &(struct compare_table_rules){.is_for_people = true});
    is_equal(c.table.column_count, 9,
             "people see where functions were, and no calls: there are none");
    compare_free(&c);

    for (size_t i = 0; i < after.count; i++)
        after.functions[i].file = i < 4 ? "/tree/a.c" : "/tree/lib/x.c";
    for (size_t i = 0; i < before.count; i++)
        before.functions[i].file = i < 4 ? "/w/2/a.c" : "/w/2/lib/x.c";
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    has_row(&c, "s", 2, 20, "static functions pair if all sources are somewhere else");
    has_row(&c, "hidden", 6, 60, "in all directories");
    is_true(find(&c, "f")->moved_from == NULL, "that is no move");
    compare_free(&c);

    struct made old = {
        .functions = {{.name = "stays", .file = "/w/a.c", .samples = 1, .binding = BINDING_STATIC},
                      {.name = "helper", .file = "/w/a.c", .samples = 2, .binding = BINDING_STATIC},
                      {.name = "copy", .file = "/w/a.c", .samples = 3, .binding = BINDING_STATIC},
                      {.name = "twin", .file = "/w/a.c", .samples = 4, .binding = BINDING_STATIC},
                      {.name = "twin", .file = "/w/a.c", .samples = 5, .binding = BINDING_STATIC},
                      {.name = "seen", .file = "/w/a.c", .samples = 6, .binding = BINDING_STATIC}},
        .count = 6};
    struct made new = {
        .functions =
            {{.name = "stays", .file = "/w/a.c", .samples = 10, .binding = BINDING_STATIC},
             {.name = "stays", .file = "/w/b.c", .samples = 11, .binding = BINDING_STATIC},
             {.name = "helper.part.0", .file = "/w/b.c", .samples = 20, .binding = BINDING_STATIC},
             {.name = "copy", .file = "/w/b.c", .samples = 30, .binding = BINDING_STATIC},
             {.name = "copy", .file = "/w/c.c", .samples = 31, .binding = BINDING_STATIC},
             {.name = "twin", .file = "/w/b.c", .samples = 40, .binding = BINDING_STATIC},
             {.name = "seen", .file = "/w/b.c", .samples = 60, .binding = BINDING_GLOBAL}},
        .count = 7};
    compare_build(&c, made_snapshot(&old), made_snapshot(&new), &plain);
    has_row(&c, "stays (a.c)", 1, 10, "a static function of the same file");
    has_row(&c, "stays (b.c)", -1, 11, "another one of that name");
    has_row(&c, "helper", 2, 20, "a part of a static function that has moved");
    has_row(&c, "copy (a.c)", 3, -1, "one before and two after: nobody knows which");
    has_row(&c, "twin (a.c, 2 clones)", 9, -1, "two before and one after");
    has_row(&c, "seen (a.c)", 6, -1, "a global one is not the static one");
    compare_free(&c);
}

/* Names that differ only in what compilers change, and below them, names that differ in more.  */
static void test_spellings(void)
{
    static const char *const same[][2] = {
        {"f(std::vector<A<int> >)", "f(std::vector<A<int>>)"},
        {"f(char const*, int)", "f(char const *,int)"},
        {"operator new(unsigned long)", "operator new(long unsigned int)"},
        {"f(unsigned, short, signed)", "f(unsigned int, short int, int)"},
        {"f(unsigned long long)", "f(long long unsigned int)"},
        {"f(std::__cxx11::list<int>)", "f(std::list<int>)"},
        {"std::__1::sort(int*)", "std::sort(int*)"},
        {"name[abi:cxx11]()", "name()"},
        {"f[abi:ne170006](int)", "f[abi:ne180100](int)"},
        {"f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)",
         "f(std::string)"},
        {"(anonymous namespace)::g(int)", "{anonymous}::g(int)"},
        {"(anonymous namespace)::h(int)", "_GLOBAL__N_1::h(int)"},
        {"f<(bool)1>()", "f<true>()"},
        {"core::fmt::write::h0123456789abcdef", "core::fmt::write::hfedcba9876543210"},
        {"f(A<int> > ) [clone .part.0]", "f(A<int>>)"}};
    static const char *const other[][2] = {{"f(long)", "f(int)"},
                                           {"f(signed char)", "f(char)"},
                                           {"f(long double)", "f(double)"},
                                           {"f(long long)", "f(long)"},
                                           {"f(unsigned char)", "f(unsigned)"},
                                           {"std::__cxx11::f()", "__cxx11::f()"},
                                           {"f<A>()", "f<B>()"},
                                           {"operator new", "operatornew"},
                                           {"f[abi:x", "f"},
                                           {"f::h0123456789abcde", "f::hfedcba987654321"},
                                           {"a::std::__1x::f()", "a::std::f()"}};
    struct made before = {.count = 1}, after = {.count = 1};
    struct comparison c;
    for (size_t i = 0; i < ARRAY_LENGTH(same) + ARRAY_LENGTH(other); i++) {
        bool is_same = i < ARRAY_LENGTH(same);
        const char *const *names = is_same ? same[i] : other[i - ARRAY_LENGTH(same)];
        before.functions[0] = (struct made_function){.name = names[0], .samples = 1};
        after.functions[0] = (struct made_function){.name = names[1], .samples = 10};
        compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
        is_equal(c.kinds[COMPARED_BOTH], is_same, names[0]);
        compare_free(&c);
    }

    struct made old = {.functions = {{.name = "f()", .file = "a.cc", .samples = 1},
                                     {.name = "f[abi:cxx11]()", .file = "a.cc", .samples = 2},
                                     {.name = "g(A<A<int> >)", .file = "a.cc", .samples = 3},
                                     {.name = "h[abi:x]()", .file = "a.cc", .samples = 4},
                                     {.name = "h[abi:y]()", .file = "a.cc", .samples = 5},
                                     {.name = "m(A<A<int> >)",
                                      .file = "a.cc",
                                      .samples = 6,
                                      .binding = BINDING_STATIC}},
                       .count = 6};
    struct made new = {.functions = {{.name = "f()", .file = "a.cc", .samples = 10},
                                     {.name = "f[abi:cxx11]()", .file = "a.cc", .samples = 20},
                                     {.name = "g(A<A<int>>)", .file = "a.cc", .samples = 30},
                                     {.name = "h()", .file = "a.cc", .samples = 40},
                                     {.name = "m(A<A<int>>)",
                                      .file = "b.cc",
                                      .samples = 60,
                                      .binding = BINDING_STATIC}},
                       .count = 5};
    compare_build(&c, made_snapshot(&old), made_snapshot(&new), &plain);
    has_row(&c, "f()", 1, 10, "names as they are come first");
    has_row(&c, "f[abi:cxx11]()", 2, 20, "both of them");
    has_row(&c, "g(A<A<int>>)", 3, 30, "another spelling in the same file, named as after");
    has_row(&c, "h[abi:x]()", 4, -1, "one of two spellings");
    has_row(&c, "h()", -1, 40, "may be either");
    has_row(&c, "m(A<A<int>>)", 6, 60, "another spelling in another file");
    compare_free(&c);
}

static void test_figures(void)
{
    struct made before = {.functions = {{.name = "f", .samples = 400, .calls = 40},
                                        {.name = "g", .samples = 10, .calls = 8}},
                          .count = 2,
                          .profiles = {200, 210},
                          .profile_count = 2};
    struct made after = {.functions = {{.name = "f", .samples = 300, .calls = 30},
                                       {.name = "g", .samples = 20, .calls = 4}},
                         .count = 2,
                         .rate = 50};
    struct comparison c;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    const struct compared *f = find(&c, "f"), *g = find(&c, "g");
    is_same_double(f->times[OWN].time[BEFORE], 2,
                   "time of one of two runs, 100 samples per second");
    is_same_double(f->times[OWN].time[AFTER], 6, "of one run, 50 samples per second");
    is_same_double(f->times[OWN].change, 4, "change");
    is_true(fabs(f->times[OWN].error - sqrt(400.0 / (200 * 200) + 300.0 / (50 * 50))) < 1e-12,
            "its error");
    is_same_double(f->calls[BEFORE], 20, "calls of one run");
    is_same_double(f->calls[AFTER], 30, "after");
    is_true(fabs(f->times[OWN].p - 0.042047) < 1e-6,
            "Student's distribution with the one degree of two runs");
    is_true(isnan(g->times[OWN].p), "too few samples for a test");
    is_equal(c.measures[OWN].tested_count, 1, "functions tested");
    is_true(c.measures[OWN].largest == f, "the largest one");
    is_same_double(compared_total(&c)->times[OWN].time[BEFORE], 2.05, "total");
    is_true(compared_total(&c)->times[OWN].p < 0.04, "is tested");
    compare_free(&c);

    before.profile_count = 0;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    is_true(find(&c, "f")->times[OWN].p < 1e-6, "with one run each, the exact binomial test");
    compare_free(&c);

    const struct compare_rules ten = {.base_runs = 10, .alpha = 0.05, .judges_one_run = true};
    before.profile_count = 2;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &ten);
    is_same_double(find(&c, "f")->times[OWN].time[BEFORE], 0.4,
                   "a base of ten runs in two profiles");
    compare_free(&c);
}

static void test_order(void)
{
    struct made before = {.functions = {{.name = "calls", .samples = 0, .calls = 5},
                                        {.name = "little", .samples = 10},
                                        {.name = "noise", .samples = 5000},
                                        {.name = "small", .samples = 100},
                                        {.name = "large", .samples = 9000},
                                        {.name = "gone", .samples = 20000}},
                          .count = 6};
    struct made after = {.functions = {{.name = "calls", .samples = 0, .calls = 9},
                                       {.name = "little", .samples = 12},
                                       {.name = "noise", .samples = 5100},
                                       {.name = "small", .samples = 200},
                                       {.name = "large", .samples = 7000},
                                       {.name = "new", .samples = 30000}},
                         .count = 6};
    const char *const expected[] = {"large", "small", "noise", "little",
                                    "calls", "new",   "gone",  "total"};
    struct comparison c;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    is_equal(c.row_count, ARRAY_LENGTH(expected), "rows");
    for (size_t i = 0; i < c.row_count && i < ARRAY_LENGTH(expected); i++)
        is_same_text(c.rows[i].name, expected[i], "order");
    compare_table(&c, &(struct compare_table_rules){.limit = 2, .is_for_people = true});
    is_equal(c.table.row_count, 5, "two of each kind and the total");
    compare_free(&c);
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    compare_table(&c, &(struct compare_table_rules){0});
    is_equal(c.table.row_count, ARRAY_LENGTH(expected), "all");
    is_equal(c.table.column_count, 18, "with all columns");
    compare_free(&c);
}

static void test_callers(void)
{
    struct made before = {.functions = {{.name = "main", .samples = 1},
                                        {.name = "f", .samples = 1, .calls = 5},
                                        {.name = "g", .samples = 1, .calls = 5}},
                          .count = 3,
                          .arcs = {{0, 1, 5}, {0, 2, 5}},
                          .arc_count = 2};
    struct made after = {.functions = {{.name = "g", .samples = 1, .calls = 5},
                                       {.name = "main", .samples = 1},
                                       {.name = "f", .samples = 1, .calls = 5},
                                       {.name = "h\n", .samples = 1, .calls = 5}},
                         .count = 4,
                         .arcs = {{1, 2, 5}, {2, 0, 4}, {3, 0, 1}, {1, 3, 1}, {1, 0, 0}},
                         .arc_count = 5};
    struct comparison c;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    compare_table(&c, &(struct compare_table_rules){.is_for_people = true});
    is_true(find(&c, "f")->callers == NULL, "the same callers");
    is_same_text(find(&c, "g")->callers, "+f, +h\\x0a, -main", "new callers and one that is gone");
    is_true(find(&c, "h\\x0a")->callers == NULL, "a new function has no new callers");
    compare_free(&c);
    after.arc_count = 0;
    compare_build(&c, made_snapshot(&before), made_snapshot(&after), &plain);
    is_true(find(&c, "g")->callers == NULL, "without the calls of one side, nothing is known");
    compare_free(&c);
}

/* ---- Gate ---- */

static const struct gate_rules ten_percent = {
    .has_time = true, .percent = 10, .seconds = 0.05, .alpha = 0.05, .scope = SCOPE_BOTH};

static struct verdict judge(struct made *before, struct made *after, const struct gate_rules *rules,
                            const char **name)
{
    struct comparison c;
    compare_build(&c, made_snapshot(before), made_snapshot(after), &plain);
    gate_judge(&c, rules);
    *name = c.verdict.worst != NULL ? c.verdict.worst->name : "";
    struct verdict verdict = c.verdict;
    compare_free(&c);
    return verdict;
}

static void test_gate_of_time(void)
{
    struct made before = {.functions = {{.name = "f", .samples = 4000},
                                        {.name = "g", .samples = 3000},
                                        {.name = "h", .samples = 9000}},
                          .count = 3};
    struct made after = {.functions = {{.name = "f", .samples = 5000},
                                       {.name = "g", .samples = 4500},
                                       {.name = "h", .samples = 9000}},
                         .count = 3};
    struct gate_rules rules = ten_percent;
    const char *name;
    struct verdict verdict = judge(&before, &after, &rules, &name);
    is_true(verdict.status == GATE_REGRESSION && !verdict.is_about_calls, "a regression");
    is_same_text(name, "g", "the function that lost most");
    is_equal(verdict.regression_count, 2, "of two");
    regex_t allow[2];
    is_true(regcomp(&allow[0], "^g$", REG_NOSUB) == 0 && regcomp(&allow[1], "x", REG_NOSUB) == 0,
            "two expressions");
    rules.allow = allow;
    rules.allow_count = 2;
    judge(&before, &after, &rules, &name);
    is_same_text(name, "f", "unless it is allowed");
    regfree(&allow[0]);
    regfree(&allow[1]);
    rules.allow_count = 0;
    rules.scope = SCOPE_TOTAL;
    verdict = judge(&before, &after, &rules, &name);
    is_same_text(name, "total", "the total only");
    is_equal(verdict.regression_count, 0, "functions are not judged then");
    rules = ten_percent;
    rules.scope = SCOPE_FUNCTION;
    rules.percent = 60;
    is_true(judge(&before, &after, &rules, &name).status == GATE_PASSED, "50 % is below 60 %");
    rules = ten_percent;
    rules.seconds = 15.5;
    verdict = judge(&before, &after, &rules, &name);
    is_same_text(name, "total", "the functions lost 10 and 15 seconds, the total 25");
    is_true(judge(&after, &before, &ten_percent, &name).status == GATE_PASSED,
            "faster is no regression");
    rules.has_time = false;
    is_true(judge(&before, &after, &rules, &name).status == GATE_NONE, "no gate");
}

static void test_blindness(void)
{
    struct made few = {.functions = {{.name = "f", .samples = 40}, {.name = "g", .samples = 30}},
                       .count = 2};
    struct made many = {
        .functions = {{.name = "f", .samples = 40000}, {.name = "g", .samples = 30}}, .count = 2};
    struct made none = {.functions = {{.name = "f", .samples = 0, .calls = 5}}, .count = 1};
    struct gate_rules rules = ten_percent;
    const char *name;
    is_true(judge(&few, &few, &rules, &name).status == GATE_BLIND_SAMPLES, "too few samples");
    is_true(judge(&many, &many, &rules, &name).status == GATE_PASSED, "enough");
    rules.percent = 0;
    is_true(judge(&many, &many, &rules, &name).status == GATE_BLIND_SAMPLES,
            "nobody sees the smallest change");
    rules = ten_percent;
    rules.seconds = 41;
    is_true(judge(&many, &many, &rules, &name).status == GATE_BLIND_FLOOR,
            "10 % of the time are fewer seconds than must be lost");
    is_true(judge(&none, &none, &ten_percent, &name).status == GATE_BLIND_SAMPLES, "no samples");
    rules = ten_percent;
    rules.has_time = false;
    rules.has_calls = true;
    is_true(judge(&none, &none, &rules, &name).status == GATE_PASSED, "calls need none");
}

static void test_gate_of_calls(void)
{
    struct made before = {.functions = {{.name = "f", .samples = 10, .calls = 1000},
                                        {.name = "g", .samples = 10, .calls = 1000}},
                          .count = 2};
    struct made after = {.functions = {{.name = "f", .samples = 10, .calls = 1001},
                                       {.name = "g", .samples = 10, .calls = 900}},
                         .count = 2};
    struct gate_rules rules = {.has_calls = true, .scope = SCOPE_BOTH, .alpha = 0.05};
    const char *name;
    struct verdict verdict = judge(&before, &after, &rules, &name);
    is_true(verdict.status == GATE_REGRESSION && verdict.is_about_calls, "one call more");
    is_same_text(name, "f", "of this function");
    rules.calls_percent = 0.1;
    is_true(judge(&before, &after, &rules, &name).status == GATE_PASSED,
            "0.1 % more is not more than 0.1 %");
    rules.calls_percent = 0;
    after.functions[0].varies = true;
    is_true(judge(&before, &after, &rules, &name).status == GATE_PASSED,
            "calls that vary are not judged");
    after.functions[0].varies = false;
    rules.scope = SCOPE_TOTAL;
    is_true(judge(&before, &after, &rules, &name).status == GATE_PASSED, "fewer calls in total");
    rules.scope = SCOPE_FUNCTION;
    before.functions[0].calls = UINT64_C(1) << 53;
    after.functions[0].calls = before.functions[0].calls + 1;
    after.functions[1].calls = 0;
    is_true(judge(&before, &after, &rules, &name).status == GATE_REGRESSION, "one more than 2^53");
    before.functions[0].calls += 2;
    is_true(judge(&before, &after, &rules, &name).status == GATE_PASSED, "one less");
    before.profile_count = 3;
    before.functions[0].calls = (UINT64_C(1) << 60) * 3;
    after.functions[0].calls = UINT64_C(1) << 60;
    is_true(judge(&before, &after, &rules, &name).status == GATE_PASSED,
            "equal in a run of one and of three");
    before.functions[0].calls--;
    is_true(judge(&before, &after, &rules, &name).status == GATE_REGRESSION, "one less in three");
}

int main(void)
{
    test_pairs();
    test_clones();
    test_moves();
    test_spellings();
    test_figures();
    test_order();
    test_callers();
    test_gate_of_time();
    test_blindness();
    test_gate_of_calls();
    return tap_done();
}
