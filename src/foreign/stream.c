/* stream.c - the bytes of a profile, from a file, a pipe or a program.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compress.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"

extern char **environ;

/* Bytes that are read at once; of a file that is only looked at, which most are: executables.  */
enum { BLOCK = 1 << 18, START = STREAM_START };

/* ---- Reading ---- */

static bool fail(struct stream *stream, const char *reason)
{
    stream->has_failed = true;
    return problem(MSG_FILE_REASON, stream->path, reason);
}

/* Reads at most SIZE bytes behind those that are there.  False at the end, or after a message.  */
static bool read_bytes(struct stream *stream, size_t size)
{
    ssize_t got;
    if (stream->fd < 0 || stream->has_ended)
        return false;
    if (stream->start > 0 && stream->start >= stream->end / 2) {
        memmove(stream->bytes, stream->bytes + stream->start, stream->end - stream->start);
        stream->end -= stream->start;
        stream->start = 0;
    }
    stream->bytes = mem_grow(stream->bytes, &stream->capacity, stream->end + size + 1, 1);
    do
        got = read(stream->fd, stream->bytes + stream->end, size);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail(stream, strerror(errno));
    stream->end += (size_t)got;
    stream->size += (uint64_t)got;
    if (got > 0)
        return true;
    stream->has_ended = true;
    return false;
}

static bool read_more(struct stream *stream)
{
    return read_bytes(stream, BLOCK);
}

bool stream_read_all(struct stream *stream)
{
    while (read_more(stream))
        continue;
    return !stream->has_failed;
}

/* ---- UTF-16 ---- */

/* Whether the SIZE bytes at BYTES begin with the mark of UTF-16, as text that PowerShell saves.  */
static bool is_utf16(const char *bytes, size_t size)
{
    return size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
}

/* Writes the SIZE bytes of UTF-16 at BYTES behind their mark to TO as UTF-8, at most CAPACITY
   bytes; returns how many.  */
static size_t from_utf16(char *to, size_t capacity, const char *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    unsigned high = *at == 0xFE ? 0 : 1;
    size_t written = 0;
    for (size_t i = 2; i + 1 < size && written + 4 <= capacity; i += 2) {
        uint32_t code = (uint32_t)at[i + high] << 8 | at[i + 1 - high];
        if (code >> 10 == 0xD800 >> 10 && i + 3 < size) {
            uint32_t low = (uint32_t)at[i + 2 + high] << 8 | at[i + 3 - high];
            code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF));
            i += 2;
        }
        written += utf8_put(to + written, code);
    }
    return written;
}

/* Reads all and turns it into UTF-8.  */
static bool recode(struct stream *stream)
{
    if (!stream_read_all(stream))
        return false;
    size_t size = stream->end - stream->start, capacity = 0;
    char *text = mem_grow(NULL, &capacity, 2 * size + 5, 1);
    stream->end = from_utf16(text, 2 * size + 4, stream->bytes + stream->start, size);
    free(stream->bytes);
    stream->bytes = text;
    stream->start = 0;
    stream->capacity = capacity;
    return true;
}

char *stream_start(const struct stream *stream, size_t capacity, size_t *size)
{
    char *start = mem_array(capacity + 1, 1);
    const unsigned char *bytes = (const unsigned char *)stream->bytes + stream->start;
    enum compression compression = compression_of(bytes, stream->end - stream->start);
    *size = stream->end - stream->start < capacity ? stream->end - stream->start : capacity;
    if (compression != COMPRESSION_NONE)
        *size = decompress_start(compression, bytes, stream->end - stream->start,
                                 (unsigned char *)start, capacity);
    else if (is_utf16((const char *)bytes, *size))
        *size = from_utf16(start, capacity, (const char *)bytes, stream->end - stream->start);
    else if (*size > 0)
        memcpy(start, bytes, *size);
    start[*size] = '\0';
    return start;
}

bool stream_unpack(struct stream *stream)
{
    struct decompressed output = {0};
    const unsigned char *bytes = (const unsigned char *)stream->bytes + stream->start;
    enum compression compression = compression_of(bytes, stream->end - stream->start);
    if (compression == COMPRESSION_NONE)
        return !is_utf16((const char *)bytes, stream->end - stream->start) || recode(stream);
    if (!stream_read_all(stream))
        return false;
    bytes = (const unsigned char *)stream->bytes + stream->start;
    stream->has_failed =
        !decompress(&output, compression, bytes, stream->end - stream->start, stream->path);
    free(stream->bytes);
    stream->start = 0;
    stream->end = stream->has_failed ? 0 : output.size;
    stream->bytes = mem_grow(output.memory, &output.capacity, stream->end + 1, 1);
    stream->capacity = output.capacity;
    return !stream->has_failed;
}

/* Opens the file at PATH or, if that is a directory, the file `data' in it.  */
static int open_data(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC), data;
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode))
        return fd;
    data = openat(fd, "data", O_RDONLY | O_CLOEXEC);
    close(fd);
    if (data < 0 && errno == ENOENT)
        errno = EISDIR;
    return data;
}

/* Whether all bytes so far are of lines that begin with `#', also in UTF-16.  *SEEN is the start of
   the line that was looked at last.  */
static bool is_comment(const struct stream *stream, size_t *seen)
{
    const char *bytes = stream->bytes, *end = bytes + stream->end;
    bool is_wide = is_utf16(bytes, stream->end);
    const char *at = bytes + (*seen > 0 ? *seen : is_wide ? 2 : stream->start);
    while (at < end && (*at == '#' || (is_wide && end - at > 1 && *at == '\0' && at[1] == '#'))) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        *seen = (size_t)(at - bytes);
        if (newline == NULL)
            return true;
        at = newline + 1;
        at += is_wide && at < end && *at == '\0' && (unsigned char)*bytes == 0xFF;
    }
    return stream->end > 0 && (at == end || (is_wide && end - at == 1));
}

bool stream_open(struct stream *stream, const char *path)
{
    bool is_input = strcmp(path, "-") == 0;
    size_t seen = 0;
    *stream = (struct stream){.path = path};
    stream->fd = is_input ? dup(STDIN_FILENO) : open_data(path);
    if (stream->fd < 0)
        return fail(stream, strerror(errno));
    while (stream->end < START && read_bytes(stream, START))
        continue;
    if (stream->end >= 3 && memcmp(stream->bytes, "\xef\xbb\xbf", 3) == 0)
        stream->start = 3; /* the mark of UTF-8, as PowerShell writes it */
    while (is_comment(stream, &seen) && stream->end < STREAM_LONGEST_START && read_more(stream))
        continue;
    if (compression_of((const unsigned char *)stream->bytes, stream->end) != COMPRESSION_NONE)
        while (stream->end < BLOCK && read_more(stream)) /* its first block, to be unpacked */
            continue;
    return !stream->has_failed;
}

bool stream_open_program(struct stream *stream, const char *path, char *const *arguments,
                         FILE *errors)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    *stream = (struct stream){.path = path, .fd = -1, .errors = errors};
    if (pipe(ends) != 0)
        return fail(stream, strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (errors != NULL)
        posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    int error = posix_spawnp(&stream->child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    stream->fd = ends[0];
    if (error == 0)
        return true;
    stream->child = 0;
    stream->has_failed = true;
    return problem(MSG_NO_PROGRAM, path, arguments[0], strerror(error));
}

/* Prints what a program that failed wrote to standard error.  */
static void print_errors(FILE *errors)
{
    rewind(errors);
    for (int c = getc(errors); c != EOF; c = getc(errors))
        putc(c, stderr);
}

bool stream_close(struct stream *stream)
{
    int status = 0;
    if (stream->fd >= 0)
        close(stream->fd);
    if (stream->child != 0)
        while (waitpid(stream->child, &status, 0) < 0 && errno == EINTR)
            continue;
    free(stream->bytes);
    if (stream->errors != NULL && status != 0)
        print_errors(stream->errors);
    if (stream->errors != NULL)
        fclose(stream->errors);
    bool ok = !stream->has_failed;
    if (ok && status != 0 && stream->has_ended) /* else it wrote more than was read */
        ok = problem(MSG_PROGRAM_FAILED, stream->path);
    *stream = (struct stream){.fd = -1};
    return ok;
}

/* ---- Lines ---- */

char *stream_line(struct stream *stream, size_t *length)
{
    size_t searched = 0;
    char *newline = NULL;
    while (newline == NULL) {
        size_t size = stream->end - stream->start;
        if (size > searched)
            newline = memchr(stream->bytes + stream->start + searched, '\n', size - searched);
        searched = size;
        if (newline == NULL && !read_more(stream))
            break;
    }
    if (stream->has_failed || stream->start == stream->end)
        return NULL;
    char *line = stream->bytes + stream->start;
    char *end = newline != NULL ? newline : stream->bytes + stream->end;
    stream->start = (size_t)(end - stream->bytes) + (newline != NULL);
    if (end > line && end[-1] == '\r')
        end--;
    *end = '\0';
    *length = (size_t)(end - line);
    stream->line++;
    return line;
}
