/* interval.c - a thread of the library that writes snapshots at intervals.
   SPDX-License-Identifier: MIT

   A signal would make the program's waits return early.  The kernel gives a thread of its own the
   rights of the thread that made it: when the program gives up rights later, this one still has
   them, and ends. */
#include "interval.h"

#include "snapshot.h"
#include "state.h"
#include "sys.h"
#include "text.h"

#define STATUS_BYTES 2048

/* The lines of users and groups; NULL if they cannot be read. */
static const char *read_rights(const char *path, char *memory)
{
    const long fd = sys_open(path, O_RDONLY, 0);
    const long got = fd < 0 ? -1 : sys_read(fd, memory, STATUS_BYTES - 1);

    if (fd >= 0)
        sys_close(fd);
    if (got <= 0)
        return NULL;
    memory[got] = 0;
    for (char *start = memory; *start; start++)
        if (text_starts(start, "\nUid:")) {
            for (char *end = start; *end; end++)
                if (text_starts(end, "\nFDSize:"))
                    *end = 0;
            return start;
        }
    return NULL;
}

/* Whether the main thread has this thread's rights. */
static bool has_programs_rights(void)
{
    char theirs[STATUS_BYTES], ours[STATUS_BYTES];
    const char *a = read_rights("/proc/self/status", theirs);
    const char *b = read_rights("/proc/thread-self/status", ours);

    return a && b && text_is(a, b);
}

void interval_run(void)
{
    const struct timespec period = {(time_t)regmon_state.config.interval, 0};

    while (SYS2(__NR_nanosleep, &period, NULL) == 0) {
        if (!has_programs_rights()) {
            message("no more snapshots at intervals: the program has other rights now", NULL, 0);
            return;
        }
        (void)snapshot_write(SNAPSHOT_OF_SIGNAL);
    }
}
