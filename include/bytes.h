/* bytes.h - whole files in memory.  */

#ifndef REGPROF_BYTES_H
#define REGPROF_BYTES_H

#include "gmon.h"

/* A buffer that is used for one file after the other.  Zeroed = empty.  */
struct byte_buffer {
    unsigned char *bytes;
    size_t size, room;
};

/* Reads the file at PATH, or standard input for "-", to its end into BUFFER.  Memory grows with
   what is read and not with what the file claims to be.  Says why and returns false if that fails;
   a directory and a device are refused.  */
bool bytes_read(struct byte_buffer *buffer, const char *path);
void bytes_free(struct byte_buffer *buffer);

#endif
