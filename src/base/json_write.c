/* json_write.c - writes JSON values.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/json_write.h"

#include <math.h>
#include <stdbool.h>

#include "base/text.h"

#define LARGEST_EXACT ((uint64_t)1 << 53)

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

void json_write_text(struct out *out, const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text, *end = s + size;
    char bytes[4];
    out_char(out, '"');
    while (s < end) {
        uint32_t code = utf8_next(&s);
        if (code == '"' || code == '\\')
            out_char(out, '\\');
        if (needs_escape(code) || (out->is_in_page && code == '<'))
            write_escape(out, code);
        else
            out_bytes(out, bytes, utf8_put(bytes, code));
    }
    out_char(out, '"');
}

void json_write_string(struct out *out, const char *text)
{
    if (text != NULL)
        json_write_text(out, text, strlen(text));
    else
        out_text(out, "null");
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
    bool is_text = out->is_in_page && count > LARGEST_EXACT;
    out_text(out, is_text ? "\"" : "");
    out_count(out, is_text || count <= INT64_MAX ? count : INT64_MAX, 0);
    out_text(out, is_text ? "\"" : "");
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

void json_write_value(struct out *out, const struct json_field *field, const void *object)
{
    const void *member = (const char *)object + field->offset;
    if (field->write != NULL) {
        field->write(out, object);
        return;
    }
    switch (field->kind) {
    case JSON_TEXT:
        json_write_string(out, *(const char *const *)member);
        break;
    case JSON_DOUBLE:
        json_write_number(out, *(const double *)member);
        break;
    case JSON_U64:
        json_write_count(out, *(const uint64_t *)member);
        break;
    case JSON_U32:
        out_count(out, *(const uint32_t *)member, 0);
        break;
    case JSON_KNOWN_U32:
        if (*(const uint32_t *)member != 0)
            out_count(out, *(const uint32_t *)member, 0);
        else
            out_text(out, "null");
        break;
    }
}

void json_write_members(struct out *out, const struct json_field *fields, const void *object)
{
    for (; fields->name != NULL; fields++) {
        json_write_member(out, fields->name);
        json_write_value(out, fields, object);
    }
}

void json_write_object(struct out *out, const struct json_field *fields, const void *object)
{
    out_text(out, "{\"");
    out_text(out, fields->name);
    out_text(out, "\":");
    json_write_value(out, fields, object);
    json_write_members(out, fields + 1, object);
    out_char(out, '}');
}
