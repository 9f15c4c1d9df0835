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
}
