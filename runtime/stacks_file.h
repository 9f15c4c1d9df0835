/* stacks_file.h - the call stacks of all samples, as text.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_STACKS_FILE_H
#define REGMON_STACKS_FILE_H

#include <stdbool.h>

#include "objects.h"
#include "out_file.h"
#include "stack.h"

#define MOST_STACK_LINE (MOST_FRAMES * (4 + 1 + 16 + 1) + 32)

/* Memory for a line of the file, which is too large for the stack of a signal handler. */
struct stack_line {
    uintptr_t addresses[MOST_FRAMES];
    size_t numbers[MOST_FRAMES]; /* of objects */
    char text[MOST_STACK_LINE];
};

/* Whether there are stacks. */
bool stacks_exist(void);

/* Writes them to PATH.  TAKES sets them aside in the tables.  Returns 0 or a negative error number.
 */
long stacks_write(struct out_file *out, const char *path, const struct objects *objects,
                  struct stack_line *line, bool takes);

#endif
