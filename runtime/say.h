/* say.h - messages of the command regmon, in the language of the user.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_SAY_H
#define REGMON_SAY_H

enum {
    STATUS_REGMON = 125,     /* regmon itself failed, and the program has not run */
    STATUS_CANNOT_RUN = 126, /* the program is there, but cannot be executed */
    STATUS_NOT_FOUND = 127,
};

#define _(text) say_text(text)

/* TEXT in the language of the user. */
const char *say_text(const char *text) __attribute__((format_arg(1)));

/* Writes a line to standard error: `regmon: ' and the text. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and ends regmon with STATUS_REGMON. */
_Noreturn void say_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
