/* descriptors.c - file descriptors of processes that stand beside the program.
   SPDX-License-Identifier: MIT */
#include "descriptors.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436 /* equal on all machines */
#endif

#define MOST 65536 /* that are closed one by one, where the kernel is older than 5.9 */

int descriptor_move_up(int fd)
{
    int moved;

    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(fd);
    return moved;
}

static void close_range_of(unsigned from, unsigned to)
{
    const long most = sysconf(_SC_OPEN_MAX);
    const unsigned end = most > 0 && most < MOST ? (unsigned)most : MOST;

    if (from > to || syscall(SYS_close_range, from, to, 0U) == 0)
        return;
    for (unsigned fd = from; fd <= to && fd < end; fd++)
        (void)close((int)fd);
}

void descriptors_close(int from, const int *kept, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (kept[i] < from)
            continue;
        if (kept[i] > from)
            close_range_of((unsigned)from, (unsigned)kept[i] - 1);
        from = kept[i] + 1;
    }
    close_range_of((unsigned)from, ~0U);
}
