/* thread.h - the table of this thread.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_THREAD_H
#define REGMON_THREAD_H

#include <stdint.h>

/* The table of this thread, begun with it if need be; NULL in a child of vfork and without memory.
 */
struct table *thread_table(void);

/* What the entry points call for an arc that they did not find. */
void regmon_count(uintptr_t from, uintptr_t self);

#endif
