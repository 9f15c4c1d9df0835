/* message.c - messages on standard error, and printable forms of names.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"

/* ---- Control characters ---- */

/* Length of the UTF-8 sequence at S, which is well-formed as far as its length goes; else 1.  */
static size_t sequence_at(const char *s)
{
    unsigned char first = (unsigned char)s[0];
    if (first < 0xC2)
        return 1;
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2, i = 1;
    while (i < length && ((unsigned char)s[i] & 0xC0) == 0x80)
        i++;
    return i == length && first < 0xF8 ? length : 1;
}

/* Length of the control character at S in bytes (C0, DEL, or C1 in UTF-8 or in an encoding of eight
   bits), or 0.  */
static size_t control_at(const char *s)
{
    unsigned char first = (unsigned char)s[0], second = (unsigned char)(first ? s[1] : 0);
    if (first == 0xC2 && second >= 0x80 && second < 0xA0)
        return 2;
    return first < 0x20 || first == 0x7F || (first >= 0x80 && first < 0xA0);
}

/* Writes a byte as `\xNN' to TO, without a NUL; returns how many characters that is.  */
static size_t put_hexadecimal(char *to, char byte)
{
    static const char digits[] = "0123456789abcdef";
    to[0] = '\\';
    to[1] = 'x';
    to[2] = digits[(unsigned char)byte >> 4];
    to[3] = digits[(unsigned char)byte & 15];
    return 4;
}

/* Copies S to TO, which has room for four times its bytes, and makes control characters visible;
   returns how many characters that is.  */
static size_t put_visible(char *to, const char *s)
{
    char *start = to;
    while (*s != '\0') {
        size_t bytes = control_at(s), length = bytes == 0 ? sequence_at(s) : 0;
        for (; length > 0; length--)
            *to++ = *s++;
        for (; bytes > 0; bytes--)
            to += put_hexadecimal(to, *s++);
    }
    return (size_t)(to - start);
}

bool is_printable(const char *s)
{
    for (;;) {
        while (*s >= ' ' && *s <= '~') /* most names are of nothing else */
            s++;
        if (*s == '\0' || control_at(s) != 0)
            return *s == '\0';
        s += sequence_at(s);
    }
}

const char *arena_escape(struct arena *arena, const char *s)
{
    if (is_printable(s))
        return arena_copy(arena, s, strlen(s));
    size_t size = strlen(s), controls = 0;
    for (size_t i = 0; i < size; i++)
        controls += control_at(s + i);
    char *visible = arena_alloc(arena, size + 3 * controls + 1);
    visible[put_visible(visible, s)] = '\0';
    return visible;
}

/* ---- Messages ---- */

/* Onto standard error, past `stderr', which a library's words may be caught from.  */
static void write_all(const char *line, size_t size)
{
    while (size > 0) {
        ssize_t got = write(STDERR_FILENO, line, size);
        if (got < 0 && errno != EINTR)
            return;
        line += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
}

/* Says it in one line, whatever is in it, and at once, so that lines of several processes do not
   mix.  Takes no memory, but for a translation, and does without that: none may be what there is
   to say.  */
PRINTF_LIKE(2, 0) static void say(const char *before, const char *format, va_list args)
{
    enum { LONGEST = 10000 }; /* two paths as long as can be, and some words */
    static const char name[] = "gprof: ", cut[] = "...";
    char text[LONGEST], line[sizeof name + 4 * LONGEST + 1];
    int length = snprintf(text, sizeof text, "%s", before);
    int more = vsnprintf(text + length, sizeof text - (size_t)length, _(format), args);
    if (length + more >= LONGEST)
        strcpy(text + LONGEST - sizeof cut, cut);
    memcpy(line, name, sizeof name - 1);
    size_t size = sizeof name - 1;
    size += put_visible(line + size, text);
    line[size++] = '\n';
    fflush(stdout);
    write_all(line, size);
}

void warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(_("warning: "), format, args);
    va_end(args);
}

bool problem(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return false;
}

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    exit(EXIT_FAILURE);
}

void bug_at(const char *file, int line, const char *what)
{
    fprintf(stderr, "gprof: %s:%d: internal error: %s\n", file, line, what);
    abort();
}
