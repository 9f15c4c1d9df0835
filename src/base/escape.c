/* escape.c - escapes control characters.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/escape.h"

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

/* The length in bytes of the control character at S (C0, DEL, or C1 in UTF-8 or in an 8-bit
   encoding); 0 if there is none.  */
static size_t control_at(const char *s)
{
    unsigned char first = (unsigned char)s[0], second = (unsigned char)(first ? s[1] : 0);
    if (first == 0xC2 && second >= 0x80 && second < 0xA0)
        return 2;
    return first < 0x20 || first == 0x7F || (first >= 0x80 && first < 0xA0);
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
