/* json_write.c - writes JSON values.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/json_write.h"

#include <math.h>
#include <stdbool.h>

#include "base/utf8.h"

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
    char bytes[4];
    out_char(out, '"');
    while (s < end) {
        uint32_t code = utf8_next(&s);
        if (code == '"' || code == '\\')
            out_char(out, '\\');
        if (needs_escape(code) || (is_in_page && code == '<'))
            write_escape(out, code);
        else
            out_bytes(out, bytes, utf8_put(bytes, code));
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

void json_write_member(struct out *out, const char *name)
{
    out_text(out, ",\"");
    out_text(out, name);
    out_text(out, "\":");
}

void json_write_string_member(struct out *out, const char *name, const char *text)
{
    json_write_member(out, name);
    json_write_string(out, text);
}

void json_write_number_member(struct out *out, const char *name, double number)
{
    json_write_member(out, name);
    json_write_number(out, number);
}

void json_write_count_member(struct out *out, const char *name, uint64_t count)
{
    json_write_member(out, name);
    json_write_count(out, count);
}
