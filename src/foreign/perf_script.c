/* perf_script.c - reads what `perf script' prints, and has it print files of perf.

       work 20076 15682.709771:     250000 cpu-clock:ppp:
               14645 inner+0x25 (/usr/bin/work)
               145d0 main+0x10 (/usr/bin/work)

   A header has the name of a thread, its number, perhaps that of the processor, the time, perhaps
   the period, and the event.  Frames follow, innermost first, up to an empty line; without call
   chains, the one frame stands behind the event.  Names of threads, functions and objects may hold
   blanks and parentheses.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"
#include "base/text.h"
#include "foreign/formats.h"

enum { MOST_FRAMES = 127 }; /* that the kernel records, unless it is told otherwise */

/* ---- Lines ---- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

static const char *skip_word(const char *at)
{
    return at + strcspn(at, " \t");
}

/* Whether [AT, END) consists of digits, with one of SIGNS between them if SIGNS is not NULL.  */
static bool is_number(const char *at, const char *end, const char *signs)
{
    size_t found = 0, digits = 0;
    for (; at < end; at++) {
        if (isdigit((unsigned char)*at))
            digits++;
        else if (signs != NULL && strchr(signs, *at) != NULL && digits > 0)
            found++;
        else
            return false;
    }
    return digits > 0 && found <= 1;
}

/* Whether [AT, END) is a time: `123.456:'.  */
static bool is_time(const char *at, const char *end)
{
    return end - at > 3 && end[-1] == ':' && memchr(at, '.', (size_t)(end - at)) != NULL &&
           is_number(at, end - 1, ".");
}

/* A header.  */
struct header {
    const char *comm; /* the name of the thread, not ended by a NUL */
    size_t comm_size;
    long process; /* -1: not said */
    long thread;
    const char *event; /* not ended by a NUL */
    size_t event_size;
    double period;    /* 0: not said */
    const char *rest; /* what stands behind the event */
};

/* Reads the name of the thread and its number, which is `THREAD' or `PROCESS/THREAD' and stands at
   AT.  */
static void set_thread(struct header *header, const char *line, const char *at)
{
    const char *slash = at + strspn(at, "0123456789");
    header->comm = line;
    header->comm_size = (size_t)(at - line);
    while (header->comm_size > 0 && isblank((unsigned char)line[header->comm_size - 1]))
        header->comm_size--;
    header->process = *slash == '/' ? strtol(at, NULL, 10) : -1;
    header->thread = strtol(*slash == '/' ? slash + 1 : at, NULL, 10);
}

/* Finds the time that follows the number of a thread in LINE, perhaps with that of a processor
   between; returns what stands behind it, or NULL.  */
static const char *behind_time(const char *line, struct header *header)
{
    bool has_thread = false;
    line = skip_blanks(line);
    for (const char *at = line, *end; *at != '\0'; at = skip_blanks(end)) {
        end = skip_word(at);
        if (has_thread && is_time(at, end))
            return end;
        if (is_number(at, end, "/")) {
            has_thread = true;
            set_thread(header, line, at);
        } else if (*at != '[') {
            has_thread = false;
        }
    }
    return NULL;
}

static bool parse_header(const char *line, struct header *header)
{
    *header = (struct header){.period = 0};
    const char *at = behind_time(line, header), *end;
    if (at == NULL)
        return false;
    at = skip_blanks(at);
    end = skip_word(at);
    if (is_number(at, end, NULL)) {
        header->period = strtod(at, NULL);
        at = skip_blanks(end);
        end = skip_word(at);
    }
    if (end == at || end[-1] != ':')
        return false;
    header->event = at;
    header->event_size = (size_t)(end - at) - 1;
    header->rest = skip_blanks(end);
    return true;
}

/* Splits a line `ADDRESS SYMBOL (OBJECT)': sets *NAME to what stands behind the address.  */
static bool is_frame(const char *line, const char **name)
{
    const char *at = skip_blanks(line), *end = skip_word(at);
    size_t length = strlen(end);
    if (end == at || strspn(at, "0123456789abcdef") != (size_t)(end - at) || length < 3 ||
        end[length - 1] != ')')
        return false;
    *name = skip_blanks(end);
    return strchr(*name, '(') != NULL;
}

/* ---- Programs ---- */

/* What a recording of the whole system is of.  */
struct programs {
    struct string_map names;
    struct pair_map numbers; /* of processes: (number, 0) */
    struct process {
        uint32_t program;
        uint64_t samples;
    } * processes;
    size_t process_count, process_capacity;
    uint32_t chosen; /* program */
};

/* The name of a program in RULES; NULL: none, or that of a thread.  */
static const char *program_of(const struct foreign_rules *rules)
{
    const char *program = rules->program;
    bool is_thread = program != NULL && (strncmp(program, "thread=", strlen("thread=")) == 0 ||
                                         strncmp(program, "tid=", strlen("tid=")) == 0);
    return is_thread ? NULL : program;
}

/* Whether PROCESS is of the program that was chosen.  */
static bool is_in_program(struct programs *programs, long process)
{
    size_t number = pair_map_number(&programs->numbers, (uint64_t)process, 0);
    return number < programs->process_count &&
           programs->processes[number].program == programs->chosen;
}

/* ---- Frames ---- */

struct perf_reader {
    struct foreign_reader *reader;
    struct string_map events;  /* of the program; the first one is read */
    struct programs *programs; /* the samples of one of them are read; NULL: all */
    struct string_map texts;   /* of frames, behind the address and without the offset */
    uint32_t *places;          /* by text; NO_ID: a frame that is not known */
    size_t place_capacity;
    uint32_t *frames; /* of the sample that is read: places, innermost first */
    size_t frame_count, frame_capacity;
    char *text; /* of a frame */
    size_t text_capacity;
    bool is_open; /* a header has been read, and frames may follow */
    double period;
};

/* Where the object begins in `SYMBOL (OBJECT)': at the parenthesis that the last one closes or, if
   none does, at the first one.  */
static char *object_in(char *text)
{
    size_t depth = 0;
    for (char *at = text + strlen(text); at-- > text;) {
        depth += *at == ')';
        depth -= *at == '(';
        if (*at == '(' && depth == 0)
            return at;
    }
    return strchr(text, '(');
}

/* The name of the object at PATH: one for all of the kernel; NULL if it is not known.  */
static const char *object_name(const char *path)
{
    if (strcmp(path, "[unknown]") == 0 || strcmp(path, "inlined") == 0)
        return NULL;
    size_t length = strlen(path);
    bool is_kernel = strncmp(path, "[kernel", 7) == 0 || strncmp(path, "[guest.kernel", 13) == 0 ||
                     (length > 3 && strcmp(path + length - 3, ".ko") == 0);
    return is_kernel ? "[kernel]" : path_base(path); /* builds are in many directories */
}

/* The place of a frame that is new.  TEXT is `SYMBOL (OBJECT)', and is changed.  */
static uint32_t place_of(struct foreign_builder *builder, char *text)
{
    char *open = object_in(text);
    char *end = open > text ? open - 1 : open; /* the blank before it */
    text[strlen(text) - 1] = '\0';
    const char *object = object_name(open + 1);
    *end = '\0';
    if (strcmp(text, "[unknown]") != 0 && *text != '\0')
        return builder_place(builder, text, (struct function_home){.object = object}, NULL, 0);
    return object != NULL ? builder_object(builder, object) : NO_ID;
}

/* Copies NAME without the offset `+0x1f' that stands before its object.  */
static void copy_text(struct perf_reader *perf, const char *name)
{
    size_t size = strlen(name) + 1;
    char *offset = NULL, *behind = NULL;
    perf->text = mem_grow(perf->text, &perf->text_capacity, size, 1);
    memcpy(perf->text, name, size);
    for (char *at = strstr(perf->text, "+0x"); at != NULL; at = strstr(at + 3, "+0x")) {
        char *end = at + 3 + strspn(at + 3, "0123456789abcdef");
        if (*end == ' ') {
            offset = at;
            behind = end;
        }
    }
    if (offset != NULL)
        memmove(offset, behind, strlen(behind) + 1);
}

static void add_frame(struct perf_reader *perf, const char *name)
{
    size_t known = perf->texts.count;
    copy_text(perf, name);
    uint32_t number = string_map_number(&perf->texts, perf->text);
    perf->places = mem_grow(perf->places, &perf->place_capacity, number + 1, sizeof *perf->places);
    if (number == known)
        perf->places[number] = place_of(perf->reader->builder, perf->text);
    perf->frames =
        mem_grow(perf->frames, &perf->frame_capacity, perf->frame_count + 1, sizeof *perf->frames);
    perf->frames[perf->frame_count++] = perf->places[number];
}

/* Adds the sample that is open.  Outermost frames that are not known are one.  */
static void end_sample(struct perf_reader *perf)
{
    struct foreign_builder *builder = perf->reader->builder;
    size_t count = perf->frame_count;
    uint32_t above = 0;
    bool is_cut = count >= MOST_FRAMES || count == 0;
    if (!perf->is_open)
        return;
    perf->is_open = false;
    for (; count > 0 && perf->frames[count - 1] == NO_ID; count--)
        is_cut = true;
    if (is_cut)
        above = builder_cut(builder) + 1;
    while (count-- > 0) {
        uint32_t place = perf->frames[count];
        if (place == NO_ID)
            place = builder_place(builder, "[unknown]", (struct function_home){0}, NULL, 0);
        above = builder_frame(builder, above, place) + 1;
    }
    builder_add(builder, above - 1, perf->period, 1);
}

/* ---- Samples ---- */

/* The event without its modifiers: `cycles:u', `cpu-clock:ppp'; those of tracepoints stay.  */
static char *event_name(const struct header *header)
{
    size_t size = header->event_size;
    char *name = mem_copy(header->event, size);
    char *colon = strrchr(name, ':');
    if (colon != NULL && colon[1 + strspn(colon + 1, "ukhpPGHSDWeI")] == '\0')
        *colon = '\0';
    return name;
}

/* What the period of a sample of EVENT counts.  Without one, samples are counted.  */
static const char *unit_of(const struct header *header, const char *event)
{
    bool is_time = strcmp(event, "cpu-clock") == 0 || strcmp(event, "task-clock") == 0;
    return !(header->period > 0) ? "samples" : is_time ? "nanoseconds" : event;
}

/* Whether the SIZE bytes at TEXT are NAME.  */
static bool is_text(const char *text, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(text, name, size) == 0;
}

/* Whether the thread of HEADER is the one of --program=thread=NAME or --program=tid=NUMBER.  */
static bool is_of_thread(const struct perf_reader *perf, const struct header *header)
{
    char number[24], *name;
    if (program_of(perf->reader->rules) == perf->reader->rules->program)
        return true;
    snprintf(number, sizeof number, "%ld", header->thread);
    name = mem_copy(header->comm, header->comm_size);
    bool is_by_name = foreign_is_label(perf->reader, "thread", name);
    bool is_by_number = foreign_is_label(perf->reader, "tid", number);
    free(name);
    return is_by_name || is_by_number;
}

/* Whether the sample of HEADER is of the program and the thread that are read.  */
static bool is_of_program(const struct perf_reader *perf, const struct header *header)
{
    const char *program = program_of(perf->reader->rules);
    bool is_it = perf->programs != NULL
                     ? is_in_program(perf->programs, header->process)
                     : program == NULL || is_text(header->comm, header->comm_size, program);
    return is_it && is_of_thread(perf, header);
}

/* Whether samples of EVENT, that of HEADER, are read: without --value, those of the first event. */
static bool is_event_read(struct perf_reader *perf, const struct header *header, const char *event)
{
    const char *wanted = perf->reader->rules->value;
    string_map_number(&perf->events, event);
    if (wanted == NULL)
        wanted = perf->events.strings[0];
    return strcmp(event, wanted) == 0 || is_text(header->event, header->event_size, wanted);
}

/* Begins the sample of HEADER.  */
static bool begin_sample(struct perf_reader *perf, const struct header *header)
{
    const char *name;
    char *event = event_name(header);
    bool is_read = is_of_program(perf, header) && is_event_read(perf, header, event);
    bool ok = !is_read || foreign_set_event(perf->reader, unit_of(header, event));
    free(event);
    perf->frame_count = 0;
    perf->is_open = is_read && ok;
    perf->period = header->period > 0 ? header->period : 1;
    if (perf->is_open && is_frame(header->rest, &name)) {
        add_frame(perf, name);
        end_sample(perf);
    }
    return ok;
}

/* Says which other events were recorded.  */
static void note_events(const struct perf_reader *perf)
{
    struct name_list names = {0};
    for (size_t i = 0; i < perf->events.count; i++)
        name_list_add(&names, perf->events.strings[i]);
    if (perf->events.count > 1 && perf->reader->rules->value == NULL)
        note(perf->reader->diagnostics, MSG_VALUE_CHOSEN, perf->reader->stream->path,
             perf->events.strings[0], names.text);
}

bool perf_script_recognise(const char *bytes, size_t size)
{
    const char *end = bytes + size;
    struct header header;
    while (bytes < end && (*bytes == '#' || *bytes == '\n')) {
        bytes += strcspn(bytes, "\n");
        bytes += bytes < end;
    }
    size_t length = strcspn(bytes, "\n");
    char *line = mem_copy(bytes, length);
    bool is_header = length < size && parse_header(line, &header);
    free(line);
    return is_header;
}

static bool read_line(struct perf_reader *perf, const char *line)
{
    const char *name;
    struct header header;
    if (*line == '\0') {
        end_sample(perf);
        return foreign_has_room(perf->reader);
    }
    if (isblank((unsigned char)*line) && is_frame(line, &name)) {
        if (perf->is_open)
            add_frame(perf, name);
        return true;
    }
    if (parse_header(line, &header)) {
        end_sample(perf);
        return begin_sample(perf, &header);
    }
    /* Comments, and what tracepoints and other fields print.  */
    return *line == '#' || isblank((unsigned char)*line) ||
           foreign_bad_line(perf->reader, _(NO_SAMPLE_OF_PERF));
}

/* Reads what perf prints.  False after a message.  */
static bool read_printed(struct foreign_reader *reader, struct programs *programs)
{
    struct perf_reader perf = {.reader = reader, .programs = programs};
    bool ok = true;
    size_t length;
    char *line;
    while (ok && (line = stream_line(reader->stream, &length)) != NULL)
        ok = strlen(line) == length ? read_line(&perf, line)
                                    : foreign_bad_line(reader, _(LINE_WITH_NUL));
    if (ok)
        end_sample(&perf);
    if (ok)
        note_events(&perf);
    string_map_free(&perf.events);
    string_map_free(&perf.texts);
    free(perf.places);
    free(perf.frames);
    free(perf.text);
    return ok;
}

bool perf_script_read(struct foreign_reader *reader)
{
    return read_printed(reader, NULL);
}

/* ---- Files of perf ---- */

/* Adds the sample in LINE, `NAME PROCESS/THREAD', to the programs.  False if it is none.  */
static bool count_sample(struct programs *programs, const char *line)
{
    size_t length = strlen(line);
    struct header header;
    while (length > 0 && isblank((unsigned char)line[length - 1]))
        length--;
    const char *end = line + length, *at = end;
    while (at > line && !isblank((unsigned char)at[-1]))
        at--;
    if (at == line || memchr(at, '/', (size_t)(end - at)) == NULL || !is_number(at, end, "/"))
        return length == 0;
    set_thread(&header, skip_blanks(line), at);
    uint32_t process = pair_map_number(&programs->numbers, (uint64_t)header.process, 0);
    programs->processes = mem_grow(programs->processes, &programs->process_capacity, process + 1,
                                   sizeof *programs->processes);
    char *name = mem_copy(header.comm, header.comm_size);
    uint32_t program = string_map_number(&programs->names, name);
    free(name);
    bool is_main = strtol(strchr(at, '/') + 1, NULL, 10) == header.process;
    struct process *counted = &programs->processes[process];
    if (process == programs->process_count) {
        *counted = (struct process){.program = program};
        programs->process_count++;
    }
    if (is_main)
        counted->program = program;
    counted->samples++;
    return true;
}

/* Chooses the program called NAME or, if that is NULL, the one with the most samples, and says
   which others there are.  False after a message.  */
static bool choose_program(struct programs *programs, const struct foreign_reader *reader)
{
    const char *wanted = program_of(reader->rules), *path = reader->stream->path;
    uint64_t *samples = mem_array(programs->names.count + 1, sizeof *samples);
    uint32_t most = 0;
    size_t count = 0;
    struct name_list others = {0};
    bool is_found = wanted == NULL;
    for (size_t i = 0; i < programs->process_count; i++)
        samples[programs->processes[i].program] += programs->processes[i].samples;
    for (uint32_t i = 0; i < programs->names.count; i++) {
        bool is_it = wanted != NULL && strcmp(programs->names.strings[i], wanted) == 0;
        if (is_it || (wanted == NULL && samples[i] > samples[most]))
            most = i;
        is_found |= is_it;
        count += samples[i] > 0;
    }
    for (uint32_t i = 0; i < programs->names.count; i++)
        if (samples[i] > 0 && (i != most || !is_found))
            name_list_add(&others, programs->names.strings[i]);
    programs->chosen = most;
    free(samples);
    if (!is_found)
        return problem(MSG_NO_PROGRAM_OF, path, wanted, others.text);
    if (count > 1 && wanted == NULL)
        note(reader->diagnostics, MSG_PROGRAM_CHOSEN, path, programs->names.strings[most],
             others.text);
    return true;
}

/* Counts the samples of each program.  False after a message.  */
static bool list_programs(struct programs *programs, const struct foreign_reader *reader,
                          char *path)
{
    char *const arguments[] = {"perf", "script", "-i", path, "-F", "comm,pid,tid", NULL};
    struct stream printed;
    const struct foreign_reader inner = {.stream = &printed};
    size_t length;
    char *line;
    bool ok = stream_open_program(&printed, path, arguments);
    while (ok && (line = stream_line(&printed, &length)) != NULL)
        ok = count_sample(programs, line) || foreign_bad_line(&inner, _(NO_SAMPLE_OF_PERF));
    ok = stream_close(&printed) && ok;
    return ok && choose_program(programs, reader);
}

bool perf_data_recognise(const char *bytes, size_t size)
{
    return size >= 8 && (memcmp(bytes, "PERFILE2", 8) == 0 || memcmp(bytes, "2ELIFREP", 8) == 0);
}

/* Has perf print the file, since perf knows every version of it, unwinds its stacks, and finds the
   symbols.  */
bool perf_data_read(struct foreign_reader *reader)
{
    struct stream printed;
    const char *path = reader->stream->path;
    char *copy = mem_copy(path, strlen(path));
    char *const arguments[] = {"perf", "script", "-i", copy, "-F", "+pid", NULL};
    struct programs programs = {.names = {0}};
    bool ok = strcmp(path, "-") != 0 || problem(MSG_PERF_FROM_PIPE);
    ok = ok && list_programs(&programs, reader, copy);
    if (ok) {
        struct foreign_reader inner = *reader;
        inner.stream = &printed;
        builder_begin_input(reader->builder, &printed.size);
        ok = stream_open_program(&printed, path, arguments) && read_printed(&inner, &programs);
        ok = stream_close(&printed) && ok;
    }
    string_map_free(&programs.names);
    pair_map_free(&programs.numbers);
    free(programs.processes);
    free(copy);
    return ok;
}
