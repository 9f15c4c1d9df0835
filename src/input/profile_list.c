/* profile_list.c - expands the operands to the list of profiles to read.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/profile_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/read_file.h"
#include "input/gmon.h"

static void add_path(struct profile_list *inputs, const char *path)
{
    inputs->paths =
        mem_grow(inputs->paths, &inputs->capacity, inputs->count + 1, sizeof *inputs->paths);
    inputs->paths[inputs->count++] = path;
}

/* ---- Directories ---- */

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *join_path(struct arena *arena, const char *directory, const char *name)
{
    size_t size = strlen(directory), name_size = strlen(name);
    char *path = arena_alloc(arena, size + name_size + 2);
    memcpy(path, directory, size);
    if (size > 0 && directory[size - 1] != '/')
        path[size++] = '/';
    memcpy(path + size, name, name_size + 1);
    return path;
}

/* The regular files of a directory that are not profiles.  */
struct skipped {
    size_t count;
    const char *example; /* the first by name */
};

/* Whether the regular file at PATH may be a profile, judged by its beginning.  */
static bool looks_like_profile(const char *path)
{
    unsigned char start[GMON_START];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true; /* profile_load prints the reason */
    ssize_t got = read(fd, start, sizeof start);
    close(fd);
    return got < 0 || gmon_may_be_profile(start, (size_t)got) || is_compressed(start, (size_t)got);
}

static void add_entry(struct profile_list *inputs, const char *path, struct skipped *skipped)
{
    struct stat status, sum;
    if (stat(path, &status) != 0) {
        add_path(inputs, path); /* profile_load prints the reason */
        return;
    }
    if (!S_ISREG(status.st_mode))
        return;
    if (inputs->sum_path != NULL && stat(inputs->sum_path, &sum) == 0 &&
        sum.st_dev == status.st_dev && sum.st_ino == status.st_ino) {
        warning(inputs->diagnostics, MSG_SUM_LEFT_OUT, path);
    } else if (looks_like_profile(path)) {
        add_path(inputs, path);
    } else {
        skipped->count++;
        if (skipped->example == NULL || strcmp(path, skipped->example) < 0)
            skipped->example = path;
    }
}

/* False, with errno set, if the directory cannot be read to its end.  */
static bool add_entries(struct profile_list *inputs, DIR *directory, const char *path,
                        struct skipped *skipped)
{
    const struct dirent *entry;
    for (;;) {
        errno = 0;
        entry = readdir(directory);
        if (entry == NULL)
            return errno == 0;
        if (entry->d_name[0] != '.')
            add_entry(inputs, join_path(&inputs->arena, path, entry->d_name), skipped);
    }
}

static bool add_directory(struct profile_list *inputs, const char *path)
{
    struct skipped skipped = {0};
    size_t before = inputs->count;
    DIR *directory = opendir(path);
    if (directory == NULL)
        return problem(MSG_FILE_REASON, path, strerror(errno));
    if (!add_entries(inputs, directory, path, &skipped)) {
        problem(MSG_FILE_REASON, path, strerror(errno));
        closedir(directory);
        return false;
    }
    closedir(directory);
    if (inputs->count > before)
        qsort(inputs->paths + before, inputs->count - before, sizeof *inputs->paths, compare_paths);
    if (skipped.count > 0)
        warning(inputs->diagnostics, MSG_LEFT_OUT, path, skipped.count, skipped.example);
    if (inputs->count == before)
        return problem(MSG_NO_PROFILES, path);
    return true;
}

bool profile_list_add(struct profile_list *inputs, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_directory(inputs, path);
    add_path(inputs, path);
    return true;
}

/* ---- Lists ---- */

static bool add_names(struct profile_list *inputs, const struct file_buffer *list, char separator)
{
    const char *at = (const char *)list->bytes, *end = at + list->size;
    while (at < end) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if (stop > at &&
            !profile_list_add(inputs, arena_copy(&inputs->arena, at, (size_t)(stop - at))))
            return false;
        at = stop + 1;
    }
    return true;
}

bool profile_list_add_from(struct profile_list *inputs, const char *list_path,
                           bool is_nul_separated)
{
    struct file_buffer list = {0};
    size_t before = inputs->count;
    bool ok =
        read_file(&list, list_path) && add_names(inputs, &list, is_nul_separated ? '\0' : '\n');
    if (ok && inputs->count == before)
        ok = problem(MSG_EMPTY_LIST, list_path);
    file_buffer_free(&list);
    return ok;
}

void profile_list_free(struct profile_list *inputs)
{
    free(inputs->paths);
    arena_free(&inputs->arena);
    *inputs = (struct profile_list){0};
}
