/* read_file.h - reads whole files into memory.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_READ_FILE_H
#define REGPROF_BASE_READ_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A buffer for the bytes of a file, which can be reused for the next file.  Start with a zeroed
   struct.  */
struct file_buffer {
    unsigned char *bytes; /* of the file: in `memory' or `mapping' */
    size_t size;
    unsigned char *memory; /* on the heap, kept for the next file */
    size_t capacity;
    unsigned char *mapping;     /* of a large file, read-only; else NULL */
    struct file_buffer *packed; /* the file before decompression; NULL if none was compressed */
};

/* Reads the file at PATH ("-" is standard input) to its end into BUFFER, whose previous bytes
   become invalid; maps it if it is large.  Decompresses files of gzip and zstd, which are
   recognised by their contents.  Memory grows with the bytes read, not with sizes stated in the
   file.  False after a message if that fails, or if the file is a directory or a device.  */
bool read_file(struct file_buffer *buffer, const char *path);
void file_buffer_free(struct file_buffer *buffer);

#endif
