/* profile_list.h - lists the profiles that operands, directories and lists name.  */
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
    struct diagnostics *diagnostics;      /* not owned */
    struct arena arena;                   /* owns the paths that are not operands */
    bool (*is_profile)(const char *path); /* for files in directories; NULL: those of gmon */
    const char *sum_path; /* the output of --sum, skipped in directories; NULL for none */
    bool recurses;        /* read directories in directories, too */
    bool skips_bad;       /* go on after a directory that cannot be read */
    size_t unreadable;    /* directories that could not be read */
    size_t skipped;       /* profiles that were taken out again */
    bool has_found;       /* some were found in directories or a list */
    bool has_read_stdin;  /* the list was read from standard input */
    bool has_stacks;      /* the profiles have stacks, or calls, themselves; none is beside them */
};

/* Whether the file at PATH begins like a profile, or cannot be read: perhaps a compressed one, or
   one that was not written to its end.  */
bool profile_is_likely(const char *path);

/* Adds PATH, which must outlive INPUTS.  If PATH is a directory, adds the profiles in it and, with
   `recurses', in the directories below it, in the natural order of their names: regular files that
   begin like a profile, also one that was not written to its end (an empty file, or one with only
   zeros), when they are decompressed; files of stacks, too, see profile_list_settle.  Skips hidden
   files and hidden directories, and, with a warning, other regular files, the file at sum_path, and
   symbolic links to directories (which may lead around in a circle).  False after a message if a
   directory cannot be read (with skips_bad, only the message), or if no profiles are found.  */
bool profile_list_add(struct profile_list *inputs, const char *path);

/* Adds, as profile_list_add does, the paths in the file at LIST_PATH ("-" is standard input): one
   per line, or, if IS_NUL_SEPARATED, each ended by a NUL.  False after a message.  */
bool profile_list_add_from(struct profile_list *inputs, const char *list_path,
                           bool is_nul_separated);

/* Leaves files of stacks out, as `gmon.*' names them, too: they are read beside the profiles.  If
   there is nothing else, they are the profiles.  */
void profile_list_settle(struct profile_list *inputs);

void profile_list_free(struct profile_list *inputs);

#endif
