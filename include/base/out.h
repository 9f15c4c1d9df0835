/* out.h - buffered text output: strings, and numbers padded as printf pads them.

   Text is collected and written to the stream in large pieces.  Check ferror of the stream
   afterwards.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_OUT_H
#define REGPROF_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { OUT_CAPACITY = 65536 };

struct out {
    FILE *file;
    uint64_t flushed; /* bytes written to `file' */
    size_t used;      /* bytes in `text' */
    char *text;       /* OUT_CAPACITY bytes on the heap */
    bool is_in_page;  /* for JSON (json_write.h): it stands inside of an HTML element */
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

/* The first N of the SIZE bytes at P.  Faster than out_bytes if SIZE is a constant, because it
   copies all SIZE bytes.  */
static inline void out_bytes_of(struct out *out, const char *p, size_t n, size_t size)
{
    if (size > OUT_CAPACITY - out->used) {
        out_long(out, p, n);
        return;
    }
    memcpy(out->text + out->used, p, size);
    out->used += n;
}
void out_text(struct out *out, const char *text);
void out_blanks(struct out *out, size_t n);

/* TEXT with its control characters escaped.  */
void out_escaped(struct out *out, const char *text);

/* TEXT, cut and padded to WIDTH bytes.  */
void out_left(struct out *out, const char *text, size_t width);
void out_right(struct out *out, const char *text, size_t width);

/* ---- Numbers.  One that does not fit its width is not cut. ---- */

/* Right-aligned in WIDTH bytes, or left-aligned in -WIDTH.  */
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

#endif
