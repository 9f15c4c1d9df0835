/* stack_sections.c - which files have call stacks, and of which processes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/common.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "input/stack_file.h"
#include "input/stack_lines.h"

/* ---- Names ---- */

static const char *const packed[] = {"", ".gz", ".zst"};

/* The length of PATH without the ending of a compressed file.  */
static size_t stem_length(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 1; i < ARRAY_LENGTH(packed); i++) {
        size_t ending = strlen(packed[i]);
        if (length > ending && strcmp(path + length - ending, packed[i]) == 0)
            return length - ending;
    }
    return length;
}

const char *stack_file_path(struct arena *arena, const char *path)
{
    return arena_join(arena, arena_copy(arena, path, stem_length(path)), ".stacks");
}

/* PATH without `.' or `-' and a number at its end, of a process or of a file beside others of its
   name; NULL if there is none.  */
static const char *without_number(struct arena *arena, const char *path)
{
    size_t length = strlen(path), stem = length;
    while (stem > 0 && path[stem - 1] >= '0' && path[stem - 1] <= '9')
        stem--;
    bool is_number = stem < length && stem > 1 && path[stem - 2] != '/';
    return is_number && (path[stem - 1] == '.' || path[stem - 1] == '-')
               ? arena_copy(arena, path, stem - 1)
               : NULL;
}

const char *stack_file_beside(struct arena *arena, const char *path)
{
    const char *plain = stack_file_path(arena, path), *of_run = without_number(arena, path);
    struct stat status;
    if (stack_file_is_named(path))
        return path;
    for (size_t i = 0; i < ARRAY_LENGTH(packed); i++) {
        const char *found = arena_join(arena, plain, packed[i]);
        if (stat(found, &status) == 0 && S_ISREG(status.st_mode)) /* a pipe would be waited for */
            return found;
    }
    return of_run != NULL ? stack_file_beside(arena, of_run) : NULL;
}

bool stack_file_is_named(const char *path)
{
    static const char ending[] = ".stacks";
    size_t length = stem_length(path), own = sizeof ending - 1;
    return length > own && memcmp(path + length - own, ending, own) == 0;
}

bool stack_file_is_written(const char *path)
{
    char start[sizeof STACKS_FORMAT - 1];
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    FILE *file = fopen(path, "rbe");
    bool is_good = file != NULL && fread(start, sizeof start, 1, file) == 1 &&
                   memcmp(start, STACKS_FORMAT, sizeof start) == 0;
    if (file != NULL)
        fclose(file);
    return is_good;
}

/* ---- Pieces of a line ---- */

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

bool stack_line_digits(const char **at, const char *end, int base, uint64_t *number)
{
    const char *start = *at;
    *number = 0;
    for (; *at < end && digit_value(**at) < base; ++*at) {
        uint64_t digit = (uint64_t)digit_value(**at);
        if (*number > (UINT64_MAX - digit) / (uint64_t)base)
            return false;
        *number = *number * (uint64_t)base + digit;
    }
    return *at > start;
}

/* The next byte of a name, which may be escaped: see stack_file.h.  Moves *AT behind it.  */
static char next_of_name(const char **at, const char *end)
{
    const char *s = *at;
    int byte;
    if (end - s >= 2 && s[0] == '\\' && (s[1] == '\\' || s[1] == 'n')) {
        *at += 2;
        return s[1] == 'n' ? '\n' : '\\';
    }
    if (end - s >= 4 && s[0] == '\\' && s[1] == 'x' && digit_value(s[2]) < 16 &&
        digit_value(s[3]) < 16 && (byte = digit_value(s[2]) << 4 | digit_value(s[3])) != 0) {
        *at += 4;
        return (char)byte;
    }
    return *(*at)++;
}

char *stack_line_name(const char **at, const char *end)
{
    char *name = mem_array((size_t)(end - *at) + 1, 1), *to = name;
    while (*at < end)
        *to++ = next_of_name(at, end);
    *to = '\0';
    return name;
}

/* ---- The head of a section ---- */

/* What is being read.  */
struct head {
    struct stack_file *file;
    struct stack_section *section;
    const char *at, *end; /* the rest of the current line */
    uint64_t program;     /* its number; UINT64_MAX: not known */
};

static bool read_number(struct head *head, int base, uint64_t *number)
{
    return stack_line_digits(&head->at, head->end, base, number);
}

/* A space, and a number behind it.  */
static bool read_next(struct head *head, int base, uint64_t *number)
{
    return text_skip(&head->at, head->end, " ") && read_number(head, base, number);
}

/* The rest of the line, which the file owns.  */
static const char *keep_name(struct head *head)
{
    char *name = stack_line_name(&head->at, head->end);
    const char *kept = arena_copy(&head->file->arena, name, strlen(name));
    free(name);
    return kept;
}

/* `# process NUMBER PARENT BEGAN STATE'.  */
static bool read_process(struct head *head)
{
    struct stack_section *section = head->section;
    return read_number(head, 10, &section->process) && read_next(head, 10, &section->parent) &&
           read_next(head, 10, &section->began);
}

static bool read_first(struct head *head)
{
    head->section->is_first = true;
    return head->at == head->end;
}

static bool read_command(struct head *head)
{
    head->section->command = keep_name(head);
    return true;
}

static bool read_profile(struct head *head)
{
    head->section->profile = keep_name(head);
    return true;
}

static bool read_waited(struct head *head)
{
    return read_number(head, 10, &head->file->waited) && head->at == head->end;
}

static bool read_rate(struct head *head)
{
    uint64_t rate;
    bool ok = read_number(head, 10, &rate) && rate > 0 && rate <= UINT32_MAX;
    head->section->origin.totals.rate = ok ? (uint32_t)rate : 0;
    return ok;
}

static bool read_build_id(struct head *head)
{
    struct stacks_origin *origin = &head->section->origin;
    size_t size = (size_t)(head->end - head->at);
    if (size >= sizeof origin->build_id)
        return false;
    memcpy(origin->build_id, head->at, size);
    origin->build_id[size] = '\0';
    return true;
}

static bool read_histogram(struct head *head)
{
    struct profile_totals *totals = &head->section->origin.totals;
    return read_number(head, 16, &totals->low) && read_next(head, 16, &totals->high) &&
           read_next(head, 10, &totals->samples) && head->at == head->end;
}

/* `# code LOW HIGH'.  */
static bool read_code(struct head *head)
{
    struct stacks_origin *origin = &head->section->origin;
    return read_number(head, 16, &origin->code_low) && read_next(head, 16, &origin->code_high) &&
           head->at == head->end;
}

static bool read_checksum(struct head *head)
{
    struct stacks_origin *origin = &head->section->origin;
    origin->has_checksum = true;
    return read_number(head, 16, &origin->totals.checksum) && head->at == head->end;
}

/* `# program NUMBER NAME'.  */
static bool read_program(struct head *head)
{
    bool ok = read_number(head, 10, &head->program) && text_skip(&head->at, head->end, " ");
    if (ok)
        head->section->program = keep_name(head);
    return ok;
}

/* `# object NUMBER NAME': the one that counts calls is kept.  */
static bool read_object(struct head *head)
{
    uint64_t number;
    if (!read_number(head, 10, &number) || !text_skip(&head->at, head->end, " "))
        return true; /* who reads the stacks looks at others */
    char *name = stack_line_name(&head->at, head->end);
    if (recorded_is_library(name))
        head->section->library = number;
    free(name);
    return true;
}

/* `# file NUMBER BUILDID PATH': that of the program is kept.  */
static bool read_file_line(struct head *head)
{
    uint64_t number;
    const char *space;
    if (!read_number(head, 10, &number) || number != head->program ||
        !text_skip(&head->at, head->end, " "))
        return true; /* who reads the stacks looks at others */
    space = memchr(head->at, ' ', (size_t)(head->end - head->at));
    if (space != NULL) {
        head->at = space + 1;
        head->section->path = keep_name(head);
    }
    return true;
}

/* Reads a line of the head; skips those that are not known.  */
static bool read_line(struct head *head)
{
    static const struct {
        const char *start;
        bool (*read)(struct head *head);
    } kinds[] = {{"# process ", read_process},   {"# first", read_first},
                 {"# command ", read_command},   {"# profile ", read_profile},
                 {"# waited ", read_waited},     {"# rate ", read_rate},
                 {"# build-id ", read_build_id}, {"# histogram ", read_histogram},
                 {"# code ", read_code},         {"# checksum ", read_checksum},
                 {"# program ", read_program},   {"# file ", read_file_line},
                 {"# object ", read_object}};
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
        if (text_skip(&head->at, head->end, kinds[i].start))
            return kinds[i].read(head);
    return true;
}

/* Reads the lines of SECTION that begin with #, up to the first stack.  False after a message.  */
static bool read_head(struct stack_file *file, struct stack_section *section)
{
    struct head head = {.file = file, .section = section, .program = UINT64_MAX};
    size_t line = section->line;
    for (const char *next = section->start; next < section->end && *next == '#'; line++) {
        const char *newline = memchr(next, '\n', (size_t)(section->end - next));
        head.at = next;
        head.end = newline != NULL ? newline : section->end;
        next = head.end + (newline != NULL);
        if (!read_line(&head))
            return problem(MSG_BAD_STACK_LINE, file->path, line);
    }
    return true;
}

/* ---- Sections ---- */

/* Where the line that begins a section ends; NULL if none begins at AT.  */
static const char *section_start(const char *at, const char *end)
{
    static const char version2[] = STACKS_FORMAT " 2", version3[] = STACKS_START;
    return text_skip(&at, end, version3) || text_skip(&at, end, version2) ? at : NULL;
}

bool stack_file_begins(const unsigned char *bytes, size_t size)
{
    return section_start((const char *)bytes, (const char *)bytes + size) != NULL;
}

/* Finds the end of SECTION, which is at most END, and the samples that its last line says; adds its
   lines to *LINES.  */
static void find_end(struct stack_section *section, const char *end, size_t *lines)
{
    const char *at = section->start, *last = at, *newline;
    while (at < end && (at == section->start || section_start(at, end) == NULL)) {
        last = at;
        newline = memchr(at, '\n', (size_t)(end - at));
        at = newline != NULL ? newline + 1 : end;
        ++*lines;
    }
    section->end = at;
    if (text_skip(&last, at, "# samples "))
        (void)stack_line_digits(&last, at, 10, &section->samples);
}

bool stack_file_open(struct stack_file *file, const char *path)
{
    size_t capacity = 0, line = 1;
    *file = (struct stack_file){.path = path};
    if (!read_file(&file->buffer, path))
        return false;
    const char *at = (const char *)file->buffer.bytes, *end = at + file->buffer.size;
    if (section_start(at, end) == NULL)
        return problem(MSG_NOT_STACKS, path);
    while (at < end) {
        struct stack_section section = {.start = at, .line = line};
        find_end(&section, end, &line);
        at = section.end;
        if (!read_head(file, &section))
            return false;
        if (section.program == NULL && at < end) /* the head of a record */
            continue;
        file->sections =
            mem_grow(file->sections, &capacity, file->count + 1, sizeof *file->sections);
        file->sections[file->count++] = section;
    }
    return true;
}

void stack_file_close(struct stack_file *file)
{
    free(file->sections);
    string_map_free(&file->threads);
    arena_free(&file->arena);
    file_buffer_free(&file->buffer);
    *file = (struct stack_file){0};
}

uint64_t stack_section_own_samples(const struct stack_section *section)
{
    const char *next = section->start;
    uint64_t counting = 0, object, samples;
    while (section->library != 0 && next < section->end) {
        const char *at = next, *newline = memchr(at, '\n', (size_t)(section->end - at));
        const char *end = newline != NULL ? newline : section->end;
        next = end + 1;
        if (*at == '#')
            continue;
        const char *space = memchr(at, ' ', (size_t)(end - at)), *leaf = space;
        while (leaf != NULL && leaf > at && leaf[-1] != ';')
            leaf--;
        if (leaf != NULL && stack_line_digits(&leaf, space, 10, &object) &&
            object == section->library && text_skip(&space, end, " ") &&
            stack_line_digits(&space, end, 10, &samples))
            counting = sum_u64(counting, samples);
    }
    return section->samples - min_u64(counting, section->samples);
}

/* ---- Choosing ---- */

static bool are_of_one_program(const char *a_id, const char *a_path, const char *b_id,
                               const char *b_path)
{
    if (a_id[0] != '\0' && b_id[0] != '\0')
        return strcmp(a_id, b_id) == 0;
    return a_path == NULL || b_path == NULL || strcmp(path_base(a_path), path_base(b_path)) == 0;
}

bool stack_section_is_of(const struct stack_section *section, const struct program_file *program)
{
    return are_of_one_program(section->origin.build_id, section->path,
                              program->build_id != NULL ? program->build_id : "", program->path) &&
           (program->called == NULL || stack_section_is_called(section, program->called));
}

struct program_file stack_section_program(const struct stack_section *section)
{
    return (struct program_file){section->origin.build_id,
                                 section->path != NULL ? section->path : section->program, NULL};
}

const char *stack_section_name(const struct stack_section *section)
{
    const char *path = stack_section_program(section).path;
    return path != NULL ? path_base(path) : "?";
}

bool stack_section_is_called(const struct stack_section *section, const char *name)
{
    const char *path = stack_section_program(section).path;
    return strcmp(stack_section_name(section), name) == 0 ||
           (path != NULL && strcmp(path, name) == 0) ||
           (section->command != NULL && strcmp(section->command, name) == 0);
}

size_t stack_file_choose_program(struct stack_file *file, const struct program_file *program)
{
    size_t chosen = 0;
    for (size_t i = 0; i < file->count; i++) {
        file->sections[i].is_chosen = stack_section_is_of(&file->sections[i], program);
        chosen += file->sections[i].is_chosen;
    }
    return chosen;
}

void stacks_origin_add(struct stacks_origin *sum, const struct stacks_origin *origin)
{
    struct profile_totals *totals = &sum->totals;
    bool is_lower = origin->totals.low < totals->low && origin->totals.samples > 0;
    if (totals->high == 0 || totals->samples == 0 || is_lower) {
        totals->low = origin->totals.low;
        totals->high = origin->totals.high;
    }
    if (sum->build_id[0] == '\0')
        memcpy(sum->build_id, origin->build_id, sizeof sum->build_id);
    if (totals->rate == 0)
        totals->rate = origin->totals.rate;
    if (origin->code_high > sum->code_high) {
        sum->code_low = origin->code_low;
        sum->code_high = origin->code_high;
    }
    totals->samples = sum_u64(totals->samples, origin->totals.samples);
    totals->checksum += origin->totals.checksum;
    sum->has_checksum &= origin->has_checksum;
}

struct stacks_origin stack_file_origin(const struct stack_file *file)
{
    struct stacks_origin sum = {.has_checksum = true};
    for (size_t i = 0; i < file->count; i++)
        if (file->sections[i].is_chosen)
            stacks_origin_add(&sum, &file->sections[i].origin);
    return sum;
}

bool stacks_are_of_profile(const struct stacks_origin *origin, const struct profile_totals *found)
{
    const struct profile_totals *said = &origin->totals;
    return said->high != 0 && said->low == found->low && said->high == found->high &&
           said->rate == found->rate && said->samples == found->samples &&
           (!origin->has_checksum || said->checksum == found->checksum);
}

/* Chooses the section at NUMBER only.  */
static void choose_one(struct stack_file *file, size_t number)
{
    for (size_t i = 0; i < file->count; i++)
        file->sections[i].is_chosen = i == number;
}

/* Chooses the section of PROGRAM that was written with PROFILE, or all of them if they were
   together. False if none was.  */
static bool choose_pair(struct stack_file *file, const struct program_file *program,
                        const struct profile_file *profile)
{
    stack_file_choose_program(file, program);
    struct stacks_origin all = stack_file_origin(file);
    size_t found = file->count;
    for (size_t i = file->count; i-- > 0;) {
        const struct stack_section *section = &file->sections[i];
        bool is_named =
            section->profile != NULL && strcmp(section->profile, path_base(profile->path)) == 0;
        if (section->is_chosen && stacks_are_of_profile(&section->origin, &profile->totals) &&
            (found == file->count || is_named))
            found = i;
    }
    bool is_of_one = found < file->count && file->sections[found].profile != NULL;
    if (!is_of_one && stacks_are_of_profile(&all, &profile->totals))
        return true;
    if (found < file->count)
        choose_one(file, found);
    return found < file->count;
}

void stack_file_choose(struct stack_file *file, const struct program_file *program,
                       const struct profile_file *profile)
{
    if (profile != NULL && choose_pair(file, program, profile))
        return;
    for (size_t i = 0; i < file->count && profile != NULL; i++) {
        struct program_file other = stack_section_program(&file->sections[i]);
        bool is_new = i == 0 || !stack_section_is_of(&file->sections[i - 1], &other);
        if (is_new && choose_pair(file, &other, profile))
            return;
    }
    if (stack_file_choose_program(file, program) == 0 && file->count > 0) {
        struct program_file other = stack_section_program(&file->sections[0]);
        stack_file_choose_program(file, &other);
    }
}
