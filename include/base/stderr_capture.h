/* stderr_capture.h - what a library says on standard error by itself, caught before the user sees
 * it.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_STDERR_CAPTURE_H
#define REGPROF_BASE_STDERR_CAPTURE_H

#include <stdio.h>

struct stderr_capture {
    FILE *real, *caught; /* NULL when nothing is caught */
};

/* From here on, what others print onto `stderr' goes into the SIZE bytes at TEXT, as far as there
   is room.  (Messages of base/base.h still reach the user.)  Where that cannot be done it is not
   caught.
 */
void stderr_capture_begin(struct stderr_capture *capture, char *text, size_t size);

/* Lets everything through again, and leaves the first line of what was caught in TEXT, empty if
   there was none.  errno stays what it was.  */
void stderr_capture_end(struct stderr_capture *capture, char *text);

#endif
