/* stack.h - call stacks.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_STACK_H
#define REGMON_STACK_H

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "rules.h"
#include "table.h"

/* A frame of a stack. */
struct frame {
    uintptr_t pc; /* a return address; if there is a context, where the code was interrupted */
    uintptr_t sp;
    uintptr_t fp;
    uintptr_t rbx;             /* 0 if it is not known, or there is none */
    const ucontext_t *context; /* its other registers; NULL: not known */
};

/* Memory to work in, which is too large for the stack of a signal handler.  Zeroed at first. */
struct stack_space {
    struct rules_space rules;
    struct window window; /* of stacks, whose memory the program may unmap meanwhile */
    struct frame frame;
    ucontext_t interrupted; /* by a signal: its registers */
    uintptr_t frames[MOST_FRAMES];
};

/* Fills frames with the stack of the code that CONTEXT (ucontext_t) interrupted: where it was, then
   return addresses, innermost first.  Those of other interrupted code, whose signal handlers are
   above it, are larger by 1, like return addresses.  The last is UNKNOWN_CALLER unless the stack
   was found up to the start of its program or thread.  Returns their number, at least 1; of a
   deeper stack, the innermost ones. */
size_t stack_walk(struct stack_space *space, const void *context);

#endif
