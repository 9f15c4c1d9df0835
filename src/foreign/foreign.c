/* foreign.c - recognises profiles of other profilers, and reads those of one program.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/foreign.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/messages.h"
#include "base/text.h"
#include "foreign/formats.h"
#include "foreign/perf_line.h"
#include "input/gmon.h"
#include "input/profile_list.h"
#include "input/profile_load.h"
#include "input/stack_file.h"

/* ---- Formats ---- */

static const struct foreign_format {
    const char *name;
    bool (*recognise)(const char *bytes, size_t size);
    bool (*read)(struct foreign_reader *reader);
    bool has_programs;  /* samples are of programs, or profiles have names */
    bool has_labels;    /* samples can have labels, or are of threads */
    bool has_values;    /* samples can have several values */
    bool has_addresses; /* an executable in front of the profile can name them */
} formats[] = {
    {"perf", perf_data_recognise, perf_data_read, true, true, true, false},
    {"perf-script", perf_script_recognise, perf_script_read, true, true, true, false},
    {"gperftools", gperftools_recognise, gperftools_read, false, false, false, true},
    {"pprof", pprof_recognise, pprof_read, false, true, true, true},
    {"speedscope", speedscope_recognise, speedscope_read, true, false, true, false},
    {"cpuprofile", cpuprofile_recognise, cpuprofile_read, false, false, false, false},
    {"callgrind", callgrind_recognise, callgrind_read, false, false, true, false},
    {"json", own_json_recognise, own_json_read, false, false, false, false},
    {"folded", folded_recognise, folded_read, false, false, false, false},
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
    if (rules->format != NULL)
        return named_format(rules->format);
    size_t size, capacity = STREAM_START;
    char *start = stream_start(stream, capacity, &size);
    while (*start == '#' && size + 4 > capacity && /* UTF-16 leaves up to three */
           capacity < STREAM_LONGEST_START) {
        free(start); /* comments may be long */
        start = stream_start(stream, capacity *= 8, &size);
    }
    const struct foreign_format *format = NULL;
    bool is_unread = profile_is_unread(start, size) || strspn(start, " \t\r\n") == size ||
                     stack_file_begins((const unsigned char *)start, size);
    for (size_t i = 0; i < ARRAY_LENGTH(formats) && format == NULL && size > 0 && !is_unread; i++)
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
    return !reader->builder->budget.is_full || problem(MSG_TOO_MANY_FRAMES, reader->stream->path);
}

bool foreign_name_address(const struct foreign_reader *reader, const struct code_address *address,
                          uint32_t *place)
{
    struct address_names *names = reader->rules->names;
    struct code_name name;
    enum code_found found = names != NULL ? names->find(names, address, &name) : CODE_NO_FILE;
    const char *object =
        address->is_program && names != NULL && names->image != NULL ? names->image : address->path;
    *place = NO_ID;
    if (found == CODE_NO_FILE && address->is_program)
        return problem(MSG_GIVE_IMAGE, reader->stream->path, address->path);
    if (found == CODE_FOUND) {
        const struct function_home home = {object != NULL ? path_base(object) : NULL,
                                           name.first_file};
        if (name.first_file != NULL) /* where the function begins comes before its other lines */
            builder_place(reader->builder, name.function, home, name.first_file, name.first_line);
        *place = builder_place(reader->builder, name.function, home, name.file, name.line);
    }
    return found != CODE_FAILED;
}

bool foreign_is_of_image(const struct foreign_reader *reader, const char *path)
{
    const struct address_names *names = reader->rules->names;
    const char *base = path_base(path);
    const char *name = names != NULL && names->image != NULL ? path_base(names->image) : "";
    size_t size = strlen(name);
    return size > 0 && strncmp(base, name, size) == 0 &&
           (base[size] == '\0' || strcmp(base + size, " (deleted)") == 0);
}

void foreign_warn_of_image(const struct foreign_reader *reader, const char *path)
{
    const struct address_names *names = reader->rules->names;
    if (names != NULL && names->image != NULL)
        warning(reader->diagnostics, MSG_OTHER_IMAGE, reader->stream->path, path, names->image);
}

/* Whether the SIZE bytes at NAME are the base name of the kernel or of one of its modules, in files
   (`vmlinux-6.1', `ext4.ko.xz') or in brackets (`[kernel.kallsyms]', `[ext4]').  */
static bool is_of_kernel(const char *name)
{
    static const char *const others[] = {"[vdso", "[vsyscall", "[vvar",    "[stack", "[heap",
                                         "[anon", "[uprobes",  "[unknown", "[aio",   "[JIT"};
    const char *module = strstr(name, ".ko");
    if (module != NULL && (module[3] == '\0' || (module[3] == '.' && strchr("gxzbd", module[4]))))
        return true;
    if (*name != '[')
        return strncmp(name, "vmlinux", 7) == 0 || strcmp(name, "kcore") == 0;
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return false;
    return strncmp(name, "[kernel", 7) == 0 || strncmp(name, "[guest.kernel", 13) == 0 ||
           strcspn(name + 1, " .]/") == strlen(name) - 2;
}

void foreign_drop_process(char *name)
{
    static const struct {
        const char *start;
        char end; /* of the number */
    } generated[] = {{"perf-", '.'}, {"jitted-", '.'}, {"jit-", '.'}, {"stack:", ']'}};
    name += *name == '[';
    for (size_t i = 0; i < ARRAY_LENGTH(generated); i++) {
        char *number = name + strlen(generated[i].start);
        size_t digits = strncmp(name, generated[i].start, strlen(generated[i].start)) == 0
                            ? strspn(number, "0123456789-")
                            : 0;
        if (digits > 0 && number[digits] == generated[i].end)
            memmove(number - 1, number + digits, strlen(number + digits) + 1);
    }
}

const char *foreign_object_name(char *path)
{
    char *name = path + (path_base(path) - path);
    if (*path == '[' || strcmp(path, "inlined") == 0)
        name = path;
    if (strcmp(name, "[unknown]") == 0 || strcmp(name, "inlined") == 0)
        return NULL;
    if (is_of_kernel(name))
        return "[kernel]";
    foreign_drop_process(name);
    if (strncmp(name, "[JIT] tid ", 10) == 0)
        name[5] = '\0';
    return name;
}

const char *foreign_thread(const struct foreign_rules *rules)
{
    const char *wanted = rules->program;
    bool is_thread = wanted != NULL && (strncmp(wanted, "thread=", strlen("thread=")) == 0 ||
                                        strncmp(wanted, "tid=", strlen("tid=")) == 0);
    return is_thread ? wanted : NULL;
}

const char *foreign_label(const struct foreign_rules *rules)
{
    return rules->program != NULL && strchr(rules->program, '=') != NULL ? rules->program : NULL;
}

bool foreign_is_label(const struct foreign_reader *reader, const char *key, const char *value)
{
    const char *wanted = foreign_label(reader->rules);
    enum { MOST_VALUES = 100 }; /* that are kept, for a message */
    struct foreign_builder *builder = reader->builder;
    size_t length = strlen(key);
    string_map_number(&builder->labels.keys, key);
    bool is_key = wanted != NULL && strncmp(wanted, key, length) == 0 && wanted[length] == '=';
    bool is_it = is_key && strcmp(wanted + length + 1, value) == 0;
    bool is_kept = is_key || (wanted == NULL && reader->rules->program != NULL);
    if (is_kept && builder->labels.values.count < MOST_VALUES) {
        struct arena arena = {0};
        string_map_number(&builder->labels.values,
                          is_it ? wanted : arena_join(&arena, key, "=", value));
        arena_free(&arena);
    }
    return is_it;
}

/* Says that no sample is of the program or label of --program, and which there are.  False.  */
static bool refuse_program(const struct foreign_reader *reader)
{
    const struct string_map *labels = &reader->builder->labels.keys;
    const struct string_map *values = &reader->builder->labels.values;
    const char *wanted = reader->rules->program, *path = reader->stream->path;
    const struct string_map *known = values->count > 0 ? values : labels;
    struct name_list names = {0};
    for (size_t i = 0; i < known->count; i++)
        name_list_add(&names, known->strings[i]);
    if (values->count > 0 && foreign_label(reader->rules) != NULL)
        return problem(MSG_NO_PROGRAM_OF, path, wanted, names.text);
    return labels->count > 0 ? problem(MSG_ONLY_LABELS, path, wanted, names.text)
                             : problem(MSG_NO_PROGRAMS, path, wanted);
}

/* Says which labels the samples of the input have, or that none has the one of --program.  False if
   so.  */
static bool check_labels(const struct foreign_reader *reader, const struct foreign_format *format,
                         bool has_samples)
{
    const struct string_map *labels = &reader->builder->labels.keys;
    const char *wanted = foreign_label(reader->rules), *path = reader->stream->path;
    struct name_list names = {0};
    for (size_t i = 0; i < labels->count; i++)
        name_list_add(&names, labels->strings[i]);
    bool has_programs = format->has_programs || wanted != NULL;
    if ((wanted != NULL && !has_samples) || (reader->rules->program != NULL && !has_programs))
        return refuse_program(reader);
    if (wanted == NULL && labels->count > 0)
        note(reader->diagnostics, MSG_LABELS, path, names.text);
    return has_samples || problem(MSG_EMPTY_PROFILE, path);
}

bool foreign_set_value(const struct foreign_reader *reader, const char *value)
{
    struct foreign_builder *builder = reader->builder;
    if (builder->event.value == NULL)
        builder->event.value = arena_copy(&builder->arena, value, strlen(value));
    return strcmp(builder->event.value, value) == 0 ||
           problem(MSG_OTHER_EVENT, reader->stream->path, value, builder->event.value);
}

bool foreign_set_event(const struct foreign_reader *reader, const char *event)
{
    return foreign_set_kind(reader, event, FOREIGN_STACKS, FIGURES_SAMPLED);
}

bool foreign_set_kind(const struct foreign_reader *reader, const char *event,
                      enum foreign_times times, enum figures figures)
{
    struct foreign_builder *builder = reader->builder;
    const char *path = reader->stream->path, *modifiers = strrchr(event, ':');
    if (modifiers != NULL && perf_is_modifier(modifiers + 1)) {
        char *plain = mem_copy(event, (size_t)(modifiers - event));
        bool ok = foreign_set_kind(reader, plain, times, figures);
        free(plain);
        return ok && foreign_set_value(reader, event);
    }
    if (reader->rules->counts_weights)
        figures = FIGURES_COUNTED;
    if (builder->event.name == NULL) {
        builder->event.name = mem_copy(event, strlen(event));
        builder->stated.times = times;
        builder->event.figures = figures;
        builder->event.counts_weights = reader->rules->counts_weights;
    }
    if (strcmp(builder->event.name, event) != 0)
        return problem(MSG_OTHER_EVENT, path, event, builder->event.name);
    return (builder->stated.times == times &&
            (builder->event.figures == figures || builder->event.figures == FIGURES_SIGNED)) ||
           problem(MSG_OTHER_KIND, path);
}

/* ---- Reading ---- */

bool foreign_is_pipe(const char *path)
{
    /* A named pipe may have no writer, and opening it would wait for one.  */
    static const char *const open_files[] = {"/dev/fd/", "/dev/stdin", "/proc/self/fd/"};
    struct stat status;
    bool is_open = false;
    for (size_t i = 0; i < ARRAY_LENGTH(open_files); i++)
        is_open |= strncmp(path, open_files[i], strlen(open_files[i])) == 0;
    return strcmp(path, "-") == 0 ||
           (is_open && stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
}

/* Whether the directory at PATH is one recording of perf: `perf record --threads' and others write
   several files.  */
static bool is_recording(const char *path)
{
    static const char *const parts[] = {"/data.0", "/kcore_dir"};
    struct arena arena = {0};
    struct stat status;
    bool is_found = false;
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        is_found |= stat(arena_join(&arena, path, parts[i], ""), &status) == 0;
    arena_free(&arena);
    return is_found;
}

/* Says what STREAM is, which is no profile of a known format.  False.  */
static bool refuse_pipe(const struct stream *stream)
{
    struct name_list names = {0};
    return !profile_is_of_other(stream->path, (const unsigned char *)stream->bytes + stream->start,
                                stream->end - stream->start) &&
           problem(MSG_UNKNOWN_PROFILE, stream->path, foreign_format_names(&names));
}

/* Whether STREAM, which is opened at PATH, is to be read by RULES.  If not, OPENED keeps the file,
   unless it is NULL.  */
static enum foreign_found open_profile(struct stream *stream, const char *path,
                                       const struct foreign_rules *rules, struct open_files *opened)
{
    struct stat status;
    bool is_once = foreign_is_pipe(path), is_readable = is_once;
    if (!is_readable && stat(path, &status) == 0)
        is_readable = S_ISDIR(status.st_mode) ? is_recording(path)
                                              : S_ISREG(status.st_mode) && access(path, R_OK) == 0;
    if (!is_readable)
        return FOREIGN_NO;
    bool is_open = stream_open(stream, path);
    if (is_open && recognise(stream, rules) != NULL)
        return FOREIGN_YES;
    if (is_open && is_once) /* nobody can read it again */
        is_open = refuse_pipe(stream);
    else if (is_open && opened != NULL)
        open_files_keep(opened, path, stream->fd);
    stream_close(stream);
    return is_open ? FOREIGN_NO : FOREIGN_UNREADABLE;
}

bool foreign_is_profile(const char *path)
{
    static const struct foreign_rules rules = {.names = NULL};
    struct stream stream;
    enum foreign_found found = open_profile(&stream, path, &rules, NULL);
    if (found == FOREIGN_YES)
        stream_close(&stream);
    return found != FOREIGN_NO; /* reading it prints the reason */
}

bool foreign_is_base(const char *path)
{
    struct arena arena = {0};
    struct stat status;
    bool is_empty = stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
    bool is_base = is_empty && stat(arena_join(&arena, path, "-01", ""), &status) == 0;
    arena_free(&arena);
    return is_base;
}

/* Whether the file at PATH is a profile with addresses, or cannot be read, after a message.  */
static bool is_with_addresses(const char *path)
{
    static const struct foreign_rules rules = {.names = NULL};
    struct stream stream;
    enum foreign_found found = open_profile(&stream, path, &rules, NULL);
    if (found != FOREIGN_YES)
        return found == FOREIGN_UNREADABLE;
    bool has_addresses = recognise(&stream, &rules)->has_addresses;
    stream_close(&stream);
    return has_addresses;
}

/* Whether the directory at PATH has a profile, not counting those in other directories.  Behind an
   executable, it must have addresses: other files are perhaps beside those of -pg, of which there
   must be none.  */
static bool has_profile(const char *path, bool has_image)
{
    struct arena arena = {0};
    DIR *directory = opendir(path);
    bool is_found = false, is_own = false;
    const struct dirent *entry;
    while (directory != NULL && (has_image ? !is_own : !is_found) &&
           (entry = readdir(directory)) != NULL) {
        const char *file = arena_join(&arena, path, "/", entry->d_name);
        if (entry->d_name[0] == '.' || !is_plain_file(file))
            continue;
        is_own = has_image && profile_is_likely(file);
        is_found = is_found || (has_image ? is_with_addresses(file) : foreign_is_profile(file));
    }
    if (directory != NULL)
        closedir(directory);
    arena_free(&arena);
    return is_found && !is_own;
}

/* Whether PATH is, or has, a profile of another profiler; HAS_IMAGE: behind an executable.  */
static enum foreign_found find_at(struct foreign *foreign, struct open_files *opened,
                                  const char *path, bool has_image,
                                  const struct foreign_rules *rules)
{
    struct stat status;
    struct stream stream;
    bool is_once = foreign_is_pipe(path);
    if (!is_once && stat(path, &status) == 0 && S_ISDIR(status.st_mode) && !is_recording(path))
        return rules->format != NULL || has_profile(path, has_image) ? FOREIGN_YES : FOREIGN_NO;
    if (rules->format != NULL && !is_once)
        return FOREIGN_YES;
    enum foreign_found found = open_profile(&stream, path, rules, opened);
    if (found != FOREIGN_YES)
        return found;
    foreign->first = mem_array(1, sizeof *foreign->first);
    *foreign->first = stream;
    foreign->is_json = recognise(&stream, rules)->read == own_json_read;
    return FOREIGN_YES;
}

/* Whether STREAM is a file in a BSD format of gmon.out, which may begin with any bytes.  */
static bool is_bsd(const struct stream *stream)
{
    struct gmon_bytes file = {.path = stream->path,
                              .bytes = (const unsigned char *)stream->bytes + stream->start,
                              .size = stream->end - stream->start};
    struct stat status;
    if (stream->fd >= 0 && fstat(stream->fd, &status) == 0)
        file.size = (size_t)status.st_size;
    for (unsigned i = 0; i < 4; i++) {
        const struct gmon_layout layout = {.is_big_endian = i >= 2,
                                           .pointer_size = i % 2 == 0 ? 8 : 4};
        if (gmon_is_bsd(&file, &layout))
            return true;
    }
    return false;
}

enum foreign_found foreign_find(struct foreign *foreign, struct open_files *opened,
                                const char *const *paths, size_t count,
                                const struct foreign_rules *rules)
{
    for (; count > 1 && foreign_is_base(paths[0]); count--)
        paths++;
    bool is_image = rules->format != NULL && count > 1 && file_is_elf(paths[0]);
    enum foreign_found found =
        is_image ? FOREIGN_NO : find_at(foreign, opened, paths[0], false, rules);
    /* What can be read only once, and stacks of regmon, are left to the reader of gmon.out.  */
    if (found != FOREIGN_NO || count < 2 ||
        (rules->format == NULL && (foreign_is_pipe(paths[1]) || stack_file_is_named(paths[1]))))
        return found;
    found = find_at(foreign, opened, paths[1], true, rules);
    if (found == FOREIGN_YES && foreign->first != NULL && is_bsd(foreign->first)) {
        stream_close(foreign->first);
        free(foreign->first);
        foreign->first = NULL;
        return FOREIGN_NO;
    }
    foreign->image = found == FOREIGN_YES ? paths[0] : NULL;
    return found;
}

/* Whether files of FORMAT have what RULES choose.  False after a message.  */
static bool has_chosen(const struct foreign_format *format, const struct foreign_rules *rules,
                       const char *path)
{
    if (rules->value != NULL && !format->has_values)
        return problem(MSG_NO_VALUES, path, rules->value);
    return rules->program == NULL || format->has_programs || format->has_labels ||
           problem(MSG_NO_PROGRAMS, path, rules->program);
}

/* Reads STREAM to its end.  */
static bool read_stream(struct foreign_reader *reader)
{
    struct stream *stream = reader->stream;
    const struct foreign_format *format = recognise(stream, reader->rules);
    struct name_list names = {0};
    if (format == NULL)
        return problem(MSG_UNKNOWN_PROFILE, stream->path, foreign_format_names(&names));
    struct foreign_builder *builder = reader->builder;
    const char *image = reader->rules->names != NULL ? reader->rules->names->image : NULL;
    if (image != NULL && !format->has_addresses)
        return problem(MSG_IMAGE_LEFT_OUT, stream->path, image);
    builder_begin_input(builder, &stream->size);
    if (!has_chosen(format, reader->rules, stream->path))
        return false;
    if (!stream_unpack(stream) || !format->read(reader) || stream->has_failed)
        return false;
    bool is_shown = reader->rules->signs == SIGNS_ANY || (reader->rules->signs == SIGNS_OF_STACKS &&
                                                          builder->stated.times == FOREIGN_STACKS);
    if (figures_traits(builder->event.figures)->has_signs && !is_shown)
        return problem(MSG_NEGATIVE, stream->path);
    return check_labels(reader, format, !builder_is_empty(builder)) &&
           (builder_can_count(builder) || problem(MSG_BAD_WEIGHTS, stream->path));
}

bool foreign_read(struct foreign *foreign, const char *const *paths, size_t count,
                  const struct foreign_rules *rules, struct diagnostics *diagnostics)
{
    struct stream stream;
    bool ok = true;
    foreign->builder = mem_array(1, sizeof *foreign->builder);
    foreign->builder->stacks.rules =
        (struct stack_rules){.is_foreign = true,
                             .keeps_files = true,
                             .keeps_threads = rules->keeps_threads,
                             .folds_libraries = rules->folds_libraries};
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
        builder_finish(foreign->builder, foreign, rules);
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
    *foreign = (struct foreign){0};
}
