/* perf_script.c - reads what `perf script' prints.

       work 20076 15682.709771:     250000 cpu-clock:ppp:
               14645 inner+0x25 (/usr/bin/work)
               145d0 main+0x10 (/usr/bin/work)

   A header has the fields that -F selects: by default the name of a thread, its number, perhaps
   that of the processor, the time, perhaps the period, and the event.  Each can be missing, and the
   first header says which a header of the file has.  Frames follow, innermost first, up to an empty
   line; without call chains, the one frame stands behind the header.  Names of threads, functions
   and objects may hold blanks, colons, digits and parentheses.

   Samples of all events are kept until the end, which says which event has most.  */
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
#include "foreign/foreign.h"
#include "foreign/formats.h"
#include "foreign/perf_line.h"
#include "foreign/perf_objects.h"
#include "foreign/perf_programs.h"
#include "foreign/perf_script.h"

enum { ALL_FIELDS = PERF_THREAD | PERF_TIME | PERF_EVENT };

/* ---- Samples ---- */

/* An event of the program that is read.  */
struct event {
    uint64_t samples;
    bool lacks_period; /* some of its samples have none */
};

/* Not a text, but a frame of `objects'.  */
#define LONE ((uint32_t)1 << 31)

struct perf_reader {
    struct foreign_reader *reader;
    struct perf_programs *programs; /* the samples of one of them are read; NULL: all */
    struct string_map threads;      /* names or numbers, if --program chooses one */
    struct string_map event_names;
    struct {
        struct event *of; /* by number of `event_names' */
        size_t capacity;
    } events;
    struct {
        struct string_map events;
        uint64_t *samples; /* by event */
        size_t capacity;
    } others;                /* programs */
    struct string_map texts; /* of frames, behind the address and without the offset; number 0:
                                outermost frames that are not known */
    struct {
        struct text {
            bool is_unknown, is_inlined;
        } * of; /* by text */
        size_t capacity;
    } known;
    struct pair_map
        stacks; /* nodes of a tree: (node above + 1, or 0; text of its object << 32 | text) */
    struct pair_map ends; /* (thread << 32 | event, node) */
    struct {
        struct weights *of; /* by number of `ends' */
        size_t capacity;
    } weights;
    struct frame {
        uint32_t text;
        uint32_t object; /* the text that has it; NO_ID: not known yet, as the frame is inlined */
        uint64_t address, offset; /* the latter in its function */
    } * frames;                   /* of the sample that is read, innermost first */
    size_t frame_count, frame_capacity;
    struct {
        char *bytes;
        size_t capacity;
    } text;                      /* of a frame */
    struct perf_objects objects; /* of frames in a recording, if its text does not tell them */
    bool has_shape;              /* the first header was read, which has `fields' */
    unsigned fields;             /* 0: only a name, or nothing */
    bool has_header;             /* since the last empty line */
    bool is_open;                /* a header has been read, and frames may follow */
    size_t most_frames;          /* of a sample */
    bool has_frame_pointers;     /* callers were found by them, says the header of the file */
    struct {
        uint32_t event, thread;
        double period;     /* 0: not said */
        bool is_in_header; /* its frame, which is the address of data if others follow */
    } sample;              /* that is open */
};

/* Copies NAME without its offset in the function, which is returned.  */
static uint64_t copy_text(struct perf_reader *perf, const char *name)
{
    size_t size = strlen(name) + 1;
    perf->text.bytes = mem_grow(perf->text.bytes, &perf->text.capacity, size, 1);
    memcpy(perf->text.bytes, name, size);
    char *behind, *offset = perf_offset_in(perf->text.bytes, &behind);
    if (offset == NULL)
        return 0;
    uint64_t number = strtoull(offset, NULL, 16);
    memmove(offset, behind, strlen(behind) + 1);
    return number;
}

static uint32_t text_number(struct perf_reader *perf, const char *text)
{
    size_t known = perf->texts.count;
    uint32_t number = string_map_number(&perf->texts, text);
    perf->known.of =
        mem_grow(perf->known.of, &perf->known.capacity, number + 1, sizeof *perf->known.of);
    if (number == known)
        perf->known.of[number] = (struct text){perf_is_unknown(text), perf_is_inlined(text)};
    return number;
}

/* Adds the frame at TEXT, which begins with its address; NAME stands behind that.  */
static void add_frame(struct perf_reader *perf, const char *text, const char *name)
{
    uint64_t offset = copy_text(perf, name);
    uint32_t number = text_number(perf, perf->text.bytes);
    perf->frames =
        mem_grow(perf->frames, &perf->frame_capacity, perf->frame_count + 1, sizeof *perf->frames);
    perf->frames[perf->frame_count++] =
        (struct frame){number, perf->known.of[number].is_inlined ? NO_ID : number,
                       strtoull(text, NULL, 16), offset};
}

/* Finds the objects of inlined frames among the innermost COUNT: they have the address of the
   function that they are inlined into, which perf prints behind them or, if the debug information
   has another name for it, before them.  If perf prints none, it may tell the object of the frame
   later.  */
static void find_objects(struct perf_reader *perf, size_t count)
{
    struct frame *frames = perf->frames;
    for (size_t start = 0, end = 0; start < count; start = end) {
        const struct frame *whole = NULL;
        for (; end < count && frames[end].address == frames[start].address; end++)
            if (frames[end].object != NO_ID)
                whole = &frames[end];
        for (size_t i = end; i-- > start;) {
            if (frames[i].object != NO_ID)
                whole = &frames[i];
            frames[i].object = whole != NULL ? whole->text
                               : perf->programs == NULL
                                   ? frames[i].text
                                   : LONE | pair_map_number(&perf->objects.frames,
                                                            frames[i].address, frames[i].offset);
        }
    }
}

/* Adds the sample that is open.  Outermost frames that are not known are one.  */
static void end_sample(struct perf_reader *perf)
{
    size_t count = perf->frame_count;
    uint32_t above = 0;
    bool is_cut = count == 0;
    if (!perf->is_open)
        return;
    perf->is_open = false;
    perf->most_frames = count > perf->most_frames ? count : perf->most_frames;
    for (; count > 0 && perf->known.of[perf->frames[count - 1].text].is_unknown; count--)
        is_cut = true;
    if (is_cut)
        above = pair_map_node(&perf->stacks, 0, text_number(perf, "")) + 1;
    find_objects(perf, count);
    while (count-- > 0) {
        const struct frame *frame = &perf->frames[count];
        uint64_t label = (uint64_t)frame->object << 32 | frame->text;
        above = pair_map_node(&perf->stacks, above, label) + 1;
    }
    uint64_t key = (uint64_t)perf->sample.thread << 32 | perf->sample.event;
    uint32_t end = pair_map_number(&perf->ends, key, above - 1);
    perf->weights.of = mem_grow_zeroed(perf->weights.of, &perf->weights.capacity, (size_t)end + 1,
                                       sizeof *perf->weights.of);
    perf->weights.of[end].count++;
    perf->weights.of[end].sum += perf->sample.period;
    perf->weights.of[end].squares += perf->sample.period * perf->sample.period;
    perf->events.of[perf->sample.event].samples++;
    perf->events.of[perf->sample.event].lacks_period |= !(perf->sample.period > 0);
}

/* Whether the SIZE bytes at TEXT are NAME.  */
static bool is_text(const char *text, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(text, name, size) == 0;
}

/* Whether the thread of HEADER is the one of --program=thread=NAME or --program=tid=NUMBER.  */
static bool is_of_thread(const struct perf_reader *perf, const struct perf_header *header,
                         const char *name)
{
    char number[24];
    if (perf_program_of(perf->reader->rules) == perf->reader->rules->program)
        return true;
    snprintf(number, sizeof number, "%ld", header->thread);
    bool is_by_name = foreign_is_label(perf->reader, "thread", name);
    bool is_by_number = foreign_is_label(perf->reader, "tid", number);
    return is_by_name || is_by_number;
}

/* The name of the event of HEADER, which has one of its own if --value asks for that of one kind of
   cores.  Free with free.  */
static char *event_name(const struct perf_reader *perf, const struct perf_header *header)
{
    const char *wanted = perf->reader->rules->value;
    bool is_whole = wanted != NULL && strchr(wanted, '/') != NULL &&
                    is_text(header->event, header->event_size, wanted);
    return header->event == NULL ? mem_copy("samples", 7)
           : is_whole            ? mem_copy(header->event, header->event_size)
                                 : perf_event_name(header);
}

/* Counts the sample of HEADER, which is of another program.  */
static void count_other(struct perf_reader *perf, const struct perf_header *header)
{
    char *name = event_name(perf, header);
    uint32_t number = string_map_number(&perf->others.events, name);
    free(name);
    perf->others.samples = mem_grow_zeroed(perf->others.samples, &perf->others.capacity,
                                           (size_t)number + 1, sizeof *perf->others.samples);
    perf->others.samples[number]++;
}

/* Whether the sample of HEADER is of the program and the thread that are read.  */
static bool is_of_program(struct perf_reader *perf, const struct perf_header *header)
{
    const char *program = perf_program_of(perf->reader->rules);
    if (perf->programs != NULL &&
        perf_run_of(perf->programs, header->process)->program != perf->programs->chosen) {
        count_other(perf, header);
        return false;
    }
    if (perf->reader->rules->program == NULL)
        return true;
    char *name = mem_copy(header->comm, header->comm_size), number[24];
    snprintf(number, sizeof number, "tid=%ld", header->thread);
    bool is_by_number = strncmp(perf->reader->rules->program, "tid=", 4) == 0;
    string_map_number(&perf->threads, is_by_number ? number : name);
    bool is_it = perf->programs != NULL || program == NULL || strcmp(name, program) == 0;
    if (!is_it)
        count_other(perf, header);
    is_it = is_it && is_of_thread(perf, header, name);
    free(name);
    return is_it;
}

/* The number of the event of HEADER.  */
static uint32_t event_of(struct perf_reader *perf, const struct perf_header *header)
{
    char *name = event_name(perf, header);
    uint32_t number = string_map_number(&perf->event_names, name);
    free(name);
    perf->events.of = mem_grow_zeroed(perf->events.of, &perf->events.capacity, (size_t)number + 1,
                                      sizeof *perf->events.of);
    return number;
}

/* The thread of HEADER, for the builder.  */
static uint32_t thread_of(const struct perf_reader *perf, const struct perf_header *header)
{
    bool has_process = (header->fields & PERF_THREAD) != 0; /* which may be all of the system */
    uint32_t process = header->process > 0 ? (uint32_t)header->process : UINT32_MAX;
    if (header->comm_size == 0 || !perf->reader->builder->stacks.rules.keeps_threads)
        return 0;
    char *name = mem_copy(header->comm, header->comm_size);
    uint32_t thread = builder_thread(perf->reader->builder, name, has_process ? process : 0,
                                     (uint64_t)header->thread);
    free(name);
    return thread;
}

/* Begins the sample of HEADER.  */
static void begin_sample(struct perf_reader *perf, const struct perf_header *header)
{
    const char *name;
    end_sample(perf);
    perf->has_shape = perf->has_header = true;
    perf->is_open = is_of_program(perf, header);
    perf->frame_count = 0;
    perf->sample.period = header->period;
    if (perf->is_open) {
        perf->sample.event = event_of(perf, header);
        perf->sample.thread = thread_of(perf, header);
    }
    perf->sample.is_in_header = perf->is_open && perf_is_frame(header->rest, 1, &name);
    if (perf->sample.is_in_header)
        add_frame(perf, header->rest, name);
}

/* ---- Lines ---- */

/* Reads a frame that stands alone in LINE, and NAME in it.  Without headers it begins a sample
   behind an empty line, and is one if it is not indented by a tab.  */
static void read_frame(struct perf_reader *perf, const char *line, const char *name)
{
    static const struct perf_header nothing = {.rest = "", .comm = "", .process = -1};
    bool lacks_headers = !perf->has_shape || perf->fields == 0;
    bool is_alone = lacks_headers && perf_is_sole_frame(line);
    if (lacks_headers && (is_alone || !perf->has_header))
        begin_sample(perf, &nothing);
    if (perf->sample.is_in_header)
        perf->frame_count = 0;
    perf->sample.is_in_header = false;
    if (perf->is_open)
        add_frame(perf, line, name);
}

/* Whether LINE, which is no frame, is a header: sets *HEADER.  */
static bool is_header(const struct perf_reader *perf, const char *line, struct perf_header *header)
{
    if (*line == '\t')
        return false;
    if (!perf->has_shape || perf->fields == 0)
        return perf_parse_header(line, 0, header) || perf_parse_name(line, header);
    return perf_parse_header(line, PERF_TIME, header) ||
           perf_parse_header(line, PERF_THREAD | PERF_EVENT, header);
}

/* Whether LINE, of the header of the file, says that callers of an event were found by frame
   pointers: they were recorded, and neither the stack nor the last branches.  */
static bool tells_of_frame_pointers(const char *line)
{
    const char *type = strncmp(line, "# event : ", 10) == 0 ? strstr(line, "sample_type = ") : NULL;
    return type != NULL && strstr(type, "CALLCHAIN") != NULL &&
           strstr(type, "STACK_USER") == NULL && strstr(type, "BRANCH_STACK") == NULL;
}

/* Whether LINE is none of a sample.  One that looks like a comment or a record is the header of a
   thread called `# x' or `PERF_RECORD_X' if it has just these FIELDS.  */
static bool is_other_line(const char *line, unsigned fields)
{
    static const char record[] = "PERF_RECORD_";
    struct perf_header header;
    if (!perf_is_other_line(line))
        return false;
    return (fields & PERF_EVENT) == 0 || (fields & (PERF_TIME | PERF_THREAD)) == 0 ||
           !perf_parse_header(line, fields | PERF_ALONE, &header) ||
           strncmp(header.event, record, sizeof record - 1) == 0;
}

static bool read_line(struct perf_reader *perf, const char *line)
{
    const char *name;
    struct perf_header header;
    if (*line == '\0') {
        end_sample(perf);
        perf->has_header = false;
        return true;
    }
    if (*line != '\t' && is_other_line(line, perf->has_shape ? perf->fields : ALL_FIELDS)) {
        perf->has_frame_pointers |= tells_of_frame_pointers(line);
        if (perf->programs != NULL)
            perf_is_exec(perf->programs, line);
        return true;
    }
    bool is_like_first = *line != '\t' && perf->has_shape && perf->fields != 0 &&
                         perf_parse_header(line, perf->fields | PERF_ALONE, &header);
    if (!is_like_first && perf_is_frame(line, PERF_ADDRESS_WIDTH, &name)) {
        read_frame(perf, line, name);
        return true;
    }
    if (is_like_first || is_header(perf, line, &header)) {
        if (!perf->has_shape)
            perf->fields = header.fields;
        begin_sample(perf, &header);
        return true;
    }
    /* What tracepoints and other fields print.  */
    return isblank((unsigned char)*line) || foreign_bad_line(perf->reader, _(NO_SAMPLE_OF_PERF));
}

/* The first line at *AT that is not empty, and is one of a sample, copied; NULL: there is none.
 *Moves AT behind it.  */
static char *next_line(const char **at, const char *end)
{
    while (*at < end && **at != '\0') {
        size_t length = strcspn(*at, "\r\n");
        char *line = mem_copy(*at, length);
        *at += length + strspn(*at + length, "\r\n");
        const char *name;
        bool is_continued = *line == '\t' && !perf_is_frame(line, 0, &name); /* a record */
        if (*line != '\0' && !is_continued && !is_other_line(line, ALL_FIELDS))
            return line;
        free(line);
    }
    return NULL;
}

/* Whether LINE and NEXT are headers of samples without frames, as perf prints them without ip in
   -F: what they have, with blanks before and behind it.  */
static bool are_bare_headers(const char *line, const char *next)
{
    const char *lines[] = {line, next};
    for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
        struct perf_header header;
        size_t size = strlen(lines[i]);
        if (size == 0 || lines[i][size - 1] != ' ' || *lines[i] == '\t')
            return false;
        bool has_fields = perf_parse_header(lines[i], 0, &header) &&
                          (header.fields & (PERF_THREAD | PERF_EVENT)) != 0;
        if (!has_fields && (size != PERF_ADDRESS_WIDTH + 1 || *lines[i] != ' '))
            return false;
    }
    return true;
}

/* Whether LINE, which NEXT follows, is the first one of a sample.  */
static bool begins_sample(const char *line, const char *next)
{
    const char *name;
    struct perf_header header;
    if (perf_is_sole_frame(line) || (*line == '\t' && perf_is_sole_frame(line + 1)))
        return true;
    bool is_header = *line != '\t' && perf_parse_header(line, 0, &header);
    if (is_header && header.fields == (PERF_THREAD | PERF_TIME | PERF_EVENT))
        return true;
    if (!is_header && !perf_parse_name(line, &header))
        return false;
    if (next != NULL && are_bare_headers(line, next))
        return true;
    return (next != NULL && (is_header || *next == '\t') && perf_is_frame(next, 0, &name)) ||
           perf_is_frame(header.rest, PERF_ADDRESS_WIDTH + 1, &name);
}

bool perf_script_recognise(const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    char *line = next_line(&at, end), *next = next_line(&at, end);
    bool is_script = line != NULL && begins_sample(line, next);
    free(line);
    free(next);
    return is_script;
}

/* ---- The end ---- */

/* The place of FRAME, `SYMBOL (OBJECT)', of which either can be missing; 0: of one that is not
   known.  Its object is that of the frame WHOLE.  */
static uint32_t place_of(struct foreign_builder *builder, const char *frame, const char *whole)
{
    char *text = mem_copy(frame, strlen(frame)), *open = perf_object_in(text);
    char *end = open == NULL ? text + strlen(text) : open > text ? open - 1 : open; /* the blank */
    char *other = mem_copy(whole, strlen(whole)), *path = perf_object_in(other);
    const char *object = NULL;
    *end = '\0';
    if (path != NULL) {
        other[strlen(other) - 1] = '\0';
        object = foreign_object_name(path + 1);
    }
    uint32_t place;
    if ((strcmp(text, "[unknown]") != 0 && *text != '\0') || object == NULL)
        place = builder_place(builder, *text != '\0' ? text : "[unknown]",
                              (struct function_home){.object = object}, NULL, 0);
    else
        place = builder_object(builder, object);
    free(text);
    free(other);
    return place;
}

/* The length of the name of event NUMBER without its modifiers.  */
static size_t plain_event(const struct perf_reader *perf, uint32_t number)
{
    const char *name = perf->event_names.strings[number], *colon = strrchr(name, ':');
    bool is_modified = colon != NULL && perf_is_modifier(colon + 1);
    return is_modified ? (size_t)(colon - name) : strlen(name);
}

/* Whether event NUMBER is NAME, perhaps with modifiers.  */
static bool is_event(const struct perf_reader *perf, uint32_t number, const char *name)
{
    return is_text(perf->event_names.strings[number], plain_event(perf, number), name);
}

/* How well event NUMBER tells where time is spent: first times and cycles, then what has most
   samples.  */
static double rank_of(const struct perf_reader *perf, uint32_t number)
{
    static const char *const times[] = {"cpu-clock",  "task-clock", "cycles", "cpu-cycles",
                                        "ref-cycles", "bus-cycles", "samples"};
    bool is_time = false;
    for (size_t i = 0; i < ARRAY_LENGTH(times); i++)
        is_time |= is_event(perf, number, times[i]);
    return (double)perf->events.of[number].samples + (is_time ? 0x1p50 : 0);
}

/* Says which samples are left out: those of all events but number CHOSEN, and of this one those of
   other programs.  */
static void list_left_out(const struct perf_reader *perf, uint32_t chosen)
{
    struct foreign_builder *builder = perf->reader->builder;
    for (uint32_t i = 0; i < perf->event_names.count; i++)
        if (i != chosen)
            builder_leave_out(builder, perf->events.of[i].samples, perf->event_names.strings[i]);
    for (size_t i = 0; i < perf->others.events.count; i++)
        if (strcmp(perf->others.events.strings[i], perf->event_names.strings[chosen]) == 0)
            builder->stacks.missing.of_programs += perf->others.samples[i];
}

/* Chooses the event of --value, else the best one.  False after a message.  */
static bool choose_event(struct perf_reader *perf, uint32_t *chosen)
{
    const char *asked = perf->reader->rules->value, *path = perf->reader->stream->path;
    struct perf_header of = {.event = asked, .event_size = asked != NULL ? strlen(asked) : 0};
    char *wanted = asked == NULL                ? NULL
                   : strchr(asked, '/') != NULL ? mem_copy(asked, strlen(asked))
                                                : perf_event_name(&of);
    struct name_list names = {0};
    bool is_found = wanted == NULL;
    size_t alike = 0;
    *chosen = 0;
    for (uint32_t i = 0; i < perf->event_names.count; i++)
        alike += wanted != NULL && is_event(perf, i, wanted);
    for (uint32_t i = 0; i < perf->event_names.count; i++) {
        const char *name = perf->event_names.strings[i];
        bool is_it = wanted != NULL &&
                     (strcmp(name, wanted) == 0 || (alike == 1 && is_event(perf, i, wanted)));
        if (is_it || (wanted == NULL && rank_of(perf, i) > rank_of(perf, *chosen)))
            *chosen = i;
        is_found |= is_it;
        name_list_add(&names, name);
    }
    free(wanted);
    if (!is_found)
        return problem(MSG_NO_VALUE, path, asked, names.text);
    if (perf->event_names.count > 1 && asked == NULL)
        note(perf->reader->diagnostics, MSG_VALUE_CHOSEN, path, perf->event_names.strings[*chosen],
             names.text);
    list_left_out(perf, *chosen);
    return true;
}

/* Sets what weights of event NUMBER count, and which of the values in this unit they are: that of
   user space is another one than that of the kernel.  Without periods, samples are counted.  False
   after a message.  */
static bool set_event(struct perf_reader *perf, uint32_t number)
{
    const char *name = perf->event_names.strings[number];
    size_t size = plain_event(perf, number);
    bool is_time = is_event(perf, number, "cpu-clock") || is_event(perf, number, "task-clock");
    bool is_named = size > 0 && !is_text(name, size, "samples");
    struct arena arena = {0};
    const char *unit = perf->events.of[number].lacks_period ? "samples"
                       : is_time                            ? "nanoseconds"
                       : size > 0                           ? arena_copy(&arena, name, size)
                                                            : "events";
    const char *value = is_time ? arena_join(&arena, "cpu", name + size, "") : name;
    bool ok = foreign_set_event(perf->reader, unit) &&
              (!is_named || foreign_set_value(perf->reader, value));
    arena_free(&arena);
    return ok;
}

/* The text that has the object of the frame at NODE.  */
static const char *whole_frame(const struct perf_reader *perf, const struct pair *node)
{
    uint32_t object = (uint32_t)(node->b >> 32);
    return (object & LONE) == 0 ? perf->texts.strings[object]
                                : perf_objects_of(&perf->objects, object & ~LONE,
                                                  perf->texts.strings[(uint32_t)node->b]);
}

/* Adds the samples of event NUMBER to the builder.  False after a message.  */
static bool add_samples(struct perf_reader *perf, uint32_t number)
{
    struct foreign_builder *builder = perf->reader->builder;
    uint32_t *places = mem_uninitialised(perf->texts.count + 1, sizeof *places);
    uint32_t *frames = mem_uninitialised(perf->stacks.count + 1, sizeof *frames);
    bool *are_used = mem_array(perf->stacks.count + 1, sizeof *are_used);
    for (size_t i = 0; i < perf->texts.count; i++)
        places[i] = NO_ID;
    for (size_t i = 0; i < perf->ends.count; i++)
        if ((uint32_t)perf->ends.pairs[i].a == number)
            are_used[perf->ends.pairs[i].b] = true;
    for (size_t i = perf->stacks.count; i-- > 0;)
        if (are_used[i] && perf->stacks.pairs[i].a > 0)
            are_used[perf->stacks.pairs[i].a - 1] = true;
    for (size_t i = 0; i < perf->stacks.count; i++) {
        const struct pair *node = &perf->stacks.pairs[i];
        uint32_t number_of_text = (uint32_t)node->b;
        const char *text = perf->texts.strings[number_of_text];
        if (!are_used[i])
            continue;
        uint32_t above = node->a > 0 ? frames[node->a - 1] + 1 : 0;
        uint32_t *place = &places[number_of_text];
        if (node->a == 0 && *text == '\0')
            frames[i] = builder_cut(builder);
        else if (perf->known.of[number_of_text].is_inlined)
            frames[i] =
                builder_inlined(builder, above, place_of(builder, text, whole_frame(perf, node)));
        else {
            if (*place == NO_ID)
                *place = place_of(builder, text, text);
            frames[i] = builder_frame(builder, above, *place);
        }
    }
    for (size_t i = 0; i < perf->ends.count; i++) {
        struct weights weights = perf->weights.of[i];
        if (perf->events.of[number].lacks_period)
            weights.sum = weights.squares = weights.count;
        builder->threads.current = (uint32_t)(perf->ends.pairs[i].a >> 32);
        if ((uint32_t)perf->ends.pairs[i].a == number)
            builder_add_weights(builder, frames[perf->ends.pairs[i].b], &weights);
    }
    free(places);
    free(frames);
    free(are_used);
    return foreign_has_room(perf->reader);
}

/* Says that no sample is of the program or thread of --program.  False.  */
static bool refuse_program(const struct perf_reader *perf)
{
    const char *wanted = perf->reader->rules->program, *path = perf->reader->stream->path;
    struct name_list names = {0};
    for (size_t i = 0; i < perf->threads.count; i++)
        name_list_add(&names, perf->threads.strings[i]);
    return problem(MSG_NO_PROGRAM_OF, path, wanted, names.text);
}

/* Notes which callers are missing: of several files, all are only if they are in each.  */
static void tell_of_callers(const struct perf_reader *perf)
{
    struct recorded_stacks *stacks = &perf->reader->builder->stacks;
    bool is_first = perf->reader->builder->inputs.count == 0, has_callers = perf->most_frames > 1;
    if (!has_callers && (is_first || stacks->missing.callers == CALLERS_OF_ALL))
        stacks->missing.callers = CALLERS_OF_ALL;
    else if (perf->has_frame_pointers)
        stacks->missing.callers = CALLERS_OF_LEAVES;
    else if (has_callers && stacks->missing.callers == CALLERS_OF_ALL)
        stacks->missing.callers = CALLERS_KNOWN;
}

static bool finish(struct perf_reader *perf)
{
    const struct foreign_reader *reader = perf->reader;
    uint32_t event;
    end_sample(perf);
    if (perf->event_names.count == 0)
        return perf->threads.count == 0 || refuse_program(perf);
    bool has_names =
        perf->texts.count > 1 || (perf->texts.count == 1 && *perf->texts.strings[0] != '\0');
    if (perf->most_frames == 0 || !has_names)
        return problem(MSG_NO_FRAMES, reader->stream->path);
    bool ok = choose_event(perf, &event) && set_event(perf, event) &&
              (perf->objects.frames.count == 0 ||
               perf_objects_find(&perf->objects, reader->stream->path)) &&
              add_samples(perf, event);
    tell_of_callers(perf);
    if (ok && perf->has_frame_pointers)
        note(reader->diagnostics, MSG_FRAME_POINTERS, reader->stream->path);
    return ok;
}

bool perf_script_read_of(struct foreign_reader *reader, struct perf_programs *programs)
{
    struct perf_reader perf = {.reader = reader, .programs = programs};
    bool ok = true;
    size_t length;
    char *line;
    while (ok && (line = stream_line(reader->stream, &length)) != NULL)
        ok = strlen(line) == length ? read_line(&perf, line)
                                    : foreign_bad_line(reader, _(LINE_WITH_NUL));
    ok = ok && !reader->stream->has_failed && finish(&perf);
    string_map_free(&perf.threads);
    string_map_free(&perf.event_names);
    string_map_free(&perf.others.events);
    free(perf.others.samples);
    string_map_free(&perf.texts);
    pair_map_free(&perf.stacks);
    pair_map_free(&perf.ends);
    perf_objects_free(&perf.objects);
    free(perf.events.of);
    free(perf.known.of);
    free(perf.weights.of);
    free(perf.frames);
    free(perf.text.bytes);
    return ok;
}

bool perf_script_read(struct foreign_reader *reader)
{
    return perf_script_read_of(reader, NULL);
}
