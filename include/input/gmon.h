/* gmon.h - profile data files: bytes to records and back.

   Reader and writer are mirror images.  Byte order and pointer size are arguments, so both run
   without an image.  Manual, File formats.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_GMON_H
#define REGPROF_INPUT_GMON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/hist_set.h"

enum gmon_format { GMON_AUTO, GMON_MAGIC, GMON_BSD, GMON_BSD44 };

/* How numbers are laid out in the profiles of an image.  */
struct gmon_layout {
    bool is_big_endian;
    bool sign_extends;     /* 32-bit addresses are signed */
    unsigned pointer_size; /* bytes, 4 or 8 */
};

/* A whole profile in memory.  */
struct gmon_bytes {
    const char *path; /* for messages */
    const unsigned char *bytes;
    size_t size;
};

/* A histogram record: the header and where its bins are.  */
struct gmon_histogram {
    struct hist_header header;
    const unsigned char *bins; /* 2 bytes each, in the layout's byte order */
    bool is_big_endian;
    size_t offset; /* of the record in its file, for messages */
};

enum {
    GMON_LARGEST_BIN = 65535,        /* samples */
    GMON_DIMENSION_SIZE = 15,        /* bytes; that of its abbreviation follows */
    GMON_SPARE = 12,                 /* bytes at the end of headers, but for the oldest */
    GMON_BSD44_VERSION = 0x00051879, /* where the oldest format has no version */
    GMON_BSD_RATE = 100              /* what readers assume of the oldest, which has none */
};

/* In bytes, of the header of a BSD file.  */
static inline uint32_t gmon_bsd_header_size(const struct gmon_layout *layout, bool is_bsd44)
{
    return 2 * layout->pointer_size + 4 + (is_bsd44 ? 4 + 4 + GMON_SPARE : 0);
}

static inline unsigned gmon_bin(const struct gmon_histogram *h, uint32_t i)
{
    const unsigned char *p = h->bins + 2 * (size_t)i;
    return h->is_big_endian ? (unsigned)(p[0] << 8 | p[1]) : (unsigned)(p[1] << 8 | p[0]);
}

/* Adds the samples of H to HISTOGRAM, which is of the same range.  Most bins of most profiles are
   empty, and this is quick with those.  */
void gmon_add_bins(const struct gmon_histogram *h, struct histogram *histogram);

/* Who wants to know.  Each may be NULL.  Returning false ends the reading; whoever does has said
 * why. */
struct gmon_visitor {
    void *context;
    bool (*histogram)(void *context, const struct gmon_histogram *histogram);
    bool (*arc)(void *context, vma from, vma self, uint64_t count);
    bool (*block)(void *context, vma addr, uint64_t count);
};

/* Reads one profile in FORMAT (GMON_AUTO: whichever it is), telling VISITOR each record in file
   order, and counts records in INFO (NULL allowed).  Nothing is believed before it is checked
   against the bytes there are; before the first call of VISITOR the whole file has been found
   well-formed. On damage: says what and at which offset, and returns false.  */
bool gmon_read(const struct gmon_bytes *file, enum gmon_format format,
               const struct gmon_layout *layout, const struct gmon_visitor *visitor,
               struct file_info *info);

/* Whether a file that begins with the SIZE bytes at START, GMON_START of them if it has so many,
   may be a profile: it has the magic, or 4.4BSD's version in either byte order and word size.  (The
   oldest format looks like anything.)  */
enum { GMON_START = 24 };
bool gmon_may_be_profile(const unsigned char *start, size_t size);

/* Writers onto OUT, in GMON_MAGIC, GMON_BSD or GMON_BSD44; errors stay in OUT.  Sums that a field
   cannot hold are spread over several records of the same range, arc or block, which readers add
   up.  A BSD file has room for one record of one histogram, and for no blocks: see gmon_parts.  */
void gmon_write_start(FILE *out, const struct gmon_layout *layout, enum gmon_format format);
void gmon_write_histogram(FILE *out, const struct gmon_layout *layout, enum gmon_format format,
                          const struct hist_set *set, const struct histogram *histogram);
void gmon_write_arc(FILE *out, const struct gmon_layout *layout, enum gmon_format format, vma from,
                    vma self, uint64_t count);

struct gmon_block {
    vma addr;
    uint64_t count;
};
/* At most 2^32 - 1 blocks, which it uses up.  */
void gmon_write_blocks(FILE *out, const struct gmon_layout *layout, struct gmon_block *blocks,
                       size_t count);

/* How many records the bins of HISTOGRAM fill.  */
uint64_t gmon_parts(const struct histogram *histogram);

#endif
