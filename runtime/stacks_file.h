/* stacks_file.h - the call stacks of all samples, as text.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_STACKS_FILE_H
#define REGMON_STACKS_FILE_H

#include <stdbool.h>

#include "entries.h"
#include "objects.h"
#include "out_file.h"
#include "table.h"

#define MOST_STACK_LINE (MOST_FRAMES * (4 + 1 + 16 + 1) + 32)

/* Memory for a line of the file, which is too large for the stack of a signal handler. */
struct stack_line {
    uintptr_t addresses[MOST_FRAMES]; /* as the file has them */
    size_t places[MOST_FRAMES];       /* of objects in the list, or behind them */
    char text[MOST_STACK_LINE];
};

/* How the names of files begin that are sections of the record of a run. */
#define SECTION "section-"

/* What the file says about the process, and about the profile that was written just before. */
struct stacks_origin {
    bool is_alive;       /* the process */
    bool is_first;       /* it is the one that regmon runs */
    const char *profile; /* the name of its file, without directories; NULL: it counted nothing */
    struct range range;  /* of its first histogram */
    uint64_t samples;    /* in all of them */
    uint64_t checksum;   /* of these */
    uint64_t cpu_time;   /* of the process so far, in nanoseconds */
    /* Of a part of a series: its samples in the program, by address.  Those whose stacks are
       written are taken off. */
    struct entry *left;
    size_t left_count;
};

/* Writes all stacks of a pool to PATH; there may be none.  Those of a series are set aside; one of
   a sample that came after the part's profile was read is left for the next part.  Returns 0 or a
   negative error number. */
long stacks_write(struct out_file *out, const char *path, const struct pool *pool,
                  const struct objects *objects, struct stacks_origin *origin,
                  struct stack_line *line);

#endif
