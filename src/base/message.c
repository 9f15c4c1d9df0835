/* message.c - prints messages on standard error, in the language of the user.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "base/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/messages.h"
#include "base/text.h"

/* ---- Translation ---- */

#ifdef ENABLE_NLS

#include <libintl.h>
#include <locale.h>

/* Sets the locale and the text domain.  Done at the first text, because most runs print none.  The
   name of the text domain, which the C library keeps, shows whether it has been done.  */
static void set_locale(void)
{
    const char *directory = getenv("TEXTDOMAINDIR"); /* as for gettext(1) */
    const char *domain = textdomain(NULL);
    if (domain != NULL && strcmp(domain, PACKAGE) == 0)
        return;
    setlocale(LC_CTYPE, "");
    setlocale(LC_MESSAGES, "");
    bindtextdomain(PACKAGE, directory != NULL ? directory : LOCALEDIR);
    textdomain(PACKAGE);
}

const char *i18n_text(const char *text)
{
    set_locale();
    return text[0] == '\0' ? text : gettext(text); /* the empty text is the catalogue's header */
}

size_t i18n_columns(const char *text)
{
    size_t characters = mbstowcs(NULL, text, 0);
    return characters == (size_t)-1 ? strlen(text) : characters;
}

#else

const char *i18n_text(const char *text)
{
    return text;
}

size_t i18n_columns(const char *text)
{
    return strlen(text);
}

#endif

const char *i18n_unit(const char *unit)
{
    if (strcmp(unit, "seconds") == 0)
        return _("seconds");
    return strcmp(unit, "samples") == 0 ? _("samples") : unit;
}

/* ---- Messages ---- */

const char *program_name(void)
{
    const char *name = NULL;
#if HAVE_DECL_PROGRAM_INVOCATION_SHORT_NAME
    name = program_invocation_short_name;
#elif defined(HAVE_GETPROGNAME)
    name = getprogname();
#endif
    return name != NULL && name[0] != '\0' ? name : "gprof";
}

/* Writes to standard error, not through `stderr', which may be captured (libbfd_is_object).  */
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

/* Writes TEXT as one line.  A line of more than PIECE bytes, the size that a pipe writes at once,
   is written in pieces to save stack, since the message may be that the stack is exhausted.  */
static void write_line(const char *text)
{
    enum { PIECE = 4096 };
    char piece[PIECE];
    size_t size = 0;
    for (;;) {
        size += escape(piece + size, sizeof piece - 1 - size, &text);
        if (*text == '\0')
            break;
        write_all(piece, size);
        size = 0;
    }
    piece[size++] = '\n';
    write_all(piece, size);
}

/* Prints a message in one line, with control characters escaped; DIAGNOSTICS, unless NULL, may keep
   it.  Otherwise allocates no memory, since the message may be that memory is exhausted; only
   gettext may allocate, and falls back to the original text.  */
PRINTF_LIKE(4, 0)
static void print_message(const struct diagnostics *diagnostics, bool is_warning,
                          const char *before, const char *format, va_list args)
{
    enum { MAX_LENGTH = 10000 }; /* enough for a sentence with two paths of maximal length */
    static const char cut[] = "...";
    char text[MAX_LENGTH];
    int length = snprintf(text, sizeof text, "%.1000s: %s", program_name(), before);
    int more = vsnprintf(text + length, sizeof text - (size_t)length, _(format), args);
    if (length + more >= MAX_LENGTH)
        strcpy(text + MAX_LENGTH - sizeof cut, cut);
    fflush(stdout);
    write_line(text);
    if (diagnostics != NULL && diagnostics->keep != NULL)
        diagnostics->keep(diagnostics->keeper, is_warning, text + length);
}

void problem_in_handler(const char *text)
{
    const char *name = program_name();
    write_all(name, strlen(name));
    write_all(": ", 2);
    write_all(text, strlen(text));
    write_all("\n", 1);
}

void note(const struct diagnostics *diagnostics, const char *format, ...)
{
    va_list args;
    if (diagnostics->is_quiet)
        return;
    va_start(args, format);
    print_message(diagnostics, false, _("note: "), format, args);
    va_end(args);
}

void warning(struct diagnostics *diagnostics, const char *format, ...)
{
    va_list args;
    diagnostics->warnings++;
    va_start(args, format);
    print_message(diagnostics, true, _("warning: "), format, args);
    va_end(args);
}

bool may_write_output(const struct diagnostics *diagnostics)
{
    return !diagnostics->is_strict || diagnostics->warnings == 0 ||
           problem(MSG_STRICT, diagnostics->warnings);
}

void name_list_add(struct name_list *list, const char *name)
{
    static const char rest[] = " ...";
    const char *separator = list->size > 0 ? " " : "";
    size_t room = sizeof list->text - list->size;
    if (list->is_full)
        return;
    list->is_full = strlen(separator) + strlen(name) + sizeof rest > room;
    int size = snprintf(list->text + list->size, room, "%s%s", list->is_full ? "" : separator,
                        list->is_full ? rest : name);
    list->size += (size_t)size;
}

bool problem(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(NULL, false, "", format, args);
    va_end(args);
    return false;
}

void announce(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(NULL, false, "", format, args);
    va_end(args);
}

void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(NULL, false, "", format, args);
    va_end(args);
    exit(EXIT_FAILURE);
}

void bug_at(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s: %s:%d: internal error: %s\n", program_name(), file, line, what);
    abort();
}
