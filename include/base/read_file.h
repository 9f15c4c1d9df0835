/* read_file.h - whole files in memory.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_READ_FILE_H
#define REGPROF_BASE_READ_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A buffer that is used for one file after the other.  Zeroed = empty.  */
struct file_buffer {
    unsigned char *bytes; /* the file's, wherever they are */
    size_t size;
    unsigned char *memory; /* on the heap, kept for the next file */
    size_t capacity;
    unsigned char *mapping;     /* of a large file, instead, to be read only; else NULL */
    struct file_buffer *packed; /* the file as it was before decompression; see read_file */
};

/* Reads the file at PATH, or standard input for "-", to its end into BUFFER, or maps it there if it
   is large; what gzip compressed is decompressed, by its content and whatever its name.  Memory
   grows with what is read and not with what the file claims to be.  Says why and returns false if
   that fails; a directory and a device are refused.  */
bool read_file(struct file_buffer *buffer, const char *path);
void file_buffer_free(struct file_buffer *buffer);

/* Whether a file that begins with these SIZE bytes is a compressed one.  */
bool is_compressed(const unsigned char *bytes, size_t size);

#endif
