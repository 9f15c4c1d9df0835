/* atomic_file.c - writes a file beside its place and renames it when it is complete.  */
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

/* Signals that would end this program and are not its own fault.  Those that are ignored (nohup)
   would not: but once blocked, they would wait like the others.  */
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

static bool has_signal(void)
{
    sigset_t ending, pending;
    list_signals(&ending);
    sigpending(&pending);
    for (int s = 1; s < NSIG; s++)
        if (sigismember(&ending, s) == 1 && sigismember(&pending, s) == 1)
            return true;
    return false;
}

static void hold_signals(struct atomic_file *save)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t ending;
    list_signals(&ending);
    sigprocmask(SIG_BLOCK, &ending, &save->signals);
    sigaction(SIGXFSZ, &ignore, &save->file_size_action); /* writing then fails and says so */
}

static void release_signals(const struct atomic_file *save)
{
    sigaction(SIGXFSZ, &save->file_size_action, NULL);
    sigprocmask(SIG_SETMASK, &save->signals, NULL);
}

static void free_names(struct atomic_file *save)
{
    free(save->target);
    free(save->temporary);
}

/* What the file will be like: as it is now, or else as the user's mask has new ones.  */
struct looks {
    mode_t mode;
    uid_t owner;
    gid_t group;
};

/* False after a message if the place is taken by something that is not to be replaced.  */
static bool check_place(const char *path, struct looks *looks)
{
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    *looks = (struct looks){0666 & ~mask, geteuid(), getegid()};
    if (stat(path, &status) != 0)
        return true;
    if (!S_ISREG(status.st_mode))
        return problem(MSG_NOT_REPLACED, path);
    if (access(path, W_OK) != 0)
        return problem(MSG_CANNOT_WRITE, path, strerror(errno));
    *looks = (struct looks){status.st_mode & 0777, status.st_uid, status.st_gid};
    return true;
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static FILE *open_temporary(char *temporary, const struct looks *looks)
{
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if ((looks->owner != geteuid() || looks->group != getegid()) &&
        fchown(fd, looks->owner, looks->group) != 0)
        (void)0; /* not ours to give: then it is ours */
    FILE *file = fchmod(fd, looks->mode) == 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL) {
        int reason = errno;
        close(fd);
        unlink(temporary);
        errno = reason;
    }
    return file;
}

/* The name in the directory of PATH that the file has until it is whole.  It is hidden, so that
   nobody takes what a killed run leaves behind for a profile.  */
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

/* The directory that the file at PATH is in, links followed; NULL with errno.  */
static char *find_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash == NULL ? mem_copy(".", 1) : mem_copy(path, (size_t)(slash - path) + 1);
    char *found = realpath(directory, NULL);
    free(directory);
    return found;
}

/* Where the file at PATH is: a link stays one, and what it leads to is the target, if that is in
   the same directory.  On the heap; NULL after a message.  */
static char *find_target(const char *path)
{
    char *target = realpath(path, NULL);
    if (target == NULL && errno == ENOENT && !is_link(path))
        return mem_copy(path, strlen(path)); /* there is nothing yet */
    char *from = target != NULL ? find_directory(path) : NULL;
    char *to = from != NULL ? find_directory(target) : NULL;
    if (to == NULL)
        problem(MSG_CANNOT_WRITE, path, strerror(errno));
    else if (strcmp(from, to) != 0)
        problem(MSG_LINK_ELSEWHERE, path, target);
    bool is_here = to != NULL && strcmp(from, to) == 0;
    free(from);
    free(to);
    if (is_here)
        return target;
    free(target);
    return NULL;
}

bool atomic_file_begin(struct atomic_file *save, const char *path)
{
    struct looks looks;
    *save = (struct atomic_file){.path = path};
    if (!check_place(path, &looks))
        return false;
    save->target = find_target(path);
    if (save->target == NULL)
        return false;
    save->temporary = name_temporary(save->target);
    hold_signals(save);
    save->file = open_temporary(save->temporary, &looks);
    if (save->file != NULL)
        return true;
    problem(MSG_CANNOT_WRITE, path, strerror(errno));
    release_signals(save);
    free_names(save);
    return false;
}

/* Makes sure the directory remembers the new name.  It is no error if it cannot.  */
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

/* Writes what is left, syncs and closes; false with errno.  */
static bool finish(FILE *file)
{
    bool ok = !ferror(file); /* if not, errno still says why */
    ok = ok && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int reason = errno;
    if (fclose(file) != 0 && ok)
        return false;
    errno = reason;
    return ok;
}

bool atomic_file_end(struct atomic_file *save)
{
    bool ok = finish(save->file);
    if (!ok)
        problem(MSG_CANNOT_WRITE, save->path, strerror(errno));
    else if (has_signal())
        ok = problem(MSG_INTERRUPTED, save->path);
    else if (rename(save->temporary, save->target) != 0)
        ok = problem(MSG_CANNOT_WRITE, save->path, strerror(errno));
    if (ok)
        sync_directory(save->target);
    else
        unlink(save->temporary);
    free_names(save);
    release_signals(save);
    return ok;
}
