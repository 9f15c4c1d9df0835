/* thread.h - the table of this thread.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_THREAD_H
#define REGMON_THREAD_H

#include <stdint.h>

/* Bytes of stack that a call takes which the entry point does not find: see NEED_OF_SAMPLE. */
#define NEED_OF_CALL 1536

struct thread;

/* The record of this thread, which is created at its first call; NULL in a child of vfork and if
   memory is exhausted.  Not in the handler of samples. */
struct thread *thread_self(void);

/* Adds n calls, or samples, to an arc of this thread. */
void thread_add(struct thread *thread, uintptr_t from, uintptr_t self, uint64_t n);

/* Called by the entry points for an arc that they did not find. */
void regmon_count(uintptr_t from, uintptr_t self);

#endif
