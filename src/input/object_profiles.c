/* object_profiles.c - finds shared objects, and their profiles beside the program's.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/object_profiles.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "input/gmon.h"
#include "input/stack_file.h"
#include "model/model.h"

/* ---- The dynamic section ---- */

/* Tags of the dynamic section of ELF files.  */
enum dynamic_tag { TAG_SONAME = 14, TAG_RPATH = 15, TAG_RUNPATH = 29 };

/* The string that the dynamic section of IMAGE has for TAG, on the heap; NULL if there is none.  */
static char *dynamic_string(struct image *image, enum dynamic_tag tag)
{
    const struct gmon_layout layout = image_layout(image);
    size_t size, string_size;
    vma addr;
    char *found = NULL;
    char *section = image_section(image, ".dynamic", &size, &addr);
    char *strings = image_section(image, ".dynstr", &string_size, &addr);
    for (size_t at = 0; section != NULL && strings != NULL && at + 2 * layout.pointer_size <= size;
         at += 2 * layout.pointer_size) {
        const unsigned char *entry = (const unsigned char *)section + at;
        uint64_t offset = gmon_number(entry + layout.pointer_size, &layout);
        if (gmon_number(entry, &layout) != (uint64_t)tag || offset >= string_size)
            continue;
        found = mem_copy(strings + offset, strlen(strings + offset));
        break;
    }
    free(section);
    free(strings);
    return found;
}

/* ---- Places to search ---- */

static void add_place(struct library_path *path, const char *place, size_t length)
{
    if (length == 0)
        return;
    path->places = mem_grow(path->places, &path->capacity, path->count + 1, sizeof *path->places);
    path->places[path->count++] = arena_copy(&path->arena, place, length);
}

static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + (slash == path);
}

/* Adds a place that may begin with $ORIGIN: the directory of the file at OWNER.  */
static void add_from_origin(struct library_path *path, const char *place, size_t length,
                            const char *owner)
{
    static const char *const names[] = {"$ORIGIN", "${ORIGIN}"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        size_t name_length = strlen(names[i]), own = directory_length(owner);
        if (length < name_length || memcmp(place, names[i], name_length) != 0)
            continue;
        size_t rest = length - name_length;
        char *joined = mem_array(own + rest + 2, 1);
        memcpy(joined, own != 0 ? owner : ".", own != 0 ? own : 1);
        memcpy(joined + (own != 0 ? own : 1), place + name_length, rest);
        add_place(path, joined, strlen(joined));
        free(joined);
        return;
    }
    add_place(path, place, length);
}

/* Adds the places of LIST, separated by colons; NULL for none.  */
static void add_list(struct library_path *path, const char *list, const char *owner)
{
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");
        add_from_origin(path, list, length, owner);
        list += length + (list[length] == ':');
    }
}

static void add_dynamic(struct library_path *path, struct image *image, enum dynamic_tag tag)
{
    char *list = dynamic_string(image, tag);
    add_list(path, list, image_path(image));
    free(list);
}

/* ---- ld.so.conf ---- */

static void add_configured(struct library_path *path, const char *file, int depth);

static void add_included(struct library_path *path, const char *pattern, int depth)
{
    glob_t files;
    if (glob(pattern, 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++)
        add_configured(path, files.gl_pathv[i], depth + 1);
    globfree(&files);
}

/* Adds the directories that FILE, in the form of ld.so.conf, lists.  */
static void add_configured(struct library_path *path, const char *file, int depth)
{
    enum { DEEPEST = 8 }; /* files that include each other */
    char line[4096];
    FILE *in = depth < DEEPEST ? fopen(file, "re") : NULL;
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        char *start = line + strspn(line, " \t");
        size_t length = strcspn(start, "# \t\n");
        bool is_include = length == strlen("include") && strncmp(start, "include", length) == 0;
        if (is_include) {
            start += length + strspn(start + length, " \t");
            start[strcspn(start, "#\n")] = '\0';
            add_included(path, start, depth);
        } else if (*start == '/') {
            add_place(path, start, length);
        }
    }
    if (in != NULL)
        fclose(in);
}

/* ---- libregmon ---- */

/* Adds the places where libregmon is if regmon is in DIRECTORY: an installed one, or a build tree.
   False if it is not there.  */
static bool add_runtime(struct library_path *path, const char *directory)
{
    static const char *const places[] = {"", "/../lib", "/../lib64"};
    struct arena *arena = &path->arena;
    if (access(arena_join(arena, directory, "/regmon"), X_OK) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        const char *place = arena_join(arena, directory, places[i]);
        add_place(path, place, strlen(place));
    }
    return true;
}

/* Adds the places beside the first regmon in LIST, the value of PATH.  */
static void add_first_runtime(struct library_path *path, const char *list)
{
    bool is_found = false;
    while (list != NULL && *list != '\0' && !is_found) {
        size_t length = strcspn(list, ":");
        is_found = length > 0 && add_runtime(path, arena_copy(&path->arena, list, length));
        list += length + (list[length] == ':');
    }
}

/* ---- The search ---- */

static bool read_identity(const char *path, unsigned char *identity, size_t size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool ok = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
              read(fd, identity, size) == (ssize_t)size;
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Whether the file at CANDIDATE is of the same class, byte order and machine as the program.  */
static bool is_for_program(const struct library_path *path, const char *candidate)
{
    enum { CLASS_END = 6, MACHINE = 18 };
    unsigned char found[sizeof path->identity];
    return read_identity(candidate, found, sizeof found) &&
           memcmp(found, path->identity, CLASS_END) == 0 &&
           memcmp(found + MACHINE, path->identity + MACHINE, sizeof found - MACHINE) == 0;
}

static bool has_soname(const char *candidate, const char *name)
{
    struct diagnostics quiet = {.is_quiet = true};
    struct image *image = image_open(candidate, &quiet);
    char *soname = image != NULL ? dynamic_string(image, TAG_SONAME) : NULL;
    bool ok = soname != NULL && strcmp(path_base(soname), name) == 0;
    free(soname);
    image_close(image);
    return ok;
}

bool library_path_accepts(struct library_path *path, const char *candidate, const char *build_id)
{
    struct diagnostics quiet = {.is_quiet = true};
    if (!is_for_program(path, candidate))
        return false;
    if (build_id == NULL)
        return true;
    struct image *image = image_open(candidate, &quiet);
    char *found = image != NULL ? image_build_id(image) : NULL;
    bool ok = found != NULL && strncmp(found, build_id, strlen(build_id)) == 0;
    free(found);
    image_close(image);
    if (!ok && path->other == NULL)
        path->other = candidate;
    return ok;
}

const char *library_path_find(struct library_path *path, const char *name, const char *build_id)
{
    path->other = NULL;
    for (size_t i = 0; i < path->count; i++) {
        const char *candidate = path->places[i];
        struct stat status;
        if (stat(candidate, &status) != 0)
            continue;
        bool is_file = S_ISREG(status.st_mode);
        if (!is_file)
            candidate = arena_join(&path->arena, candidate, "/", name);
        bool may_be_named = !is_file || strcmp(path_base(candidate), name) == 0;
        if ((may_be_named || (is_for_program(path, candidate) && has_soname(candidate, name))) &&
            library_path_accepts(path, candidate, build_id))
            return candidate;
    }
    return NULL;
}

void library_path_fill(struct library_path *path, struct image *image, const char *list)
{
    static const char *const usual[] = {"/lib64", "/usr/lib64", "/lib", "/usr/lib",
                                        "/usr/local/lib"};
    const char *program = image_path(image);
    if (!read_identity(program, path->identity, sizeof path->identity))
        memset(path->identity, 0, sizeof path->identity);
    add_list(path, list, program);
    add_dynamic(path, image, TAG_RUNPATH);
    add_dynamic(path, image, TAG_RPATH);
    add_list(path, getenv("LD_LIBRARY_PATH"), program);
    add_from_origin(path, "$ORIGIN", strlen("$ORIGIN"), program);
    add_first_runtime(path, getenv("PATH"));
    add_configured(path, "/etc/ld.so.conf", 0);
    for (size_t i = 0; i < ARRAY_LENGTH(usual); i++)
        add_place(path, usual[i], strlen(usual[i]));
}

void library_path_free(struct library_path *path)
{
    free(path->places);
    arena_free(&path->arena);
    *path = (struct library_path){0};
}

/* ---- Names of profiles ---- */

/* Whether NAME, which follows the dot behind the name of a program's profile, may be that of an
   object.  It is not if it begins with the number of a child process, which has profiles of its
   own. Other files beside a profile: temporary ones and stacks.  */
static bool is_object_name(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    bool is_child = digits > 0 && (name[digits] == '\0' || name[digits] == '.');
    bool is_stacks = strcmp(name, "stacks") == 0 || strcmp(name, "stacks.gz") == 0 ||
                     strcmp(name, "stacks.zst") == 0 || stack_file_is_named(name);
    return *name != '\0' && !is_child && !is_stacks && strncmp(name, "tmp-", 4) != 0;
}

/* ---- Profiles of the program ---- */

static const char **sorted_paths(const struct profile_list *list)
{
    const char **paths = mem_array(list->count, sizeof *paths);
    for (size_t i = 0; i < list->count; i++)
        paths[i] = list->paths[i];
    qsort(paths, list->count, sizeof *paths, compare_texts);
    return paths;
}

static bool has_path(const char *const *sorted, size_t count, const char *path)
{
    return bsearch(&path, sorted, count, sizeof *sorted, compare_texts) != NULL;
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

/* Whether NAME is like `libfoo.so' or `libfoo.so.1', with what compresses the file behind it.  */
static bool is_library_name(const char *name)
{
    const char *found = strstr(name, ".so");
    return found != NULL && found > name && (found[3] == '\0' || found[3] == '.');
}

size_t object_profiles_remove(struct profile_list *program, const char **first)
{
    const char **sorted = sorted_paths(program);
    size_t kept = 0, count = program->count;
    for (size_t i = 0; i < count; i++) {
        const char *path = program->paths[i], *name = object_name_of(sorted, count, path);
        if (name == NULL || !is_library_name(name))
            program->paths[kept++] = path;
        else if (kept == i)
            *first = path;
    }
    program->count = kept;
    free(sorted);
    return count - kept;
}
