/* retire.h - keeping the counts of objects that are unloaded.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_RETIRE_H
#define REGMON_RETIRE_H

struct workspace;

/* Before dlclose: sets aside the counts of all shared objects.  Returns what retire_after needs,
   which may be NULL. */
struct workspace *retire_before(void);

/* After it: does the same for what the objects that are gone have counted in between. */
void retire_after(struct workspace *before);

/* Discards all counts, those set aside included. */
void retire_reset(void);

#endif
