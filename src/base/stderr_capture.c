/* stderr_capture.c - redirects standard error into memory while a library runs.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/stderr_capture.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_ASSIGNABLE_STDERR

void stderr_capture_begin(struct stderr_capture *capture, char *text, size_t size)
{
    memset(text, '\0', size);
    *capture = (struct stderr_capture){stderr, fmemopen(text, size - 1, "w")};
    if (capture->captured != NULL)
        stderr = capture->captured;
}

void stderr_capture_end(struct stderr_capture *capture, char *text)
{
    int reason = errno;
    stderr = capture->real;
    if (capture->captured != NULL)
        fclose(capture->captured);
    text[strcspn(text, "\n")] = '\0';
    errno = reason;
}

#else

void stderr_capture_begin(struct stderr_capture *capture, char *text, size_t size)
{
    (void)size;
    *capture = (struct stderr_capture){NULL, NULL};
    text[0] = '\0';
}

void stderr_capture_end(struct stderr_capture *capture, char *text)
{
    (void)capture, (void)text;
}

#endif
