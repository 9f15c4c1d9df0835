/* out_file.h - writes a file that is complete or does not exist.
   SPDX-License-Identifier: MIT

   It replaces no other file than one that the library may have written: a regular file that begins
   as a profile or stacks do, or is empty. */
#ifndef REGMON_OUT_FILE_H
#define REGMON_OUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state.h"

struct out_file {
    int directory; /* AT_FDCWD; else it is open, and the last parts of paths are names in it */
    uint64_t room; /* bytes that may still be written, in all files; more: -E2BIG */
    long fd;
    long error; /* the first one; 0: none */
    bool keeps; /* a file that has the name already stays: the error is -EEXIST */
    size_t used;
    char path[2 * REGMON_PATH_BYTES];
    char temporary[2 * REGMON_PATH_BYTES + 64];
    char buffer[65536];
};

/* How files of stacks begin. */
#define STACKS_FORMAT "# regmon stacks"

/* What has the name of PATH. */
struct out_found {
    bool is_there;
    bool is_ours; /* it may be replaced */
    bool is_directory;
    int64_t modified; /* in nanoseconds */
};

struct out_found out_find(const struct out_file *out, const char *path);

/* Removes the file at PATH if it is one of ours. */
void out_remove(const struct out_file *out, const char *path);

/* Creates a temporary file beside PATH.  Returns 0 or a negative error number. */
long out_open(struct out_file *out, const char *path);
void out_bytes(struct out_file *out, const void *bytes, size_t count);

/* Renames the file to its name. After an error, removes it and returns the negative error number.
 */
long out_close(struct out_file *out);

#endif
