/* progress.h - a line on a terminal that tells how far a long reading is.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_PROGRESS_H
#define REGPROF_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    size_t total;            /* files */
    bool is_shown;           /* whether there is anybody to tell */
    bool is_on_screen;       /* a line stands there now */
    double started;          /* seconds by the steady clock */
    double told;             /* when the line was last written */
    _Atomic(size_t) *others; /* files that other processes are done with; NULL without */
};

/* Starts the clock; the line appears only if standard error is a terminal and the work takes more
   than a second.  */
void progress_begin(struct progress *progress, size_t total, bool is_quiet);

/* DONE files are read by this process.  PROGRESS may be NULL.  */
void progress_step(struct progress *progress, size_t done);

/* Takes the line away.  */
void progress_end(struct progress *progress);

#endif
