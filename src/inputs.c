#include "config.h"

#include "inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bytes.h"
#include "messages.h"

static void add_path(struct inputs *inputs, const char *path)
{
    inputs->paths =
        mem_grow(inputs->paths, &inputs->room, inputs->count + 1, sizeof *inputs->paths);
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
    const char *slash = size > 0 && directory[size - 1] == '/' ? "" : "/";
    char *path = arena_alloc(arena, size + name_size + 2);
    sprintf(path, "%s%s%s", directory, slash, name);
    return path;
}

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Takes the entries of a directory; those that are no profiles are counted in *LEFT_OUT, and one of
   them is noted.  */
static void take_entries(struct inputs *inputs, DIR *directory, const char *path, size_t *left_out,
                         const char **example)
{
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        const char *entry_path = join_path(&inputs->arena, path, entry->d_name);
        if (!is_regular(entry_path))
            continue;
        if (bytes_look_like_profile(entry_path)) {
            add_path(inputs, entry_path);
        } else {
            ++*left_out;
            if (*example == NULL || strcmp(entry_path, *example) < 0)
                *example = entry_path;
        }
    }
}

static bool add_directory(struct inputs *inputs, const char *path)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return problem(MSG_FILE_REASON, path, strerror(errno));
    size_t before = inputs->count, left_out = 0;
    const char *example = NULL;
    take_entries(inputs, directory, path, &left_out, &example);
    closedir(directory);
    if (inputs->count > before)
        qsort(inputs->paths + before, inputs->count - before, sizeof *inputs->paths, compare_paths);
    if (left_out > 0)
        warning(MSG_LEFT_OUT, path, left_out, example);
    if (inputs->count == before)
        return problem(MSG_NO_PROFILES, path);
    return true;
}

bool inputs_add(struct inputs *inputs, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return add_directory(inputs, path);
    add_path(inputs, path);
    return true;
}

/* ---- Lists ---- */

static bool add_names(struct inputs *inputs, const struct byte_buffer *list, char separator)
{
    const char *at = (const char *)list->bytes, *end = at + list->size;
    while (at < end) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if (stop > at && !inputs_add(inputs, arena_copy(&inputs->arena, at, (size_t)(stop - at))))
            return false;
        at = stop + 1;
    }
    return true;
}

bool inputs_add_list(struct inputs *inputs, const char *list_path, bool is_nul_separated)
{
    struct byte_buffer list = {0};
    size_t before = inputs->count;
    bool is_fine =
        bytes_read(&list, list_path) && add_names(inputs, &list, is_nul_separated ? '\0' : '\n');
    if (is_fine && inputs->count == before)
        is_fine = problem(MSG_EMPTY_LIST, list_path);
    bytes_free(&list);
    return is_fine;
}

void inputs_free(struct inputs *inputs)
{
    free(inputs->paths);
    arena_free(&inputs->arena);
    *inputs = (struct inputs){0};
}
