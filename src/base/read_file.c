/* read_file.c - reads whole files, and decompresses them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/i18n.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

/* ---- Reading ---- */

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

bool is_compressed(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

static unsigned clamp_to_unsigned(size_t size)
{
    return size > UINT_MAX ? UINT_MAX : (unsigned)size;
}

/* Whether decompressed data is so large, in itself and in proportion, that only a crafted file can
   explain it.  (An empty histogram, which is compressed to a thousandth, is not large in
   itself.)  */
static bool is_too_large(size_t size, size_t packed_size)
{
    const size_t harmless = (size_t)256 * 1024 * 1024, max_ratio = 200;
    return size > harmless && size / max_ratio > packed_size;
}

/* Decompresses all members of PACKED into BUFFER.  Returns a status of zlib: Z_STREAM_END for
   success, Z_NEED_DICT if the result is too large.  */
static int inflate_all(struct file_buffer *buffer, const struct file_buffer *packed, z_stream *z)
{
    size_t used = 0;
    int status = Z_OK;
    buffer->size = 0;
    while (status == Z_OK ||
           (status == Z_STREAM_END && is_compressed(packed->bytes + used, packed->size - used))) {
        if (status == Z_STREAM_END && (status = inflateReset(z)) != Z_OK)
            return status;
        reserve(buffer, buffer->size + READ_SIZE);
        z->next_in = packed->bytes + used;
        z->avail_in = clamp_to_unsigned(packed->size - used);
        z->next_out = buffer->bytes + buffer->size;
        z->avail_out = clamp_to_unsigned(buffer->capacity - buffer->size);
        status = inflate(z, Z_NO_FLUSH);
        used = (size_t)(z->next_in - packed->bytes);
        buffer->size = (size_t)(z->next_out - buffer->bytes);
        if (is_too_large(buffer->size, packed->size))
            return Z_NEED_DICT; /* never returned for a gzip file */
    }
    return status;
}

/* Replaces the bytes of BUFFER by the decompressed ones.  False after a message.  */
static bool decompress(struct file_buffer *buffer, const char *path)
{
    enum { GZIP_WINDOW = 15 + 16 }; /* the largest window, in a gzip wrapper */
    z_stream z = {0};
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        die(MSG_NO_MEMORY_IN, path, _(READING_ALL));
    if (buffer->packed == NULL)
        buffer->packed = mem_array(1, sizeof *buffer->packed);
    struct file_buffer packed = *buffer, *spare = buffer->packed;
    *buffer =
        (struct file_buffer){.memory = spare->memory, .capacity = spare->capacity, .packed = spare};
    *spare = packed;
    spare->packed = NULL;
    int status = inflate_all(buffer, spare, &z);
    inflateEnd(&z);
    unmap(spare);
    switch (status) {
    case Z_STREAM_END:
        return true;
    case Z_BUF_ERROR:
        return problem(MSG_GZIP_SHORT, path);
    case Z_NEED_DICT:
        return problem(MSG_GZIP_LARGE, path, buffer->size, spare->size);
    case Z_MEM_ERROR:
        die(MSG_NO_MEMORY_IN, path, _(READING_ALL));
    default:
        return problem(MSG_GZIP_DAMAGED, path);
    }
}

/* ---- The interface ---- */

static bool map_or_read(struct file_buffer *buffer, int fd, const char *path)
{
    struct stat status;
    if (!check_kind(fd, path, &status))
        return false;
    size_t size = S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size : 0;
    bool is_at_start = fd != STDIN_FILENO; /* a part of which may have been read before */
    return (size >= LARGE && is_at_start && map(buffer, fd, size)) ||
           read_all(buffer, fd, path, size);
}

bool read_file(struct file_buffer *buffer, const char *path)
{
    int fd = open_file(path);
    if (fd < 0)
        return problem(MSG_FILE_REASON, path, strerror(errno));
    unmap(buffer);
    bool ok = map_or_read(buffer, fd, path);
    if (fd != STDIN_FILENO)
        close(fd);
    return ok && (!is_compressed(buffer->bytes, buffer->size) || decompress(buffer, path));
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
