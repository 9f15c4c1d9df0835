/* snapshot.h - writes the files from inside the process.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_SNAPSHOT_H
#define REGMON_SNAPSHOT_H

#include <stdbool.h>

#include "sys.h"

enum snapshot_reason {
    SNAPSHOT_OF_END,     /* the program ends; not written again if nothing was added */
    SNAPSHOT_OF_PROGRAM, /* regmon_snapshot was called */
    SNAPSHOT_OF_CLEANUP  /* _mcleanup was called; a series waits for the end, which follows */
};

/* Writes the files if the process has been profiled.  Returns 0, or -1 after a message if one could
 * not be written.  May be called at any time, also in a signal handler. */
int snapshot_write(enum snapshot_reason reason);

/* One thread at a time reads all tables, or changes what belongs to the profile.  All signals are
   blocked until it is done; pass *quiet to regmon_writer_end.  False as of pool_lock. */
bool writer_begin(struct sys_quiet *quiet);

/* A sample that has waited meanwhile is taken here: readers leave it out by this name, where the
   library is a part of the program. */
__attribute__((noinline)) void regmon_writer_end(const struct sys_quiet *quiet);

#endif
