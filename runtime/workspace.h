/* workspace.h - memory for writing files, mapped while it is in use.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_WORKSPACE_H
#define REGMON_WORKSPACE_H

#include "entries.h"
#include "objects.h"
#include "out_file.h"
#include "stacks_file.h"

#define MOST_OBJECTS 4096

struct workspace {
    struct objects objects; /* those in memory now */
    struct entries entries;
    struct out_file out;
    uint64_t cpu_time; /* of the process when the entries are read, in nanoseconds */
    char path[2 * REGMON_PATH_BYTES];
    char lines[16384];
    struct stack_line stack_line;
    struct object list[MOST_OBJECTS];
};

/* With the objects read; NULL if there is no memory, or the main program is not found. */
struct workspace *workspace_open(void);
void workspace_close(struct workspace *workspace);

#endif
