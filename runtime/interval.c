/* interval.c - a thread of the library that writes snapshots at intervals.
   SPDX-License-Identifier: MIT

   A signal would make the program's waits return early.  The kernel gives a thread of its own the
   rights of the thread that made it: when the program gives up rights later, this one still has
   them, and ends. */
#include "interval.h"

#include "clock.h"
#include "snapshot.h"
#include "state.h"
#include "sys.h"
#include "text.h"

/* Lines of /proc/PID/status that say what a thread may do, by their beginnings. */
static const char *const rights[] = {"Uid:", "Gid:", "Groups:", "Cap", "NoNewPrivs:", "Seccomp"};

#define LONGEST_START 12

struct status {
    size_t column; /* in the line */
    char start[LONGEST_START + 1];
    bool counts; /* the line */
    uint64_t hash;
};

static bool is_of_rights(const char *line)
{
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++)
        if (text_starts(line, rights[i]))
            return true;
    return false;
}

static void read_byte(struct status *s, char byte)
{
    if (s->column < LONGEST_START) {
        s->start[s->column] = byte;
        s->start[s->column + 1] = 0;
        s->counts = is_of_rights(s->start);
    }
    s->column = byte == '\n' ? 0 : s->column + 1;
    if (s->counts)
        s->hash = (s->hash ^ (unsigned char)byte) * 0x100000001b3;
}

/* A hash of the rights; lines may be long.  Returns 0 or a negative error number. */
static long hash_rights(const char *path, uint64_t *hash)
{
    const long fd = sys_open(path, O_RDONLY, 0);
    struct status status;
    char bytes[512];
    long got;

    if (fd < 0)
        return fd;
    clear_bytes(&status, sizeof status);
    clear_bytes(bytes, sizeof bytes);
    while ((got = sys_read(fd, bytes, sizeof bytes)) > 0)
        for (long i = 0; i < got; i++)
            read_byte(&status, bytes[i]);
    sys_close(fd);
    *hash = status.hash;
    return got;
}

/* Says why snapshots end here: the main thread has other rights than this one, or cannot be seen.
 */
static bool has_programs_rights(void)
{
    uint64_t theirs, ours;
    long error = hash_rights("/proc/self/status", &theirs);

    if (!error)
        error = hash_rights("/proc/thread-self/status", &ours);
    if (error)
        message("no more snapshots at intervals: /proc does not show the program's rights", NULL,
                error);
    else if (theirs != ours)
        message("no more snapshots at intervals: the program has other rights now", NULL, 0);
    return !error && theirs == ours;
}

void interval_run(void)
{
    const struct timespec period = {(time_t)regmon_state.config.interval, 0};

    while (SYS2(__NR_nanosleep, &period, NULL) == 0 && has_programs_rights()) {
        (void)snapshot_write(SNAPSHOT_OF_SIGNAL);
        __atomic_store_n(&regmon_state.process->cpu_of_writer, clock_of_thread(), __ATOMIC_RELAXED);
    }
}
