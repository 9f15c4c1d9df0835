/* source_files.c - positions of symbols in source files; reads and writes these files.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "input/source_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"

/* ---- Positions of symbols ---- */

static struct raw_source locate(struct files *files, struct image *image, vma addr)
{
    struct source_pos pos;
    if (!image_position(image, addr, &pos))
        return (struct raw_source){NO_ID, 0};
    return (struct raw_source){files_intern(files, pos.file), pos.line};
}

struct raw_source *source_positions_of_raw(struct files *files, struct image *image,
                                           const struct raw_symbol *raw, const bool *is_wanted,
                                           size_t count)
{
    struct raw_source *sources = mem_array(count, sizeof *sources);
    for (size_t i = 0; i < count; i++)
        sources[i] =
            is_wanted[i] ? locate(files, image, raw[i].addr) : (struct raw_source){NO_ID, 0};
    return sources;
}

void source_positions_add(struct profile *profile, struct image *image, const bool *is_wanted)
{
    for (size_t i = 0; i < profile->symtab.count; i++) {
        struct symbol *symbol = &profile->symtab.symbols[i];
        if (!is_wanted[i] || symbol->file != NO_ID)
            continue;
        struct raw_source source = locate(&profile->files, image, symbol->addr);
        symbol->file = source.file;
        symbol->line = source.line;
    }
}

enum { RECENT_BITS = 8 };

/* Numbers of names by hash of their addresses: the same few names come again and again, mostly from
   the same memory.  */
struct recent_names {
    uint32_t numbers[1 << RECENT_BITS]; /* plus 1; 0 = none */
};

static uint32_t *recent_number(struct recent_names *recent, const char *name)
{
    return &recent
                ->numbers[((uint64_t)(uintptr_t)name * 0x9E3779B97F4A7C15u) >> (64 - RECENT_BITS)];
}

static uint32_t number_function(struct string_map *names, struct recent_names *recent,
                                const char *name)
{
    uint32_t *known = recent_number(recent, name);
    if (*known == 0 || strcmp(names->strings[*known - 1], name) != 0)
        *known = string_map_number(names, name) + 1;
    return *known - 1;
}

static uint32_t number_file(struct files *files, struct recent_names *recent, const char *path)
{
    uint32_t *known = recent_number(recent, path);
    if (*known == 0 || strcmp(files->paths[*known - 1], path) != 0)
        *known = files_intern(files, path) + 1;
    return *known - 1;
}

struct line_row *source_positions_of_lines(struct profile *profile, struct image *image,
                                           const vma *addrs, size_t count, size_t *row_count)
{
    struct line_row *rows = mem_uninitialised(count, sizeof *rows);
    struct source_pos pos;
    struct recent_names functions = {0}, paths = {0};
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (!image_line(image, addrs[i], &pos))
            continue;
        uint32_t function = number_function(&profile->line_names, &functions, pos.function);
        rows[made++] = (struct line_row){.addr = addrs[i],
                                         .file = number_file(&profile->files, &paths, pos.file),
                                         .line = pos.line,
                                         .function = profile->line_names.strings[function]};
    }
    *row_count = made;
    return rows;
}

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

/* ---- The map of moves ---- */

bool source_map_add(struct source_map *map, const char *text)
{
    const char *sign = strchr(text, '=');
    if (sign == NULL || sign == text)
        return false;
    map->moves = mem_grow(map->moves, &map->capacity, map->count + 1, sizeof *map->moves);
    map->moves[map->count++] = (struct source_move){text, (size_t)(sign - text), sign + 1};
    return true;
}

void source_map_free(struct source_map *map)
{
    free(map->moves);
    *map = (struct source_map){0};
}

/* Whether NAME is at or below the old place of MOVE: `/older/a.c' is not below `/old'.  */
static bool is_below(const char *name, const struct source_move *move)
{
    size_t size = move->from_size;
    return strncmp(name, move->from, size) == 0 &&
           (name[size] == '/' || name[size] == '\0' || move->from[size - 1] == '/');
}

char *source_map_apply(const struct source_map *map, const char *name)
{
    const struct source_move *best = NULL;
    for (size_t i = 0; i < map->count; i++)
        if (is_below(name, &map->moves[i]) &&
            (best == NULL || map->moves[i].from_size >= best->from_size))
            best = &map->moves[i];
    if (best == NULL)
        return NULL;
    size_t size = strlen(best->to), rest = strlen(name + best->from_size);
    char *path = mem_array(size + rest + 1, 1);
    memcpy(path, best->to, size);
    memcpy(path + size, name + best->from_size, rest);
    return path;
}

/* ---- Search ---- */

/* Opens the file at PATH; -1 if there is none that can be read, or if it is no source: the debug
   information of an executable can name any file.  */
static int open_plain(const char *path)
{
    return is_plain_file(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
}

/* Opens NAME below the first directory of PATH that has it; -1 if none has.  */
static int open_below(const struct search_path *path, const char *name)
{
    for (size_t i = 0; i < path->count; i++) {
        struct arena scratch = {0};
        int fd = open_plain(arena_join(&scratch, path->directories[i], "/", name));
        arena_free(&scratch);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

static int open_source(const struct source_rules *rules, const char *name)
{
    char *moved = source_map_apply(rules->map, name);
    int fd = moved != NULL ? open_plain(moved) : -1;
    free(moved);
    if (fd < 0)
        fd = open_plain(name);
    if (fd < 0 && name[0] != '/')
        fd = open_below(rules->path, name);
    return fd >= 0 ? fd : open_below(rules->path, path_base(name));
}

/* ---- Reading ---- */

enum { READ_SIZE = 64 * 1024, LARGEST = 64 << 20 }; /* bytes */

static uint64_t count_lines(const char *text, size_t size)
{
    uint64_t lines = 0;
    for (const char *end = text + size; text < end; lines++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline != NULL ? newline + 1 : end;
    }
    return lines;
}

/* Reads the text.  False with errno set if that fails, or if there is more than LARGEST.  */
static bool read_text(struct source *source, int fd)
{
    size_t capacity = 0;
    ssize_t got;
    do {
        source->text = mem_grow(source->text, &capacity, source->size + READ_SIZE, 1);
        got = read(fd, source->text + source->size, capacity - source->size);
        if (got > 0)
            source->size += (size_t)got;
    } while ((got > 0 && source->size <= LARGEST) || (got < 0 && errno == EINTR));
    if (got > 0) {
        errno = EFBIG;
        return false;
    }
    source->text[source->size] = '\0'; /* there is space: READ_SIZE bytes were free */
    return got == 0;
}

/* Figures for the messages about all sources.  */
struct source_findings {
    size_t missing, newer;
    const char *missing_name, *newer_name; /* the first */
};

/* Sets which file SOURCE is; notes whether it is newer than the image.  */
static void identify(struct source *source, struct source_findings *findings,
                     const struct source_rules *rules, int fd, const char *name)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return;
    source->device = status.st_dev;
    source->inode = status.st_ino;
    if (status.st_mtime <= rules->image_modified)
        return;
    if (findings->newer++ == 0)
        findings->newer_name = name;
}

static bool read_source(struct source *source, const struct source_rules *rules, const char *name,
                        struct source_findings *findings, struct diagnostics *diagnostics)
{
    int fd = open_source(rules, name);
    bool is_read = fd >= 0 && read_text(source, fd);
    if (is_read) {
        identify(source, findings, rules, fd, name);
        source->text_lines = count_lines(source->text, source->size);
        if (memchr(source->text, '\0', source->size) != NULL)
            warning(diagnostics, MSG_SOURCE_NO_TEXT, name);
    } else if (fd >= 0) {
        if (rules->messages != SOURCES_QUIET)
            warning(diagnostics, MSG_FILE_REASON, name, strerror(errno));
        free(source->text);
    } else {
        if (findings->missing++ == 0)
            findings->missing_name = name;
        if (rules->messages == SOURCES_WARN)
            warning(diagnostics, MSG_NO_SOURCE, name);
    }
    if (fd >= 0)
        close(fd);
    return is_read;
}

static void warn_of(const struct source_findings *findings, const struct source_rules *rules,
                    struct diagnostics *diagnostics)
{
    const char *image = rules->image;
    bool is_brief = rules->messages == SOURCES_NOTE;
    if (rules->messages == SOURCES_QUIET)
        return;
    if (is_brief && findings->missing == 1)
        note(diagnostics, MSG_SOURCE_MISSING, findings->missing_name);
    else if (is_brief && findings->missing > 1)
        note(diagnostics, MSG_SOURCES_ABSENT, findings->missing, findings->missing_name);
    else if (findings->missing > 0)
        warning(diagnostics, MSG_SOURCES_MISSING, findings->missing);
    if (findings->newer == 1)
        warning(diagnostics, MSG_SOURCE_NEWER, findings->newer_name, image);
    else if (findings->newer > 1)
        warning(diagnostics, MSG_SOURCES_NEWER, findings->newer, findings->newer_name, image);
}

void sources_read(struct annotation *annotation, const struct files *files,
                  const struct source_rules *rules, struct diagnostics *diagnostics)
{
    struct source_findings findings = {0};
    size_t found = 0;
    for (size_t i = 0; i < annotation->count; i++) {
        struct source source = annotation->sources[i];
        if (read_source(&source, rules, files->paths[source.file], &findings, diagnostics))
            annotation->sources[found++] = source;
    }
    annotation->count = found;
    annotation->missing = findings.missing;
    warn_of(&findings, rules, diagnostics);
}

/* ---- Writing ---- */

/* The name of the annotated file for the source at PATH.  */
static char *annotated_name(struct arena *arena, const char *path)
{
    return arena_join(arena, path_base(path), "-ann");
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
