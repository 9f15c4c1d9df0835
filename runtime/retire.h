/* retire.h - keeps the counts of objects that are unloaded, and forgets all.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_RETIRE_H
#define REGMON_RETIRE_H

/* Around dlclose: counts of objects that may leave are kept under their numbers, because another
   object may have their addresses next.  Returns memory for retire_after, or NULL. */
struct leaving *retire_before(void);
void retire_after(struct leaving *leaving);

/* Discards all calls and samples up to now. */
void retire_reset(void);

#endif
