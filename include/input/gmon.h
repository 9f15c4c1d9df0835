/* gmon.h - profile data files: bytes to records and back.

   Byte order and pointer size are arguments, so reading and writing need no image.  Manual, File
   formats.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_GMON_H
#define REGPROF_INPUT_GMON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/hist_set.h"

enum gmon_format { GMON_AUTO, GMON_MAGIC, GMON_BSD, GMON_BSD44 };

/* The layout of numbers in the profiles of an image.  */
struct gmon_layout {
    bool is_big_endian;
    bool sign_extends;     /* 32-bit addresses are signed */
    unsigned pointer_size; /* bytes, 4 or 8 */
};

/* A whole profile in memory.  */
struct gmon_bytes {
    const char *path; /* for messages; NULL: none are printed */
    const unsigned char *bytes;
    size_t size;
    bool is_checked; /* gmon_read has found it well-formed, and need not check it again */
};

enum {
    GMON_DIMENSION_SIZE = 15,        /* bytes; its abbreviation follows, one byte */
    GMON_SPARE = 12,                 /* unused bytes that end each header except GMON_BSD's */
    GMON_BSD44_VERSION = 0x00051879, /* in GMON_BSD44; GMON_BSD has no version */
    GMON_BSD_RATE = 100              /* samples per second in GMON_BSD, which has no rate */
};

/* The unused bytes of the magic header begin with this if calls were counted exactly, also those of
   several threads: in profiles by libregmon, and in their sums.  */
#define GMON_EXACT "regmon"

/* The number in a pointer's BYTES.  */
static inline uint64_t gmon_number(const unsigned char *bytes, const struct gmon_layout *layout)
{
    return number_of_bytes(bytes, layout->pointer_size, layout->is_big_endian);
}

/* The size of the header of a BSD file, in bytes.  */
static inline uint32_t gmon_bsd_header_size(const struct gmon_layout *layout, bool is_bsd44)
{
    return 2 * layout->pointer_size + 4 + (is_bsd44 ? 4 + 4 + GMON_SPARE : 0);
}

/* Callbacks for the records of a file; each may be NULL.  A callback that returns false ends the
   reading, after printing a message.  */
struct gmon_visitor {
    void *context;
    bool (*histogram)(void *context, const struct hist_record *histogram);
    bool (*arc)(void *context, vma from, vma self, uint64_t count);
    bool (*block)(void *context, vma addr, uint64_t count);
};

/* Reads one profile in FORMAT (GMON_AUTO: detected), passes each record to VISITOR in file order,
   and counts the records in INFO (may be NULL).  Sizes are compared with the remaining bytes before
   they are used, and the whole file is checked before the first call of VISITOR.  If the file is
   malformed, prints a message with the offset and returns false.  */
bool gmon_read(const struct gmon_bytes *file, enum gmon_format format,
               const struct gmon_layout *layout, const struct gmon_visitor *visitor,
               struct file_info *info);

/* Whether a file is well-formed in a BSD format, whatever it begins with, and its bins are as
   narrow as those of profil(3).  */
bool gmon_is_bsd(const struct gmon_bytes *file, const struct gmon_layout *layout);

/* Whether a file may be a profile, by its first SIZE bytes at START: GMON_START bytes, or all of a
   shorter file.  True for an empty file, for the magic number or its beginning, and for the version
   of GMON_BSD44 in either byte order and word size.  GMON_BSD cannot be recognised.  */
enum { GMON_START = 24 };
bool gmon_may_be_profile(const unsigned char *start, size_t size);

/* These functions write records to OUT in GMON_MAGIC, GMON_BSD or GMON_BSD44; check ferror(OUT)
   afterwards.  A count that exceeds its field is split into several records of the same range, arc
   or block, which readers add up.  A BSD file has one histogram record (see gmon_parts) and no
   blocks.  */
void gmon_write_start(FILE *out, const struct gmon_layout *layout, enum gmon_format format,
                      bool counts_all_threads);
void gmon_write_histogram(FILE *out, const struct gmon_layout *layout, enum gmon_format format,
                          const struct hist_set *set, const struct histogram *histogram);
void gmon_write_arc(FILE *out, const struct gmon_layout *layout, enum gmon_format format, vma from,
                    vma self, uint64_t count);

struct gmon_block {
    vma addr;
    uint64_t count;
};
/* Writes up to 2^32 - 1 blocks in GMON_MAGIC; overwrites BLOCKS.  */
void gmon_write_blocks(FILE *out, const struct gmon_layout *layout, struct gmon_block *blocks,
                       size_t count);

/* The number of records that the samples of HISTOGRAM need: a bin of a record has 16 bits.  */
uint64_t gmon_parts(const struct histogram *histogram);

#endif
