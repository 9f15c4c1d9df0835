/* read_file.c - reads whole files, and decompresses them.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compress.h"
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
    if (!ok)
        return false;
    enum compression compression = compression_of(buffer->bytes, buffer->size);
    return compression == COMPRESSION_NONE || replace_by_decompressed(buffer, compression, path);
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
