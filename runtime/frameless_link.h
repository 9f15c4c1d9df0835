/* frameless_link.h - callers of code without call frame information, on machines where a register
   has the return address and frames have no pointers.  Included by stack.c.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_FRAMELESS_LINK_H
#define REGMON_FRAMELESS_LINK_H

/* Functions in assembly, such as `syscall', call nothing, so that the register has the caller's
   address.  Where it has another one, that is of their own code, of which nothing is known either.
 */
static APART bool leave_without_frame(struct stack_space *space)
{
    struct frame *frame = &space->frame;
    const uintptr_t caller = context_register(frame->context, REGISTER_LINK);

    if (rules_find(&space->rules, caller - 1).kind == RULE_NONE)
        return false;
    frame->pc = caller;
    return true;
}

static void pass_pushed(struct frame *frame)
{
    (void)frame;
}

#endif
