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

#include "base/escape.h"
#include "base/i18n.h"

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
    size += escape(line + size, text);
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
