/* profile_list.h - which profiles there are to read.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_PROFILE_LIST_H
#define REGPROF_INPUT_PROFILE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* Paths in reading order; "-" is standard input.  Start with a zeroed struct.  */
struct profile_list {
    const char **paths;
    size_t count, capacity;
    struct arena arena;   /* owns paths that no operand is */
    const char *sum_path; /* no profile that is found in a directory: the next sum; NULL for none */
};

/* Adds the profile at PATH, or, if it is a directory, every profile in it in the order of their
   names: regular files that begin as a profile does, or a compressed file.  Files that do not, and
   the file at sum_path, are left out, with a warning.  False after a message if it cannot be read.
 */
bool profile_list_add(struct profile_list *inputs, const char *path);

/* Adds what the file at LIST_PATH ("-" is standard input) names, one path a line, or each ended by
   a NUL if IS_NUL_SEPARATED.  False after a message.  */
bool profile_list_add_from(struct profile_list *inputs, const char *list_path,
                           bool is_nul_separated);

void profile_list_free(struct profile_list *inputs);

#endif
