/* out_file.h - writes a file that is complete or does not exist.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_OUT_FILE_H
#define REGMON_OUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state.h"

struct out_file {
    long fd;
    long error; /* the first one; 0: none */
    bool keeps; /* a file that has the name already stays: the error is -EEXIST */
    size_t used;
    char path[2 * REGMON_PATH_BYTES];
    char temporary[2 * REGMON_PATH_BYTES + 64];
    char buffer[65536];
};

/* Creates a temporary file beside PATH.  Returns 0 or a negative error number. */
long out_open(struct out_file *out, const char *path);
void out_bytes(struct out_file *out, const void *bytes, size_t count);

/* Renames the file to its name. After an error, removes it and returns the negative error number.
 */
long out_close(struct out_file *out);

#endif
