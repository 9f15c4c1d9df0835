/* progress.h - a line on a terminal that shows the progress of reading files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_PROGRESS_H
#define REGPROF_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    size_t total;      /* files */
    bool is_shown;     /* standard error is a terminal, and not --quiet */
    bool is_on_screen; /* the line is on the terminal now */
    double started;    /* seconds of the monotonic clock */
    double printed;    /* when the line was last printed, likewise */
};

/* Starts the clock.  The line is printed only if standard error is a terminal and reading TOTAL
   files takes more than a second, and not if IS_QUIET.  */
void progress_begin(struct progress *progress, size_t total, bool is_quiet);

/* Updates the line: DONE files have been read.  PROGRESS may be NULL.  */
void progress_step(struct progress *progress, size_t done);

/* Erases the line.  */
void progress_end(struct progress *progress);

#endif
