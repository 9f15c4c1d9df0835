/* atomic_file.h - files that are whole or not there.

   A file is written under another name beside its place, synced, and renamed at the end; until then
   the old one stands, and whatever goes wrong leaves it standing.  Signals that would end the
   program wait meanwhile.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_ATOMIC_FILE_H
#define REGPROF_BASE_ATOMIC_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

struct atomic_file {
    const char *path;                  /* as the user calls it */
    char *target;                      /* where that is, links followed */
    char *temporary;                   /* path of the file being written */
    FILE *file;                        /* to write to */
    sigset_t signals;                  /* mask before */
    struct sigaction file_size_action; /* before */
};

/* Begins to write the file at PATH, which is a regular file or nothing yet.  False after a message.
 */
bool atomic_file_begin(struct atomic_file *save, const char *path);

/* Puts the file in its place, if all went well.  False after a message, which has errno's reason if
   writing to the file failed before: then nothing has changed.  A signal that waited takes effect
   here.  */
bool atomic_file_end(struct atomic_file *save);

#endif
