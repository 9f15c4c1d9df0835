/* stream.h - the bytes of a profile, from a file, a pipe or a program: as they come, or all.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_STREAM_H
#define REGPROF_FOREIGN_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Bytes that tell the format of a file: a long stack fits.  More are read if they are all comments,
   of which perf writes one for each processor.  */
enum { STREAM_START = 1 << 14, STREAM_LONGEST_START = 1 << 23 };

/* Bytes [start, end) of `bytes' have been read and not yet used.  */
struct stream {
    const char *path; /* for messages */
    int fd;           /* -1: it is closed */
    bool has_ended;   /* nothing more is to come */
    pid_t child;      /* the program that writes to `fd'; 0: none */
    FILE *errors;     /* of the program; NULL: they are printed at once */
    char *bytes;
    size_t start, end, capacity;
    uint64_t size;   /* bytes that were read, before decompression */
    uint64_t line;   /* number of the line that was read last */
    bool has_failed; /* after a message */
};

/* Opens the file at PATH ("-": standard input; of a directory, the file `data' in it) and reads its
   first bytes.  False after a message.  */
bool stream_open(struct stream *stream, const char *path);

/* The first bytes, decompressed, at most CAPACITY, and a NUL behind them: sets *SIZE.  Free with
   free.  */
char *stream_start(const struct stream *stream, size_t capacity, size_t *size);

/* Reads all and decompresses it, if it is compressed, or turns it into UTF-8, if it is UTF-16.
 * False after a message.  */
bool stream_unpack(struct stream *stream);

/* Opens what the program ARGUMENTS[0] writes when it is run with ARGUMENTS.  PATH is what it reads,
   for messages.  ERRORS, which stream_close closes, gets what it writes to standard error, which is
   printed if it fails; NULL: that is ours.  False after a message.  */
bool stream_open_program(struct stream *stream, const char *path, char *const *arguments,
                         FILE *errors);

/* The next line, without its end (LF or CR LF) and ended by a NUL; valid until the next call.  NULL
   at the end, or after a message with `has_failed'.  */
char *stream_line(struct stream *stream, size_t *length);

/* Reads all that is to come.  False after a message.  */
bool stream_read_all(struct stream *stream);

/* Closes the stream; false after a message if a program failed.  */
bool stream_close(struct stream *stream);

#endif
