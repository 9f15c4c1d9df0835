/* source_files.c - finds and reads source files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/source_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

/* ---- The search path ---- */

void search_path_add(struct search_path *path, const char *list)
{
    for (const char *colon = list; colon != NULL; list = colon + 1) {
        colon = strchr(list, ':');
        size_t length = colon != NULL ? (size_t)(colon - list) : strlen(list);
        path->directories = mem_grow(path->directories, &path->capacity, path->count + 1,
                                     sizeof *path->directories);
        path->directories[path->count++] = arena_copy(&path->arena, list, length);
        if (colon == NULL)
            break;
    }
}

void search_path_free(struct search_path *path)
{
    free(path->directories);
    arena_free(&path->arena);
    *path = (struct search_path){0};
}

/* ---- Finding ---- */

/* Opens the regular file at PATH; -1 if there is none that can be read.  */
static int open_regular(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Opens NAME below the first directory of PATH that has it; -1 if none has.  */
static int open_below(const struct search_path *path, const char *name)
{
    for (size_t i = 0; i < path->count; i++) {
        size_t length = strlen(path->directories[i]);
        struct arena scratch = {0};
        char *whole = arena_alloc(&scratch, length + strlen(name) + 2);
        memcpy(whole, path->directories[i], length);
        whole[length] = '/';
        strcpy(whole + length + 1, name);
        int fd = open_regular(whole);
        arena_free(&scratch);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

static int open_source(const struct search_path *path, const char *name)
{
    int fd = open_regular(name);
    if (fd < 0 && name[0] != '/')
        fd = open_below(path, name);
    return fd >= 0 ? fd : open_below(path, path_base(name));
}

/* ---- Reading ---- */

enum { READ_SIZE = 64 * 1024 }; /* bytes */

static uint64_t count_lines(const char *text, size_t size)
{
    uint64_t lines = 0;
    for (const char *end = text + size; text < end; lines++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline != NULL ? newline + 1 : end;
    }
    return lines;
}

static bool read_text(struct source *source, int fd)
{
    size_t capacity = 0;
    ssize_t got;
    do {
        source->text = mem_grow(source->text, &capacity, source->size + READ_SIZE, 1);
        got = read(fd, source->text + source->size, capacity - source->size);
        if (got > 0)
            source->size += (size_t)got;
    } while (got > 0 || (got < 0 && errno == EINTR));
    source->text[source->size] = '\0'; /* READ_SIZE bytes are left */
    return got == 0;
}

static bool read_source(struct source *source, const struct search_path *path, const char *name,
                        struct diagnostics *diagnostics)
{
    int fd = open_source(path, name);
    bool is_read = fd >= 0 && read_text(source, fd);
    if (is_read) {
        source->text_lines = count_lines(source->text, source->size);
    } else if (fd >= 0) {
        warning(diagnostics, MSG_FILE_REASON, name, strerror(errno));
        free(source->text);
    } else {
        warning(diagnostics, MSG_NO_SOURCE, name);
    }
    if (fd >= 0)
        close(fd);
    return is_read;
}

void sources_read(struct annotation *annotation, const struct files *files,
                  const struct search_path *path, struct diagnostics *diagnostics)
{
    size_t found = 0;
    for (size_t i = 0; i < annotation->count; i++) {
        struct source source = annotation->sources[i];
        if (read_source(&source, path, files->paths[source.file], diagnostics))
            annotation->sources[found++] = source;
    }
    annotation->count = found;
}

/* ---- Writing ---- */

/* The name of the annotated file for the source at PATH.  */
static char *annotated_name(struct arena *arena, const char *path)
{
    const char *base = path_base(path);
    char *name = arena_alloc(arena, strlen(base) + sizeof "-ann");
    return strcat(strcpy(name, base), "-ann");
}

/* Creates the file NAME, or empties it.  Leaves symbolic links, files that are not regular, and
   files with several names (which may belong to someone else) unchanged.  NULL after a message.  */
static FILE *create(const char *name)
{
    struct stat status;
    int fd = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    bool is_special = fd < 0 && (errno == ELOOP || errno == ENXIO); /* a link, an idle pipe */
    if (fd >= 0 && fstat(fd, &status) == 0 && (!S_ISREG(status.st_mode) || status.st_nlink > 1))
        is_special = true;
    FILE *file = fd >= 0 && !is_special && ftruncate(fd, 0) == 0 ? fdopen(fd, "w") : NULL;
    if (is_special)
        problem(MSG_NOT_OVERWRITTEN, name);
    else if (file == NULL)
        problem(MSG_CANNOT_WRITE, name, strerror(errno));
    if (file == NULL && fd >= 0)
        close(fd);
    return file;
}

FILE *source_create(const char *path)
{
    struct arena arena = {0};
    FILE *file = create(annotated_name(&arena, path));
    arena_free(&arena);
    return file;
}

bool source_close(FILE *file, const char *path)
{
    struct arena arena = {0};
    const char *name = annotated_name(&arena, path);
    bool has_failed = ferror(file) != 0;
    bool ok = fclose(file) == 0 && !has_failed;
    if (!ok)
        problem(MSG_CANNOT_WRITE, name, strerror(errno));
    arena_free(&arena);
    return ok;
}
