/* profile.h - writes the files of all objects of a pool, any number of times.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_PROFILE_H
#define REGMON_PROFILE_H

#include <stdbool.h>

#include "pool.h"
#include "text.h"

/* Writes the files of a process whose pool this is.  DIRECTORY is open, and gets all of them; or it
   is AT_FDCWD: then names that are not absolute are in the current directory, else, if that cannot
   be written to, in the one where the process began.  RECORD: a directory that gets the call stacks
   in place of this one, as a section of the record of a run (record.h): then what has counted
   nothing has no file beside it; -1: none.  IS_END: the last time, with what is missing; nothing is
   written again if nothing was added.  The caller holds the lock of the writer.  Returns
   0, or a negative number of an error, after a message, if a file could not be written. */
long profile_write(const struct pool *pool, int directory, int record, bool is_end);

/* Whether it may write files at the end of the process: nothing is counted as long as there is no
   table, but the program of a profile has a file anyhow.  True in any doubt. */
bool profile_may_be_needed(const struct pool_header *header);

/* Whether the files of the end could not be written because of this error, and can be later: the
   parts of a series cannot. */
bool profile_has_no_room(const struct pool *pool, long error);

/* Adds what the names of all files of a process, or of a part of its series, begin with: the name
   of the program's own file. */
void profile_add_stem(struct text *name, const struct pool_header *header);

#endif
