/* bfd_file.c - opens files for libbfd.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/bfd_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* Processes that read profiles in parallel share an open file and with it the offset that libbfd's
   own streams read at: one would get what another is looking for.  This reads at offsets of its
   own.  */
struct stream {
    int fd;
    off_t start; /* of `bytes' in the file */
    size_t size;
    char bytes[4096]; /* read last: libbfd reads headers in small pieces */
};

static void *open_stream(bfd *file, void *context)
{
    (void)context;
    int fd = open(bfd_get_filename(file), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        bfd_set_error(bfd_error_system_call);
        return NULL;
    }
    struct stream *stream = mem_array(1, sizeof *stream);
    stream->fd = fd;
    return stream;
}

/* Reads until the end of the file or of BUFFER; returns how many bytes, or -1.  */
static ssize_t read_at(int fd, char *buffer, size_t size, off_t offset)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(fd, buffer + done, size - done, offset + (off_t)done);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR) {
            bfd_set_error(bfd_error_system_call);
            return -1;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

static bool has_bytes(const struct stream *stream, off_t offset, size_t size)
{
    return offset >= stream->start && offset - stream->start <= (off_t)stream->size &&
           size <= stream->size - (size_t)(offset - stream->start);
}

/* As read_at, for a SIZE below that of the stream's bytes.  */
static ssize_t read_piece(struct stream *stream, char *buffer, size_t size, off_t offset)
{
    if (!has_bytes(stream, offset, size)) {
        stream->size = 0;
        ssize_t got = read_at(stream->fd, stream->bytes, sizeof stream->bytes, offset);
        if (got < 0)
            return got;
        stream->start = offset;
        stream->size = (size_t)got;
        if (size > stream->size)
            size = stream->size;
    }
    memcpy(buffer, stream->bytes + (offset - stream->start), size);
    return (ssize_t)size;
}

static file_ptr read_stream(bfd *file, void *context, void *buffer, file_ptr size, file_ptr offset)
{
    struct stream *stream = context;
    (void)file;
    ssize_t got = (size_t)size < sizeof stream->bytes
                      ? read_piece(stream, buffer, (size_t)size, offset)
                      : read_at(stream->fd, buffer, (size_t)size, offset);
    if (got >= 0 && got < size)
        bfd_set_error(bfd_error_file_truncated);
    return got;
}

static int close_stream(bfd *file, void *context)
{
    struct stream *stream = context;
    (void)file;
    int status = close(stream->fd);
    free(stream);
    return status;
}

static int stat_stream(bfd *file, void *context, struct stat *status)
{
    const struct stream *stream = context;
    (void)file;
    return fstat(stream->fd, status);
}

bfd *bfd_file_open(const char *path, const char *target)
{
    return bfd_openr_iovec(path, target, open_stream, NULL, read_stream, close_stream, stat_stream);
}
