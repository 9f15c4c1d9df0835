/* json_write.h - writes JSON values.

   Everything that is written can be read and written again without a change.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_JSON_WRITE_H
#define REGPROF_BASE_JSON_WRITE_H

#include "base/out.h"

/* TEXT in quotes; null for NULL.  Bytes that are not UTF-8 are taken as Latin-1, so that different
   names stay different; control characters are escaped, and `<' in a page.  */
void json_write_string(struct out *out, const char *text);

/* The SIZE bytes at TEXT in the same way.  They may have NULs, and a NUL follows them.  */
void json_write_text(struct out *out, const char *text, size_t size);

/* NUMBER, of which a reader gets the same double; null if it is not finite.  */
void json_write_number(struct out *out, double number);

/* Counts above 2^63 - 1, which many readers cannot hold, are written as that number.  In a page,
   counts above 2^53, between which JavaScript's numbers skip integers, are written as text.  */
void json_write_count(struct out *out, uint64_t count);

/* Members of an object that are not its first: `,"NAME":', and the value.  */
void json_write_member(struct out *out, const char *name); /* only what is before the value */
void json_write_string_member(struct out *out, const char *name, const char *text);
void json_write_number_member(struct out *out, const char *name, double number);
void json_write_count_member(struct out *out, const char *name, uint64_t count);

/* ---- Structs as objects ---- */

/* A member of a struct as a member of an object.  */
struct json_field {
    const char *name; /* NULL ends an array of fields */
    enum json_kind { JSON_TEXT, JSON_DOUBLE, JSON_U64, JSON_U32, JSON_KNOWN_U32 } kind;
    size_t offset;
    void (*write)(struct out *out, const void *object); /* instead of the two; or NULL */
};

/* JSON_FIELD("calls", struct snapshot_arc, calls): its kind is that of the member's type.  */
#define JSON_FIELD(name, type, member) JSON_MEMBER(name, JSON_KIND(type, member), type, member)
/* The same for a uint32_t of which 0 means that it is not known: null.  */
#define JSON_KNOWN_FIELD(name, type, member) JSON_MEMBER(name, JSON_KNOWN_U32, type, member)
/* clang-format off */
#define JSON_MEMBER(name, kind, type, member) {(name), (kind), offsetof(type, member), NULL}
#define JSON_KIND(type, member) \
    _Generic(((const type *)0)->member, \
             const char *: JSON_TEXT, double: JSON_DOUBLE, uint64_t: JSON_U64, uint32_t: JSON_U32)
/* clang-format on */

/* The value of FIELD of the struct at OBJECT.  */
void json_write_value(struct out *out, const struct json_field *field, const void *object);
/* All FIELDS of it, as an object; and as members behind the first.  */
void json_write_object(struct out *out, const struct json_field *fields, const void *object);
void json_write_members(struct out *out, const struct json_field *fields, const void *object);

#endif
