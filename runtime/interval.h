/* interval.h - a thread of the library that writes snapshots at intervals.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_INTERVAL_H
#define REGMON_INTERVAL_H

/* What the thread does until the process ends.  All signals are blocked. */
void interval_run(void);

#endif
