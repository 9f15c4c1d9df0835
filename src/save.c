#include "config.h"

#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"

/* Signals that end a program when it does not handle them, and that are not its own fault.  */
static void list_signals(sigset_t *set)
{
    static const int ending[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,
                                 SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPIPE};
    sigemptyset(set);
    for (size_t i = 0; i < ARRAY_LENGTH(ending); i++)
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

static void hold_signals(struct save *save)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t ending;
    list_signals(&ending);
    sigprocmask(SIG_BLOCK, &ending, &save->signals);
    sigaction(SIGXFSZ, &ignore, &save->file_size_action); /* writing then fails and says so */
}

static void release_signals(const struct save *save)
{
    sigaction(SIGXFSZ, &save->file_size_action, NULL);
    sigprocmask(SIG_SETMASK, &save->signals, NULL);
}

/* The permissions the file gets: its own if it is there, else what the user's mask leaves.  False
   after a message if the place is taken by something that is not to be replaced.  */
static bool check_place(const char *path, mode_t *mode)
{
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    *mode = 0666 & ~mask;
    if (stat(path, &status) != 0)
        return true;
    if (!S_ISREG(status.st_mode))
        return problem(MSG_NOT_REPLACED, path);
    if (access(path, W_OK) != 0)
        return problem(MSG_CANNOT_WRITE, path, strerror(errno));
    *mode = status.st_mode & 07777;
    return true;
}

static FILE *open_temporary(char *temporary, mode_t mode)
{
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    FILE *file = fchmod(fd, mode) == 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL) {
        int reason = errno;
        close(fd);
        unlink(temporary);
        errno = reason;
    }
    return file;
}

bool save_begin(struct save *save, const char *path)
{
    static const char suffix[] = ".XXXXXX";
    mode_t mode;
    *save = (struct save){.path = path};
    if (!check_place(path, &mode))
        return false;
    size_t size = strlen(path);
    save->temporary = mem_array(size + sizeof suffix, 1);
    memcpy(save->temporary, path, size);
    memcpy(save->temporary + size, suffix, sizeof suffix);
    hold_signals(save);
    save->file = open_temporary(save->temporary, mode);
    if (save->file == NULL) {
        problem(MSG_CANNOT_WRITE, path, strerror(errno));
        release_signals(save);
        free(save->temporary);
        return false;
    }
    return true;
}

/* Makes sure the directory remembers the new name.  It is no error if it cannot.  */
static void sync_directory(const char *path)
{
    char *directory = mem_copy(path, strlen(path));
    char *slash = strrchr(directory, '/');
    if (slash != NULL)
        slash[slash == directory] = '\0';
    int fd = open(slash != NULL ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(directory);
}

/* Writes what is left, syncs and closes; false with errno.  */
static bool finish(FILE *file)
{
    errno = EIO; /* for an error of an earlier write */
    bool is_fine = !ferror(file) && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int reason = errno;
    if (fclose(file) != 0 && is_fine)
        return false;
    errno = reason;
    return is_fine;
}

bool save_end(struct save *save)
{
    bool is_fine = finish(save->file);
    if (!is_fine)
        problem(MSG_CANNOT_WRITE, save->path, strerror(errno));
    else if (has_signal())
        is_fine = problem(MSG_INTERRUPTED, save->path);
    else if (rename(save->temporary, save->path) != 0)
        is_fine = problem(MSG_CANNOT_WRITE, save->path, strerror(errno));
    if (is_fine)
        sync_directory(save->path);
    else
        unlink(save->temporary);
    free(save->temporary);
    release_signals(save);
    return is_fine;
}
