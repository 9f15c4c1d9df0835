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

#define FARTHEST_FRAME ((uintptr_t)1 << 20) /* bytes from one frame to the next */

/* Not inline, so that its stack is free again when a rule is made. */
#define APART __attribute__((noinline))

extern const char regmon_entries[], regmon_entries_end[];

static inline bool is_in_program(uintptr_t address)
{
    return is_in_range(regmon_state.start_objects[0].code, address);
}

static inline bool is_in_entries(uintptr_t address)
{
    return address >= (uintptr_t)regmon_entries && address < (uintptr_t)regmon_entries_end;
}

#if defined __x86_64__
#include "frameless_x86_64.h"
#elif defined __aarch64__
#include "frameless_aarch64.h"
#else
#include "frameless_link.h"
#endif

static const struct signal_frame {
    unsigned char code[12];
    unsigned char bytes;
    unsigned short record;
} signal_frames[] = {SIGNAL_FRAMES};

static void set_registers(struct frame *frame, const ucontext_t *context)
{
    frame->pc = context_pc(context);
    frame->sp = context_register(context, REGISTER_SP);
    frame->fp = context_register(context, REGISTER_FP);
    frame->rbx = REGISTER_RBX >= 0 ? context_register(context, (unsigned)REGISTER_RBX) : 0;
    frame->context = context;
}

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
    return frame->context ? context_register(frame->context, number) : 0;
}

/* Stacks grow down.  A function that has saved nothing may share its caller's address; where frames
   begin above the stack pointer, also one that has made a call. */
static bool is_above(const struct frame *frame, uintptr_t address)
{
    return address > frame->sp || (address == frame->sp && (frame->context || CFA_ABOVE_SP));
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
    if (!is_above(frame, at - CFA_ABOVE_SP))
        return STEP_FAILED;
    if (rule.link >= LINK_IN && rule.link < LINK_IN + 32) { /* vfork keeps it so */
        frame->pc = value_of(frame, rule.link - LINK_IN);
    } else if (rule.link != SAME) {
        if (!window_read(window, at + (uintptr_t)link * 8, &frame->pc))
            return STEP_FAILED;
    } else
        frame->pc = frame->context ? context_register(frame->context, REGISTER_LINK) : 0;
    if (rule.fp == FP_AT_FP)
        frame->fp = saved_at(window, frame->fp, 0);
    else if (rule.fp != SAME)
        frame->fp = saved_at(window, at, link + rule_distance(rule.fp, 8));
    if (rule.rbx != SAME)
        frame->rbx = rule.rbx == RBX_LOST ? 0 : saved_at(window, at, -(int64_t)rule.rbx);
    frame->pc = return_address(frame->pc);
    frame->sp = at - CFA_ABOVE_SP;
    frame->context = NULL;
    if (ZERO_IS_START && frame->pc == 0)
        return STEP_PAST_START;
    return frame->pc > PAGE ? STEP_MADE : STEP_FAILED;
}

int clone(int (*function)(void *argument), void *stack, int flags, void *argument, ...);
#pragma weak clone

/* Whether the caller is the C library's code that starts threads, which has no information on some
   machines. */
static bool is_start_of_thread(const struct frame *frame)
{
    return clone && !frame->context && frame->pc - (uintptr_t)clone < 256;
}

/* The frame pointer is 0 where a program or a thread starts. */
static APART enum step step_by_fp(struct window *window, struct frame *frame)
{
    uintptr_t next, address;

    if (!HAS_FRAME_POINTERS)
        return is_start_of_thread(frame) ? STEP_PAST_START : STEP_FAILED;
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

/* The frame of a signal whose handler returns there; NULL if it is none. */
static APART const struct signal_frame *signal_frame_at(uintptr_t pc)
{
    unsigned char code[sizeof signal_frames->code];
    const size_t read = memory_copy(code, pc, sizeof code);

    for (size_t i = 0; i < sizeof signal_frames / sizeof *signal_frames; i++) {
        const struct signal_frame *frame = &signal_frames[i];
        size_t same = 0;

        while (same < frame->bytes && same < read && code[same] == frame->code[same])
            same++;
        if (same == frame->bytes)
            return frame;
    }
    return NULL;
}

/* To the code that the signal has interrupted. */
static APART enum step step_over_signal(struct stack_space *space, const struct signal_frame *kind)
{
    const uintptr_t context = space->frame.sp + (kind ? kind : signal_frames)->record;

    if (memory_copy(&space->interrupted, context, RECORD_NEED) < RECORD_NEED)
        return STEP_FAILED;
    set_registers(&space->frame, &space->interrupted);
    return STEP_MADE;
}

/* Goes to the caller.  A return address is looked up by the call before it. */
static enum step step(struct stack_space *space)
{
    struct frame *frame = &space->frame;
    const struct unwind_rule rule = rules_find(&space->rules, frame->pc - !frame->context);
    const struct signal_frame *kind;

    pass_pushed(frame);
    switch (rule.kind) {
    case RULE_FRAME:
    case RULE_LOADED:
        return step_by_rule(&space->window, frame, rule);
    case RULE_SIGNAL:
        return step_over_signal(space, signal_frame_at(frame->pc));
    case RULE_END:
        return STEP_PAST_START;
    case RULE_OTHER:
        return STEP_FAILED;
    default:
        kind = signal_frame_at(frame->pc);
        if (kind)
            return step_over_signal(space, kind);
        if (frame->context && leave_without_frame(space)) {
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
