/* signal_stack.h - alternate signal stacks: those of this library, and what is left of the
   program's. SPDX-License-Identifier: MIT */
#ifndef REGMON_SIGNAL_STACK_H
#define REGMON_SIGNAL_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of stack below the kernel's record of a signal.  tests/runtime_signals.py compares them
   with what the compiler says. */
#define NEED_OF_SAMPLE 512   /* of a thread that has a table */
#define NEED_OF_HANDLER 1536 /* anything else: a thread begins, a file is written */

/* For the kernel's record, up to 11 KiB on processors with AMX, and a handler. */
#define SIGNAL_STACK_BYTES ((size_t)16 << 10)

#define SIGNAL_STACK_GUARD                                                                         \
    ((size_t)64 << 10) /* below it; a whole number of pages on all machines */

/* Makes reserved memory usable as alternate signal stack; false if memory is exhausted. */
bool signal_stack_open(void *stack);

/* Makes it that of this thread, if the thread has none: a handler can then write the files after
   the thread's own stack has overflowed. */
void signal_stack_provide(void *stack);

/* Whether a handler has so many bytes of stack.  Alternate stacks of programs are often small; the
   thread's own is not measured. */
bool signal_stack_has(const void *context, size_t bytes);

#endif
