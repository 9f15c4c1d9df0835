/* object_profiles.c - finds the profiles of shared objects beside those of the program.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/object_profiles.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/decompress.h"
#include "base/memory.h"
#include "input/gmon.h"
#include "model/model.h"

/* ---- Names ---- */

/* Whether NAME, which follows the dot behind the name of a program's profile, may be that of an
   object.  It is not if it begins with the number of a child process, which has profiles of its
   own. Other files beside a profile: temporary ones and stacks.  */
static bool is_object_name(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    size_t length = strlen(name);
    bool is_child = digits > 0 && (name[digits] == '\0' || name[digits] == '.');
    bool is_stacks =
        strcmp(name, "stacks") == 0 || (length > 7 && strcmp(name + length - 7, ".stacks") == 0);
    return length > 0 && !is_child && !is_stacks && strncmp(name, "tmp-", 4) != 0;
}

static bool begins_like_profile(const char *path)
{
    unsigned char start[GMON_START];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd >= 0 ? read(fd, start, sizeof start) : -1;
    if (fd >= 0)
        close(fd);
    return got > 0 && (gmon_may_be_profile(start, (size_t)got) ||
                       compression_of(start, (size_t)got) != COMPRESSION_NONE);
}

/* ---- Lists ---- */

static struct object_profiles *add_object(struct object_list *objects, const char *name)
{
    objects->objects = mem_grow(objects->objects, &objects->capacity, objects->count + 1,
                                sizeof *objects->objects);
    struct object_profiles *object = &objects->objects[objects->count++];
    *object = (struct object_profiles){.name = name};
    return object;
}

static struct object_profiles *object_named(struct object_list *objects, const char *name)
{
    for (size_t i = 1; i < objects->count; i++)
        if (strcmp(objects->objects[i].name, name) == 0)
            return &objects->objects[i];
    return add_object(objects, name);
}

static void add_profile(struct profile_list *list, const char *path)
{
    list->paths = mem_grow(list->paths, &list->capacity, list->count + 1, sizeof *list->paths);
    list->paths[list->count++] = path;
}

/* ---- The program's profiles, sorted by path ---- */

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **sorted_paths(const struct profile_list *list)
{
    const char **paths = mem_array(list->count, sizeof *paths);
    for (size_t i = 0; i < list->count; i++)
        paths[i] = list->paths[i];
    qsort(paths, list->count, sizeof *paths, compare_paths);
    return paths;
}

static bool has_path(const char *const *sorted, size_t count, const char *path)
{
    return bsearch(&path, sorted, count, sizeof *sorted, compare_paths) != NULL;
}

/* The name of the object that the profile at PATH is of, a part of PATH, if it stands beside one of
   the program's profiles; else NULL.  */
static const char *object_name_of(const char *const *sorted, size_t count, const char *path)
{
    for (const char *dot = strchr(path_base(path), '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        char *start = mem_copy(path, (size_t)(dot - path));
        bool is_beside = is_object_name(dot + 1) && has_path(sorted, count, start);
        free(start);
        if (is_beside)
            return dot + 1;
    }
    return NULL;
}

/* ---- Directories ---- */

/* Adds the profiles of objects in the directory of OWNER that stand beside one of SORTED.  */
static void add_directory(struct object_list *objects, const char *const *sorted, size_t count,
                          const char *owner)
{
    size_t length = (size_t)(path_base(owner) - owner);
    char *name = length != 0 ? mem_copy(owner, length) : mem_copy(".", 1);
    DIR *directory = opendir(name);
    const struct dirent *entry;
    free(name);
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        size_t size = strlen(entry->d_name);
        char *path = arena_alloc(&objects->arena, length + size + 1);
        memcpy(path, owner, length);
        memcpy(path + length, entry->d_name, size + 1);
        const char *object = object_name_of(sorted, count, path);
        if (object != NULL && begins_like_profile(path))
            add_profile(&object_named(objects, object)->list, path);
    }
    if (directory != NULL)
        closedir(directory);
}

static bool is_same_directory(const char *a, const char *b)
{
    const char *end = strrchr(a, '/'), *other = strrchr(b, '/');
    size_t length = end != NULL ? (size_t)(end - a) + 1 : 0;
    return length == (other != NULL ? (size_t)(other - b) + 1 : 0) && memcmp(a, b, length) == 0;
}

/* Paths of one directory need not follow each other: `a/b', `a/b/c', `a/d'.  */
static void add_directories(struct object_list *objects, const char *const *sorted, size_t count)
{
    size_t *firsts = mem_array(count, sizeof *firsts), first_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t known = 0;
        while (known < first_count && !is_same_directory(sorted[firsts[known]], sorted[i]))
            known++;
        if (known < first_count)
            continue;
        firsts[first_count++] = i;
        add_directory(objects, sorted, count, sorted[i]);
    }
    free(firsts);
}

static int compare_objects(const void *a, const void *b)
{
    const struct object_profiles *left = a, *right = b;
    return strcmp(left->name, right->name);
}

void object_list_fill(struct object_list *objects, const struct profile_list *program)
{
    const char **sorted = sorted_paths(program);
    struct object_profiles *main_object = add_object(objects, NULL);
    for (size_t i = 0; i < program->count; i++)
        if (object_name_of(sorted, program->count, program->paths[i]) == NULL)
            add_profile(&main_object->list, program->paths[i]);
    add_directories(objects, sorted, program->count);
    for (size_t i = 1; i < objects->count; i++)
        qsort(objects->objects[i].list.paths, objects->objects[i].list.count, sizeof(char *),
              compare_paths);
    if (objects->count > 1)
        qsort(objects->objects + 1, objects->count - 1, sizeof *objects->objects, compare_objects);
    free(sorted);
}

void object_list_free(struct object_list *objects)
{
    for (size_t i = 0; i < objects->count; i++)
        profile_list_free(&objects->objects[i].list);
    free(objects->objects);
    arena_free(&objects->arena);
    *objects = (struct object_list){0};
}
