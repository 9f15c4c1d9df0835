/* frameless_x86_64.h - callers of code without call frame information, or with wrong one.
   Included by stack.c.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_FRAMELESS_X86_64_H
#define REGMON_FRAMELESS_X86_64_H

#define LARGEST_FUNCTION ((uintptr_t)8 << 10) /* bytes, without a frame */

/* Whether the next instruction shows that the return address is *PLACE bytes above the stack
   pointer: endbr64, push %rbp, ret; mov %rsp,%rbp. */
static bool is_outside_of_frame(uintptr_t pc, uintptr_t *place)
{
    const volatile unsigned char *code = (const volatile unsigned char *)pc;

    *place = 0;
    if (code[0] == 0x55 || code[0] == 0xc3 || (code[0] == 0xf3 && code[1] == 0x0f))
        return true;
    *place = sizeof(uintptr_t);
    return code[0] == 0x48 && code[1] == 0x89 && code[2] == 0xe5;
}

/* A signed number of 32 bits, relative to its end. */
static uintptr_t relative_address(const unsigned char *code)
{
    int32_t distance;

    copy_bytes(&distance, code, sizeof distance);
    return (uintptr_t)code + sizeof distance + (uintptr_t)(intptr_t)distance;
}

/* The entry of the global offset table that the call before RETURNED goes through: `call
   *SLOT(%rip)', or `call STUB', where the stub of the procedure linkage table is `jmp *SLOT(%rip)',
   behind endbr64 and a prefix in some.  0 if it is another call. */
static uintptr_t slot_of_call(uintptr_t returned)
{
    const unsigned char *code = (const unsigned char *)returned - 6;
    const unsigned char *stub;
    uintptr_t target;

    if (!is_in_program((uintptr_t)code))
        return 0;
    if (code[0] == 0xff && code[1] == 0x15)
        return relative_address(code + 2);
    target = code[1] == 0xe8 ? relative_address(code + 2) : 0;
    if (!is_in_program(target) || !is_in_program(target + 16))
        return 0;
    stub = (const unsigned char *)target;
    stub += stub[0] == 0xf3 && stub[1] == 0x0f ? 4 : 0;
    stub += stub[0] == 0xf2;
    return stub[0] == 0xff && stub[1] == 0x25 ? relative_address(stub + 2) : 0;
}

/* Whether the call before RETURNED is one of the function that PC is in. */
static bool is_behind_call_of(struct window *window, uintptr_t returned, uintptr_t pc)
{
    const uintptr_t slot = slot_of_call(returned);
    uintptr_t function;

    return slot && window_read(window, slot, &function) && pc - function < LARGEST_FUNCTION;
}

/* Goes to the caller of code that has no frame, if the interrupted code looks like that. */
static APART bool leave_without_frame(struct stack_space *space)
{
    struct window *window = &space->window;
    struct frame *frame = &space->frame;
    const bool is_known = is_in_entries(frame->pc) || is_in_program(frame->pc);
    uintptr_t place = 0, caller;

    if (is_in_program(frame->pc) && !is_in_entries(frame->pc) &&
        !is_outside_of_frame(frame->pc, &place))
        return false;
    if (!window_read(window, frame->sp + place, &caller) ||
        (!is_known && (!is_in_program(caller) || !is_behind_call_of(window, caller, frame->pc))))
        return false;
    frame->pc = caller;
    frame->sp += place + sizeof caller;
    return true;
}

/* Whether a nested function of gcc calls __fentry__ there: between push %r10 and pop %r10. */
static bool is_call_in_nested(const unsigned char *call)
{
    const size_t bytes = call[0] == 0xe8 ? 5 : call[0] == 0xff && call[1] == 0x15 ? 6 : 0;

    return bytes && call[-2] == 0x41 && call[-1] == 0x52 && call[bytes] == 0x41 &&
           call[bytes + 1] == 0x5a;
}

/* Passes over the word that such a function has pushed, of which its information says nothing. */
static void pass_pushed(struct frame *frame)
{
    const unsigned char *code = (const unsigned char *)frame->pc;

    if (is_in_program(frame->pc - 8) && is_in_program(frame->pc + 8) &&
        (is_call_in_nested(code) || is_call_in_nested(code - 5) || is_call_in_nested(code - 6)))
        frame->sp += sizeof(uintptr_t);
}

#endif
