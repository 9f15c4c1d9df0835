/* thread.h - the table of this thread.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_THREAD_H
#define REGMON_THREAD_H

#include <stdint.h>

/* The table of this thread, which is created at its first call; NULL in a child of vfork and if
 * memory is exhausted.
 */
struct table *thread_table(void);

/* The same, not in a handler of the library: SIGPROF is unblocked if the thread begins. */
struct table *thread_begin(void);

/* Called by the entry points for an arc that they did not find. */
void regmon_count(uintptr_t from, uintptr_t self);

#endif
