/* test_short_names.c - short forms of names, and which names keep more.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/narrow_names.h"
#include "base/short_names.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/text.h"
#include "tap.h"

static void test_forms(void)
{
    static const struct {
        const char *name, *form;
    } rows[] = {
        {"main", "main"},
        {"std::vector<int, std::allocator<int> >::push_back(int const&)",
         "std::vector<...>::push_back"},
        {"void scale<square>(square&, double)", "scale<...>"},
        {"unsigned long long compute(int)", "compute"},
        {"std::function<int (char)> make(int)", "make"},
        {"std::map<int, std::vector<std::pair<int, int> > >::operator[](int const&)",
         "std::map<...>::operator[]"},
        {"std::foo<(bool)1>::bar()", "std::foo<...>::bar"},
        {"f[abi:cxx11](int)", "f[abi:cxx11]"},
        {"decltype(auto) f<int>(int)", "f<...>"},
        {"decltype (f(0)) g<int>(int)", "g<...>"},
        {"std::enable_if<((1)>(2)), void>::type f<int>()", "f<...>"},
        /* Operators.  */
        {"operator<<(std::ostream&, int)", "operator<<"},
        {"std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <...>"},
        {"bool operator<(a const&, a const&)", "operator<"},
        {"bool operator< <int>(list<int> const&, list<int> const&)", "operator< <...>"},
        {"foo::operator<(foo const&) const", "foo::operator<"},
        {"foo::operator->() const", "foo::operator->"},
        {"foo::operator->*(int)", "foo::operator->*"},
        {"foo::operator()(int) const", "foo::operator()"},
        {"void foo<int>::operator()<char>(char) const", "foo<...>::operator()<...>"},
        {"foo<&bar::operator< >::run()", "foo<...>::run"},
        {"foo::operator bool() const", "foo::operator bool"},
        {"foo::operator char const*() const", "foo::operator char const*"},
        {"foo::operator std::vector<int, std::allocator<int> >() const",
         "foo::operator std::vector<...>"},
        {"operator new[](unsigned long)", "operator new[]"},
        {"operator\"\" _km(long double)", "operator\"\" _km"},
        {"my_operator(int)", "my_operator"},
        {"my_operator()", "my_operator"},
        {"main::{lambda()#1}::operator()", "main::{lambda#1}::operator()"},
        {"operators::run(int)", "operators::run"},
        /* Anonymous namespaces, lambdas, local names.  */
        {"(anonymous namespace)::helper(int)", "(anonymous namespace)::helper"},
        {"void (anonymous namespace)::run<(anonymous namespace)::T>(int)",
         "(anonymous namespace)::run<...>"},
        {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"},
        {"foo(int)::{lambda(std::vector<int>)#2}::operator()(std::vector<int>) const",
         "foo::{lambda#2}::operator()"},
        {"f(int (*)(char)) const::{lambda()#1}::operator()() const", "f::{lambda#1}::operator()"},
        {"guard variable for f(int)::x", "guard variable for f::x"},
        {"vtable for foo<int>", "vtable for foo<...>"},
        /* Functions of other objects.  */
        {"void scale<square>(square&, double) [libfoo.so.1]", "scale<...> [libfoo.so.1]"},
        {"std::foo<1>::bar() [clone .cold] [libfoo.so]",
         "std::foo<...>::bar [clone .cold] [libfoo.so]"},
        {"memcpy [libc.so.6]", "memcpy [libc.so.6]"},
        {"[libc.so.6]", "[libc.so.6]"},
        {"libc.so.6+0x8f3a0", "libc.so.6+0x8f3a0"},
        {"non-virtual thunk to foo<int>::bar(int)", "non-virtual thunk to foo<...>::bar"},
        {"std::foo<1>::bar() [clone .isra.0]", "std::foo<...>::bar [clone .isra.0]"},
        /* Declarators around the name.  */
        {"int (*get(int))(char)", "int (*get(int))(char)"},
        /* Rust, Fortran, C, assembler.  */
        {"<alloc::vec::Vec<T> as core::ops::Drop>::drop",
         "<alloc::vec::Vec<...> as core::ops::Drop>::drop"},
        {"<(A,B) as core::clone::Clone>::clone", "<(A,B) as core::clone::Clone>::clone"},
        {"core::ptr::drop_in_place<alloc::string::String>", "core::ptr::drop_in_place<...>"},
        {"core::iter::map::<u8>", "core::iter::map::<...>"},
        {"alloc::vec::Vec<T>::push::{{closure}}", "alloc::vec::Vec<...>::push::{{closure}}"},
        {"net/http.(*conn).serve", "net/http.(*conn).serve"},
        {"main.(*tree[go.shape.int]).walk.func1", "main.(*tree[go.shape.int]).walk.func1"},
        {"__matrix_MOD_invert", "__matrix_MOD_invert"},
        {"solve_", "solve_"},
        /* Versions of symbols.  */
        {"__overflow@@GLIBC_2.2.5 [libc.so.6]", "__overflow [libc.so.6]"},
        {"memcpy@GLIBC_2.2.5", "memcpy"},
        {"krb5_init@@krb5_3_MIT", "krb5_init"},
        {"puts@plt", "puts@plt"},
        {"f@8", "f@8"},
        {"draw@app.js", "draw@app.js"},
        {"@@X", "@@X"},
        {"a@", "a@"},
        {"@X", "@X"},
        {"a.part.0", "a.part.0"},
        {"x<y", "x<y"},
        {"a->b", "a->b"},
        /* Brackets without partners.  */
        {"x(unclosed", "x(unclosed"},
        {"{<(", "{<("},
        {">})", ">})"},
        {"(", "("},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        is_same_text(shorten_name(&arena, rows[i].name, KEEP_NOTHING), rows[i].form, rows[i].name);
    arena_free(&arena);
}

static void test_objects(void)
{
    static const struct {
        const char *name, *object; /* NULL: none */
    } rows[] = {{"memcpy [libc.so.6]", " [libc.so.6]"},
                {"f(int) [clone .part.0] [a b]", " [a b]"},
                {"f(int) [clone .part.0]", NULL},
                {"[libc.so.6]", NULL},
                {" [libc.so.6]", NULL},
                {"f[x]", NULL},
                {"-[Foo bar]", NULL},
                {"]", NULL},
                {"", NULL}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        const char *found = name_object(rows[i].name);
        is_same_text(found != NULL ? found : "none",
                     rows[i].object != NULL ? rows[i].object : "none", rows[i].name);
    }
}

static void test_parameters(void)
{
    struct arena arena = {0};
    is_same_text(
        shorten_name(&arena, "void f<int>(std::vector<int> const&) const", KEEP_PARAMETERS),
        "f<...>(std::vector<...> const&) const", "with parameters, without arguments");
    is_same_text(shorten_name(&arena, "void f<int>(std::vector<int> const&) const", KEEP_ARGUMENTS),
                 "f<int>", "with arguments, without parameters");
    is_same_text(
        shorten_name(&arena, "a<b>& c<d<e> >::f<g>(h<i>) const", KEEP_ARGUMENTS | KEEP_PARAMETERS),
        "c<d<e> >::f<g>(h<i>) const", "with both, without the result");
    is_same_text(
        shorten_name(&arena, "main::{lambda(int)#1}::operator()(int) const", KEEP_PARAMETERS),
        "main::{lambda(int)#1}::operator()(int) const", "a lambda with parameters");
    is_same_text(shorten_name(&arena, "void a<b>::c<d<e> >::f<g>(h<i>) const", NO_BRACKETS),
                 "a::c::f", "without brackets");
    is_same_text(shorten_name(&arena, "bool a<b>::operator< <c>(a<b>) const", NO_BRACKETS),
                 "a::operator<", "an operator without brackets");
    arena_free(&arena);
}

static void test_ambiguous(void)
{
    static const char *const names[] = {"f(int)", "f(char)",       "g<int>(int)",   "g<char>(int)",
                                        "h<1>()", "h<2>()",        "h<2>(int)",     "k(int)",
                                        "k(int)", "void m<int>()", "void m<char>()"};
    static const char *const forms[] = {"f(int)", "f(char)",       "g<int>(int)",   "g<char>(int)",
                                        "h<1>()", "h<2>()",        "h<...>(int)",   "k",
                                        "k",      "void m<int>()", "void m<char>()"};
    struct short_names all = {0};
    struct arena arena = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        short_names_add(&all, names[i]);
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        is_same_text(short_names_of(&all, &arena, names[i]), forms[i], names[i]);
    short_names_free(&all);
    arena_free(&arena);
}

/* Linear, or this takes minutes.  */
static void test_deep(void)
{
    enum { LENGTH = 300000 };
    static const char *const pieces[] = {"<", "(", "{", "(}", "operator<", " for ", "decltype"};
    struct arena arena = {0};
    for (size_t p = 0; p < ARRAY_LENGTH(pieces); p++) {
        size_t size = strlen(pieces[p]);
        char *name = arena_alloc(&arena, LENGTH * size + 1);
        for (size_t i = 0; i < LENGTH; i++)
            memcpy(name + i * size, pieces[p], size);
        name[LENGTH * size] = '\0';
        is_true(strlen(shorten_name(&arena, name, KEEP_NOTHING)) <= 5 * strlen(name), pieces[p]);
    }
    arena_free(&arena);
}

/* The texts of NAMES, which end with NULL, in WIDTH characters, separated by blanks.  */
static const char *cut_texts(struct arena *arena, const char *const *names, size_t width,
                             const char *dots)
{
    enum { MOST = 8 };
    struct narrow_name cuts[MOST];
    const char *texts = "";
    size_t count = 0;
    for (; names[count] != NULL; count++)
        cuts[count] = (struct narrow_name){names[count], width, NULL};
    narrow_names(cuts, count, dots, arena);
    for (size_t i = 0; i < count; i++) {
        is_true(text_width(cuts[i].text) <= width || cuts[i].text == names[i], cuts[i].text);
        texts = arena_join(arena, texts, i > 0 ? " " : "", cuts[i].text);
    }
    return texts;
}

static void test_cut(void)
{
    static const struct {
        const char *name;
        size_t width;
        const char *text;
    } rows[] = {
        {"leveldb::Table::compact", 23, "leveldb::Table::compact"},
        {"leveldb::Table::compact", 22, "...::Table::compact"},
        {"leveldb::Table::compact", 19, "...::Table::compact"},
        {"leveldb::Table::compact", 18, "...::compact"},
        {"leveldb::Table::compact", 12, "...::compact"},
        {"leveldb::Table::compact", 11, "...compact"},
        {"leveldb::Table::compact", 10, "...compact"},
        {"leveldb::Table::compact_everything", 12, "...verything"},
        {"leveldb::(anonymous namespace)::Iterator::Next", 45,
         "...::(anonymous namespace)::Iterator::Next"},
        {"leveldb::(anonymous namespace)::Iterator::Next", 41, "...::Iterator::Next"},
        {"abcdefghijklmnop", 10, "abcd...nop"},
        {"stra\303\237enbahn\303\266\303\244\303\274", 10, "stra...\303\266\303\244\303\274"},
        /* Not in brackets, operators and types of conversions.  */
        {"a::b<c::d::e>::f<g::h>", 15, "...::f<g::h>"},
        {"outer::f(a::type, b::type)", 20, "f(a::type...b::type)"},
        {"outer::operator std::string", 26, "...::operator std::string"},
        {"outer::operator std::string", 22, "...perator std::string"},
        {"outer::inner::operator()", 23, "...::inner::operator()"},
        {"outer::inner::operator<", 18, "...::operator<"},
        {"outer::inner::{lambda#1}::operator()", 28, "...::{lambda#1}::operator()"},
        {"main::{lambda(a::b)#1}::operator()", 24, "...::operator()"},
        {"int (*get(int))(char, long, short)", 20, "int (*get..., short)"},
        /* Go.  */
        {"github.com/user/repo/pkg.(*Type).Method", 24, ".../pkg.(*Type).Method"},
        {"github.com/user/repo/pkg.(*Type).Method", 22, ".../pkg.(*Type).Method"},
        {"github.com/user/repo/pkg.(*Type).Method", 27, ".../repo/pkg.(*Type).Method"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        is_same_text(
            cut_texts(&arena, (const char *const[]){rows[i].name, NULL}, rows[i].width, "..."),
            rows[i].text, rows[i].name);
    is_same_text(cut_texts(&arena, (const char *const[]){"aa::bb::ccc", NULL}, 10, "…"),
                 "…::bb::ccc", "one character for what is left out");
    arena_free(&arena);
}

/* Objects give way before names do.  */
static void test_cut_objects(void)
{
    static const struct {
        const char *names[6];
        size_t width;
        const char *texts;
    } rows[] = {
        {{"f [libx.so.1.0]", "main", NULL}, 15, "f [libx.so.1.0] main"},
        {{"find [libx.so.1.0]", "g [libx.so.1.0]", "h [a b]", NULL},
         17,
         "find [libx] g [libx] h [a b]"},
        {{"a_function [libpython3.11.so.1.0]", NULL}, 26, "a_function [libpython3.11]"},
        {{"a_function [libpython3.11.so.1.0]", NULL}, 25, "a_function [libpython...]"},
        {{"a_function [libpython3.11.so.1.0]", NULL}, 19, "a_function [lib...]"},
        {{"a_function [libpython3.11.so.1.0]", NULL}, 18, "a_function"},
        {{"a_function [libpython3.11.so.1.0]", NULL}, 10, "a_function"},
        {{"__a_function [libpython3.11.so.1.0]", NULL}, 10, "__a_...ion"},
        /* Two builds of an object, and functions that only the object tells apart.  */
        {{"function [lib.so.1]", "a [lib.so.2]", NULL}, 18, "function [lib....] a [lib.so.2]"},
        {{"function", "function [libx.so]", NULL}, 15, "function function [libx]"},
        {{"function", "function [libx.so]", NULL}, 14, "function fu...on [libx]"},
        {{"f [.so]", "abcdefg [x.sox]", NULL}, 14, "f [.so] abcdefg"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        is_same_text(cut_texts(&arena, rows[i].names, rows[i].width, "..."), rows[i].texts,
                     rows[i].texts);
    arena_free(&arena);
}

static void test_cut_apart(void)
{
    static const struct {
        const char *names[6];
        size_t width;
        const char *texts;
    } rows[] = {
        {{"a::Merging::Next", "a::TwoLevel::Next"}, 15, "...erging::Next ...oLevel::Next"},
        {{"first::same::Iterator::Next", "other::same::Iterator::Next"},
         20,
         "first::sam...Next other::sam...Next"},
        {{"x::first::same::Iterator::Next", "x::other::same::Iterator::Next"},
         22,
         "x::first::same:...Next x::other::same:...Next"},
        {{"f(int, aaaaaaaaaaaaaaaaa, int)", "f(int, bbbbbbbbbbbbbbbbb, int)"},
         16,
         "f...aaaaaaaaa... f...bbbbbbbbb..."},
        {{"a<int, char, long, long>::manage(x, y)", "a<int, bool, long, long>::manage(x, y)"},
         20,
         "...char, lo...manage ...bool, lo...manage"},
        {{"one::run", "two::run", "one::run"}, 20, "one::run two::run one::run"},
        {{"a_very_long_name_of_one_function", "a_very_long_name_in_one_function"},
         14,
         "...e_of...tion ...e_in...tion"},
        /* Two differences, and too many for the width.  */
        {{"net::server::ConnectionPoolWorker::close_all",
          "net::client::ConnectionPoolWorker::close_all",
          "net::server::ConnectionPoolManager::close_all",
          "net::client::ConnectionPoolManager::close_all"},
         28,
         "...server...oolWork...se_all ...client...oolWork...se_all "
         "...server...oolMana...se_all ...client...oolMana...se_all"},
        {{"ns1::Alpha::process_data", "ns1::Beta::process_data", "ns2::Alpha::process_data",
          "ns2::Beta::process_data"},
         10,
         "ns1::Alpha::process_data ns1::Beta::process_data "
         "ns2::Alpha::process_data ns2::Beta::process_data"},
        {{"ns1::Alpha::process(int)", "ns2::Alpha::process(int)", "ns1::Beta::process(int)",
          "ns2::Alpha::process(char)"},
         22,
         "ns1::Alpha::process ns2::Alpha::process ...:Beta::process(int) ...::process(char)"},
        {{"a::Table::next(a_long_type)", "b::Table::next(a_long_type)"},
         20,
         "a::Table::next b::Table::next"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        is_same_text(cut_texts(&arena, rows[i].names, rows[i].width, "..."), rows[i].texts,
                     rows[i].names[0]);
    arena_free(&arena);
}

/* Names that differ anywhere have different texts.  */
static void test_cut_many(void)
{
    enum { MANY = 1000, WIDTH = 20 };
    struct narrow_name *cuts = mem_array(MANY, sizeof *cuts);
    struct arena arena = {0};
    struct string_map texts = {0};
    for (size_t i = 0; i < MANY; i++) {
        char digits[] = {(char)('0' + i / 100), (char)('0' + i / 10 % 10), (char)('0' + i % 10), 0};
        cuts[i] = (struct narrow_name){
            arena_join(&arena, "outer::part", digits, "::something::else::altogether"), WIDTH,
            NULL};
    }
    narrow_names(cuts, MANY, "...", &arena);
    for (size_t i = 0; i < MANY; i++)
        string_map_number(&texts, cuts[i].text);
    is_equal(texts.count, MANY, "a thousand names, a thousand texts");
    string_map_free(&texts);
    arena_free(&arena);
    free(cuts);
}

/* The name of number N among those of a grid of namespaces, classes, functions and parameters.  */
static const char *grid_name(struct arena *arena, size_t n)
{
    static const char *const spaces[] = {"net::server::", "net::client::", "storage::", "net::"};
    static const char *const classes[] = {"ConnectionPoolWorker", "ConnectionPoolManager",
                                          "T<int>"};
    static const char *const functions[] = {"::close_all", "::process_data", "::operator()"};
    static const char *const parameters[] = {"", "(int)", "(long, long, a::type, int)",
                                             "(long, long, a::type, char)"};
    return arena_join(arena, spaces[n % 4], classes[n / 4 % 3], functions[n / 12 % 3],
                      parameters[n / 36]);
}

/* Names that differ in several places have different texts, in any width.  */
static void test_cut_grid(void)
{
    enum { COUNT = 144, LEAST = 10, MOST = 60, ROOMY = 36 };
    for (size_t width = LEAST; width <= MOST; width++) {
        struct narrow_name cuts[COUNT];
        struct arena arena = {0};
        struct string_map texts = {0};
        size_t wide = 0, wide_cut = 0;
        for (size_t i = 0; i < COUNT; i++)
            cuts[i] = (struct narrow_name){grid_name(&arena, i), width, NULL};
        narrow_names(cuts, COUNT, "...", &arena);
        for (size_t i = 0; i < COUNT; i++) {
            string_map_number(&texts, cuts[i].text);
            wide += text_width(cuts[i].text) > width;
            wide_cut += text_width(cuts[i].text) > width && cuts[i].text != cuts[i].name;
        }
        is_equal(texts.count, COUNT, "as many texts as names");
        is_equal(wide_cut, 0, "only whole names are wider");
        is_true(width < ROOMY || wide == 0, "and only where there is too little room");
        string_map_free(&texts);
        arena_free(&arena);
    }
}

int main(void)
{
    test_forms();
    test_objects();
    test_parameters();
    test_ambiguous();
    test_cut();
    test_cut_objects();
    test_cut_apart();
    test_cut_many();
    test_cut_grid();
    test_deep();
    return tap_done();
}
