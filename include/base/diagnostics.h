/* diagnostics.h - kept messages, captured standard error, and the progress line.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_DIAGNOSTICS_H
#define REGPROF_BASE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/message.h"

/* ---- Messages of a run ---- */

struct kept_message {
    bool is_warning;
    char *text;
};

/* Start with a zeroed struct; free with message_list_free.  */
struct message_list {
    struct kept_message *messages;
    size_t count, capacity;
};

/* From now on, LIST gets the messages of DIAGNOSTICS.  */
void message_list_attach(struct message_list *list, struct diagnostics *diagnostics);

void message_list_free(struct message_list *list);

/* ---- Captured standard error ---- */

struct stderr_capture {
    FILE *real, *captured; /* NULL while nothing is captured */
};

/* Redirects `stderr' into the SIZE bytes at TEXT; what exceeds them is lost.  Messages of
   base/message.h are printed as usual.  If `stderr' cannot be redirected, nothing is captured.  */
void stderr_capture_begin(struct stderr_capture *capture, char *text, size_t size);

/* Restores `stderr', and truncates TEXT to the first line that was captured; empty if there is
   none.  Keeps errno.  */
void stderr_capture_end(struct stderr_capture *capture, char *text);

/* ---- Progress line ---- */

struct progress {
    size_t total;      /* files */
    bool is_shown;     /* standard error is a terminal, and not --quiet */
    bool is_on_screen; /* the line is on the terminal now */
    double started;    /* seconds of the monotonic clock */
    double printed;    /* when the line was last printed, in seconds of this clock */
};

/* Starts the clock.  The line is printed only if standard error is a terminal and reading TOTAL
   files takes more than a second, and not if IS_QUIET.  */
void progress_begin(struct progress *progress, size_t total, bool is_quiet);

/* Updates the line: DONE files have been read.  PROGRESS may be NULL.  */
void progress_step(struct progress *progress, size_t done);

/* Erases the line.  */
void progress_end(struct progress *progress);

#endif
