/* signal_stack.c - alternate signal stacks.
   SPDX-License-Identifier: MIT */
#include "signal_stack.h"

#include <stdint.h>
#include <ucontext.h>

#include "sys.h"

bool signal_stack_open(void *stack)
{
    return SYS3(__NR_mprotect, stack, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE) == 0;
}

void signal_stack_provide(void *stack)
{
    stack_t now = {0};

    if (!stack || SYS2(__NR_sigaltstack, NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    now.ss_sp = stack;
    now.ss_flags = 0;
    now.ss_size = SIGNAL_STACK_BYTES;
    (void)SYS2(__NR_sigaltstack, &now, NULL);
}

bool signal_stack_has(const void *context, size_t bytes)
{
    const stack_t *stack = &((const ucontext_t *)context)->uc_stack;
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0), low = (uintptr_t)stack->ss_sp;

    if (stack->ss_flags & SS_DISABLE || (uintptr_t)context - low >= stack->ss_size)
        return true; /* CONTEXT is on another stack */
    return here >= low && here - low >= bytes;
}
