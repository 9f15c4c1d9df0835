/* perf_line.h - tells what a line that `perf script' prints is: a header, a frame, or neither.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef REGPROF_FOREIGN_PERF_LINE_H
#define REGPROF_FOREIGN_PERF_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Fields of a header that tell it from other lines; with PERF_ALONE, a header with just these comes
   before others.  */
enum { PERF_THREAD = 1, PERF_TIME = 2, PERF_EVENT = 4, PERF_ALONE = 8 };

enum { PERF_ADDRESS_WIDTH = 16 }; /* of an address at least, with blanks before it */

/* The line before the frames of a sample: the fields that -F selects, of which each can be missing.
   Texts are not ended by a NUL.  */
struct perf_header {
    const char *comm; /* the name of the thread */
    size_t comm_size;
    unsigned fields; /* that it has */
    long process;    /* -1: not said */
    long thread;
    const char *event; /* NULL: not said */
    size_t event_size;
    double period;    /* 0: not said */
    const char *rest; /* what stands behind it, with blanks */
};

/* Reads a header with at least FIELDS.  Of the names that its thread may have, takes the one that
   leaves most fields, and the longest one of these.  False if LINE is none.  */
bool perf_parse_header(const char *line, unsigned fields, struct perf_header *header);

/* The event of HEADER with those of its modifiers that say what is counted: `cycles:u' of
   `cycles:uppp', `cpu-clock' of `cpu-clock:ppp'.  The kinds of cores of a processor count the same
   event: `cpu_core/cycles/u' and `cpu_atom/cycles/u'.  Free with free.  */
char *perf_event_name(const struct perf_header *header);

/* Whether TEXT, which stands behind a colon or a slash in the name of an event, is modifiers.  */
bool perf_is_modifier(const char *text);

/* Reads a header that is only the name of a thread, and perhaps a frame.  False if LINE is none. */
bool perf_parse_name(const char *line, struct perf_header *header);

/* Whether LINE is a frame, `ADDRESS SYMBOL (OBJECT)', of which the last two can be missing behind a
   tab or, unless WIDTH is 0, if the address ends behind WIDTH characters: sets *NAME to what stands
   behind the address.  */
bool perf_is_frame(const char *line, size_t width, const char **name);

/* Whether TEXT, which stands behind the address of a frame, says nothing.  */
bool perf_is_unknown(const char *text);

/* Where the offset `+0x1f' is in NAME, at its end or before its object: sets *BEHIND to what
   follows. NULL: it has none.  */
char *perf_offset_in(char *name, char **behind);

/* Where the object begins in TEXT, `SYMBOL (OBJECT)': at the parenthesis that the last one closes
   or, if none does, at the first one.  A blank stands before it, or nothing.  NULL: it has none. */
char *perf_object_in(char *text);

/* Whether FRAME, `SYMBOL (inlined)', is of an inlined function, or one that has another name in the
   debug information.  */
bool perf_is_inlined(const char *frame);

/* Whether LINE is a frame that stands alone, which perf prints of samples without call chains.  */
bool perf_is_sole_frame(const char *line);

/* Reads the record of a call of exec, `NAME 7/7 PERF_RECORD_COMM exec: NAME:7/7': sets COMM and
   PROCESS of *HEADER to what runs from here on.  False if LINE is none.  */
bool perf_parse_exec(const char *line, struct perf_header *header);

/* Whether LINE is none of a sample: a comment, source code, a record that --show-task-events and
   others print, or an error.  */
bool perf_is_other_line(const char *line);

#endif
