/* message.h - prints messages on standard error, in the language of the user.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_BASE_MESSAGE_H
#define REGPROF_BASE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* ---- Translation ---- */

/* `_' marks a text for translation and translates it; `N_' only marks a text, in a table.  The
   strings of base/messages.h and report/blurbs.c are translated without marks.  What other programs
   read is not translated: formats such as CSV and JSON, names of columns, which options name, and
   the reports of GNU gprof, except for their explanations.  */

#if defined(__GNUC__)
#define FORMAT_LIKE(argument) __attribute__((format_arg(argument)))
#else
#define FORMAT_LIKE(argument)
#endif

/* TEXT in the user's language; TEXT itself if there is no catalogue.  Valid until the program ends.
   The first call sets the locale, except LC_NUMERIC: decimal points are the same in all
   languages.  */
const char *i18n_text(const char *text) FORMAT_LIKE(1);

#define _(text) i18n_text(text)
#define N_(text) text

/* A unit of time that a profile names, in the user's language if it is `seconds' or `samples'.  */
const char *i18n_unit(const char *unit);

/* The width of TEXT in characters of the locale.  */
size_t i18n_columns(const char *text);

/* ---- Messages ---- */

/* A message is one line on standard error, with control characters escaped.  There are six kinds.
   `note': nothing is wrong; --quiet suppresses it.  `warning': something looks wrong, and the
   program continues (with --strict, it ends before it writes output).  `problem': the user's input
   cannot be used; it returns false, so that callers can write `return problem (...)' and main
   decides on the exit status.  `die': memory is exhausted; exits with status 1.  `verdict': the
   result that was asked for; printed in any case.  `bug': a mistake in this program.  Each line
   begins with the name of the program; formats are in messages.h.  */

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PRINTF_LIKE(fmt, args)
#endif

/* The last part of the name by which this program was called; `gprof' if that is not known.  */
const char *program_name(void);

/* How notes and warnings are printed.  Zero at the start, with is_quiet, is_strict and `keep' as
   the options say.  */
struct diagnostics {
    bool is_quiet;   /* no notes are printed */
    bool is_strict;  /* warnings are errors */
    size_t warnings; /* printed so far */
    /* NULL, or a function that gets the translated text of each note and warning that is printed,
       without the program's name and not escaped.  */
    void (*keep)(void *keeper, bool is_warning, const char *text);
    void *keeper;
};

void note(const struct diagnostics *diagnostics, const char *format, ...) PRINTF_LIKE(2, 3);

void warning(struct diagnostics *diagnostics, const char *format, ...) PRINTF_LIKE(2, 3);

/* Whether output may be written.  False after a message if warnings are errors and there were
   some.  */
bool may_write_output(const struct diagnostics *diagnostics);

/* Names to choose from, separated by blanks, for a message; `...' stands for those that have no
   room.  Start with a zeroed struct.  */
struct name_list {
    char text[400];
    size_t size;
    bool is_full; /* some have none */
};
void name_list_add(struct name_list *list, const char *name);

/* Prints a message about input that cannot be used.  Returns false.  */
bool problem(const char *format, ...) PRINTF_LIKE(1, 2);

/* Prints TEXT as a problem.  Handlers of signals, which can come while a lock is held, may call it:
   it does not translate TEXT, and takes no lock.  */
void problem_in_handler(const char *text);

void announce(const char *format, ...) PRINTF_LIKE(1, 2);

_Noreturn void die(const char *format, ...) PRINTF_LIKE(1, 2);

/* Prints the file and line of the call and aborts.  */
#define bug(what) bug_at(__FILE__, __LINE__, (what))
_Noreturn void bug_at(const char *file, int line, const char *what);

#endif
