/* stack_file.c - reads the call stacks that libregmon writes.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "input/stack_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/messages.h"

/* The state of reading a file.  */
struct reader {
    struct recorded_stacks *stacks;
    const char *at, *end; /* the rest of the current line */
    uint32_t *objects;    /* by number in the file: index into stacks->objects, or NO_OBJECT */
    size_t object_count, object_capacity;
    uint32_t rate;
    bool has_program;
};

enum { MOST_OBJECTS = 65536, MOST_DIGITS = 16 };

/* ---- Pieces of a line ---- */

static bool skip(struct reader *reader, const char *text)
{
    size_t size = strlen(text);
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, text, size) != 0)
        return false;
    reader->at += size;
    return true;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* Reads digits of BASE; false if there are none or too many.  */
static bool read_digits(struct reader *reader, int base, uint64_t *number)
{
    int count = 0;
    *number = 0;
    for (; reader->at < reader->end && digit_value(*reader->at) < base; reader->at++, count++)
        *number = *number * (uint64_t)base + (uint64_t)digit_value(*reader->at);
    return count > 0 && count <= MOST_DIGITS;
}

/* ---- Lines ---- */

/* A comment `# program NUMBER NAME' or `# object NUMBER NAME'.  */
static bool read_object(struct reader *reader, bool is_program)
{
    uint64_t number;
    if (!read_digits(reader, 10, &number) || number >= MOST_OBJECTS || !skip(reader, " "))
        return false;
    size_t old = reader->object_count, need = (size_t)number + 1;
    if (need > old) {
        reader->objects =
            mem_grow(reader->objects, &reader->object_capacity, need, sizeof *reader->objects);
        for (size_t i = old; i < need; i++)
            reader->objects[i] = NO_OBJECT;
        reader->object_count = need;
    }
    char *name = mem_copy(reader->at, (size_t)(reader->end - reader->at));
    reader->objects[number] = is_program ? 0 : string_map_number(&reader->stacks->objects, name);
    free(name);
    reader->has_program |= is_program;
    return true;
}

/* Reads a comment; skips those that are not known.  */
static bool read_comment(struct reader *reader)
{
    uint64_t rate;
    if (skip(reader, "# program "))
        return read_object(reader, true);
    if (skip(reader, "# object "))
        return read_object(reader, false);
    if (!skip(reader, "# rate "))
        return true;
    if (!read_digits(reader, 10, &rate) || rate == 0 || rate > UINT32_MAX)
        return false;
    reader->rate = (uint32_t)rate;
    if (reader->stacks->rate == 0)
        reader->stacks->rate = reader->rate;
    return true;
}

static bool read_frame(struct reader *reader, struct recorded_frame *frame)
{
    uint64_t number;
    *frame = (struct recorded_frame){NO_OBJECT, 0};
    if (skip(reader, "?"))
        return true;
    if (!read_digits(reader, 10, &number) || !skip(reader, ":") ||
        !read_digits(reader, 16, &frame->addr) || number >= reader->object_count)
        return false;
    frame->object = reader->objects[number];
    return frame->object != NO_OBJECT;
}

/* The place of FRAME below PARENT, a place plus 1, or 0 for none.  */
static uint32_t find_place(struct recorded_stacks *stacks, uint32_t parent,
                           const struct recorded_frame *frame)
{
    uint64_t above = (uint64_t)frame->object << 32 | parent;
    size_t known = stacks->places.count;
    uint32_t place = pair_map_number(&stacks->places, above, frame->addr);
    if (place == known) {
        stacks->ending = mem_grow(stacks->ending, &stacks->capacity, place + 1, sizeof(double));
        stacks->ending[place] = 0;
    }
    return place;
}

static bool read_stack(struct reader *reader)
{
    struct recorded_stacks *stacks = reader->stacks;
    struct recorded_frame frame;
    uint32_t place = UINT32_MAX; /* plus 1: none */
    uint64_t samples;
    bool is_caller;
    do {
        if (!read_frame(reader, &frame))
            return false;
        if (place == UINT32_MAX && frame.object == NO_OBJECT) /* the stack is cut */
            frame.object = string_map_number(&stacks->objects, CUT_STACK);
        is_caller = skip(reader, ";");
        frame.addr -= is_caller; /* the next function may begin at a return address */
        place = find_place(stacks, place + 1, &frame);
    } while (is_caller);
    if (!skip(reader, " ") || !read_digits(reader, 10, &samples) || reader->at != reader->end ||
        reader->rate == 0)
        return false;
    double weight = (double)samples * stacks->rate / reader->rate;
    stacks->ending[place] += weight;
    stacks->samples += weight;
    return true;
}

static bool read_lines(struct reader *reader, const struct file_buffer *file, const char *path)
{
    const char *next = (const char *)file->bytes, *end = next + file->size;
    for (size_t number = 1; next < end; number++) {
        const char *newline = memchr(next, '\n', (size_t)(end - next));
        reader->at = next;
        reader->end = newline != NULL ? newline : end;
        next = reader->end + 1;
        if (number == 1 && !skip(reader, "# regmon stacks 1"))
            return problem(MSG_NOT_STACKS, path);
        bool is_comment = reader->at < reader->end && *reader->at == '#';
        bool is_empty = reader->at == reader->end;
        if (!is_empty && !(is_comment ? read_comment(reader) : read_stack(reader)))
            return problem(MSG_BAD_STACK_LINE, path, number);
    }
    return reader->has_program || problem(MSG_NOT_STACKS, path);
}

bool stack_file_read(struct recorded_stacks *stacks, const char *path)
{
    struct file_buffer file = {0};
    struct reader reader = {.stacks = stacks};
    string_map_number(&stacks->objects, ""); /* the program */
    bool ok = read_file(&file, path) && read_lines(&reader, &file, path);
    free(reader.objects);
    file_buffer_free(&file);
    return ok;
}
