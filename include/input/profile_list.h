/* profile_list.h - the list of profiles to read.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_INPUT_PROFILE_LIST_H
#define REGPROF_INPUT_PROFILE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/message.h"

/* Paths in reading order; "-" is standard input.  Start with a zeroed struct.  */
struct profile_list {
    const char **paths;
    size_t count, capacity;
    struct diagnostics *diagnostics; /* not owned */
    struct arena arena;              /* owns the paths that are not operands */
    const char *sum_path; /* the output of --sum, skipped in directories; NULL for none */
};

/* Adds PATH, which must outlive INPUTS.  If PATH is a directory, adds the profiles in it, sorted by
   name: regular files that begin like a profile or like a compressed file.  Skips hidden files,
   and, with a warning, other regular files and the file at sum_path.  False after a message if the
   directory cannot be read or has no profiles.  */
bool profile_list_add(struct profile_list *inputs, const char *path);

/* Adds, as profile_list_add does, the paths in the file at LIST_PATH ("-" is standard input): one
   per line, or, if IS_NUL_SEPARATED, each ended by a NUL.  False after a message.  */
bool profile_list_add_from(struct profile_list *inputs, const char *list_path,
                           bool is_nul_separated);

void profile_list_free(struct profile_list *inputs);

#endif
