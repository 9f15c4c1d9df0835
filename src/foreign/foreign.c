/* foreign.c - recognises profiles of other profilers, and reads those of one program.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/foreign.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/messages.h"
#include "foreign/formats.h"

/* ---- Formats ---- */

static const struct foreign_format {
    const char *name;
    bool (*recognise)(const char *bytes, size_t size);
    bool (*read)(struct foreign_reader *reader);
} formats[] = {
    {"perf", perf_data_recognise, perf_data_read},
    {"perf-script", perf_script_recognise, perf_script_read},
    {"pprof", pprof_recognise, pprof_read},
    {"folded", folded_recognise, folded_read},
};

const char *foreign_format_names(struct name_list *list)
{
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        name_list_add(list, formats[i].name);
    return list->text;
}

/* The format called NAME; NULL if there is none.  */
static const struct foreign_format *named_format(const char *name)
{
    for (size_t i = 0; i < ARRAY_LENGTH(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* The format of a stream whose first bytes have been read; NULL if it has none of these.  */
static const struct foreign_format *recognise(const struct stream *stream,
                                              const struct foreign_rules *rules)
{
    enum { START = 1 << 14 }; /* bytes: a long stack fits */
    if (rules->format != NULL)
        return named_format(rules->format);
    size_t size;
    char *start = stream_start(stream, START, &size);
    const struct foreign_format *format = NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(formats) && format == NULL && size > 0; i++)
        if (formats[i].recognise(start, size))
            format = &formats[i];
    free(start);
    return format;
}

bool foreign_is_format(const char *name)
{
    return named_format(name) != NULL;
}

/* ---- What readers share ---- */

bool foreign_bad_line(const struct foreign_reader *reader, const char *reason)
{
    return problem(MSG_BAD_LINE, reader->stream->path, (unsigned long long)reader->stream->line,
                   reason);
}

bool foreign_has_room(const struct foreign_reader *reader)
{
    return !reader->builder->is_full || problem(MSG_TOO_MANY_FRAMES, reader->stream->path);
}

bool foreign_set_event(const struct foreign_reader *reader, const char *event)
{
    struct foreign_builder *builder = reader->builder;
    if (builder->event == NULL)
        builder->event = mem_copy(event, strlen(event));
    return strcmp(builder->event, event) == 0 ||
           problem(MSG_OTHER_EVENT, reader->stream->path, event, builder->event);
}

/* ---- Reading ---- */

/* Whether PATH is a stream that can be opened only once.  */
static bool is_pipe(const char *path)
{
    static const char descriptors[] = "/dev/fd/";
    struct stat status;
    return strcmp(path, "-") == 0 || (strncmp(path, descriptors, sizeof descriptors - 1) == 0 &&
                                      stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
}

/* Whether STREAM, which is opened at PATH, is to be read by RULES.  */
static enum foreign_found open_profile(struct stream *stream, const char *path,
                                       const struct foreign_rules *rules)
{
    struct stat status;
    bool is_readable = is_pipe(path) || (stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
                                         access(path, R_OK) == 0);
    if (!is_readable)
        return FOREIGN_NO;
    bool is_open = stream_open(stream, path);
    if (is_open && recognise(stream, rules) != NULL)
        return FOREIGN_YES;
    stream_close(stream);
    return is_open ? FOREIGN_NO : FOREIGN_UNREADABLE;
}

bool foreign_is_profile(const char *path)
{
    static const struct foreign_rules rules = {NULL, NULL, NULL};
    struct stream stream;
    enum foreign_found found = open_profile(&stream, path, &rules);
    if (found == FOREIGN_YES)
        stream_close(&stream);
    return found != FOREIGN_NO; /* reading it prints the reason */
}

/* Whether the directory at PATH has a profile, not counting those in other directories.  */
static bool has_profile(const char *path)
{
    struct arena arena = {0};
    DIR *directory = opendir(path);
    bool is_found = false;
    const struct dirent *entry;
    while (directory != NULL && !is_found && (entry = readdir(directory)) != NULL)
        is_found = entry->d_name[0] != '.' &&
                   foreign_is_profile(arena_join(&arena, path, "/", entry->d_name));
    if (directory != NULL)
        closedir(directory);
    arena_free(&arena);
    return is_found;
}

enum foreign_found foreign_find(struct foreign *foreign, const char *path,
                                const struct foreign_rules *rules)
{
    struct stat status;
    struct stream stream;
    bool is_once = is_pipe(path);
    if (!is_once && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return rules->format != NULL || has_profile(path) ? FOREIGN_YES : FOREIGN_NO;
    if (rules->format != NULL && !is_once)
        return FOREIGN_YES;
    enum foreign_found found = open_profile(&stream, path, rules);
    if (found != FOREIGN_YES)
        return found;
    foreign->first = mem_array(1, sizeof *foreign->first);
    *foreign->first = stream;
    return FOREIGN_YES;
}

/* Reads STREAM to its end.  */
static bool read_stream(struct foreign_reader *reader)
{
    struct stream *stream = reader->stream;
    const struct foreign_format *format = recognise(stream, reader->rules);
    struct name_list names = {0};
    if (format == NULL)
        return problem(MSG_UNKNOWN_PROFILE, stream->path, foreign_format_names(&names));
    size_t before = reader->builder->touched_count;
    builder_begin_input(reader->builder, &stream->size);
    if (!stream_unpack(stream) || !format->read(reader) || stream->has_failed)
        return false;
    return reader->builder->touched_count > before || problem(MSG_EMPTY_PROFILE, stream->path);
}

bool foreign_read(struct foreign *foreign, const char *const *paths, size_t count,
                  const struct foreign_rules *rules, struct diagnostics *diagnostics)
{
    struct stream stream;
    bool ok = true;
    foreign->builder = mem_array(1, sizeof *foreign->builder);
    for (size_t i = 0; i < count && ok; i++) {
        struct foreign_reader reader = {&stream, foreign->builder, rules, diagnostics};
        if (foreign->first != NULL && strcmp(paths[i], foreign->first->path) == 0) {
            stream = *foreign->first;
            free(foreign->first);
            foreign->first = NULL;
        } else {
            ok = stream_open(&stream, paths[i]);
        }
        ok = ok && read_stream(&reader);
        ok = stream_close(&stream) && ok;
        builder_end_input(foreign->builder, paths[i]);
    }
    if (ok)
        builder_finish(foreign->builder, foreign);
    return ok;
}

void foreign_free(struct foreign *foreign)
{
    if (foreign->first != NULL)
        stream_close(foreign->first);
    if (foreign->builder != NULL)
        builder_free(foreign->builder);
    recorded_stacks_free(&foreign->stacks);
    free(foreign->first);
    free(foreign->builder);
    free(foreign->functions);
    free(foreign->places);
    free(foreign->leaves);
    free(foreign->inputs);
    *foreign = (struct foreign){0};
}
