/* out_file.h - a file that is whole or not there.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_OUT_FILE_H
#define REGMON_OUT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "state.h"

struct out_file {
    long fd;
    long error; /* the first one; 0: none */
    size_t used;
    char path[2 * REGMON_PATH_BYTES];
    char temporary[2 * REGMON_PATH_BYTES + 64];
    char buffer[65536];
};

/* Makes a temporary file beside PATH.  Returns 0 or a negative error number. */
long out_open(struct out_file *out, const char *path);
void out_bytes(struct out_file *out, const void *bytes, size_t count);

/* Gives the file its name.  Where something failed, removes it and returns the negative error
 * number. */
long out_close(struct out_file *out);

#endif
