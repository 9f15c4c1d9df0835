/* regmon.h - functions of libregmon that a profiled program may call.
   SPDX-License-Identifier: MIT

   They are optional: it is enough to run a program with `regmon', or to link it with -lregmon. A
   server calls them to get profiles of parts of its run.  All functions may be called by any thread
   at any time, the first two in signal handlers, too. */
#ifndef REGMON_H
#define REGMON_H

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the files in the current directory: all calls and samples since the start or the last
   reset. Calls that other threads make meanwhile are either in this file or in the next.  Returns
   0, or -1 after a message if a file could not be written. */
int regmon_snapshot(void);

/* Discards all calls and samples up to now. */
void regmon_reset(void);

/* Stops counting and sampling in all threads (MODE 0), or goes on (not 0). */
void moncontrol(int mode);

#ifdef __cplusplus
}
#endif

#endif
