/* atomic_file.c - writes a temporary file and renames it when it is complete.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

/* Signals that would end this program and are not caused by it.  Ignored signals (nohup) are left
   out: if they were blocked, they would become pending and look like the others.  */
static void list_signals(sigset_t *set)
{
    static const int ending[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,
                                 SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPIPE};
    struct sigaction action;
    sigemptyset(set);
    for (size_t i = 0; i < ARRAY_LENGTH(ending); i++)
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, ending[i]);
}

/* Whether one of the blocked signals is pending.  */
static bool has_pending_signal(void)
{
    sigset_t ending, pending;
    list_signals(&ending);
    sigpending(&pending);
    for (int s = 1; s < NSIG; s++)
        if (sigismember(&ending, s) == 1 && sigismember(&pending, s) == 1)
            return true;
    return false;
}

static void block_signals(struct atomic_file *atomic)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t ending;
    list_signals(&ending);
    sigprocmask(SIG_BLOCK, &ending, &atomic->signals);
    sigaction(SIGXFSZ, &ignore, &atomic->file_size_action); /* writes then fail with EFBIG */
}

static void restore_signals(const struct atomic_file *atomic)
{
    sigaction(SIGXFSZ, &atomic->file_size_action, NULL);
    sigprocmask(SIG_SETMASK, &atomic->signals, NULL);
}

static void free_names(struct atomic_file *atomic)
{
    free(atomic->target);
    free(atomic->temporary);
}

/* The attributes of the new file: those of the old one, or the defaults for new files.  */
struct attributes {
    mode_t mode;
    uid_t owner;
    gid_t group;
};

/* Sets the attributes of a file at PATH.  False after a message if the file at PATH must not be
   replaced.  */
static bool check_replaceable(const char *path, struct attributes *attributes)
{
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    *attributes = (struct attributes){0666 & ~mask, geteuid(), getegid()};
    if (stat(path, &status) != 0)
        return true;
    if (!S_ISREG(status.st_mode))
        return problem(MSG_NOT_REPLACED, path);
    if (access(path, W_OK) != 0)
        return problem(MSG_CANNOT_WRITE, path, strerror(errno));
    *attributes = (struct attributes){status.st_mode & 0777, status.st_uid, status.st_gid};
    return true;
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static FILE *open_temporary(char *temporary, const struct attributes *attributes)
{
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if ((attributes->owner != geteuid() || attributes->group != getegid()) &&
        fchown(fd, attributes->owner, attributes->group) != 0)
        (void)0; /* only root can do that; otherwise this user owns the file */
    FILE *file = fchmod(fd, attributes->mode) == 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL) {
        int reason = errno;
        close(fd);
        unlink(temporary);
        errno = reason;
    }
    return file;
}

/* A template for a temporary name in the directory of PATH, on the heap.  The name is hidden, so
   that a file left by a killed run is not read as a profile of its directory.  */
static char *name_temporary(const char *path)
{
    static const char name[] = ".gprof-XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t size = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *temporary = mem_array(size + sizeof name, 1);
    memcpy(temporary, path, size);
    memcpy(temporary + size, name, sizeof name);
    return temporary;
}

/* The directory of the file at PATH, with links followed, on the heap; NULL with errno set.  */
static char *find_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash == NULL ? mem_copy(".", 1) : mem_copy(path, (size_t)(slash - path) + 1);
    char *found = realpath(directory, NULL);
    free(directory);
    return found;
}

/* The path of the file to replace.  If PATH is a link, this is the file that it refers to, so that
   the link is kept; both must be in the same directory.  On the heap; NULL after a message.  */
static char *find_target(const char *path)
{
    char *target = realpath(path, NULL);
    if (target == NULL && errno == ENOENT && !is_link(path))
        return mem_copy(path, strlen(path)); /* a new file */
    char *from = target != NULL ? find_directory(path) : NULL;
    char *to = from != NULL ? find_directory(target) : NULL;
    if (to == NULL)
        problem(MSG_CANNOT_WRITE, path, strerror(errno));
    else if (strcmp(from, to) != 0)
        problem(MSG_LINK_ELSEWHERE, path, target);
    bool is_same = to != NULL && strcmp(from, to) == 0;
    free(from);
    free(to);
    if (is_same)
        return target;
    free(target);
    return NULL;
}

/* What is written to the null device is lost, so it need not be replaced.  */
static bool is_null_device(const char *path)
{
    struct stat status, null;
    return stat(path, &status) == 0 && S_ISCHR(status.st_mode) && stat("/dev/null", &null) == 0 &&
           S_ISCHR(null.st_mode) && status.st_rdev == null.st_rdev;
}

static bool open_null_device(struct atomic_file *atomic)
{
    atomic->file = fopen(atomic->path, "wbe");
    return atomic->file != NULL || problem(MSG_CANNOT_WRITE, atomic->path, strerror(errno));
}

bool atomic_file_begin(struct atomic_file *atomic, const char *path)
{
    struct attributes attributes;
    *atomic = (struct atomic_file){.path = path};
    if (is_null_device(path))
        return open_null_device(atomic);
    if (!check_replaceable(path, &attributes))
        return false;
    atomic->target = find_target(path);
    if (atomic->target == NULL)
        return false;
    atomic->temporary = name_temporary(atomic->target);
    block_signals(atomic);
    atomic->file = open_temporary(atomic->temporary, &attributes);
    if (atomic->file != NULL)
        return true;
    problem(MSG_CANNOT_WRITE, path, strerror(errno));
    restore_signals(atomic);
    free_names(atomic);
    return false;
}

/* Syncs the directory of PATH, so that the new name survives a crash.  Failure is ignored.  Changes
   PATH.  */
static void sync_directory(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        slash[slash == path] = '\0';
    int fd = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

/* Flushes, syncs and closes FILE; false with errno set if that, or an earlier write, failed.  */
static bool close_synced(FILE *file)
{
    bool ok = !ferror(file); /* if not, errno still has the reason */
    ok = ok && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int reason = errno;
    if (fclose(file) != 0 && ok)
        return false;
    errno = reason;
    return ok;
}

bool atomic_file_end(struct atomic_file *atomic)
{
    if (atomic->target == NULL)
        return fclose(atomic->file) == 0 ||
               problem(MSG_CANNOT_WRITE, atomic->path, strerror(errno));
    bool ok = close_synced(atomic->file);
    if (!ok)
        problem(MSG_CANNOT_WRITE, atomic->path, strerror(errno));
    else if (has_pending_signal())
        ok = problem(MSG_INTERRUPTED, atomic->path);
    else if (rename(atomic->temporary, atomic->target) != 0)
        ok = problem(MSG_CANNOT_WRITE, atomic->path, strerror(errno));
    if (ok)
        sync_directory(atomic->target);
    else
        unlink(atomic->temporary);
    free_names(atomic);
    restore_signals(atomic);
    return ok;
}
