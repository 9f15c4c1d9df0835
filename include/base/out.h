/* out.h - buffered output of text and numbers, and of JSON values.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_OUT_H
#define REGPROF_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- The buffer ---- */

/* Collects text and writes it to the stream in large pieces.  Check ferror of the stream
   afterwards.  */

enum { OUT_CAPACITY = 65536 };

struct out {
    FILE *file;
    uint64_t flushed; /* bytes written to `file' */
    size_t used;      /* bytes in `text' */
    char *text;       /* OUT_CAPACITY bytes on the heap */
    bool is_in_page;  /* JSON stands inside of an HTML element */
};

/* If FILE is NULL, text stays in the buffer; a full buffer is dropped.  */
void out_begin(struct out *out, FILE *file);
void out_end(struct out *out);

/* The number of bytes written since `out_begin'.  */
uint64_t out_position(const struct out *out);

/* ---- Text ---- */

void out_char(struct out *out, char c);
/* The N bytes at P, which may exceed the buffer; for out_bytes.  */
void out_long(struct out *out, const char *p, size_t n);
/* The N bytes at P.  */
static inline void out_bytes(struct out *out, const char *p, size_t n)
{
    if (n > OUT_CAPACITY - out->used) {
        out_long(out, p, n);
        return;
    }
    memcpy(out->text + out->used, p, n);
    out->used += n;
}

void out_text(struct out *out, const char *text);
void out_blanks(struct out *out, size_t n);

/* TEXT with its control characters escaped.  */
void out_escaped(struct out *out, const char *text);

/* TEXT, cut and padded to WIDTH bytes.  */
void out_left(struct out *out, const char *text, size_t width);
void out_right(struct out *out, const char *text, size_t width);

/* ---- Numbers ---- */

/* VALUE, right-aligned in WIDTH bytes, or left-aligned in -WIDTH.  Never cut.  */
void out_count(struct out *out, uint64_t value, int width);

/* Right-aligned in WIDTH, with 1 or 2 DECIMALS: exactly what printf prints for `%WIDTH.DECIMALSf'.
   Much faster than printf, which would take most of the time of a large report.  */
void out_fixed(struct out *out, double value, int width, int decimals);

/* A finite number as a decimal that reads back as the same double, except that -0 becomes 0.  Fast
   if few digits are enough.  */
void out_exact(struct out *out, double value);

/* A blank, then the number.  Fast if it fits WIDTH, which is positive.  */
void out_cell_fixed(struct out *out, double value, int width, int decimals);
void out_cell_count(struct out *out, uint64_t value, int width);

/* Writes the decimal digits of VALUE to TO, at most 20, without a NUL; returns their number.  */
size_t out_digits(char *to, uint64_t value);

/* ---- JSON values ---- */

/* A program that reads these values and writes them again gets the same bytes.  */

/* TEXT in quotes; null for NULL.  Bytes that are not UTF-8 are taken as Latin-1, so that different
   names stay different; control characters are escaped, and `<' in a page.  */
void json_write_string(struct out *out, const char *text);

/* The SIZE bytes at TEXT, as json_write_string writes a text.  They may have NULs, and a NUL
   follows them.  */
void json_write_text(struct out *out, const char *text, size_t size);

/* NUMBER, of which a reader gets the same double; null if it is not finite.  */
void json_write_number(struct out *out, double number);

/* Counts above 2^63 - 1, which many readers cannot hold, are written as that number.  In a page,
   counts above 2^53, between which JavaScript's numbers skip integers, are written as text.  */
void json_write_count(struct out *out, uint64_t count);

/* Members of an object that are not its first: `,"NAME":', and the value.  */
void json_write_member(struct out *out, const char *name); /* without the value */
void json_write_string_member(struct out *out, const char *name, const char *text);
void json_write_number_member(struct out *out, const char *name, double number);
void json_write_count_member(struct out *out, const char *name, uint64_t count);

/* ---- JSON objects ---- */

/* A member of a struct as a member of an object.  */
struct json_field {
    const char *name; /* NULL ends an array of fields */
    enum json_kind { JSON_TEXT, JSON_DOUBLE, JSON_U64, JSON_U32, JSON_KNOWN_U32 } kind;
    size_t offset;
    void (*write)(struct out *out, const void *object); /* in place of kind and offset; or NULL */
};

/* JSON_FIELD("calls", struct arc, count): its kind is that of the member's type.  */
#define JSON_FIELD(name, type, member) JSON_MEMBER(name, JSON_KIND(type, member), type, member)
/* A field for a uint32_t that is 0 if it is not known: written as null.  */
#define JSON_KNOWN_FIELD(name, type, member) JSON_MEMBER(name, JSON_KNOWN_U32, type, member)
/* clang-format off */
#define JSON_MEMBER(name, kind, type, member) {(name), (kind), offsetof(type, member), NULL}
#define JSON_KIND(type, member) \
    _Generic(((const type *)0)->member, \
             const char *: JSON_TEXT, double: JSON_DOUBLE, uint64_t: JSON_U64, uint32_t: JSON_U32)
/* clang-format on */

/* The value of FIELD of the struct at OBJECT.  */
void json_write_value(struct out *out, const struct json_field *field, const void *object);
/* All FIELDS of the struct at OBJECT: as an object; as members behind the first of an object.  */
void json_write_object(struct out *out, const struct json_field *fields, const void *object);
void json_write_members(struct out *out, const struct json_field *fields, const void *object);

#endif
