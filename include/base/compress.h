/* compress.h - recognises, decompresses and writes compressed files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_COMPRESS_H
#define REGPROF_BASE_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

/* ---- Decompression ---- */

/* The last two cannot be decompressed, and COMPRESSION_ZSTD only if the program was built with
   libzstd.  */
enum compression {
    COMPRESSION_NONE,
    COMPRESSION_GZIP,
    COMPRESSION_ZSTD,
    COMPRESSION_XZ,
    COMPRESSION_BZIP2
};

/* By which program a file that begins with these SIZE bytes is compressed.  */
enum compression compression_of(const unsigned char *bytes, size_t size);

/* False after a message about PATH if the program cannot read this COMPRESSION.  */
bool compression_is_read(enum compression compression, const char *path);

/* Decompressed bytes, on the heap.  */
struct decompressed {
    unsigned char *memory;
    size_t size, capacity;
};

/* Replaces the bytes of OUTPUT by what the SIZE bytes at PACKED are when decompressed: all members
   or frames one after the other.  Memory grows with the bytes decompressed.  False after a message
   about PATH if they are damaged or incomplete, if the result is so large that only a crafted file
   can explain it, or if the program cannot read this COMPRESSION.  */
bool decompress(struct decompressed *output, enum compression compression,
                const unsigned char *packed, size_t size, const char *path);

/* Decompresses what a file begins with: of the SIZE bytes at PACKED, up to CAPACITY bytes to START.
   Returns their number; 0 if nothing can be decompressed from these bytes.  Prints no message.  */
size_t decompress_start(enum compression compression, const unsigned char *packed, size_t size,
                        unsigned char *start, size_t capacity);

/* Replaces the bytes of OUTPUT by what the SIZE bytes at PACKED, of a file of xz in the file at
   PATH, are when decompressed.  False, without a message, if they are damaged.  Only if the program
   was built with liblzma (HAVE_LZMA).  */
bool xz_unpack(struct decompressed *output, const unsigned char *packed, size_t size,
               const char *path);

/* ---- Compression ---- */

/* The SIZE bytes at BYTES as a gzip file without a name and a date, so that the same bytes give the
   same file; sets *PACKED_SIZE.  Free with free.  */
void *gzip_pack(const void *bytes, size_t size, size_t *packed_size);

#endif
