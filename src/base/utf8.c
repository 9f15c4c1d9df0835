/* utf8.c - text of unknown encoding as UTF-8.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

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

static bool is_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s != '\0') {
        const unsigned char *before = s;
        if (utf8_next(&s) >= 0x80 && s == before + 1)
            return false;
    }
    return true;
}

enum { ESCAPED = 4 }; /* bytes of `\x80' */

/* Writes a character; one that is a control character in Latin-1 with its number.  */
static size_t put_visible(char *to, uint32_t code)
{
    static const char digits[] = "0123456789abcdef";
    if (code < 0x80 || code >= 0xA0)
        return utf8_put(to, code);
    to[0] = '\\';
    to[1] = 'x';
    to[2] = digits[code / 16];
    to[3] = digits[code % 16];
    return ESCAPED;
}

const char *arena_utf8(struct arena *arena, const char *text)
{
    if (is_utf8(text))
        return text;
    const unsigned char *s = (const unsigned char *)text;
    char *copy = arena_alloc(arena, ESCAPED * strlen(text) + 1);
    size_t used = 0;
    while (*s != '\0')
        used += put_visible(copy + used, utf8_next(&s));
    copy[used] = '\0';
    return copy;
}
