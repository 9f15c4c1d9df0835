#include "config.h"

#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"

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

enum { PORTION = 256 * 1024 };

static bool read_all(struct byte_buffer *buffer, int fd, const char *path)
{
    struct stat status;
    if (!check_kind(fd, path, &status))
        return false;
    size_t portion = PORTION;
    if (S_ISREG(status.st_mode) && status.st_size > 0 && (size_t)status.st_size < SIZE_MAX / 4)
        portion = (size_t)status.st_size + 1; /* one more, to see the end at once */
    buffer->size = 0;
    for (;;) {
        buffer->bytes = mem_grow(buffer->bytes, &buffer->room, buffer->size + portion, 1);
        ssize_t got = read(fd, buffer->bytes + buffer->size, buffer->room - buffer->size);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return problem(MSG_FILE_REASON, path, strerror(errno));
        if (got > 0)
            buffer->size += (size_t)got;
        portion = PORTION;
    }
}

bool bytes_read(struct byte_buffer *buffer, const char *path)
{
    int fd = open_file(path);
    if (fd < 0)
        return problem(MSG_FILE_REASON, path, strerror(errno));
    bool is_fine = read_all(buffer, fd, path);
    if (fd != STDIN_FILENO)
        close(fd);
    return is_fine;
}

void bytes_free(struct byte_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct byte_buffer){0};
}
