/* out_file.c - writes a file that is complete or does not exist, and replaces only one of ours.
   SPDX-License-Identifier: MIT */
#include "out_file.h"

#include <errno.h>
#include <sys/stat.h>

#include "sys.h"
#include "text.h"

#define MOST_TRIES 100
#define KEEP_OLD 1 /* RENAME_NOREPLACE */

/* The name of PATH in the directory. */
static const char *name_of(const struct out_file *out, const char *path)
{
    return out->directory == AT_FDCWD ? path : text_last_part(path);
}

static bool begins_as_ours(const struct out_file *out, const char *path)
{
    char start[sizeof STACKS_FORMAT];
    const long fd = SYS4(__NR_openat, out->directory, name_of(out, path),
                         O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    const long used = fd < 0 ? fd : sys_read(fd, start, sizeof start - 1);

    if (fd >= 0)
        sys_close(fd);
    start[used > 0 ? used : 0] = 0;
    return used >= 0 && (!used || text_starts(start, "gmon") || text_is(start, STACKS_FORMAT));
}

struct out_found out_find(const struct out_file *out, const char *path)
{
    struct out_found found = {0};
    struct stat status;

    clear_bytes(&status, sizeof status);
    if (SYS4(__NR_newfstatat, out->directory, name_of(out, path), &status, AT_SYMLINK_NOFOLLOW) !=
        0)
        return found;
    found.is_there = true;
    found.is_directory = S_ISDIR(status.st_mode);
    found.is_ours = S_ISREG(status.st_mode) && begins_as_ours(out, path);
    found.modified = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    return found;
}

static void unlink_in(const struct out_file *out, const char *path)
{
    (void)SYS3(__NR_unlinkat, out->directory, name_of(out, path), 0);
}

void out_remove(const struct out_file *out, const char *path)
{
    if (out_find(out, path).is_ours)
        unlink_in(out, path);
}

static void name_temporary(struct out_file *out, unsigned number)
{
    struct text name = text_in(out->temporary, sizeof out->temporary);

    text_add(&name, out->path);
    text_add(&name, ".tmp-");
    text_add_number(&name, (uint64_t)sys_getpid());
    text_add(&name, "-");
    text_add_number(&name, number);
}

long out_open(struct out_file *out, const char *path)
{
    struct text name = text_in(out->path, sizeof out->path);

    text_add(&name, path);
    out->error = 0;
    out->used = 0;
    if (!text_is_whole(&name))
        return -ENAMETOOLONG;
    for (unsigned i = 0; i < MOST_TRIES; i++) {
        name_temporary(out, i);
        out->fd = SYS4(__NR_openat, out->directory, name_of(out, out->temporary),
                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->fd != -EEXIST)
            break;
    }
    return out->fd < 0 ? out->fd : 0;
}

static void flush(struct out_file *out)
{
    size_t done = 0;

    while (!out->error && done < out->used) {
        const long written = sys_write(out->fd, out->buffer + done, out->used - done);

        if (written > 0)
            done += (size_t)written;
        else if (written != -EINTR)
            out->error = written ? written : -EIO;
    }
    out->used = 0;
}

void out_bytes(struct out_file *out, const void *bytes, size_t count)
{
    if (!out->error && count > out->room)
        out->error = -E2BIG;
    if (out->error)
        return;
    out->room -= count;
    for (size_t done = 0, piece; done < count && !out->error; done += piece) {
        if (out->used + (count - done) > sizeof out->buffer)
            flush(out);
        piece = count - done < sizeof out->buffer ? count - done : sizeof out->buffer;
        copy_bytes(out->buffer + out->used, (const char *)bytes + done, piece);
        out->used += piece;
    }
}

static long rename_to(const struct out_file *out, unsigned flags)
{
    return SYS5(__NR_renameat2, out->directory, name_of(out, out->temporary), out->directory,
                name_of(out, out->path), flags);
}

long out_close(struct out_file *out)
{
    flush(out);
    sys_close(out->fd);
    if (!out->error)
        out->error = rename_to(out, out->keeps ? KEEP_OLD : 0);
    if (out->error == -EINVAL && out->keeps) /* the file system cannot */
        out->error = rename_to(out, 0);
    if (out->error)
        unlink_in(out, out->temporary);
    return out->error;
}
