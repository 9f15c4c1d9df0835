/* record.c - the record of a run: one file with the call stacks of all its processes.
   SPDX-License-Identifier: MIT */
#include "record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmon_file.h"
#include "stacks_file.h"
#include "table.h"
#include "text.h"

#define MOST_BYTES ((uint64_t)64 << 20) /* of a record */
#define WHOLE_BYTES (MOST_BYTES / 2)    /* of sections with whole stacks, if there are more */
#define KEPT_FRAMES 2                   /* of the other stacks */
#define NAME_BYTES 64
#define HEAD_BYTES 512

struct section {
    long long began;
    long process;
    char name[NAME_BYTES];
    char *text; /* ends in NUL */
    size_t size;
};

struct sections {
    struct section *list;
    size_t count;
    bool is_cut;
    size_t left_out;
};

/* ---- Reading ---- */

static int compare_sections(const void *a, const void *b)
{
    const struct section *x = a, *y = b;

    if (x->began != y->began)
        return x->began < y->began ? -1 : 1;
    return x->process < y->process ? -1 : x->process > y->process;
}

/* Sets the rest by its name; false if that is not the name of a section. */
static bool read_name(struct section *section, const char *name)
{
    const size_t start = strlen(SECTION);
    char *end;

    if (strncmp(name, SECTION, start) != 0 || strlen(name) >= sizeof section->name)
        return false;
    section->process = strtol(name + start, &end, 10);
    if (*end != '-')
        return false;
    section->began = strtoll(end + 1, &end, 10);
    (void)snprintf(section->name, sizeof section->name, "%s", name);
    return !*end;
}

static bool read_text(struct section *section, int directory)
{
    const int fd = openat(directory, section->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    ssize_t got = -1;

    if (fd >= 0 && !fstat(fd, &status) && (section->text = malloc((size_t)status.st_size + 1)))
        got = read(fd, section->text, (size_t)status.st_size);
    if (fd >= 0)
        (void)close(fd);
    if (got < 0)
        return false;
    section->size = (size_t)got;
    section->text[got] = 0;
    return true;
}

/* Cuts the stacks behind so many bytes to their innermost frames: `0:10;0:20;1:30;0:40 5' to
   `?;1:30;0:40 5'. */
static void cut_stacks(struct section *section, size_t whole)
{
    char *to = section->text;
    const char *line = section->text;

    while (*line) {
        const char *end = strchrnul(line, '\n'), *from = line;
        const bool is_cut = *line != '#' && (size_t)(line - section->text) >= whole;
        unsigned frames = 0;

        for (const char *at = end; is_cut && at > line && frames < KEPT_FRAMES; at--)
            if (at[-1] == ';' && ++frames == KEPT_FRAMES)
                from = at;
        if (from <= line + 1) /* it has no more frames */
            from = line;
        else {
            *to++ = '?';
            *to++ = ';';
        }
        line = end + (*end != 0);
        memmove(to, from, (size_t)(line - from));
        to += line - from;
    }
    *to = 0;
    section->size = (size_t)(to - section->text);
    to = realloc(section->text, section->size + 1);
    section->text = to ? to : section->text;
}

/* Those in the directory, the oldest first, as far as a record has room, for which stacks are cut.
   False if there is no memory. */
static bool read_sections(struct sections *sections, int directory)
{
    DIR *list = fdopendir(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const struct dirent *entry;
    struct section section = {0};
    uint64_t bytes = 0, all = 0;
    bool ok = list;

    while (ok && (entry = readdir(list))) {
        struct section *more;
        struct stat status;

        if (!read_name(&section, entry->d_name))
            continue;
        if (fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
            all += (uint64_t)status.st_size;
        more = realloc(sections->list, (sections->count + 1) * sizeof *more);
        ok = more;
        if (!more)
            break;
        sections->list = more;
        sections->list[sections->count++] = section;
    }
    if (list)
        (void)closedir(list);
    if (sections->count)
        qsort(sections->list, sections->count, sizeof *sections->list, compare_sections);
    for (size_t i = 0; ok && i < sections->count; i++) {
        ok = read_text(&sections->list[i], directory);
        if (ok && all > MOST_BYTES && bytes + sections->list[i].size > WHOLE_BYTES) {
            cut_stacks(&sections->list[i], bytes < WHOLE_BYTES ? WHOLE_BYTES - bytes : 0);
            sections->is_cut = true;
        }
        bytes += sections->list[i].size;
        if (bytes > MOST_BYTES) {
            sections->left_out += sections->count - i;
            sections->count = i;
        }
    }
    return ok;
}

static void free_sections(struct sections *sections)
{
    for (size_t i = 0; i < sections->count; i++)
        free(sections->list[i].text);
    free(sections->list);
}

/* What follows the first line of a section's head that begins so; NULL if there is none.  (No name
   begins a line.) */
static const char *find_line(const struct section *section, const char *start)
{
    const char *line = section->text;
    const size_t length = strlen(start);

    while (line && *line == '#' && strncmp(line, start, length) != 0) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return line && *line == '#' ? line + length : NULL;
}

/* Whether two lines have the same rest. */
static bool are_equal(const char *a, const char *b)
{
    const size_t length = a ? strcspn(a, "\n") : 0;

    return a && b && strcspn(b, "\n") == length && !strncmp(a, b, length);
}

/* The number that a section has for its program; -1: none. */
static long number_of_program(const struct section *section)
{
    const char *line = find_line(section, "# program ");

    return line ? strtol(line, NULL, 10) : -1;
}

static bool are_of_one_program(const struct section *a, const struct section *b)
{
    const char *const id = find_line(a, "# build-id ");
    char start[NAME_BYTES];

    if (id || find_line(b, "# build-id "))
        return are_equal(id, find_line(b, "# build-id "));
    (void)snprintf(start, sizeof start, "# file %ld ", number_of_program(a));
    return number_of_program(a) == number_of_program(b) &&
           are_equal(find_line(a, start), find_line(b, start));
}

/* Of the process that regmon runs, which may execute other programs: the first that has the line,
   and the last one.  NULL: it has no samples. */
static const struct section *first_section(const struct sections *sections, const char *line)
{
    for (size_t i = 0; i < sections->count; i++)
        if (find_line(&sections->list[i], "# first\n") && find_line(&sections->list[i], line))
            return &sections->list[i];
    return NULL;
}

static const struct section *last_section(const struct sections *sections)
{
    for (size_t i = sections->count; i-- > 0;)
        if (find_line(&sections->list[i], "# first\n"))
            return &sections->list[i];
    return NULL;
}

/* ---- Samples of the program ---- */

/* Adds the samples of a line, a stack, if it ends in the program. */
static void add_stack(struct entries *entries, const char *line, const char *end, long program)
{
    const char *space = memrchr(line, ' ', (size_t)(end - line));
    const char *semicolon = space ? memrchr(line, ';', (size_t)(space - line)) : NULL;
    const char *frame = semicolon ? semicolon + 1 : line;
    char *colon = NULL;

    if (!space || *frame == '?' || strtol(frame, &colon, 10) != program || *colon != ':')
        return;
    (void)entries_add(entries,
                      &(struct entry){.from = SAMPLE,
                                      .self = (uintptr_t)strtoull(colon + 1, NULL, 16),
                                      .count = strtoull(space, NULL, 10)},
                      NULL);
}

static void add_samples(struct entries *entries, const struct section *section)
{
    const long program = number_of_program(section);
    const char *end;

    for (const char *line = section->text; (end = strchr(line, '\n')); line = end + 1)
        if (*line != '#')
            add_stack(entries, line, end, program);
}

/* Writes the sum of all sections of one program and rate. */
static long write_profile(struct out_file *out, const char *path, const struct sections *sections,
                          const struct section *first)
{
    const char *rate = find_line(first, "# rate "), *code = find_line(first, "# code ");
    struct object program = {.is_main = 1, .is_in_parts = 1};
    struct entries entries = {0};
    char *end;
    long error;

    if (!rate || !code)
        return 0;
    program.low = (uintptr_t)strtoull(code, &end, 16);
    program.high = (uintptr_t)strtoull(end, NULL, 16);
    for (size_t i = 0; i < sections->count; i++)
        if (are_of_one_program(&sections->list[i], first) &&
            are_equal(find_line(&sections->list[i], "# rate "), rate))
            add_samples(&entries, &sections->list[i]);
    entries_sum(&entries);
    out->keeps = false;
    error = gmon_write(out, path, &program, (unsigned)strtoul(rate, NULL, 10), entries.list,
                       entries.count);
    entries_close(&entries);
    return error;
}

/* ---- Files ---- */

static void put_head(struct out_file *out, const struct record *record)
{
    char head[HEAD_BYTES];
    int length = snprintf(head, sizeof head, STACKS_FORMAT " 3\n# run %s\n# waited %llu\n",
                          record->run, (unsigned long long)record->waited);

    if (!record->waited)
        length = snprintf(head, sizeof head, STACKS_FORMAT " 3\n# run %s\n", record->run);
    out_bytes(out, head, (size_t)length);
}

static bool is_of_run(int place, const char *path, const char *run)
{
    const int fd = openat(place, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char head[HEAD_BYTES], line[HEAD_BYTES];
    const ssize_t got = fd < 0 ? 0 : read(fd, head, sizeof head - 1);

    if (fd >= 0)
        (void)close(fd);
    head[got > 0 ? got : 0] = 0;
    (void)snprintf(line, sizeof line, "\n# run %s\n", run);
    return strstr(head, line);
}

/* Whether a file that is there stays: it is no profile, or of another run. */
static bool is_kept(const struct out_file *out, const char *path, int64_t since)
{
    const struct out_found found = out_find(out, path);

    if (found.is_there && !found.is_ours)
        message("is no profile, and stays:", path, 0);
    return found.is_there && (!found.is_ours || found.modified >= since);
}

static long write_stacks(struct out_file *out, const char *path, const struct record *record,
                         const struct sections *sections, bool keeps)
{
    long error = out_open(out, path);

    out->keeps = keeps;
    if (error)
        return error;
    put_head(out, record);
    for (size_t i = 0; i < sections->count; i++)
        out_bytes(out, sections->list[i].text, sections->list[i].size);
    return out_close(out);
}

/* If the program that regmon runs counted something, its profile is there, and the record has its
   name; else, both have the first name that is free.  One that somebody takes meanwhile is looked
   at again. */
static long write_files(struct out_file *out, const struct record *record,
                        const struct sections *sections, struct record_sum *sum)
{
    const struct section *first = last_section(sections);
    const struct section *counting = first_section(sections, "# profile ");
    const char *named = counting ? find_line(counting, "# profile ") : NULL;
    char profile[RECORD_NAME_BYTES], *stacks = sum->file;
    long error = -EEXIST;

    (void)snprintf(profile, sizeof profile, "%.*s",
                   named ? (int)strcspn(named, "\n") : RECORD_NAME_BYTES,
                   named ? named : record->name);
    for (unsigned i = 2; error == -EEXIST;) {
        (void)snprintf(stacks, sizeof sum->file, "%s.stacks", profile);
        const bool is_ours = is_of_run(out->directory, stacks, record->run);
        const bool is_free =
            is_ours || (!is_kept(out, stacks, record->since) &&
                        (!first || named || !is_kept(out, profile, record->since)));

        if (is_free || named)
            error = write_stacks(out, stacks, record, sections,
                                 !named && !is_ours && !out_find(out, stacks).is_there);
        else
            (void)snprintf(profile, sizeof profile, "%s-%u", record->name, i++);
    }
    if (error) {
        message("cannot write", stacks, error);
        if (!is_kept(out, stacks, record->since))
            out_remove(out, stacks); /* old ones do not stay beside a new profile */
    } else if (first && !named) {
        error = write_profile(out, profile, sections, first);
        if (error)
            message("cannot write", profile, error);
        /* Readers take a profile that is newer than the record for one of another run. */
        (void)utimensat(out->directory, stacks, NULL, AT_SYMLINK_NOFOLLOW);
    }
    return error;
}

/* ---- Sums ---- */

/* The number in the last line. */
static uint64_t samples_of(const struct section *section)
{
    static const char start[] = "\n# samples ";
    const char *last = section->text, *line;

    while ((line = strstr(last, start)))
        last = line + strlen(start);
    return last > section->text ? strtoull(last, NULL, 10) : 0;
}

static uint64_t milliseconds_of(const struct section *section)
{
    const char *rate = find_line(section, "# rate ");
    const uint64_t hz = rate ? strtoull(rate, NULL, 10) : 0;

    return hz ? samples_of(section) * 1000 / hz : 0;
}

static void sum_up(struct record_sum *sum, const struct sections *sections)
{
    for (size_t i = 0; i < sections->count; i++) {
        const struct section *first = &sections->list[i];
        const char *name = find_line(first, "# command ");
        uint64_t time = 0;
        size_t before = 0;

        sum->all += milliseconds_of(first);
        while (before < i && !are_of_one_program(&sections->list[before], first))
            before++;
        if (before < i)
            continue;
        sum->programs++;
        for (size_t j = i; j < sections->count; j++)
            if (are_of_one_program(&sections->list[j], first))
                time += milliseconds_of(&sections->list[j]);
        if (name && time >= sum->most) {
            sum->most = time;
            (void)snprintf(sum->name, sizeof sum->name, "%.*s", (int)strcspn(name, "\n"), name);
        }
    }
}

long record_write(const struct record *record, int place, struct record_sum *sum)
{
    static struct out_file out;
    struct sections sections = {0};
    long error = -ENOMEM;

    *sum = (struct record_sum){0};
    out.directory = place;
    out.room = record->room;
    if (!read_sections(&sections, record->sections))
        message("cannot write the record of the run: no memory", NULL, 0);
    else
        error = sections.count ? write_files(&out, record, &sections, sum) : 0;
    if (!error)
        sum_up(sum, &sections);
    if (sections.left_out)
        message("the record of the run is full: later processes are left out", NULL, 0);
    if (sections.is_cut)
        message("the record of the run is large: later stacks are cut", NULL, 0);
    free_sections(&sections);
    return error;
}
