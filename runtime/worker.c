/* worker.c - writes the files of one process from its pool.
   SPDX-License-Identifier: MIT */
#include "worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pool.h"
#include "profile.h"
#include "text.h"

#define LONGEST 600                 /* seconds of processor time for the files of a process */
#define MOST_FORKS 100              /* where there are too many processes */
#define PAUSE 20                    /* milliseconds */
#define GROWTH ((uint64_t)64 << 20) /* of a living pool, while it is read */

/* Refuses sizes that a program which writes where it should not may have damaged. */
static bool is_sound(const struct pool_header *header)
{
    return header->first >= (uint64_t)1 << 20 && header->first <= (uint64_t)1 << 24 &&
           (header->first & (header->first - 1)) == 0 && header->used >= sizeof *header;
}

/* Maps what is in use, and more of a living pool.  NULL header if it cannot be read. */
static struct pool open_pool(const struct trusted *trusted, int fd, bool is_end)
{
    struct pool pool = {.is_file = true};
    struct pool_header header;
    struct stat status;
    uint64_t start = 0, bytes;
    char *base;

    if (pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        header.magic != POOL_MAGIC || !is_sound(&header))
        return pool;
    bytes = header.used + (is_end ? 0 : GROWTH);
    if (fstat(fd, &status) != 0 || header.used > (uint64_t)status.st_size)
        return pool;
    if (bytes > (uint64_t)status.st_size)
        bytes = (uint64_t)status.st_size;
    base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (base == MAP_FAILED)
        return pool;
    pool.header = (struct pool_header *)base;
    pool.bytes = bytes;
    pool.first = header.first;
    pool.most = trusted_most(trusted, (uint64_t)status.st_blocks * 512);
    for (unsigned i = 0; i < POOL_PARTS && start < bytes; i++) {
        pool.parts[i] = base + start;
        start = header.first << i;
    }
    return pool;
}

/* Processor time of a living process since its pool began. */
static void read_processor_time(struct pool_header *header)
{
    struct timespec now;
    clockid_t clock;

    if (clock_getcpuclockid(header->pid, &clock) == 0 && clock_gettime(clock, &now) == 0)
        header->cpu_time =
            (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec - header->cpu_before;
}

/* Where what a process counted goes. */
struct destination {
    int place;  /* the directory of its files */
    int record; /* the directory of sections; -1: none */
};

static long write_files(const struct trusted *trusted, struct pool *pool,
                        const struct destination *to, bool is_end)
{
    struct pool_header *shared = pool->header, header = *shared;
    long error;

    pool->header = &header;
    trusted_set_names(trusted, &header);
    if (!is_end)
        read_processor_time(&header);
    error = profile_write(pool, to->place, to->record, is_end);
    shared->files = header.files;
    pool->header = shared;
    return error;
}

static enum written write_pool(const struct trusted *trusted, int fd, const struct destination *to,
                               bool is_end)
{
    struct pool pool = open_pool(trusted, fd, is_end);
    enum written written = WRITTEN;
    long error = 0;

    if (!pool.header) {
        message("cannot read what a process has counted: it is damaged, or of another version",
                NULL, 0);
        return WRITTEN;
    }
    if (pool.header->begun && is_end)
        error = write_files(trusted, &pool, to, true);
    else if (pool.header->begun && pool_lock(pool.header, WRITER_OUTSIDE)) {
        error = write_files(trusted, &pool, to, false);
        pool_unlock(pool.header);
    } else if (pool.header->begun)
        message("no snapshot: another one is being written", NULL, 0);
    if (error)
        written = is_end && profile_has_no_room(&pool, error) ? NO_ROOM : NOT_WRITTEN;
    (void)munmap(pool.header, pool.bytes);
    return written;
}

/* After a snapshot that has failed. */
static void release_writer(int fd)
{
    const off_t at = offsetof(struct pool_header, writer);
    int writer = 0;

    if (pread(fd, &writer, sizeof writer, at) == (ssize_t)sizeof writer &&
        writer == WRITER_OUTSIDE) {
        writer = 0;
        if (pwrite(fd, &writer, sizeof writer, at) < 0)
            return;
    }
}

/* Removes what a worker has begun to write in the directory when it was ended. */
static void remove_temporary(int place, pid_t worker)
{
    const int fd = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    const char *end;
    char mark[64];

    (void)snprintf(mark, sizeof mark, ".tmp-%d-", (int)worker);
    while (list && (entry = readdir(list))) {
        end = strstr(entry->d_name, mark);
        if (end && !end[strlen(mark) + strspn(end + strlen(mark), "0123456789")])
            (void)unlinkat(place, entry->d_name, 0);
    }
    if (list)
        (void)closedir(list);
    else if (fd >= 0)
        (void)close(fd);
}

/* Opens the directory of the files; -1 after a message if that is not possible. */
static int open_place(struct trusted *trusted, int fd)
{
    struct pool_header header = {0};

    (void)pread(fd, &header, sizeof header, 0); /* if that fails, the names are empty */
    trusted_set_names(trusted, &header);
    return trusted_place(trusted, &header);
}

/* In a process that dumps no core, and has a limit of processor time. */
static pid_t start(const struct trusted *trusted, int fd, const struct destination *to, bool is_end)
{
    struct rlimit limit = {LONGEST, LONGEST};
    pid_t pid = fork();

    for (unsigned i = 0; pid < 0 && i < MOST_FORKS; i++) {
        (void)poll(NULL, 0, PAUSE);
        pid = fork();
    }
    if (pid != 0)
        return pid;
    (void)prctl(PR_SET_DUMPABLE, 0);
    (void)getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = limit.rlim_max < LONGEST ? limit.rlim_max : LONGEST;
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)signal(SIGXCPU, SIG_DFL);
    _exit((int)write_pool(trusted, fd, to, is_end));
}

enum written worker_write(struct trusted *trusted, int fd, int record, bool is_end)
{
    const enum written later = is_end ? NO_ROOM : NOT_WRITTEN;
    struct destination to = {.record = trusted_has_record(trusted) ? record : -1};
    enum written written = later;
    pid_t pid;
    int status = 0;

    to.place = open_place(trusted, fd);
    if (to.place < 0)
        return NOT_WRITTEN;
    pid = start(trusted, fd, &to, is_end);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid < 0)
        message("cannot write a profile: no process can be started", NULL, 0);
    else if (WIFEXITED(status))
        written = (enum written)WEXITSTATUS(status);
    else if (WTERMSIG(status) == SIGKILL)
        message("cannot write a profile: what writes it was killed", NULL, 0);
    else {
        message("cannot write a profile: what the process has counted is damaged", NULL, 0);
        written = NOT_WRITTEN;
    }
    if (pid > 0 && WIFSIGNALED(status))
        remove_temporary(to.place, pid);
    (void)close(to.place);
    if (written != WRITTEN && !is_end)
        release_writer(fd);
    return written;
}
