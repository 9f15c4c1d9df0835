/* read_file.h - whole files in memory.  */

#ifndef REGPROF_BASE_READ_FILE_H
#define REGPROF_BASE_READ_FILE_H

#include "base/base.h"

/* A buffer that is used for one file after the other.  Zeroed = empty.  */
struct byte_buffer {
    unsigned char *bytes; /* the file's, wherever they are */
    size_t size;
    unsigned char *memory; /* on the heap, kept for the next file */
    size_t room;
    unsigned char *mapping;     /* of a large file, instead, to be read only; else NULL */
    struct byte_buffer *packed; /* the file as it was before decompression; see bytes_read */
};

/* Reads the file at PATH, or standard input for "-", to its end into BUFFER, or maps it there if it
   is large; what gzip compressed is decompressed, by its content and whatever its name.  Memory
   grows with what is read and not with what the file claims to be.  Says why and returns false if
   that fails; a directory and a device are refused.  */
bool bytes_read(struct byte_buffer *buffer, const char *path);
void bytes_free(struct byte_buffer *buffer);

/* Whether a file that begins with these SIZE bytes is a compressed one.  */
bool bytes_are_packed(const unsigned char *bytes, size_t size);

#endif
