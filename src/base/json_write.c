/* json_write.c - writes JSON values.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/json_write.h"

#include <math.h>
#include <stdbool.h>

/* Reads the character at *S, behind which a NUL follows somewhere, and steps over it.  A byte that
   is not part of well-formed UTF-8 is a character of Latin-1.  */
static uint32_t next_character(const unsigned char **s)
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

static void write_utf8(struct out *out, uint32_t code)
{
    if (code < 0x80) {
        out_char(out, (char)code);
        return;
    }
    if (code < 0x800) {
        out_char(out, (char)(0xC0 | code >> 6));
    } else {
        if (code < 0x10000) {
            out_char(out, (char)(0xE0 | code >> 12));
        } else {
            out_char(out, (char)(0xF0 | code >> 18));
            out_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
        }
        out_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
    }
    out_char(out, (char)(0x80 | (code & 0x3F)));
}

static void write_escape(struct out *out, uint32_t code)
{
    char text[16];
    snprintf(text, sizeof text, "\\u%04x", (unsigned)code);
    out_text(out, text);
}

static bool needs_escape(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
}

/* The SIZE bytes at TEXT, which a NUL follows.  */
static void write_string(struct out *out, const char *text, size_t size, bool is_in_page)
{
    const unsigned char *s = (const unsigned char *)text, *end = s + size;
    out_char(out, '"');
    while (s < end) {
        uint32_t code = next_character(&s);
        if (code == '"' || code == '\\')
            out_char(out, '\\');
        if (needs_escape(code) || (is_in_page && code == '<'))
            write_escape(out, code);
        else
            write_utf8(out, code);
    }
    out_char(out, '"');
}

void json_write_string(struct out *out, const char *text)
{
    if (text != NULL)
        write_string(out, text, strlen(text), false);
    else
        out_text(out, "null");
}

void json_write_string_in_page(struct out *out, const char *text)
{
    if (text != NULL)
        write_string(out, text, strlen(text), true);
    else
        out_text(out, "null");
}

void json_write_text_in_page(struct out *out, const char *text, size_t size)
{
    write_string(out, text, size, true);
}

void json_write_number(struct out *out, double number)
{
    if (isfinite(number))
        out_exact(out, number);
    else
        out_text(out, "null");
}

void json_write_count(struct out *out, uint64_t count)
{
    out_count(out, count <= INT64_MAX ? count : INT64_MAX, 0);
}
