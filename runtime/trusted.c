/* trusted.c - what the collector knows of a run from regmon, and not from the run's processes.
   SPDX-License-Identifier: MIT */
#include "trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile.h"
#include "text.h"

#define SECOND 1000000000

/* More than a processor can do in a second. */
#define MOST_CALLS 0x1p31
#define MOST_SAMPLES 0x1p16

/* Bytes of the files of a process: of any; for each byte of its pool, where a stack of 512 frames
   takes 32; for each second of a processor, in which a bin may get so many samples that the
   histogram needs a record more. */
#define ROOM_OF_ANY ((uint64_t)256 << 20)
#define ROOM_OF_BYTE 384
#define ROOM_OF_SECOND 0x1p24

/* Bytes of a pool that a byte of its file's blocks may stand for: some file systems compress. */
#define BYTES_OF_BLOCKS 4

/* ---- Times ---- */

int64_t trusted_now(clockid_t clock)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

static int64_t time_of_file(int fd)
{
    struct stat status = {.st_mtim = {0, 0}};

    (void)fstat(fd, &status);
    return (int64_t)status.st_mtim.tv_sec * SECOND + status.st_mtim.tv_nsec;
}

int64_t trusted_moment(const char *directory)
{
    const struct timespec pause = {0, 500000};
    char path[REGMON_PATH_BYTES + 8];
    int64_t moment;
    int fd;

    (void)snprintf(path, sizeof path, "%s/start", directory);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return trusted_now(CLOCK_REALTIME_COARSE) + 1;
    moment = time_of_file(fd);
    for (int i = 0; i < 100 && !futimens(fd, NULL) && time_of_file(fd) <= moment; i++)
        (void)nanosleep(&pause, NULL);
    (void)unlink(path);
    (void)close(fd);
    return moment + 1;
}

/* ---- Directories ---- */

static int open_directory(int from, const char *path, int flags)
{
    return openat(from, path, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
}

/* Follows links: the user has named them. */
static void open_place(struct trusted *trusted)
{
    const char *end = strchrnul(trusted->prefix, '%');
    char *path;

    while (end > trusted->prefix && end[-1] != '/')
        end--;
    trusted->fixed = (size_t)(end - trusted->prefix);
    path = strndup(trusted->prefix, trusted->fixed);
    trusted->place = open_directory(trusted->home, path && *path ? path : ".", 0);
    free(path);
    if (trusted->place < 0)
        trusted->fixed = 0;
}

void trusted_open(struct trusted *trusted)
{
    trusted->home = open_directory(AT_FDCWD, ".", 0);
    open_place(trusted);
}

static int open_place_of(const struct trusted *trusted, const struct pool_header *header)
{
    char path[2 * REGMON_PATH_BYTES], *part = path + trusted->fixed, *end;
    struct text stem = text_in(path, sizeof path);
    int from, fd;

    profile_add_stem(&stem, header);
    if (!text_is_whole(&stem) || stem.used < trusted->fixed) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = trusted->place >= 0 ? open_directory(trusted->place, ".", 0)
                             : open_directory(trusted->home, *path == '/' ? "/" : ".", 0);
    for (; fd >= 0 && (end = strchr(part, '/')); part = end + 1) {
        *end = 0;
        from = fd;
        fd = open_directory(from, *part ? part : ".", O_NOFOLLOW);
        (void)close(from);
    }
    return fd;
}

static void say_refused(struct trusted *trusted, const struct pool_header *header, long error)
{
    char path[2 * REGMON_PATH_BYTES];
    struct text stem = text_in(path, sizeof path);
    char *directory;

    profile_add_stem(&stem, header);
    directory = strndup(path, (size_t)(text_last_part(path) - path));
    if (!directory || !trusted->refused || strcmp(directory, trusted->refused) != 0)
        message("cannot write", path, error);
    free(trusted->refused);
    trusted->refused = directory;
}

int trusted_place(struct trusted *trusted, const struct pool_header *header)
{
    const int place = open_place_of(trusted, header);

    if (place < 0)
        say_refused(trusted, header, -errno);
    return place;
}

/* ---- The file ---- */

bool trusted_write(const struct trusted *trusted, int fd)
{
    char home[REGMON_PATH_BYTES];

    if (!getcwd(home, sizeof home))
        home[0] = 0;
    return dprintf(fd, "%s%c%s%c%s%c%lld%c%lld%c", home, 0,
                   trusted->program ? trusted->program : "", 0, trusted->prefix, 0,
                   (long long)trusted->since, 0, (long long)trusted->begun, 0) >= 0;
}

void trusted_read(struct trusted *trusted, int fd)
{
    static char text[4 * REGMON_PATH_BYTES];
    const ssize_t got = pread(fd, text, sizeof text - 1, 0);
    const char *fields[5], *at = text, *end = text + (got > 0 ? got : 0);

    text[end - text] = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        fields[i] = at;
        at += strlen(at);
        at += at < end;
    }
    trusted->home = open_directory(AT_FDCWD, *fields[0] ? fields[0] : ".", 0);
    if (trusted->home < 0)
        trusted->home = open_directory(AT_FDCWD, ".", 0);
    trusted->program = fields[1];
    trusted->prefix = fields[2];
    trusted->since = strtoll(fields[3], NULL, 10);
    trusted->begun = strtoll(fields[4], NULL, 10);
    open_place(trusted);
}

/* ---- Pools ---- */

bool trusted_has_record(const struct trusted *trusted)
{
    for (const char *at = strchr(trusted->prefix, '%'); at && at[1]; at = strchr(at + 2, '%'))
        if (at[1] == 'p' || at[1] == 'r')
            return false;
    return true;
}

void trusted_set_names(const struct trusted *trusted, struct pool_header *header)
{
    config_set_names(&header->config, trusted->prefix);
    header->config.is_pattern = *trusted->prefix; /* it is a whole name, also without a % */
    header->directory[0] = 0;
    header->program_start = header->process_start = trusted->since;
    if (header->opened < trusted->since)
        header->opened = trusted->since;
}

void trusted_add_time(const struct pool_header *header, uint64_t *time, bool *is_vague)
{
    const unsigned hz = header->config.hz;

    *is_vague |= header->begun && !header->cpu_time;
    *time += header->cpu_time || !hz ? header->cpu_time : header->weighed * SECOND / hz;
}

static uint64_t at_most(double number)
{
    return number < 0x1p62 ? (uint64_t)number : (uint64_t)1 << 62;
}

struct pool_most trusted_most(const struct trusted *trusted, uint64_t bytes)
{
    /* One of them is wrong if the system was started again, or the clock was set. */
    const int64_t by_boot = trusted_now(CLOCK_BOOTTIME) - trusted->begun;
    const int64_t by_date = trusted_now(CLOCK_REALTIME) - trusted->since;
    const int64_t passed = by_boot > by_date ? by_boot : by_date;
    const double seconds = (double)(passed > 0 ? passed / SECOND : 0) + 1;
    const double of_all = seconds * (double)sysconf(_SC_NPROCESSORS_CONF);

    return (struct pool_most){
        .calls = at_most(of_all * MOST_CALLS),
        .samples = at_most(of_all * MOST_SAMPLES),
        .bytes = ROOM_OF_ANY + bytes * ROOM_OF_BYTE + at_most(of_all * ROOM_OF_SECOND),
        .memory = bytes * BYTES_OF_BLOCKS,
    };
}
