/* shim.c - wraps functions of the C library (LD_PRELOAD), to cause rare failures in tests:

       SHIM_FAIL=N      the Nth allocation fails
       SHIM_FAIL=N-     and all later ones
       SHIM_REPORT=FILE at the end, FILE has a line `requests N', a line `getenv NAME' for each
                        look-up in the environment, and a line `fsync file' or `fsync directory'
                        for each that was synced
       SHIM_SIGNAL=S:N  raises signal S before the Nth call that makes, writes, syncs or renames a
                        file; at the end, SHIM_REPORT has a line `changes N' with the number of
                        these calls
       SHIM_EIO=N:FILE  the Nth read of FILE, and all later ones through the same descriptor, fail
                        with EIO; SHIM_REPORT has a line `reads N'  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_on;
static unsigned long requests, failing;
static unsigned long changes, signalled; /* before this change, `number' is raised */
static int number;
static unsigned long reads, unreadable; /* from this read on, `unreadable_path' cannot be read */
static char unreadable_path[4096];
static bool fails_on;
static int report = -1;

/* Memory for the allocations of dlsym itself, before the real functions are known.  */
static char early[16384];
static size_t early_used;

static bool is_early(const void *p)
{
    return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static void *early_alloc(size_t size)
{
    size_t start = early_used;
    early_used += (size + 15) / 16 * 16;
    return early_used <= sizeof early ? early + start : NULL;
}

static void *next(const char *name)
{
    static bool is_looking;
    if (is_looking)
        return NULL;
    is_looking = true;
    void *found = dlsym(RTLD_NEXT, name);
    is_looking = false;
    return found;
}

/* Declares `real', the function of the C library, which is NULL while that is looked for.  */
#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (real == NULL)                                                                              \
    *(void **)&real = next(#name)

static bool fails(void)
{
    if (!is_on)
        return false;
    requests++;
    bool is_failing = failing != 0 && (requests == failing || (fails_on && requests > failing));
    if (is_failing)
        errno = ENOMEM;
    return is_failing;
}

void *malloc(size_t size)
{
    REAL(malloc);
    if (real == NULL)
        return early_alloc(size);
    return fails() ? NULL : real(size);
}

void *calloc(size_t n, size_t size)
{
    REAL(calloc);
    if (real == NULL)
        return early_alloc(n * size);
    return fails() ? NULL : real(n, size);
}

void *realloc(void *p, size_t size)
{
    REAL(realloc);
    if (real == NULL || is_early(p))
        return NULL;
    return fails() ? NULL : real(p, size);
}

void free(void *p)
{
    static void (*real)(void *);
    if (is_early(p))
        return;
    if (real == NULL)
        *(void **)&real = next("free");
    if (real != NULL)
        real(p);
}

static void tell(const char *what, const char *name)
{
    char line[300];
    int length = snprintf(line, sizeof line, "%s %.200s\n", what, name);
    if (report >= 0 && write(report, line, (size_t)length) < 0)
        _exit(97);
}

char *getenv(const char *name)
{
    REAL(getenv);
    if (is_on)
        tell("getenv", name);
    return real(name);
}

static void count_change(void)
{
    if (++changes == signalled)
        raise(number);
}

int mkostemp(char *template, int flags)
{
    REAL(mkostemp);
    count_change();
    return real(template, flags);
}

size_t fwrite(const void *restrict p, size_t size, size_t n, FILE *restrict file)
{
    REAL(fwrite);
    count_change();
    return real(p, size, n, file);
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    count_change();
    return real(from, to);
}

int fsync(int fd)
{
    REAL(fsync);
    struct stat status;
    count_change();
    if (fstat(fd, &status) == 0)
        tell("fsync", S_ISDIR(status.st_mode) ? "directory" : "file");
    return real(fd);
}

/* Counts a read.  One that is to fail gets the program's memory in place of the file, where nothing
   is mapped at low addresses.  */
static void count_read(int fd)
{
    char link[64], path[sizeof unreadable_path];
    int saved_errno = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = unreadable_path[0] != '\0' ? readlink(link, path, sizeof path - 1) : -1;
    path[length > 0 ? length : 0] = '\0';
    if (length > 0 && strcmp(path, unreadable_path) == 0 && ++reads == unreadable) {
        int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
        if (memory < 0 || dup2(memory, fd) < 0)
            _exit(97);
        close(memory);
        lseek(fd, 0, SEEK_SET);
    }
    errno = saved_errno;
}

size_t fread(void *restrict p, size_t size, size_t n, FILE *restrict file)
{
    REAL(fread);
    count_read(fileno(file));
    return real(p, size, n, file);
}

ssize_t read(int fd, void *p, size_t size)
{
    REAL(read);
    count_read(fd);
    return real(fd, p, size);
}

ssize_t pread64(int fd, void *p, size_t size, off64_t offset)
{
    REAL(pread64);
    count_read(fd);
    return real(fd, p, size, offset);
}

__attribute__((constructor)) static void begin(void)
{
    const char *read_request = getenv("SHIM_EIO");
    const char *request = getenv("SHIM_FAIL"), *path = getenv("SHIM_REPORT");
    const char *change = getenv("SHIM_SIGNAL");
    if (path != NULL)
        report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (request != NULL) {
        failing = strtoul(request, NULL, 10);
        fails_on = strchr(request, '-') != NULL;
    }
    if (change != NULL && sscanf(change, "%d:%lu", &number, &signalled) != 2)
        _exit(97);
    if (read_request != NULL &&
        sscanf(read_request, "%lu:%4095s", &unreadable, unreadable_path) != 2)
        _exit(97);
    is_on = true;
}

__attribute__((destructor)) static void end(void)
{
    char count[32];
    is_on = false;
    snprintf(count, sizeof count, "%lu", requests);
    tell("requests", count);
    snprintf(count, sizeof count, "%lu", changes);
    tell("changes", count);
    snprintf(count, sizeof count, "%lu", reads);
    tell("reads", count);
}
