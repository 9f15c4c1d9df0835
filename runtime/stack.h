/* stack.h - call stacks, by frame pointers.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_STACK_H
#define REGMON_STACK_H

#include <stddef.h>
#include <stdint.h>

#define MOST_FRAMES 512

/* Fills FRAMES with the stack of the code that CONTEXT (ucontext_t) interrupted: where it was, then
   return addresses, innermost first.  Returns their number, at least 1; of a deeper stack, the
   innermost ones. */
size_t stack_walk(const void *context, uintptr_t *frames);

#endif
