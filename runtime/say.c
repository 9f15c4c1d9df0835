/* say.c - messages of the command regmon, in the language of the user.
   SPDX-License-Identifier: MIT */
#include <config.h> /* of the build: says whether there are other languages */

#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ENABLE_NLS

#include <libintl.h>
#include <locale.h>

/* Done at the first text: most runs have none. */
static void say_begin(void)
{
    const char *directory = getenv("TEXTDOMAINDIR"); /* as for gettext(1) */
    const char *domain = textdomain(NULL);

    if (domain && !strcmp(domain, PACKAGE))
        return;
    setlocale(LC_CTYPE, "");
    setlocale(LC_MESSAGES, "");
    bindtextdomain(PACKAGE, directory ? directory : LOCALEDIR);
    textdomain(PACKAGE);
}

const char *say_text(const char *text)
{
    say_begin();
    return gettext(text);
}

#else

const char *say_text(const char *text)
{
    return text;
}

#endif

/* Writes at once, so that messages of several processes do not mix. */
static void __attribute__((format(printf, 1, 0))) say_line(const char *format, va_list values)
{
    static const char before[] = "regmon: ";
    enum { ROOM = 10000 }; /* for a sentence with two paths */
    char line[ROOM + 1];
    size_t size = sizeof before - 1;
    int more;

    memcpy(line, before, size);
    more = vsnprintf(line + size, ROOM - size, format, values);
    if (more < 0)
        return;
    size += (size_t)more < ROOM - size ? (size_t)more : ROOM - size - 1;
    line[size++] = '\n';
    if (write(STDERR_FILENO, line, size) < 0)
        return; /* there is nobody to tell */
}

void say(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    say_line(format, values);
    va_end(values);
}

void say_failure(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    say_line(format, values);
    va_end(values);
    exit(STATUS_REGMON);
}
