/* frameless_aarch64.h - callers of code without call frame information.  Included by stack.c.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_FRAMELESS_AARCH64_H
#define REGMON_FRAMELESS_AARCH64_H

/* Whether the next instruction shows that x30 has the return address: paciasp and bti,
   stp x29,x30,[sp...], mov x29,sp; ret. */
static bool is_outside_of_frame(uintptr_t pc)
{
    const uint32_t code = *(const volatile uint32_t *)pc;

    return (code & 0xfffff01f) == 0xd503201f || (code & 0xfec07fff) == 0xa8807bfd ||
           (code & 0xfec07fff) == 0xa8007bfd || code == 0x910003fd || code == 0xd65f03c0;
}

static APART bool leave_without_frame(struct stack_space *space)
{
    struct window *window = &space->window;
    struct frame *frame = &space->frame;
    const uintptr_t caller = return_address(context_register(frame->context, REGISTER_LINK));
    uintptr_t next;

    if (!is_in_entries(frame->pc)) {
        if (is_in_program(frame->pc) ? !is_outside_of_frame(frame->pc) : !is_in_program(caller))
            return false;
        if (!is_in_program(frame->pc) && window_read(window, frame->fp + sizeof next, &next) &&
            return_address(next) == caller)
            return false;
    }
    frame->pc = caller;
    return true;
}

static void pass_pushed(struct frame *frame)
{
    (void)frame;
}

#endif
