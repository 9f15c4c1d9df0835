/* profile_list.c - lists the profiles that operands, directories and lists name.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/profile_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compress.h"
#include "base/files.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/gmon.h"
#include "input/stack_file.h"
#include "input/unwritten.h"

/* ---- Operands ---- */

static void add_path(struct profile_list *inputs, const char *path)
{
    inputs->paths =
        mem_grow(inputs->paths, &inputs->capacity, inputs->count + 1, sizeof *inputs->paths);
    inputs->paths[inputs->count++] = path;
}

/* ---- Files of a directory ---- */

/* Files of one kind that are skipped in a directory.  */
struct skipped {
    size_t count;
    const char *example; /* the first one */
};

static void skip(struct skipped *skipped, const char *path)
{
    if (skipped->count++ == 0)
        skipped->example = path;
}

/* A directory that is being read, with those below it.  */
struct walk {
    struct profile_list *inputs;
    const char **pending; /* paths, the next one last */
    size_t count, capacity;
    struct skipped others, links; /* files that are not profiles; links to directories */
};

enum { ZEROS_READ = 1 << 20 }; /* bytes */

/* Whether the rest of the file FD has only zeros.  Reads at most ZEROS_READ bytes.  */
static bool is_rest_zero(int fd)
{
    unsigned char bytes[16384];
    size_t read_so_far = 0;
    ssize_t got = 0;
    while (read_so_far < ZEROS_READ && (got = read(fd, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            if (bytes[i] != 0)
                return false;
        read_so_far += (size_t)got;
    }
    return got >= 0;
}

/* Whether the file FD, compressed so, is a profile when it is decompressed, or may be one because
   its beginning cannot be decompressed.  */
static bool is_packed_profile(int fd, enum compression compression)
{
    enum { PACKED_SIZE = 64 * 1024 }; /* bytes; enough for the first ones decompressed */
    static const unsigned char zeros[GMON_START];
    unsigned char start[GMON_START], *packed = mem_uninitialised(PACKED_SIZE, 1);
    ssize_t got = pread(fd, packed, PACKED_SIZE, 0);
    size_t size =
        got > 0 ? decompress_start(compression, packed, (size_t)got, start, sizeof start) : 0;
    free(packed);
    return gmon_may_be_profile(start, size) || memcmp(start, zeros, size) == 0;
}

/* Whether the file FD is a profile, by its beginning: perhaps a compressed one, or one that was not
   written to its end.  */
static bool begins_like_profile(int fd)
{
    static const unsigned char zeros[GMON_START];
    unsigned char start[GMON_START];
    ssize_t got = read(fd, start, sizeof start);
    if (got < 0)
        return true; /* reading it prints the reason */
    enum compression compression = compression_of(start, (size_t)got);
    if (compression != COMPRESSION_NONE)
        return is_packed_profile(fd, compression);
    return gmon_may_be_profile(start, (size_t)got) ||
           (memcmp(start, zeros, (size_t)got) == 0 && is_rest_zero(fd));
}

bool profile_is_likely(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true; /* reading it prints the reason */
    bool looks_so = begins_like_profile(fd);
    close(fd);
    return looks_so;
}

/* Whether the file of STATUS is an earlier sum.  */
static bool is_sum(const struct profile_list *inputs, const struct stat *status)
{
    return inputs->sum_path != NULL && is_file(status, inputs->sum_path);
}

/* Whether it has the stacks of an earlier sum.  */
static bool is_stacks_of_sum(struct profile_list *inputs, const struct stat *status)
{
    struct stat sum;
    return inputs->sum_path != NULL && stat(inputs->sum_path, &sum) == 0 &&
           is_file(status, stack_file_path(&inputs->arena, inputs->sum_path));
}

static void add_file(struct walk *walk, const char *path, const struct stat *status)
{
    struct profile_list *inputs = walk->inputs;
    if (!S_ISREG(status->st_mode) || is_stacks_of_sum(inputs, status))
        return;
    if (is_sum(inputs, status))
        warning(inputs->diagnostics, MSG_SUM_LEFT_OUT, path);
    else if (inputs->is_profile != NULL ? inputs->is_profile(path)
                                        : stack_file_is_named(path) || profile_is_likely(path))
        add_path(inputs, path);
    else if (!stack_file_is_named(path))
        skip(&walk->others, path);
}

/* ---- Directories ---- */

static int compare_paths_descending(const void *a, const void *b)
{
    return compare_natural(*(const char *const *)b, *(const char *const *)a);
}

static const char *join_path(struct arena *arena, const char *directory, const char *name)
{
    size_t size = strlen(directory);
    bool needs_slash = size > 0 && directory[size - 1] != '/';
    return arena_join(arena, directory, needs_slash ? "/" : "", name);
}

static void add_pending(struct walk *walk, const char *path)
{
    walk->pending =
        mem_grow(walk->pending, &walk->capacity, walk->count + 1, sizeof *walk->pending);
    walk->pending[walk->count++] = path;
}

/* Adds what is in the directory at PATH to the paths pending.  False, with errno set, if it cannot
   be read to its end.  */
static bool list_entries(struct walk *walk, DIR *directory, const char *path)
{
    const struct dirent *entry;
    for (;;) {
        errno = 0;
        entry = readdir(directory);
        if (entry == NULL)
            return errno == 0;
        if (entry->d_name[0] != '.')
            add_pending(walk, join_path(&walk->inputs->arena, path, entry->d_name));
    }
}

/* Adds the entries of a directory.  False after a message, unless bad profiles are skipped.  */
static bool list_directory(struct walk *walk, const char *path)
{
    size_t before = walk->count;
    DIR *directory = opendir(path);
    bool ok = directory != NULL && list_entries(walk, directory, path);
    if (!ok) {
        problem(MSG_FILE_REASON, path, strerror(errno));
        walk->inputs->unreadable++;
    }
    if (directory != NULL)
        closedir(directory);
    if (walk->count > before)
        qsort(walk->pending + before, walk->count - before, sizeof *walk->pending,
              compare_paths_descending);
    return ok || walk->inputs->skips_bad;
}

/* Whether the directory at PATH is one profile.  */
static bool is_profile(const struct profile_list *inputs, const char *path)
{
    return inputs->is_profile != NULL && inputs->is_profile(path);
}

/* Adds the file or directory at PATH, found in a directory.  False after a message, unless bad
   profiles are skipped.  */
static bool add_found(struct walk *walk, const char *path)
{
    struct stat status;
    bool is_there = stat(path, &status) == 0, is_directory = is_there && S_ISDIR(status.st_mode);
    if (!is_there || (is_directory && is_profile(walk->inputs, path)))
        add_path(walk->inputs, path); /* if it is not there, reading it prints the reason */
    else if (!is_directory)
        add_file(walk, path, &status);
    else if (!walk->inputs->recurses)
        return true;
    else if (is_link(path))
        skip(&walk->links, path);
    else
        return list_directory(walk, path);
    return true;
}

static void warn_about_skipped(const struct walk *walk, const char *path)
{
    struct diagnostics *diagnostics = walk->inputs->diagnostics;
    if (walk->others.count > 0)
        warning(diagnostics, MSG_LEFT_OUT, path, walk->others.count, walk->others.example);
    if (walk->links.count > 0)
        warning(diagnostics, MSG_LINKS_LEFT_OUT, path, walk->links.count, walk->links.example);
}

/* Adds the profiles in a directory.  Uses no recursion and one open directory at a time, since
   directories can be nested to any depth.  */
static bool add_directory(struct profile_list *inputs, const char *path)
{
    struct walk walk = {.inputs = inputs};
    size_t before = inputs->count;
    bool ok = list_directory(&walk, path);
    while (ok && walk.count > 0)
        ok = add_found(&walk, walk.pending[--walk.count]);
    free(walk.pending);
    if (!ok)
        return false;
    warn_about_skipped(&walk, path);
    return inputs->count > before || problem(MSG_NO_PROFILES, path);
}

/* Whether the name and the contents of a file say that it has call stacks.  */
static bool is_stacks(const char *path)
{
    return stack_file_is_named(path) && !profile_is_likely(path);
}

bool profile_list_add(struct profile_list *inputs, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
        !is_profile(inputs, path))
        return add_directory(inputs, path);
    add_path(inputs, path);
    return true;
}

void profile_list_settle(struct profile_list *inputs)
{
    size_t kept = 0, stacks = 0;
    for (size_t i = 0; i < inputs->count; i++)
        stacks += is_stacks(inputs->paths[i]);
    for (size_t i = 0; i < inputs->count; i++)
        if (stacks == inputs->count || !is_stacks(inputs->paths[i]))
            inputs->paths[kept++] = inputs->paths[i];
    inputs->count = kept;
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
    bool ok = read_file(&list, list_path);
    if (ok && !is_nul_separated && list.size > 0 && memchr(list.bytes, '\0', list.size) != NULL)
        ok = problem(MSG_NUL_IN_LIST, list_path);
    ok = ok && add_names(inputs, &list, is_nul_separated ? '\0' : '\n');
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
