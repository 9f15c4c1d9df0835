/* workspace.h - memory for writing files, mapped while it is in use.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_WORKSPACE_H
#define REGMON_WORKSPACE_H

#include "entries.h"
#include "objects.h"
#include "out_file.h"
#include "stacks_file.h"

struct workspace {
    const struct pool *pool;
    struct objects objects;
    struct entries entries;
    struct out_file out;
    bool is_end;    /* the process has ended */
    bool has_files; /* others than its section */
    int record;     /* the directory that gets the section of the process; -1: stacks have a file of
                       their own, beside the profile */
    long error;     /* of the last file that could not be written; 0: none */
    char path[2 * REGMON_PATH_BYTES];
    char lines[2 * REGMON_PATH_BYTES];
    struct stack_line stack_line;
    uint16_t places[MOST_OBJECTS];
};

/* With the objects read; NULL if there is no memory. */
struct workspace *workspace_open(const struct pool *pool);
void workspace_close(struct workspace *workspace);

#endif
