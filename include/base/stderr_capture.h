/* stderr_capture.h - captures what a library prints on standard error.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_STDERR_CAPTURE_H
#define REGPROF_BASE_STDERR_CAPTURE_H

#include <stdio.h>

struct stderr_capture {
    FILE *real, *captured; /* NULL while nothing is captured */
};

/* Redirects `stderr' into the SIZE bytes at TEXT; what exceeds them is lost.  Messages of
   base/message.h are printed as usual.  If `stderr' cannot be redirected, nothing is captured.  */
void stderr_capture_begin(struct stderr_capture *capture, char *text, size_t size);

/* Restores `stderr', and truncates TEXT to the first line that was captured; empty if there is
   none.  Keeps errno.  */
void stderr_capture_end(struct stderr_capture *capture, char *text);

#endif
