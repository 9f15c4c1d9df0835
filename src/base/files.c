/* files.c - reads files, and replaces them as a whole or not at all.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/common.h"
#include "base/compress.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"

/* ---- Reading ---- */

/* Whether PATH, without links, is below DIRECTORY.  */
static bool is_below(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && path[length] == '/';
}

static bool is_of_system(const char *path)
{
    char *real = realpath(path, NULL);
    bool is_of_system = real != NULL && (is_below(real, "/proc") || is_below(real, "/sys") ||
                                         (is_below(real, "/dev") && !is_below(real, "/dev/shm")));
    free(real);
    return is_of_system;
}

bool is_plain_file(const char *path)
{
    const uint64_t large = 1 << 30, block = 512, most_compressed = 16;
    int saved_errno = errno;
    struct stat status;
    bool is_plain = stat(path, &status) == 0 && S_ISREG(status.st_mode) && !is_of_system(path);
    uint64_t size = is_plain ? (uint64_t)status.st_size : 0;
    if (size > large && size / most_compressed > block * (uint64_t)status.st_blocks)
        is_plain = false;
    errno = saved_errno;
    return is_plain;
}

unsigned elf_type_of(const unsigned char *bytes, size_t size)
{
    enum { ORDER = 5, TYPE = 16, BIG_ENDIAN_ORDER = 2 };
    if (size < TYPE + 2 || memcmp(bytes, "\177ELF", 4) != 0)
        return 0;
    return bytes[TYPE + (bytes[ORDER] == BIG_ENDIAN_ORDER)];
}

size_t file_start(const char *path, unsigned char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd >= 0 ? read(fd, bytes, size) : -1;
    if (fd >= 0)
        close(fd);
    return got > 0 ? (size_t)got : 0;
}

bool file_is_elf(const char *path)
{
    unsigned char start[4];
    return is_plain_file(path) && file_start(path, start, sizeof start) == sizeof start &&
           memcmp(start, "\177ELF", sizeof start) == 0;
}

static int open_file(const char *path)
{
    return strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
}

static bool check_kind(int fd, const char *path, struct stat *status)
{
    if (fstat(fd, status) != 0)
        return problem(MSG_FILE_REASON, path, strerror(errno));
    if (S_ISDIR(status->st_mode))
        return problem(MSG_IS_DIRECTORY, path);
    if (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode))
        return problem(MSG_IS_DEVICE, path);
    return true;
}

enum { READ_SIZE = 256 * 1024, LARGE = 16 * 1024 * 1024 }; /* bytes */

/* Extends BUFFER's memory to a capacity of SIZE bytes, and sets `bytes' to it.  */
static void reserve(struct file_buffer *buffer, size_t size)
{
    buffer->bytes = buffer->memory = mem_grow(buffer->memory, &buffer->capacity, size, 1);
}

/* Reads the rest of FD into BUFFER's memory.  EXPECTED is the size of the file; 0 if it is unknown.
   False after a message.  */
static bool read_all(struct file_buffer *buffer, int fd, const char *path, size_t expected)
{
    size_t need = expected > 0 && expected < LARGE ? expected + 1 : READ_SIZE; /* 1: for the end */
    buffer->size = 0;
    for (;;) {
        reserve(buffer, buffer->size + need);
        ssize_t got = read(fd, buffer->bytes + buffer->size, buffer->capacity - buffer->size);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return problem(MSG_FILE_REASON, path, strerror(errno));
        if (got > 0)
            buffer->size += (size_t)got;
        need = READ_SIZE;
    }
}

static void unmap(struct file_buffer *buffer)
{
    if (buffer->mapping != NULL)
        munmap(buffer->mapping, buffer->size);
    buffer->mapping = NULL;
}

/* Maps the file, of SIZE bytes.  False, without a message, if that fails.  */
static bool map(struct file_buffer *buffer, int fd, size_t size)
{
    void *mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapping == MAP_FAILED)
        return false;
    buffer->bytes = buffer->mapping = mapping;
    buffer->size = size;
    return true;
}

/* ---- Decompression ---- */

/* Replaces the bytes of BUFFER by the decompressed ones.  False after a message.  */
static bool replace_by_decompressed(struct file_buffer *buffer, enum compression compression,
                                    const char *path)
{
    if (buffer->packed == NULL)
        buffer->packed = mem_array(1, sizeof *buffer->packed);
    struct file_buffer packed = *buffer, *spare = buffer->packed;
    struct decompressed output = {.memory = spare->memory, .capacity = spare->capacity};
    *spare = packed;
    spare->packed = NULL;
    bool ok = decompress(&output, compression, spare->bytes, spare->size, path);
    *buffer = (struct file_buffer){.bytes = output.memory,
                                   .size = output.size,
                                   .memory = output.memory,
                                   .capacity = output.capacity,
                                   .packed = spare};
    unmap(spare);
    return ok;
}

/* ---- Files ---- */

static bool map_or_read(struct file_buffer *buffer, int fd, const char *path)
{
    struct stat status;
    if (!check_kind(fd, path, &status))
        return false;
    size_t size = S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size : 0;
    bool is_at_start = fd != STDIN_FILENO; /* standard input may have been read in part */
    return (size >= LARGE && is_at_start && map(buffer, fd, size)) ||
           read_all(buffer, fd, path, size);
}

bool read_file(struct file_buffer *buffer, const char *path)
{
    int fd = open_file(path);
    return fd >= 0 ? read_open_file(buffer, fd, path)
                   : problem(MSG_FILE_REASON, path, strerror(errno));
}

bool read_open_file(struct file_buffer *buffer, int fd, const char *path)
{
    unmap(buffer);
    bool ok = map_or_read(buffer, fd, path);
    if (fd != STDIN_FILENO)
        close(fd);
    if (!ok)
        return false;
    enum compression compression = compression_of(buffer->bytes, buffer->size);
    return compression == COMPRESSION_NONE || replace_by_decompressed(buffer, compression, path);
}

void open_files_keep(struct open_files *files, const char *path, int fd)
{
    int kept = files->count < ARRAY_LENGTH(files->files) ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (kept < 0)
        return;
    files->files[files->count].path = path;
    files->files[files->count++].fd = kept;
}

int open_files_take(struct open_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (files->files[i].path == NULL || strcmp(files->files[i].path, path) != 0)
            continue;
        files->files[i].path = NULL;
        if (lseek(files->files[i].fd, 0, SEEK_SET) == 0)
            return files->files[i].fd;
        close(files->files[i].fd);
    }
    return -1;
}

void open_files_close(struct open_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->files[i].path != NULL)
            close(files->files[i].fd);
    files->count = 0;
}

void file_buffer_give_back(struct file_buffer *buffer)
{
    if (buffer->mapping != NULL)
        madvise(buffer->mapping, buffer->size, MADV_DONTNEED);
}

void file_buffer_free(struct file_buffer *buffer)
{
    unmap(buffer);
    if (buffer->packed != NULL)
        free(buffer->packed->memory);
    free(buffer->packed);
    free(buffer->memory);
    *buffer = (struct file_buffer){0};
}

/* ---- Similar names ---- */

/* Whether PATH is a regular file that can be run, or cannot be.  */
static bool is_of_kind(const char *path, bool is_program)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           (access(path, X_OK) == 0) == is_program;
}

char *similar_file(const char *path, bool is_program)
{
    const char *name = path_base(path);
    size_t size = strlen(name), start = (size_t)(name - path), least = size < 7 ? 1 : 2;
    char *place = mem_copy(path, start), *found = NULL;
    DIR *directory = opendir(start > 0 ? place : ".");
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name);
        size_t distance = text_distance(name, size, entry->d_name, length, least);
        if (distance > least || (found != NULL && distance == least))
            continue;
        char *other = mem_array(start + length + 1, 1);
        memcpy(other, path, start);
        memcpy(other + start, entry->d_name, length);
        if (!is_of_kind(other, is_program)) {
            free(other);
            continue;
        }
        free(found);
        found = other;
        least = distance;
    }
    if (directory != NULL)
        closedir(directory);
    free(place);
    return found;
}

/* ---- Atomic replacement ---- */

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

/* The temporary file that is being written, for `die' and for signals that end the program.  */
static char *temporary_in_use;

void atomic_file_abandon(void)
{
    if (temporary_in_use != NULL)
        unlink(temporary_in_use);
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

bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

bool is_file(const struct stat *status, const char *path)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == status->st_dev &&
           other.st_ino == status->st_ino;
}

/* Gives the file its owner and group.  Only root can change the owner; otherwise this user owns the
   file.  A group that it cannot have either is another one, which gets no rights.  Returns the
   mode.  */
static mode_t give_away(int fd, const struct attributes *attributes)
{
    bool has_group = (attributes->owner == geteuid() && attributes->group == getegid()) ||
                     fchown(fd, attributes->owner, attributes->group) == 0 ||
                     fchown(fd, (uid_t)-1, attributes->group) == 0;
    return has_group ? attributes->mode : attributes->mode & (mode_t)~S_IRWXG;
}

static FILE *open_temporary(char *temporary, const struct attributes *attributes)
{
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    (void)flock(fd, LOCK_EX | LOCK_NB); /* tells other runs that it is in use */
    FILE *file = fchmod(fd, give_away(fd, attributes)) == 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL) {
        int reason = errno;
        close(fd);
        unlink(temporary);
        errno = reason;
    }
    return file;
}

/* Six more characters follow.  It is so long that no user has files of such a name: those that are
   left are removed.  */
#define TEMPORARY ".gprof-unfinished-output-"

/* A template for a temporary name in the directory of PATH, on the heap.  The name is hidden, so
   that a file left by a killed run is not read as a profile of its directory.  */
static char *name_temporary(const char *path)
{
    static const char name[] = TEMPORARY "XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t size = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *temporary = mem_array(size + sizeof name, 1);
    memcpy(temporary, path, size);
    memcpy(temporary + size, name, sizeof name);
    return temporary;
}

/* Whether no run uses the temporary file NAME: none has locked it, and it has not changed for a
   day. Locks are certain, but for directories that hosts share without sharing their locks.  */
static bool is_abandoned(int directory, const char *name)
{
    enum { DAY = 24 * 60 * 60 };
    struct stat status;
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_abandoned = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                        time(NULL) - status.st_mtime > DAY && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return is_abandoned;
}

/* Removes files that killed runs have left in the directory of TEMPORARY_PATH.  */
static void remove_abandoned(const char *temporary_path)
{
    const size_t start = sizeof TEMPORARY - 1;
    char *place = mem_copy(temporary_path, (size_t)(path_base(temporary_path) - temporary_path));
    DIR *directory = opendir(*place != '\0' ? place : ".");
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        if (strncmp(entry->d_name, TEMPORARY, start) == 0 && strlen(entry->d_name) == start + 6 &&
            is_abandoned(dirfd(directory), entry->d_name))
            unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory != NULL)
        closedir(directory);
    free(place);
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
    remove_abandoned(atomic->temporary);
    block_signals(atomic);
    atomic->file = open_temporary(atomic->temporary, &attributes);
    if (atomic->file != NULL) {
        temporary_in_use = atomic->temporary;
        atexit(atomic_file_abandon);
        return true;
    }
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

/* Whether what was printed on standard output is where it should be.  Some file systems say only at
   a close that they are full.  If not, the program's end prints why.  */
static bool output_is_written(void)
{
    int copy = fflush(stdout) == 0 && !ferror(stdout) ? dup(STDOUT_FILENO) : -1;
    return copy >= 0 && close(copy) == 0;
}

bool atomic_file_end(struct atomic_file *atomic)
{
    if (atomic->target == NULL)
        return fclose(atomic->file) == 0 ||
               problem(MSG_CANNOT_WRITE, atomic->path, strerror(errno));
    bool ok = close_synced(atomic->file);
    if (!ok)
        problem(MSG_CANNOT_WRITE, atomic->path, strerror(errno));
    else if (!output_is_written())
        ok = false;
    else if (has_pending_signal())
        ok = problem(MSG_INTERRUPTED, atomic->path);
    else if (rename(atomic->temporary, atomic->target) != 0)
        ok = problem(MSG_CANNOT_WRITE, atomic->path, strerror(errno));
    if (ok)
        sync_directory(atomic->target);
    else
        unlink(atomic->temporary);
    temporary_in_use = NULL;
    free_names(atomic);
    restore_signals(atomic);
    return ok;
}
