/* thread.h - the table of this thread.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_THREAD_H
#define REGMON_THREAD_H

#include <stdint.h>

/* Bytes of stack that a call takes which the entry point does not find: see NEED_OF_SAMPLE. */
#define NEED_OF_CALL 1536

/* The table of this thread, which is created at its first call; NULL in a child of vfork and if
 * memory is exhausted.  Not in the handler of samples.
 */
struct table *thread_table(void);

/* Called by the entry points for an arc that they did not find. */
void regmon_count(uintptr_t from, uintptr_t self);

#endif
