/* test_text_match.c - wildcards and edit distance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "tap.h"

static void test_wildcards(void)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } rows[] = {
        {"", "", true},
        {"", "a", false},
        {"a", "a", true},
        {"a", "ab", false},
        {"ab", "a", false},
        {"*", "", true},
        {"*", "abc", true},
        {"?", "", false},
        {"?", "a", true},
        {"?", "ab", false},
        {"?", "\xC3\xA4", true},
        {"??", "\xC3\xA4", false},
        {"a*c", "abcbc", true},
        {"a*c", "abcb", false},
        {"*b*", "abc", true},
        {"*ab", "aab", true},
        {"a*b*c", "a1b2b3c", true},
        {"a*b*c", "acb", false},
        {"a?c*", "abc", true},
        {"**a", "a", true},
        {"*?", "", false},
        {"*\xA4", "\xC3\xA4", false},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        is_true(text_matches(rows[i].pattern, strlen(rows[i].pattern), rows[i].text) ==
                    rows[i].matches,
                rows[i].pattern);
    is_true(text_matches("abc", 2, "ab"), "a pattern has a size");
    is_true(text_has_wildcards("a?", 2) && !text_has_wildcards("a?", 1), "wildcards");
}

/* Linear for each star, or this takes years.  */
static void test_many_stars(void)
{
    enum { LENGTH = 100000, STARS = 100 };
    char *text = mem_array(LENGTH + 1, 1), pattern[2 * STARS + 2];
    memset(text, 'a', LENGTH);
    for (size_t i = 0; i < STARS; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    strcpy(pattern + 2 * STARS, "b");
    is_true(!text_matches(pattern, strlen(pattern), text), "many stars");
    free(text);
}

static void test_distance(void)
{
    static const struct {
        const char *a, *b;
        size_t most, distance;
    } rows[] = {
        {"", "", 0, 0},
        {"", "ab", 2, 2},
        {"ab", "", 2, 2},
        {"main", "main", 0, 0},
        {"main", "MAIN", 0, 0},
        {"mian", "main", 2, 1},
        {"main", "man", 2, 1},
        {"man", "main", 2, 1},
        {"main", "mine", 3, 2},
        {"kitten", "sitting", 8, 3},
        {"kitten", "sitting", 2, 3},
        {"abcd", "xyz", 1, 2},
        {"ab", "abcdef", 3, 4},
        {"abcdef", "badcfe", 3, 3},
        {"abc", "xabc", 1, 1},
        {"abc", "c", 2, 2},
        {"aaaaaaaab", "baaaaaaaa", 2, 2},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        is_equal(
            text_distance(rows[i].a, strlen(rows[i].a), rows[i].b, strlen(rows[i].b), rows[i].most),
            rows[i].distance, rows[i].b);
    char longest[TEXT_DISTANCE_LIMIT + 2];
    memset(longest, 'a', sizeof longest);
    is_equal(text_distance(longest, TEXT_DISTANCE_LIMIT, longest, TEXT_DISTANCE_LIMIT, 3), 0,
             "the longest");
    is_equal(text_distance(longest, TEXT_DISTANCE_LIMIT + 1, longest, TEXT_DISTANCE_LIMIT + 1, 3),
             4, "longer ones are not compared");
}

/* The distance of texts of up to 6 letters by the definition, without a limit.  */
static size_t plain_distance(const char *a, size_t i, const char *b, size_t j)
{
    if (i == 0 || j == 0)
        return i + j;
    size_t least = plain_distance(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]);
    size_t shorter = plain_distance(a, i - 1, b, j) + 1,
           longer = plain_distance(a, i, b, j - 1) + 1;
    least = shorter < least ? shorter : least;
    least = longer < least ? longer : least;
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        size_t swapped = plain_distance(a, i - 2, b, j - 2) + 1;
        least = swapped < least ? swapped : least;
    }
    return least;
}

static void test_random_distance(void)
{
    size_t wrong = 0;
    srand(1);
    for (int n = 0; n < 3000; n++) {
        char a[7] = "", b[7] = "";
        size_t a_size = (size_t)rand() % 7, b_size = (size_t)rand() % 7, most = (size_t)rand() % 5;
        for (size_t i = 0; i < 6; i++)
            a[i] = (char)('a' + rand() % 3), b[i] = (char)('a' + rand() % 3);
        size_t distance = plain_distance(a, a_size, b, b_size);
        wrong +=
            text_distance(a, a_size, b, b_size, most) != (distance <= most ? distance : most + 1);
    }
    is_equal(wrong, 0, "3000 random pairs");
}

int main(void)
{
    test_wildcards();
    test_many_stars();
    test_distance();
    test_random_distance();
    return tap_done();
}
