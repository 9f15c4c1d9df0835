/* snapshot.h - writing the files of all objects, as often as wanted.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_SNAPSHOT_H
#define REGMON_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "objects.h"

enum snapshot_reason {
    SNAPSHOT_OF_END,     /* the program ends; not written again if nothing was added */
    SNAPSHOT_OF_PROGRAM, /* the program asked for it */
    SNAPSHOT_OF_SIGNAL   /* in a signal handler */
};

/* Writes the files if the process has been profiled.  Returns 0, or -1 if one could not be written,
   which a message says.  May be called at any time, also in a signal handler. */
int snapshot_write(enum snapshot_reason reason);

/* One thread at a time reads all tables, or changes what belongs to the profile.  All signals are
   blocked until it is done; *mask is to be handed back.  False if this thread is already doing it.
 */
bool writer_begin(uint64_t *mask);
void writer_end(const uint64_t *mask);

#endif
