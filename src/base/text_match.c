/* text_match.c - compares texts: wildcards and edit distance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/text_match.h"

#include <ctype.h>
#include <string.h>

/* ---- Wildcards ---- */

bool text_has_wildcards(const char *pattern, size_t size)
{
    return memchr(pattern, '*', size) != NULL || memchr(pattern, '?', size) != NULL;
}

static const char *next_character(const char *text)
{
    do
        text++;
    while (((unsigned char)*text & 0xC0) == 0x80);
    return text;
}

/* If the text after a star does not match, the star gets one character more.  Only the last star
   has to be tried again: what an earlier one could get, the last one can get as well.  */
bool text_matches(const char *pattern, size_t size, const char *text)
{
    const char *end = pattern + size, *star = NULL, *retry = NULL;
    for (;;) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*text != '\0' && pattern < end && *pattern == '?') {
            pattern++;
            text = next_character(text);
        } else if (*text != '\0' && pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (*text == '\0' && pattern == end) {
            return true;
        } else if (star != NULL && *retry != '\0') {
            pattern = star;
            text = retry = next_character(retry);
        } else {
            return false;
        }
    }
}

/* ---- Edit distance ---- */

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Row I of the table has the distances between the first I bytes of A and the first J bytes of B,
   by J.  Only cells with |I - J| <= MOST can be MOST or less, so only these are computed; the cell
   to their left is MOST + 1.  Three rows are kept, since a swap reaches back two.  */
size_t text_distance(const char *a, size_t a_size, const char *b, size_t b_size, size_t most)
{
    size_t rows[3][TEXT_DISTANCE_LIMIT + 1];
    if (a_size > TEXT_DISTANCE_LIMIT || b_size > TEXT_DISTANCE_LIMIT || a_size > b_size + most ||
        b_size > a_size + most)
        return most + 1;
    for (size_t j = 0; j <= b_size; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        const size_t *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        size_t *row = rows[i % 3], first = i > most ? i - most : 1;
        row[first - 1] = first == 1 ? i : most + 1;
        for (size_t j = first; j <= least_of(b_size, i + most); j++) {
            size_t least = above[j - 1] + !is_same(a[i - 1], b[j - 1]);
            least = least_of(least, row[j - 1] + 1);
            if (j < i + most)
                least = least_of(least, above[j] + 1);
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
                least = least_of(least, before[j - 2] + 1);
            row[j] = least;
        }
    }
    return least_of(rows[a_size % 3][b_size], most + 1);
}
