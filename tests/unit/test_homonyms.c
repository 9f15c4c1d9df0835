/* test_homonyms.c - what is put behind names that several functions have.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/homonyms.h"

#include <stdlib.h>

#include "base/common.h"
#include "base/text.h"
#include "tap.h"

static void test_rows(void)
{
    static const struct {
        struct homonym function;
        const char *told;
    } rows[] = {
        {{"alone", "a.c", "p", 0, 0}, "alone"},
        {{"two", "/r/a.c", "p", 0, 1}, "two (a.c)"},
        {{"two", "/r/b.c", "p", 0, 2}, "two (b.c)"},
        {{"deep", "/r/x/y/a.c", "p", 0, 3}, "deep (x/y/a.c)"},
        {{"deep", "/r/z/y/a.c", "p", 0, 4}, "deep (z/y/a.c)"},
        {{"deep", "/r/b.c", "p", 0, 5}, "deep (b.c)"},
        {{"short", "y/a.c", "p", 0, 6}, "short (y/a.c)"},
        {{"short", "/y/a.c", "p", 0, 7}, "short (/y/a.c)"},
        {{"same", "/r/a.c", "p", 0, 8}, "same (a.c) (p)"},
        {{"same", "/r/a.c", "q", 0, 9}, "same (a.c) (q)"},
        {{"lines", "/r/a.c", NULL, 0x10, 10}, "lines"},
        {{"lines", "/r/a.c", NULL, 0x20, 10}, "lines"},
        {{"address", NULL, NULL, 0x10, 11}, "address (0x10)"},
        {{"address", NULL, NULL, 0x20, 12}, "address (0x20)"},
        {{"object", NULL, "p", 0, 13}, "object (p)"},
        {{"object", NULL, "", 0, 14}, "object"},
        {{"object", "a.c", "p", 0, 15}, "object (a.c)"},
    };
    struct homonym functions[ARRAY_LENGTH(rows)];
    struct arena arena = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        functions[i] = rows[i].function;
    tell_apart(functions, ARRAY_LENGTH(rows), &arena);
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        is_same_text(functions[i].name, rows[i].told, rows[i].told);
    arena_free(&arena);
}

static void test_end(void)
{
    is_same_text(path_end("/a/b/c.c", 1), "c.c", "the last name of a path");
    is_same_text(path_end("/a/b/c.c", 2), "b/c.c", "the last two");
    is_same_text(path_end("a/b", 5), "a/b", "all");
    is_equal(name_length_without_file("f (b/c.c)", "/a/b/c.c"), 1, "an end of the path");
    is_equal(name_length_without_file("f (/a/b/c.c)", "/a/b/c.c"), 1, "the path");
    is_equal(name_length_without_file("f (a (b)/c.c)", "/x/a (b)/c.c"), 1, "brackets in a path");
    is_equal(name_length_without_file("f (c.c)", "/a/bc.c"), 7, "a part of a name is no end");
    is_equal(name_length_without_file("f (int)", "/a/b.c"), 7, "what is no path");
    is_equal(name_length_without_file(" (a.c)", "/a.c"), 6, "a name is not empty");
    is_equal(name_length_without_file("", "/a.c"), 0, "no name");
}

int main(void)
{
    test_rows();
    test_end();
    return tap_done();
}
