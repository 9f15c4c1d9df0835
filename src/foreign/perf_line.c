/* perf_line.c - tells what a line that `perf script' prints is.

   A line is told by what it has: -F prints any of the fields of a header, and leaves out any part
   of a frame.  Names of threads may look like fields: `worker 2: 5'.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "foreign/perf_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/common.h"
#include "base/memory.h"

/* ---- Words ---- */

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

/* Whether TEXT begins with one of STARTS, which ends with NULL.  */
static bool begins_with(const char *text, const char *const *starts)
{
    for (; *starts != NULL; starts++)
        if (strncmp(text, *starts, strlen(*starts)) == 0)
            return true;
    return false;
}

/* ---- Frames ---- */

bool perf_is_frame(const char *line, size_t width, const char **name)
{
    const char *at = skip_blanks(line), *end = skip_word(at);
    size_t length = strlen(end);
    if (end == at || strspn(at, "0123456789abcdef") != (size_t)(end - at))
        return false;
    *name = skip_blanks(end);
    bool has_object = length >= 3 && end[length - 1] == ')' && strchr(*name, '(') != NULL;
    return has_object || *line == '\t' || (width > 0 && (size_t)(end - line) >= width);
}

char *perf_offset_in(char *name, char **behind)
{
    char *offset = NULL;
    for (char *at = strstr(name, "+0x"); at != NULL; at = strstr(at + 3, "+0x")) {
        char *end = at + 3 + strspn(at + 3, "0123456789abcdef");
        if (*end == ' ' || *end == '\0') {
            offset = at;
            *behind = end;
        }
    }
    return offset;
}

char *perf_object_in(char *text)
{
    size_t depth = 0, length = strlen(text);
    if (length == 0 || text[length - 1] != ')')
        return NULL;
    for (char *at = text + length; at-- > text;) {
        depth += *at == ')';
        depth -= *at == '(';
        if (*at == '(' && depth == 0)
            return at == text || at[-1] == ' ' ? at : NULL;
    }
    char *first = strstr(text, " (");
    return *text == '(' ? text : first != NULL ? first + 1 : NULL;
}

bool perf_is_inlined(const char *frame)
{
    static const char mark[] = " (inlined)";
    size_t length = strlen(frame), size = sizeof mark - 1;
    return length > size && strcmp(frame + length - size, mark) == 0;
}

bool perf_is_unknown(const char *text)
{
    static const char *const unknown[] = {"[unknown] ([unknown])", "[unknown] (inlined)",
                                          "([unknown])", "[unknown]", ""};
    for (size_t i = 0; i < ARRAY_LENGTH(unknown); i++)
        if (strcmp(text, unknown[i]) == 0)
            return true;
    return false;
}

bool perf_is_sole_frame(const char *line)
{
    const char *name;
    size_t width = (size_t)(skip_word(skip_blanks(line)) - line);
    return *line != '\t' && perf_is_frame(line, PERF_ADDRESS_WIDTH, &name) &&
           width <= PERF_ADDRESS_WIDTH + 1 && width >= PERF_ADDRESS_WIDTH;
}

/* ---- Headers ---- */

enum {
    NAME_WIDTH = 15,   /* the longest name of a thread that the kernel has */
    PERIOD_WIDTH = 10, /* of a period at least, with blanks before it */
    LONGEST_NAME = 64, /* that other tools write */
    MOST_FIELDS = 8    /* of a header */
};

/* Whether [AT, END) is what +misc prints: the mode that the processor was in.  */
static bool is_mode(const char *at, const char *end)
{
    return end > at && end - at <= 3 && strspn(at, "KUHGgMES") >= (size_t)(end - at);
}

/* Whether [AT, END), behind BEFORE, is the number of a thread or `PROCESS/THREAD'.  A wide one
   before an event is a period.  */
static bool is_thread(const char *before, const char *at, const char *end)
{
    const char *next = skip_blanks(end), *behind = skip_word(next);
    bool is_wide = is_number(at, end, NULL) && end - before > PERIOD_WIDTH;
    bool is_before_event = behind > next && behind[-1] == ':' && !is_time(next, behind);
    return is_number(at + (*at == '-'), end, "/") && end - at < 40 && !(is_wide && is_before_event);
}

/* Whether the number [AT, END) behind BEFORE is a period: a time stands before it, or both numbers
   of a thread, or it is as wide as perf prints them.  */
static bool is_period(const struct perf_header *header, const char *before, const char *at,
                      const char *end)
{
    bool is_told = (header->fields & PERF_TIME) != 0 || header->process >= 0;
    return is_number(at, end, NULL) && (is_told || end - before > PERIOD_WIDTH);
}

/* Reads the fields at AT, behind the name of the thread.  Returns how many there are; 0: these are
   no fields of a header.  */
static unsigned read_fields(struct perf_header *header, const char *at)
{
    unsigned count = 0;
    const char *before = at, *end, *unused;
    at = skip_blanks(at);
    end = skip_word(at);
#define NEXT_FIELD() (count++, before = end, at = skip_blanks(end), end = skip_word(at))
    if (is_thread(before, at, end)) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        header->fields |= PERF_THREAD;
        header->process = slash != NULL ? strtol(at, NULL, 10) : -1;
        header->thread = strtol(slash != NULL ? slash + 1 : at, NULL, 10);
        NEXT_FIELD();
    }
    if (*at == '[' && end[-1] == ']' && is_number(at + 1, end - 1, NULL))
        NEXT_FIELD();
    if (count > 0 && is_mode(at, end))
        NEXT_FIELD();
    if (is_time(at, end)) {
        header->fields |= PERF_TIME;
        NEXT_FIELD();
    }
    if (is_period(header, before, at, end)) {
        header->period = strtod(at, NULL);
        NEXT_FIELD();
    }
    if (end > at + 1 && end[-1] == ':' && !is_time(at, end)) {
        header->fields |= PERF_EVENT;
        header->event = at;
        header->event_size = (size_t)(end - at) - 1;
        NEXT_FIELD();
    }
#undef NEXT_FIELD
    header->rest = before;
    bool ends = (header->fields & PERF_EVENT) != 0 || *at == '\0' ||
                perf_is_frame(before, PERF_ADDRESS_WIDTH, &unused);
    return ends ? count : 0;
}

bool perf_parse_header(const char *line, unsigned fields, struct perf_header *header)
{
    unsigned most = 0;
    const char *start = skip_blanks(line), *end = start;
    while (end - start <= LONGEST_NAME) {
        struct perf_header found = {
            .comm = start, .comm_size = (size_t)(end - start), .process = -1};
        unsigned count = read_fields(&found, end);
        if (count > 0 && (fields & PERF_ALONE) != 0 &&
            found.fields == (fields & ~(unsigned)PERF_ALONE))
            count += MOST_FIELDS;
        bool is_short = end - start <= NAME_WIDTH || most == 0;
        if (count > 0 && count >= most && is_short &&
            (found.fields & fields) == (fields & ~(unsigned)PERF_ALONE)) {
            most = count;
            *header = found;
        }
        end = skip_blanks(end);
        if (*end == '\0')
            break;
        end = skip_word(end);
    }
    return most > 0;
}

/* Modifiers of events: those of what is counted, and those of how.  */
#define WHAT_IS_COUNTED "ukhGHI"
#define HOW_IT_IS_COUNTED "pPSDWe"

bool perf_is_modifier(const char *text)
{
    return *text != '\0' && text[strspn(text, WHAT_IS_COUNTED HOW_IT_IS_COUNTED)] == '\0';
}

/* Puts what MODIFIERS say about what is counted at AT, in one order: `:uk'.  */
static void copy_modifiers(char *at, const char *modifiers)
{
    for (const char *one = WHAT_IS_COUNTED, *first = one; *one != '\0'; one++)
        if (strchr(modifiers, *one) != NULL) {
            if (first != NULL)
                *at++ = ':';
            first = NULL;
            *at++ = *one;
        }
    *at = '\0';
}

char *perf_event_name(const struct perf_header *header)
{
    static const char *const units[] = {"cpu/", "cpu_core/", "cpu_atom/", "cpu_lowpower/"};
    char *name = mem_copy(header->event, header->event_size);
    char *start = name, *end = strrchr(name, ':');
    for (size_t i = 0; i < ARRAY_LENGTH(units); i++) {
        size_t size = strlen(units[i]);
        char *slash = strncmp(name, units[i], size) == 0 ? strchr(name + size, '/') : NULL;
        if (slash == NULL || strcspn(name + size, "=,") < strlen(name + size) ||
            (slash[1] != '\0' && !perf_is_modifier(slash + 1)))
            continue;
        start = name + size;
        end = slash;
    }
    if (end == NULL || (*end == ':' && !perf_is_modifier(end + 1)))
        return name;
    char *modifiers = mem_copy(end + 1, strlen(end + 1));
    memmove(name, start, (size_t)(end - start));
    copy_modifiers(name + (end - start), modifiers);
    free(modifiers);
    return name;
}

bool perf_parse_name(const char *line, struct perf_header *header)
{
    const char *start = skip_blanks(line), *end, *unused;
    size_t size = strlen(start);
    while (size > 0 && isblank((unsigned char)start[size - 1]))
        size--;
    *header = (struct perf_header){.comm = start, .comm_size = size, .process = -1};
    header->rest = start + size;
    bool is_column = start == line || header->rest == line + PERF_ADDRESS_WIDTH;
    if (size <= NAME_WIDTH && is_column)
        return true;
    for (end = skip_word(start); *end != '\0' && end - start <= NAME_WIDTH;
         end = skip_word(skip_blanks(end)))
        if (perf_is_frame(end, PERF_ADDRESS_WIDTH, &unused) &&
            skip_word(skip_blanks(end)) - end > PERF_ADDRESS_WIDTH) {
            header->comm_size = (size_t)(end - start);
            header->rest = end;
            return true;
        }
    return false;
}

bool perf_parse_exec(const char *line, struct perf_header *header)
{
    static const char record[] = " PERF_RECORD_COMM exec: ";
    const char *start = strstr(line, record), *colon = strrchr(line, ':'), *slash;
    if (start == NULL || colon < start + sizeof record - 1)
        return false;
    start += sizeof record - 1;
    slash = strchr(colon, '/');
    *header = (struct perf_header){.comm = start, .comm_size = (size_t)(colon - start)};
    header->process = strtol(colon + 1, NULL, 10);
    return slash != NULL && is_number(colon + 1, slash, NULL);
}

bool perf_is_other_line(const char *line)
{
    static const char *const starts[] = {
        "#",         "|",     "Warning:", "Processed ",       "Check IO/CPU",  "Failed to open ",
        "addr2line", "BFD: ", "Cannot ",  "no symbols found", "incompatible ", NULL};
    const char *record = strstr(line, "PERF_RECORD_");
    return begins_with(line, starts) || (record != NULL && (record == line || record[-1] == ' ')) ||
           strstr(line, " trace error type ") != NULL;
}
