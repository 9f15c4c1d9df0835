/* atomic_file.h - replaces a file as a whole, or not at all.

   The new file is written under a temporary name in the same directory, synced, and renamed when it
   is complete.  If anything fails, the old file is unchanged and the temporary file is removed.
   Signals that would end the program are blocked meanwhile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_ATOMIC_FILE_H
#define REGPROF_BASE_ATOMIC_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

struct atomic_file {
    const char *path;                  /* the caller's path, not copied */
    char *target;                      /* the path with links followed */
    char *temporary;                   /* the path of the temporary file */
    FILE *file;                        /* the temporary file: write to it */
    sigset_t signals;                  /* signal mask before */
    struct sigaction file_size_action; /* action for SIGXFSZ before */
};

/* Opens the temporary file for PATH, which must be a regular file or not exist.  False after a
   message.  */
bool atomic_file_begin(struct atomic_file *atomic, const char *path);

/* Closes the temporary file and renames it to the target.  False after a message, with the old file
   unchanged, if writing failed, also before this call (errno must still have the reason), or if a
   signal is pending.  Unblocks the signals, so a pending one takes effect here.  */
bool atomic_file_end(struct atomic_file *atomic);

#endif
