/* stack.c - call stacks, by frame pointers.
   SPDX-License-Identifier: MIT

   Compilers keep a frame pointer in code compiled with -pg:

       frame pointer --> | frame pointer of the caller | return address into the caller |

   A frame is accepted if it is aligned, above the one before and not far from it, and if its memory
   can be read, because other code, such as the C library's, uses the register for other values.

   Between the entry of a function and the end of its prologue, and in functions without a frame,
   the frame pointer is still the caller's: the chain then lacks the caller.  Its address is at a
   known place if the next instruction is one of the prologue, or the return.  Functions outside of
   the main program, such as memcpy, may have no frames: where the return address would be then,
   there may be another value, so it has to be behind a call of this function. */
#include "stack.h"

#include <stdbool.h>
#include <ucontext.h>

#include "memory.h"
#include "state.h"
#include "text.h"

#define FARTHEST_FRAME ((uintptr_t)1 << 20)   /* bytes from one frame to the next */
#define LARGEST_FUNCTION ((uintptr_t)8 << 10) /* bytes, without a frame */

extern const char regmon_entries[], regmon_entries_end[];

/* Registers of the interrupted code. */
struct registers {
    uintptr_t pc;
    uintptr_t sp;
    uintptr_t fp;
    uintptr_t link; /* AArch64: x30 */
};

static bool is_in_program(uintptr_t address)
{
    return is_in_range(regmon_state.program, address);
}

/* Whether code keeps frame pointers: that of the program, and of this library. */
static bool has_frames(uintptr_t address)
{
    return is_in_program(address) || is_in_range(regmon_state.library, address);
}

static bool is_in_entries(uintptr_t address)
{
    return address >= (uintptr_t)regmon_entries && address < (uintptr_t)regmon_entries_end;
}

#if defined __x86_64__

static struct registers registers_of(const ucontext_t *context)
{
    const greg_t *r = context->uc_mcontext.gregs;

    return (struct registers){(uintptr_t)r[REG_RIP], (uintptr_t)r[REG_RSP], (uintptr_t)r[REG_RBP],
                              0};
}

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
static bool is_behind_call_of(struct memory *memory, uintptr_t returned, uintptr_t pc)
{
    const uintptr_t slot = slot_of_call(returned);
    uintptr_t function;

    return slot && memory_read(memory, slot, &function) && pc - function < LARGEST_FUNCTION;
}

/* The return address of code that has no frame, if there is one. */
static bool find_caller(struct memory *memory, const struct registers *r, uintptr_t *caller)
{
    uintptr_t place = 0;

    if (is_in_entries(r->pc))
        return memory_read(memory, r->sp, caller);
    if (has_frames(r->pc))
        return is_outside_of_frame(r->pc, &place) && memory_read(memory, r->sp + place, caller);
    return memory_read(memory, r->sp, caller) && is_in_program(*caller) &&
           is_behind_call_of(memory, *caller, r->pc);
}

#else

static struct registers registers_of(const ucontext_t *context)
{
    const mcontext_t *m = &context->uc_mcontext;

    return (struct registers){m->pc, m->sp, m->regs[29], m->regs[30]};
}

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

static bool find_caller(struct memory *memory, const struct registers *r, uintptr_t *caller)
{
    uintptr_t next;

    *caller = return_address(r->link);
    if (is_in_entries(r->pc))
        return true;
    if (has_frames(r->pc))
        return is_outside_of_frame(r->pc);
    return is_in_program(*caller) &&
           !(memory_read(memory, r->fp + sizeof next, &next) && return_address(next) == *caller);
}

#endif

size_t stack_walk(const void *context, uintptr_t *frames)
{
    const struct registers r = registers_of(context);
    struct memory memory = {0};
    uintptr_t fp = r.fp, below = r.sp, next, address;
    size_t count = 0;

    frames[count++] = r.pc;
    if (find_caller(&memory, &r, &address))
        frames[count++] = address;
    while (count < MOST_FRAMES && fp >= below && fp - below < FARTHEST_FRAME &&
           memory_read(&memory, fp, &next) && memory_read(&memory, fp + sizeof next, &address)) {
        if (address <= PAGE)
            break;
        frames[count++] = return_address(address);
        below = fp + 1;
        fp = next;
    }
    return count;
}
