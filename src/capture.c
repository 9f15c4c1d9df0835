#include "config.h"

#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A pipe that is full drops the rest: nobody waits.  */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

void capture_begin(struct capture *capture)
{
    int ends[2];
    fflush(stderr);
    *capture = (struct capture){-1, -1};
    if (!open_pipe(ends))
        return;
    capture->saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    capture->source = ends[0];
    if (capture->saved >= 0)
        dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
}

void capture_end(struct capture *capture, char *line, size_t size)
{
    int reason = errno;
    line[0] = '\0';
    fflush(stderr);
    if (capture->saved >= 0) {
        dup2(capture->saved, STDERR_FILENO);
        close(capture->saved);
    }
    if (capture->source >= 0) {
        ssize_t got = read(capture->source, line, size - 1);
        line[got > 0 ? got : 0] = '\0';
        line[strcspn(line, "\n")] = '\0';
        close(capture->source);
    }
    errno = reason;
}
