/* worker.h - writes the files of one process from its pool.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_WORKER_H
#define REGMON_WORKER_H

#include <stdbool.h>

#include "trusted.h"

/* NO_ROOM: at the end of a process, and it can be written later. */
enum written { WRITTEN, NOT_WRITTEN, NO_ROOM };

/* Writes what the open file of a pool has, IS_END: of a process that has ended, else a snapshot.  A
   process of its own does it, because a damaged pool may end it; and says what went wrong.  RECORD:
   the directory of sections. */
enum written worker_write(struct trusted *trusted, int fd, int record, bool is_end);

#endif
