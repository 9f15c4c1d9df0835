/* out.c - buffered output of text and numbers, and of JSON values.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "base/out.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

/* ---- The buffer ---- */

void out_begin(struct out *out, FILE *file)
{
    *out = (struct out){.file = file, .text = mem_uninitialised(OUT_CAPACITY, 1)};
}

static void flush(struct out *out)
{
    if (out->file != NULL)
        fwrite(out->text, 1, out->used, out->file);
    out->flushed += out->used;
    out->used = 0;
}

void out_end(struct out *out)
{
    flush(out);
    free(out->text);
    out->text = NULL;
}

/* Returns space for the next N bytes, at most OUT_CAPACITY.  The caller increases out->used.  */
static char *reserve(struct out *out, size_t n)
{
    if (n > OUT_CAPACITY - out->used)
        flush(out);
    return out->text + out->used;
}

uint64_t out_position(const struct out *out)
{
    return out->flushed + out->used;
}

/* ---- Text ---- */

void out_char(struct out *out, char c)
{
    if (out->used == OUT_CAPACITY)
        flush(out);
    out->text[out->used++] = c;
}

void out_long(struct out *out, const char *p, size_t n)
{
    while (n > OUT_CAPACITY - out->used) {
        size_t part = OUT_CAPACITY - out->used;
        memcpy(out->text + out->used, p, part);
        out->used += part;
        p += part;
        n -= part;
        flush(out);
    }
    memcpy(out->text + out->used, p, n);
    out->used += n;
}

void out_text(struct out *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

/* Blanks are written in pieces of this many bytes.  */
enum { PIECE = 16 };

/* Writes N blanks to TO; returns their end.  May also overwrite up to PIECE - 1 bytes after
   them.  */
static char *put_blanks(char *to, size_t n)
{
    for (size_t i = 0; i < n; i += PIECE)
        memset(to + i, ' ', PIECE);
    return to + n;
}

void out_blanks(struct out *out, size_t n)
{
    enum { MAX_PART = 64 };
    while (n > 0) {
        size_t part = n < MAX_PART ? n : MAX_PART;
        put_blanks(reserve(out, MAX_PART + PIECE), part);
        out->used += part;
        n -= part;
    }
}

void out_escaped(struct out *out, const char *text)
{
    struct arena scratch = {0};
    out_text(out, is_printable(text) ? text : arena_escape(&scratch, text));
    arena_free(&scratch);
}

void out_left(struct out *out, const char *text, size_t width)
{
    size_t length = strnlen(text, width);
    out_bytes(out, text, length);
    out_blanks(out, width - length);
}

void out_right(struct out *out, const char *text, size_t width)
{
    size_t length = strnlen(text, width);
    out_blanks(out, width - length);
    out_bytes(out, text, length);
}

/* ---- Numbers ---- */

static size_t count_digits(uint64_t value)
{
    size_t count = 1;
    for (; value >= 10000; value /= 10000)
        count += 4;
    return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Writes the decimal digits of VALUE so that they end at END.  */
static void put_digits(char *end, uint64_t value)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
}

/* Writes the blanks with which printf pads a number of LENGTH bytes to WIDTH; returns the space for
   the number.  */
static char *reserve_number(struct out *out, size_t length, int width)
{
    size_t size = (size_t)(width < 0 ? -width : width);
    size_t blanks = size > length ? size - length : 0;
    char *to = reserve(out, length + blanks + PIECE);
    out->used += length + blanks;
    if (width >= 0)
        return put_blanks(to, blanks);
    put_blanks(to + length, blanks);
    return to;
}

void out_count(struct out *out, uint64_t value, int width)
{
    size_t length = count_digits(value);
    put_digits(reserve_number(out, length, width) + length, value);
}

/* VALUE times POWER, which is 10 or 100, rounded to an integer as printf rounds: exactly, ties to
   even.  VALUE is a double of 64 bits, at least 0 and below 2^53, so the result is its 53-bit
   significand, multiplied and shifted.  */
static uint64_t round_scaled(double value, unsigned power)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned shift = 1075 - (unsigned)(bits >> 52);
    uint64_t scaled = ((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52) * power;
    if (shift == 0)
        return scaled;
    if (shift > 62) /* scaled is below 2^60: less than a half */
        return 0;
    uint64_t quotient = scaled >> shift, half = UINT64_C(1) << (shift - 1);
    uint64_t rest = scaled & ((half << 1) - 1);
    return quotient + (rest > half || (rest == half && (quotient & 1) != 0));
}

/* A number as it is printed with one or two decimals.  */
struct decimal {
    uint64_t whole;
    unsigned fraction; /* in tenths or hundredths */
};

/* Rounds VALUE to *DECIMAL.  False if it is not in [0, 2^53): then printf must print it.  */
static bool round_to(double value, int decimals, struct decimal *decimal)
{
    if (!(value >= 0 && value < 0x1p53) || signbit(value))
        return false;
    uint64_t rounded = round_scaled(value, decimals == 1 ? 10 : 100);
    decimal->whole = decimals == 1 ? rounded / 10 : rounded / 100;
    decimal->fraction = (unsigned)(rounded - decimal->whole * (decimals == 1 ? 10 : 100));
    return true;
}

/* Writes DECIMAL so that it ends at END.  */
static void put_decimal(char *end, const struct decimal *decimal, int decimals)
{
    *--end = (char)('0' + decimal->fraction % 10);
    if (decimals == 2)
        *--end = (char)('0' + decimal->fraction / 10);
    *--end = '.';
    put_digits(end, decimal->whole);
}

void out_fixed(struct out *out, double value, int width, int decimals)
{
    struct decimal decimal;
    if (!round_to(value, decimals, &decimal)) {
        char text[512];
        size_t length = (size_t)snprintf(text, sizeof text, "%.*f", decimals, value);
        memcpy(reserve_number(out, length, width), text, length);
        return;
    }
    size_t length = count_digits(decimal.whole) + 1 + (size_t)decimals;
    put_decimal(reserve_number(out, length, width) + length, &decimal, decimals);
}

/* Writes WHOLE with the last DECIMALS of its digits behind a point.  */
static void put_shifted(struct out *out, uint64_t whole, unsigned decimals)
{
    char digits[24];
    size_t length = out_digits(digits, whole);
    if (length <= decimals) {
        out_text(out, "0.");
        for (size_t i = length; i < decimals; i++)
            out_char(out, '0');
        out_bytes(out, digits, length);
        return;
    }
    out_bytes(out, digits, length - decimals);
    out_char(out, '.');
    out_bytes(out, digits + length - decimals, decimals);
}

/* An integer below 2^53 divided by a power of ten up to 10^22 is rounded correctly, so that it is
   the double that a reader gets for these digits.  */
void out_exact(struct out *out, double value)
{
    enum { MAX_DECIMALS = 15 };
    const double limit = 1e15, size = fabs(value);
    double power = 1;
    char text[40];
    if (value < 0)
        out_char(out, '-');
    for (unsigned decimals = 0; decimals <= MAX_DECIMALS && size * power < limit; decimals++) {
        double whole = (double)(uint64_t)(size * power + 0.5);
        if (whole / power == size) {
            if (decimals == 0)
                out_count(out, (uint64_t)whole, 0);
            else
                put_shifted(out, (uint64_t)whole, decimals);
            return;
        }
        power *= 10;
    }
    snprintf(text, sizeof text, "%.16g", size);
    if (strtod(text, NULL) != size)
        snprintf(text, sizeof text, "%.17g", size);
    out_text(out, text);
}

/* ---- Cells ---- */

/* Whether VALUE has at most WIDTH digits; false if WIDTH is above 7, the end of the table.  */
static bool has_digits(uint64_t value, int width)
{
    enum { MAX_WIDTH = 7 };
    static const uint64_t powers[MAX_WIDTH + 1] = {1,     10,     100,     1000,
                                                   10000, 100000, 1000000, 10000000};
    return width > 0 && width <= MAX_WIDTH && value < powers[width];
}

/* Writes the blank before a cell and WIDTH blanks for the cell; returns their end.  */
static char *open_cell(struct out *out, int width)
{
    size_t size = 1 + (size_t)width;
    char *to = reserve(out, size + PIECE);
    out->used += size;
    return put_blanks(to, size);
}

void out_cell_fixed(struct out *out, double value, int width, int decimals)
{
    struct decimal decimal;
    if (round_to(value, decimals, &decimal) && has_digits(decimal.whole, width - 1 - decimals)) {
        put_decimal(open_cell(out, width), &decimal, decimals);
        return;
    }
    out_char(out, ' ');
    out_fixed(out, value, width, decimals);
}

void out_cell_count(struct out *out, uint64_t value, int width)
{
    if (has_digits(value, width)) {
        put_digits(open_cell(out, width), value);
        return;
    }
    out_char(out, ' ');
    out_count(out, value, width);
}

size_t out_digits(char *to, uint64_t value)
{
    size_t length = count_digits(value);
    put_digits(to + length, value);
    return length;
}

/* ---- JSON values ---- */

#define LARGEST_EXACT ((uint64_t)1 << 53)

static void write_escape(struct out *out, uint32_t code)
{
    char text[16];
    snprintf(text, sizeof text, "\\u%04x", (unsigned)code);
    out_text(out, text);
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
        if (out->is_in_page && code >= 0xA0 && is_control(code)) /* a browser would obey it */
            out_char(out, '\\');
        if (is_control(code) || (out->is_in_page && code == '<'))
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
