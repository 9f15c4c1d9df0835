/* check.c - finds the library and the program, and says what cannot be done with them.
   SPDX-License-Identifier: MIT */
#include "check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

#define LIBRARY "libregmon.so"

/* ---- Paths ---- */

static char *path_of(const char *directory, int size, const char *name)
{
    char *path;

    if (asprintf(&path, "%.*s/%s", size, directory, name) < 0)
        say_failure("%s", strerror(errno));
    return path;
}

static bool is_file(const char *path)
{
    struct stat state;

    return !stat(path, &state) && S_ISREG(state.st_mode);
}

bool check_is_executable(const char *path)
{
    return is_file(path) && !faccessat(AT_FDCWD, path, X_OK, AT_EACCESS);
}

void check_directory(const char *prefix)
{
    const char *slash = strrchr(prefix, '/');
    char *directory = path_of(slash ? prefix : ".", slash ? (int)(slash - prefix) : 1, "");

    if (!strchr(directory, '%') && faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
        say(_("no profile can be written in %s: %s; -o PREFIX names another place"), directory,
            strerror(errno));
    free(directory);
}

/* ---- The library ---- */

/* The library in DIRECTORY, by a path without `..'; NULL if it is not there. */
static char *library_in(const char *directory, const char *below)
{
    char *path = path_of(directory, (int)strlen(directory), below);
    char *whole = is_file(path) ? realpath(path, NULL) : NULL;

    free(path);
    return whole;
}

/* The library beside the file that was executed, by the path that was given.  It may have a
   symbolic link that avoids a blank. */
static char *library_beside_name(void)
{
    const unsigned long name = getauxval(AT_EXECFN);
    const char *given = name ? (const char *)name : "";
    const char *slash = strrchr(given, '/');
    char here[PATH_MAX], *directory, *path;

    if (!slash || !getcwd(here, sizeof here))
        return NULL;
    directory = given[0] == '/' ? strdup(given) : path_of(here, (int)strlen(here), given);
    if (!directory)
        return NULL;
    path = path_of(directory, (int)(strrchr(directory, '/') - directory), LIBRARY);
    free(directory);
    if (is_file(path))
        return path;
    free(path);
    return NULL;
}

/* Writes how the directory of libraries is reached from that of programs: `../lib'. */
static void write_way(char *way, size_t room)
{
    const char *from = REGMON_BINDIR, *to = REGMON_LIBDIR;
    size_t same = 0, size = 0;

    for (size_t i = 0; from[i] && from[i] == to[i]; i++)
        if (from[i] == '/')
            same = i + 1;
    for (const char *at = from + same; at && *at; at = strchr(at, '/'), at += at != NULL)
        size += (size_t)snprintf(way + size, room - size, "../");
    snprintf(way + size, room - size, "%s/" LIBRARY, to + same);
}

/* The library beside regmon, or where it is installed as seen from regmon: both may have been
 * moved. */
static char *library_beside_file(void)
{
    char own[PATH_MAX], way[PATH_MAX], *found;
    const ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);

    if (size <= 0)
        return NULL;
    own[size] = 0;
    *strrchr(own, '/') = 0;
    write_way(way, sizeof way);
    found = library_in(own, LIBRARY);
    return found ? found : library_in(own, way);
}

/* Says where it is expected: as far from regmon as where it is installed. */
_Noreturn static void refuse_without_library(void)
{
    char own[PATH_MAX], way[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
    const char *rest = way;

    if (size <= 0)
        say_failure(_("%s is missing"), REGMON_LIBDIR "/" LIBRARY);
    own[size] = 0;
    *strrchr(own, '/') = 0;
    write_way(way, sizeof way);
    for (; !strncmp(rest, "../", 3) && strrchr(own, '/'); rest += 3)
        *strrchr(own, '/') = 0;
    say_failure(_("%s is missing"), path_of(own, (int)strlen(own), rest));
}

char *check_library(void)
{
    char *library = library_beside_name();

    if (!library)
        library = library_beside_file();
    if (!library)
        library = library_in(REGMON_LIBDIR, LIBRARY);
    if (library && !strpbrk(library, ": "))
        return library;
    if (library)
        say_failure(_("%s cannot be preloaded: its path has a blank or a colon"), library);
    refuse_without_library();
}

/* ---- Executables ---- */

struct image {
    const unsigned char *bytes;
    size_t size; /* 0 if the file cannot be read */
};

static struct image image_open(const char *path)
{
    struct image image = {NULL, 0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat state;
    void *bytes;

    if (fd < 0)
        return image;
    if (!fstat(fd, &state) && S_ISREG(state.st_mode) && state.st_size > 0) {
        bytes = mmap(NULL, (size_t)state.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED)
            image = (struct image){bytes, (size_t)state.st_size};
    }
    close(fd);
    return image;
}

static void image_close(const struct image *image)
{
    if (image->size)
        munmap((void *)(uintptr_t)image->bytes, image->size);
}

static bool image_is_elf(const struct image *image)
{
    return image->size >= sizeof(Elf32_Ehdr) && !memcmp(image->bytes, ELFMAG, SELFMAG);
}

static bool image_is_64_bit(const struct image *image)
{
    return image->bytes[EI_CLASS] == ELFCLASS64;
}

/* A number of so many bytes in the byte order of the file; 0 behind its end. */
static uint64_t image_number(const struct image *image, uint64_t at, unsigned size)
{
    const bool is_big = image->bytes[EI_DATA] == ELFDATA2MSB;
    uint64_t number = 0;

    if (at > image->size || size > image->size - at)
        return 0;
    for (unsigned i = 0; i < size; i++)
        number = number << 8 | image->bytes[at + (is_big ? i : size - 1 - i)];
    return number;
}

#define IMAGE_FIELD(image, type, member)                                                           \
    (image_is_64_bit(image)                                                                        \
         ? image_number(image, offsetof(Elf64_##type, member), sizeof((Elf64_##type *)0)->member)  \
         : image_number(image, offsetof(Elf32_##type, member), sizeof((Elf32_##type *)0)->member))

/* Whether it asks for a dynamic linker. */
static bool image_is_dynamic(const struct image *image)
{
    const uint64_t start = IMAGE_FIELD(image, Ehdr, e_phoff);
    const uint64_t size = IMAGE_FIELD(image, Ehdr, e_phentsize);
    const uint64_t count = IMAGE_FIELD(image, Ehdr, e_phnum);

    for (uint64_t i = 0; i < count; i++)
        if (image_number(image, start + i * size, 4) == PT_INTERP)
            return true;
    return false;
}

static bool image_contains(const struct image *image, const char *text)
{
    return memmem(image->bytes, image->size, text, strlen(text));
}

/* Whether a library and a program can be in one process. */
static bool image_is_like(const struct image *image, const struct image *other)
{
    return image->bytes[EI_CLASS] == other->bytes[EI_CLASS] &&
           image->bytes[EI_DATA] == other->bytes[EI_DATA] &&
           IMAGE_FIELD(image, Ehdr, e_machine) == IMAGE_FIELD(other, Ehdr, e_machine);
}

/* Whether the kernel lets it run with other rights than ours. */
static bool has_other_rights(const char *path)
{
    struct stat state;

    return !stat(path, &state) && (state.st_mode & S_ISUID) && state.st_uid != geteuid();
}

/* ---- The program ---- */

/* Where NAME is along PATH; NULL if it is nowhere.  A file that cannot be executed is taken if
   there is no other. */
static char *search(const char *name)
{
    const char *path = getenv("PATH"), *end;
    char *found = NULL, *candidate;

    for (const char *at = path ? path : "/bin:/usr/bin";; at = end + 1) {
        end = strchrnul(at, ':');
        candidate = end == at ? path_of(".", 1, name) : path_of(at, (int)(end - at), name);
        if (check_is_executable(candidate)) {
            free(found);
            return candidate;
        }
        if (!found && is_file(candidate))
            found = candidate;
        else
            free(candidate);
        if (!*end)
            return found;
    }
}

_Noreturn static void refuse_missing(const char *name)
{
    char *here = path_of(".", 1, name);

    if (!strchr(name, '/') && check_is_executable(here))
        say(_("cannot run %s: not found; did you mean %s?"), name, here);
    else
        say(_("cannot run %s: not found"), name);
    exit(STATUS_NOT_FOUND);
}

/* The file of a program that can be executed. */
static char *find_program(const char *name)
{
    char *path = strchr(name, '/') ? strdup(name) : name[0] ? search(name) : NULL;
    struct stat state;

    if (path && check_is_executable(path))
        return path;
    if (!path || (stat(path, &state) && (errno == ENOENT || errno == ENOTDIR))) {
        free(path);
        refuse_missing(name);
    }
    if (!stat(path, &state)) /* it can be reached */
        errno = S_ISDIR(state.st_mode) ? EISDIR : EACCES;
    say(_("cannot run %s: %s"), path, strerror(errno));
    exit(STATUS_CANNOT_RUN);
}

static void check_executable(const char *path, const struct image *image,
                             const struct image *library)
{
    if (!image_is_dynamic(image)) {
        if (!image_contains(image, "regmon stacks"))
            say_failure(_("%s is linked statically: use 'perf record --call-graph dwarf %s', then "
                          "'%s perf.data', or link it with -lregmon"),
                        path, path, REGMON_GPROF);
    } else if (has_other_rights(path)) {
        say_failure(_("%s runs with another user's rights; it has to be linked with -lregmon"),
                    path);
    } else if (image_is_elf(library) && !image_is_like(image, library)) {
        say_failure(_("%s is a program of another machine than libregmon"), path);
    }
}

struct found_program check_program(const char *name, const char *library)
{
    struct found_program program = {.path = find_program(name)};
    const struct image image = image_open(program.path), own = image_open(library);

    program.is_executable = image_is_elf(&image);
    if (program.is_executable)
        check_executable(program.path, &image, &own);
    image_close(&image);
    image_close(&own);
    return program;
}
