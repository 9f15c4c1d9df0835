#include "config.h"

#include "base/stderr_capture.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_ASSIGNABLE_STDERR

void capture_begin(struct capture *capture, char *text, size_t size)
{
    memset(text, '\0', size);
    *capture = (struct capture){stderr, fmemopen(text, size - 1, "w")};
    if (capture->caught != NULL)
        stderr = capture->caught;
}

void capture_end(struct capture *capture, char *text)
{
    int reason = errno;
    stderr = capture->real;
    if (capture->caught != NULL)
        fclose(capture->caught);
    text[strcspn(text, "\n")] = '\0';
    errno = reason;
}

#else

void capture_begin(struct capture *capture, char *text, size_t size)
{
    (void)size;
    *capture = (struct capture){NULL, NULL};
    text[0] = '\0';
}

void capture_end(struct capture *capture, char *text)
{
    (void)capture, (void)text;
}

#endif
