/* text.c - builds texts in the caller's memory, without the C library.
   SPDX-License-Identifier: MIT */
#include "text.h"

#include <errno.h>

struct text text_in(char *memory, size_t bytes)
{
    memory[0] = 0;
    return (struct text){memory, 0, bytes};
}

void text_add_bytes(struct text *text, const char *more, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (text->used + 1 < text->bytes)
            text->start[text->used++] = more[i];
        else
            text->bytes = text->used; /* cut: see text_is_whole */
    text->start[text->used] = 0;
}

void text_add(struct text *text, const char *more)
{
    text_add_bytes(text, more, text_length(more));
}

static void add_digits(struct text *text, uint64_t number, unsigned base)
{
    char digits[20];
    size_t first = sizeof digits;

    do
        digits[--first] = "0123456789abcdef"[number % base];
    while (number /= base);
    text_add_bytes(text, digits + first, sizeof digits - first);
}

void text_add_number(struct text *text, uint64_t number)
{
    add_digits(text, number, 10);
}

void text_add_hex(struct text *text, uint64_t number)
{
    add_digits(text, number, 16);
}

bool text_is_whole(const struct text *text)
{
    return text->used < text->bytes;
}

size_t text_length(const char *text)
{
    size_t length = 0;

    while (text[length])
        length++;
    return length;
}

bool text_starts(const char *text, const char *start)
{
    while (*start && *text == *start)
        text++, start++;
    return !*start;
}

bool text_is(const char *a, const char *b)
{
    return text_starts(a, b) && text_length(a) == text_length(b);
}

const char *text_last_part(const char *path)
{
    const char *last = path;

    for (; *path; path++)
        if (*path == '/')
            last = path + 1;
    return last;
}

const char *text_variable(char **environment, const char *start)
{
    for (char **entry = environment; entry && *entry; entry++)
        if (text_starts(*entry, start))
            return *entry + text_length(start);
    return NULL;
}

/* The end of the set that begins behind a bracket; NULL if it has none.  A bracket at its start is
   in it. */
static const char *end_of_set(const char *set, const char *end)
{
    const char *at = set + (set < end && *set == '!') + 1;

    while (at < end && *at != ']')
        at++;
    return at < end ? at : NULL;
}

static bool is_in_set(const char *set, const char *end, char c)
{
    const bool is_other = *set == '!';
    bool is_in = false;

    for (const char *at = set + is_other; at < end; at++) {
        const bool is_span = end - at > 2 && at[1] == '-';

        is_in |= is_span ? c >= *at && c <= at[2] : c == *at;
        at += is_span ? 2 : 0;
    }
    return is_in != is_other;
}

/* Whether the pattern begins with something other than * that stands for the character; moves
 *PATTERN behind that. */
static bool matches_one(const char **pattern, const char *end, char c)
{
    const char *at = *pattern;
    const char *last = at < end && *at == '[' ? end_of_set(at + 1, end) : NULL;

    if (at == end || !c || (last ? !is_in_set(at + 1, last, c) : *at != '?' && *at != c))
        return false;
    *pattern = (last ? last : at) + 1;
    return true;
}

/* What follows the last * is tried at one place after the other. */
bool text_matches(const char *pattern, const char *end, const char *name)
{
    const char *behind = NULL, *place = name;

    while (*name || pattern < end) {
        if (pattern < end && *pattern == '*') {
            behind = ++pattern;
            place = name;
        } else if (matches_one(&pattern, end, *name)) {
            name++;
        } else if (behind && *place) {
            pattern = behind;
            name = ++place;
        } else {
            return false;
        }
    }
    return true;
}

bool text_read_number(const char **text, unsigned long *number)
{
    const char *at = *text;
    unsigned long value = 0;

    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(value, 10UL, &value) ||
            __builtin_add_overflow(value, (unsigned long)(*at - '0'), &value))
            return false;
    if (at == *text)
        return false;
    *text = at;
    *number = value;
    return true;
}

void copy_bytes(void *to, const void *from, size_t bytes)
{
    char *target = to;
    const char *source = from;

    for (size_t i = 0; i < bytes; i++)
        target[i] = source[i];
}

void clear_bytes(void *memory, size_t bytes)
{
    volatile char *target = memory;

    for (size_t i = 0; i < bytes; i++)
        target[i] = 0;
}

/* Of errors that writing a file, or making a thread or a timer, can cause. */
static const char *error_text(long error)
{
    switch (-error) {
    case EACCES:
    case EPERM:
        return "permission denied";
    case ENOENT:
        return "no such directory";
    case ENOTDIR:
        return "not a directory";
    case ENOSPC:
        return "no space left on the device";
    case EDQUOT:
        return "disk quota exceeded";
    case EROFS:
        return "read-only file system";
    case EFBIG:
        return "file too large";
    case EIO:
        return "input/output error";
    case EISDIR:
        return "is a directory";
    case EEXIST:
        return "a file that is no profile has this name";
    case E2BIG:
        return "the counts of the process are damaged";
    case EAGAIN:
        return "too many threads or pending signals";
    case EMFILE:
    case ENFILE:
        return "too many open files";
    case ENAMETOOLONG:
        return "name too long";
    case ENOMEM:
        return "out of memory";
    default:
        return NULL;
    }
}

void message_text(struct text *line, const char *what, const char *name, long error)
{
    text_add(line, "regmon: ");
    text_add(line, what);
    if (name) {
        text_add(line, " ");
        text_add(line, name);
    }
    if (error) {
        const char *reason = error_text(error);

        text_add(line, ": ");
        text_add(line, reason ? reason : "error ");
        if (!reason)
            text_add_number(line, (uint64_t)-error);
    }
    for (size_t i = 0; i < line->used; i++) /* names may have any */
        if ((unsigned char)line->start[i] < ' ' || line->start[i] == 127)
            line->start[i] = '?';
}
