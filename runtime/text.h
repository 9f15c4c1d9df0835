/* text.h - builds texts in the caller's memory, and prints messages, without the C library.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_TEXT_H
#define REGMON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that grows up to `bytes', including the 0 at its end, and is cut there. */
struct text {
    char *start;
    size_t used;
    size_t bytes;
};

struct text text_in(char *memory, size_t bytes);
void text_add(struct text *text, const char *more);
void text_add_bytes(struct text *text, const char *more, size_t bytes);
void text_add_number(struct text *text, uint64_t number);
void text_add_hex(struct text *text, uint64_t number);
/* Whether nothing was cut. */
bool text_is_whole(const struct text *text);

size_t text_length(const char *text);
bool text_is(const char *a, const char *b);
bool text_starts(const char *text, const char *start);
/* The value of the first variable that begins so, with the equals sign; NULL if there is none.  The
   environment may be NULL. */
const char *text_variable(char **environment, const char *start);
/* The name of a file, by its path. */
const char *text_last_part(const char *path);
/* Whether a shell's pattern that ends at END stands for the name: *, ? and [a-z], [!a-z]. */
bool text_matches(const char *pattern, const char *end, const char *name);
/* Reads decimal digits up to another character; moves *text behind them.  False if there are none,
   or for more than a long holds. */
bool text_read_number(const char **text, unsigned long *number);

void copy_bytes(void *to, const void *from, size_t bytes);
void clear_bytes(void *memory, size_t bytes);

/* Remembers what standard error is: messages go to no other file. */
void message_prepare(void);

#define MESSAGE_BYTES 512

/* "regmon: WHAT NAME: ERROR".  NAME may be NULL; ERROR is a negative error number of the kernel, or
   0 for none. */
void message_text(struct text *line, const char *what, const char *name, long error);

/* Prints it in one write: on the program's standard error, or the collector's. */
void message(const char *what, const char *name, long error);

#endif
