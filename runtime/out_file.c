/* out_file.c - writes a file that is complete or does not exist.
   SPDX-License-Identifier: MIT */
#include "out_file.h"

#include <errno.h>

#include "sys.h"
#include "text.h"

#define MOST_TRIES 100
#define KEEP_OLD 1 /* RENAME_NOREPLACE */

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
        out->fd = sys_open(out->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
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
    if (out->used + count > sizeof out->buffer)
        flush(out);
    copy_bytes(out->buffer + out->used, bytes, count);
    out->used += count;
}

static long rename_to(const struct out_file *out, unsigned flags)
{
    return SYS5(__NR_renameat2, AT_FDCWD, out->temporary, AT_FDCWD, out->path, flags);
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
        (void)SYS3(__NR_unlinkat, AT_FDCWD, out->temporary, 0);
    return out->error;
}
