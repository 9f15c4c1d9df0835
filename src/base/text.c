/* text.c - operations on text: escapes, UTF-8, natural order, wildcards and edit distance.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Escapes ---- */

/* The length in bytes of the UTF-8 sequence at S; 1 if it is not well-formed.  (Only the number of
   its bytes is checked.)  */
static size_t sequence_at(const char *s)
{
    unsigned char first = (unsigned char)s[0];
    if (first < 0xC2)
        return 1;
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2, i = 1;
    while (i < length && ((unsigned char)s[i] & 0xC0) == 0x80)
        i++;
    return i == length && first < 0xF8 ? length : 1;
}

bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* The length in bytes of the control character at S, in UTF-8 or in an 8-bit encoding; 0 if there
   is none.  */
static size_t control_at(const char *s)
{
    const unsigned char *bytes = (const unsigned char *)s;
    return is_control(utf8_next(&bytes)) ? sequence_at(s) : 0;
}

/* Writes a byte as `\xNN' to TO, without a NUL; returns the number of characters.  */
static size_t write_hexadecimal(char *to, char byte)
{
    static const char digits[] = "0123456789abcdef";
    to[0] = '\\';
    to[1] = 'x';
    to[2] = digits[(unsigned char)byte >> 4];
    to[3] = digits[(unsigned char)byte & 15];
    return 4;
}

size_t escape(char *to, size_t capacity, const char **s)
{
    char *start = to, *end = to + capacity;
    while (**s != '\0' && end - to >= LONGEST_ESCAPE) {
        size_t bytes = control_at(*s), length = bytes == 0 ? sequence_at(*s) : 0;
        for (; length > 0; length--)
            *to++ = *(*s)++;
        for (; bytes > 0; bytes--)
            to += write_hexadecimal(to, *(*s)++);
    }
    return (size_t)(to - start);
}

bool is_printable(const char *s)
{
    for (;;) {
        while (*s >= ' ' && *s <= '~') /* most names are ASCII */
            s++;
        if (*s == '\0' || control_at(s) != 0)
            return *s == '\0';
        s += sequence_at(s);
    }
}

size_t escaped_size(const char *s)
{
    size_t size = 0;
    while (*s != '\0') {
        size_t bytes = control_at(s), length = bytes == 0 ? sequence_at(s) : 0;
        size += length + 4 * bytes;
        s += length + bytes;
    }
    return size;
}

/* ---- UTF-8 ---- */

uint32_t utf8_next(const unsigned char **s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t first = **s, code;
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    code = length == 1 ? first : length == 2 ? first & 0x1F : first & (length == 3 ? 0x0F : 0x07);
    for (size_t i = 1; i < length; i++) {
        if (((*s)[i] & 0xC0) != 0x80) {
            length = 0;
            break;
        }
        code = code << 6 | ((*s)[i] & 0x3F);
    }
    if (length == 0 || first >= 0xF5 || code < least[length] || code > 0x10FFFF ||
        (code >= 0xD800 && code < 0xE000)) {
        ++*s;
        return first;
    }
    *s += length;
    return code;
}

size_t utf8_put(char *to, uint32_t code)
{
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint32_t first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 1; code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3F));
    to[0] = (char)(first[length] | code);
    return length;
}

void utf8_copy(char *to, const char *text, size_t length)
{
    const unsigned char *from = (const unsigned char *)text, *end = from + length;
    while (from < end)
        to += utf8_put(to, utf8_next(&from));
    *to = '\0';
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

size_t text_width(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += begins_character(*text);
    return count;
}

const char *text_character(const char *text, size_t number)
{
    for (; *text != '\0'; text++)
        if (begins_character(*text) && number-- == 0)
            break;
    return text;
}

/* ---- Numbers ---- */

char *group_digits(char *text, uint64_t count)
{
    char digits[GROUPED_SIZE];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

/* ---- Natural order ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_zeros(const char *s)
{
    return s + strspn(s, "0");
}

/* Compares the numbers at *A and *B, and moves both behind them.  */
static int compare_numbers(const char **a, const char **b)
{
    const char *first = skip_zeros(*a), *second = skip_zeros(*b);
    size_t first_size = strspn(first, "0123456789"), second_size = strspn(second, "0123456789");
    *a = first + first_size;
    *b = second + second_size;
    if (first_size != second_size)
        return first_size < second_size ? -1 : 1;
    return memcmp(first, second, first_size);
}

int compare_natural(const char *a, const char *b)
{
    const char *first = a, *second = b;
    while (*first != '\0' || *second != '\0') {
        int order = 0;
        if (is_digit(*first) && is_digit(*second))
            order = compare_numbers(&first, &second);
        else
            order = (unsigned char)*first++ - (unsigned char)*second++;
        if (order != 0)
            return order;
    }
    return strcmp(a, b);
}

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

/* ---- Parts and lists ---- */

bool text_is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* ---- Paths ---- */

const char *path_base(const char *path)
{
    return path_end(path, 1);
}

const char *path_end(const char *path, unsigned parts)
{
    const char *at = path + strlen(path);
    while (at > path && (at[-1] != '/' || --parts > 0))
        at--;
    return at;
}
