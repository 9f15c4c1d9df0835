/* machine_riscv64.h - system calls, registers and signals of RISC-V with 64 bits.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MACHINE_RISCV64_H
#define REGMON_MACHINE_RISCV64_H

#define SYS_SA_RESTORER 0
#define SYS_RESTORER NULL
#define SYS_ACTION_MASK 2
#define SYSTEM_CALL                                                                                \
    {                                                                                              \
        0x73, 0x00, 0x00, 0x00                                                                     \
    }
#define SYSTEM_CALL_BYTES 4
#define MACHINE_PAGE 4096
#define RED_ZONE 0

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a3 __asm__("a3") = d;
    register long a4 __asm__("a4") = e;
    register long a5 __asm__("a5") = f;

    __asm__ volatile("ecall"
                     : "+r"(a0)
                     : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
                     : "memory");
    return a0;
}

enum { REGISTER_RBX = -1, REGISTER_FP = 8, REGISTER_SP = 2, REGISTER_PC = -1, REGISTER_LINK = 1 };
#define CFA_ABOVE_SP 0
#define MOST_LINK (-1)
#define HAS_FRAME_POINTERS 0
#define ZERO_IS_START 0

static inline uintptr_t context_pc(const ucontext_t *context)
{
    return context->uc_mcontext.__gregs[0];
}

static inline uintptr_t context_register(const ucontext_t *context, unsigned number)
{
    return number > 0 && number < 32 ? context->uc_mcontext.__gregs[number] : 0;
}

static inline uintptr_t return_address(uintptr_t address)
{
    return address;
}

/* li a7,139; ecall */
#define SIGNAL_FRAMES                                                                              \
    {                                                                                              \
        {0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00}, 8, 128                                   \
    }
#define RECORD_NEED (offsetof(ucontext_t, uc_mcontext) + sizeof(__riscv_mc_gp_state))

#endif
