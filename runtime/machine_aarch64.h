/* machine_aarch64.h - system calls, registers and signals of AArch64.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MACHINE_AARCH64_H
#define REGMON_MACHINE_AARCH64_H

#define SYS_SA_RESTORER 0
#define SYS_RESTORER NULL
#define SYS_ACTION_MASK 3
#define SYSTEM_CALL                                                                                \
    {                                                                                              \
        0x01, 0x00, 0x00, 0xd4                                                                     \
    }
#define SYSTEM_CALL_BYTES 4
#define MACHINE_PAGE 65536
#define RED_ZONE 0

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;

    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

enum {
    REGISTER_RBX = -1,
    REGISTER_FP = 29,
    REGISTER_SP = 31,
    REGISTER_PC = -1,
    REGISTER_LINK = 30
};
#define CFA_ABOVE_SP 0
#define MOST_LINK (-1)
#define HAS_FRAME_POINTERS 1
#define ZERO_IS_START 0

static inline uintptr_t context_pc(const ucontext_t *context)
{
    return context->uc_mcontext.pc;
}

static inline uintptr_t context_register(const ucontext_t *context, unsigned number)
{
    const mcontext_t *m = &context->uc_mcontext;

    return number == REGISTER_SP ? m->sp : number < 31 ? m->regs[number] : 0;
}

/* hint 7 is xpaclri, which acts on x30. */
static inline uintptr_t return_address(uintptr_t address)
{
    register uintptr_t x30 __asm__("x30") = address;

    __asm__("hint 7" : "+r"(x30));
    return x30;
}

/* mov x8,#139; svc 0 */
#define SIGNAL_FRAMES                                                                              \
    {                                                                                              \
        {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4}, 8, 128                                   \
    }
#define RECORD_NEED offsetof(ucontext_t, uc_mcontext.pstate)

#endif
