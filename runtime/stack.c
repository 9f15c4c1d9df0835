/* stack.c - call stacks.
   SPDX-License-Identifier: MIT

   A frame's caller is found by the rules of its object.  Where there are none, frame pointers are
   followed, which compilers keep in code compiled with -pg:

       frame pointer --> | frame pointer of the caller | return address into the caller |

   Such a frame is accepted if it is aligned, above the one before and not far from it, and if its
   memory can be read, because other code uses the register for other values.

   Between the entry of a function and the end of its prologue, and in functions without a frame,
   the frame pointer is still the caller's: the chain then lacks the caller.  Its address is at a
   known place if the next instruction is one of the prologue, or the return.  Functions outside of
   the main program, such as memcpy, may have no frames: where the return address would be then,
   there may be another value, so it has to be behind a call of this function. */
#include "stack.h"

#include <stdbool.h>
#include <ucontext.h>

#include "state.h"
#include "text.h"

#define FARTHEST_FRAME ((uintptr_t)1 << 20)   /* bytes from one frame to the next */
#define LARGEST_FUNCTION ((uintptr_t)8 << 10) /* bytes, without a frame */

/* Not inline, so that its stack is free again when a rule is made. */
#define APART __attribute__((noinline))

extern const char regmon_entries[], regmon_entries_end[];

static bool is_in_program(uintptr_t address)
{
    return is_in_range(regmon_state.objects[0].code, address);
}

static bool is_in_entries(uintptr_t address)
{
    return address >= (uintptr_t)regmon_entries && address < (uintptr_t)regmon_entries_end;
}

#if defined __x86_64__

static void set_registers(struct frame *frame, const ucontext_t *context)
{
    const greg_t *r = context->uc_mcontext.gregs;

    frame->pc = (uintptr_t)r[REG_RIP];
    frame->sp = (uintptr_t)r[REG_RSP];
    frame->fp = (uintptr_t)r[REG_RBP];
    frame->rbx = (uintptr_t)r[REG_RBX];
    frame->context = context;
}

/* A register that functions need not keep, by its number in DWARF; 0 for those that they do. */
static uintptr_t other_register(const ucontext_t *context, unsigned number)
{
    static const signed char registers[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                            REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                            REG_R12, REG_R13, REG_R14, REG_R15};

    return number < sizeof registers ? (uintptr_t)context->uc_mcontext.gregs[(int)registers[number]]
                                     : 0;
}

/* The kernel's record of a signal, at the stack pointer of the code to which its handler returned:
   mov $15,%rax; syscall. */
static const unsigned char signal_return[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
#define RECORD_BYTES 0 /* before the context */
#define RECORD_NEED (offsetof(ucontext_t, uc_mcontext) + sizeof(gregset_t))
#define REGISTER_LINK 16

static uintptr_t return_address(uintptr_t address)
{
    return address;
}

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
static APART bool leave_without_frame(struct window *window, struct frame *frame)
{
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

#else

static void pass_pushed(struct frame *frame)
{
    (void)frame;
}

static void set_registers(struct frame *frame, const ucontext_t *context)
{
    const mcontext_t *m = &context->uc_mcontext;

    frame->pc = m->pc;
    frame->sp = m->sp;
    frame->fp = m->regs[29];
    frame->rbx = 0;
    frame->context = context;
}

static uintptr_t other_register(const ucontext_t *context, unsigned number)
{
    return number < 31 ? context->uc_mcontext.regs[number] : 0;
}

/* The kernel's record of a signal, at the stack pointer of the code to which its handler returned:
   mov x8,#139; svc 0. */
static const unsigned char signal_return[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};
#define RECORD_BYTES 128 /* before the context */
#define RECORD_NEED offsetof(ucontext_t, uc_mcontext.pstate)
#define REGISTER_LINK 30

/* Removes the signature of a return address: hint 7 is xpaclri, which acts on x30. */
static uintptr_t return_address(uintptr_t address)
{
    register uintptr_t x30 __asm__("x30") = address;

    __asm__("hint 7" : "+r"(x30));
    return x30;
}

/* Whether the next instruction shows that x30 has the return address: paciasp and bti,
   stp x29,x30,[sp...], mov x29,sp; ret. */
static bool is_outside_of_frame(uintptr_t pc)
{
    const uint32_t code = *(const volatile uint32_t *)pc;

    return (code & 0xfffff01f) == 0xd503201f || (code & 0xfec07fff) == 0xa8807bfd ||
           (code & 0xfec07fff) == 0xa8007bfd || code == 0x910003fd || code == 0xd65f03c0;
}

static APART bool leave_without_frame(struct window *window, struct frame *frame)
{
    const uintptr_t caller = return_address(other_register(frame->context, REGISTER_LINK));
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

#endif

/* ---- One frame ---- */

enum step { STEP_MADE, STEP_PAST_START, STEP_FAILED };

static uintptr_t value_of(const struct frame *frame, unsigned number)
{
    if (number == REGISTER_SP)
        return frame->sp;
    if (number == REGISTER_FP)
        return frame->fp;
    if (number == (unsigned)REGISTER_RBX)
        return frame->rbx;
    return frame->context ? other_register(frame->context, number) : 0;
}

/* Stacks grow down.  A function that has saved nothing may share its caller's address. */
static bool is_above(const struct frame *frame, uintptr_t address)
{
    return address > frame->sp || (address == frame->sp && frame->context);
}

/* What is stored at the distance, in words, from the frame's address; 0 if it cannot be read: not
   every frame needs it. */
static uintptr_t saved_at(struct window *window, uintptr_t at, int64_t distance)
{
    uintptr_t word;

    return window_read(window, at + (uintptr_t)distance * sizeof word, &word) ? word : 0;
}

static APART enum step step_by_rule(struct window *window, struct frame *frame,
                                    struct unwind_rule rule)
{
    const int64_t link = rule_distance(rule.link, 20);
    uintptr_t at = value_of(frame, rule.base) + (uintptr_t)rule_distance(rule.cfa, 20) * 8;

    if (rule.kind == RULE_LOADED)
        at = saved_at(window, at, 0) + rule.more * 8;
    if (!is_above(frame, at))
        return STEP_FAILED;
    if (rule.link != SAME)
        frame->pc = saved_at(window, at, link);
    else
        frame->pc = frame->context ? other_register(frame->context, REGISTER_LINK) : 0;
    if (rule.fp == FP_AT_FP)
        frame->fp = saved_at(window, frame->fp, 0);
    else if (rule.fp != SAME)
        frame->fp = saved_at(window, at, link + rule_distance(rule.fp, 8));
    if (rule.rbx != SAME)
        frame->rbx = rule.rbx == RBX_LOST ? 0 : saved_at(window, at, -(int64_t)rule.rbx);
    frame->pc = return_address(frame->pc);
    frame->sp = at;
    frame->context = NULL;
    return frame->pc > PAGE ? STEP_MADE : STEP_FAILED;
}

/* The frame pointer is 0 where a program or a thread starts. */
static APART enum step step_by_fp(struct window *window, struct frame *frame)
{
    uintptr_t next, address;

    if (frame->fp == 0 && !frame->context)
        return STEP_PAST_START;
    if (frame->fp < frame->sp || frame->fp - frame->sp >= FARTHEST_FRAME ||
        !window_read(window, frame->fp, &next) ||
        !window_read(window, frame->fp + sizeof next, &address) || address <= PAGE)
        return STEP_FAILED;
    frame->pc = return_address(address);
    frame->sp = frame->fp + 2 * sizeof next;
    frame->fp = next;
    frame->rbx = 0;
    frame->context = NULL;
    return STEP_MADE;
}

static APART bool is_signal_return(uintptr_t pc)
{
    unsigned char code[sizeof signal_return];
    size_t same = 0;

    if (memory_copy(code, pc, sizeof code) < sizeof code)
        return false;
    while (same < sizeof code && code[same] == signal_return[same])
        same++;
    return same == sizeof code;
}

/* To the code that the signal has interrupted. */
static APART enum step step_over_signal(struct stack_space *space)
{
    if (memory_copy(&space->interrupted, space->frame.sp + RECORD_BYTES, RECORD_NEED) < RECORD_NEED)
        return STEP_FAILED;
    set_registers(&space->frame, &space->interrupted);
    return STEP_MADE;
}

/* Goes to the caller.  A return address is looked up by the call before it. */
static enum step step(struct stack_space *space)
{
    struct frame *frame = &space->frame;
    const struct unwind_rule rule = rules_find(&space->rules, frame->pc - !frame->context);

    pass_pushed(frame);
    switch (rule.kind) {
    case RULE_FRAME:
    case RULE_LOADED:
        return step_by_rule(&space->window, frame, rule);
    case RULE_SIGNAL:
        return step_over_signal(space);
    case RULE_END:
        return STEP_PAST_START;
    case RULE_OTHER:
        return STEP_FAILED;
    default:
        if (is_signal_return(frame->pc))
            return step_over_signal(space);
        if (frame->context && leave_without_frame(&space->window, frame)) {
            frame->context = NULL;
            return STEP_MADE;
        }
        return step_by_fp(&space->window, frame);
    }
}

size_t stack_walk(struct stack_space *space, const void *context)
{
    struct frame *frame = &space->frame;
    enum step last = STEP_MADE;
    size_t count = 0;

    space->window.low = space->window.high = 0;
    set_registers(frame, context);
    space->frames[count++] = frame->pc;
    while (count < MOST_FRAMES - 1 && (last = step(space)) == STEP_MADE)
        space->frames[count++] = frame->pc + (frame->context != NULL);
    if (last != STEP_PAST_START)
        space->frames[count++] = UNKNOWN_CALLER;
    return count;
}
