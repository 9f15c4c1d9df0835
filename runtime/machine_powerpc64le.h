/* machine_powerpc64le.h - system calls, registers and signals of POWER with 64 bits, little
   endian (ELFv2).
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MACHINE_POWERPC64LE_H
#define REGMON_MACHINE_POWERPC64LE_H

#define SYS_SA_RESTORER 0
#define SYS_RESTORER NULL
#define SYS_ACTION_MASK 3
#define SYSTEM_CALL                                                                                \
    {                                                                                              \
        0x02, 0x00, 0x00, 0x44                                                                     \
    }
#define SYSTEM_CALL_BYTES 4
#define MACHINE_PAGE 65536
#define RED_ZONE 512

/* The kernel returns an error as a positive number, and sets a bit. */
static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long r0 __asm__("r0") = number;
    register long r3 __asm__("r3") = a;
    register long r4 __asm__("r4") = b;
    register long r5 __asm__("r5") = c;
    register long r6 __asm__("r6") = d;
    register long r7 __asm__("r7") = e;
    register long r8 __asm__("r8") = f;

    __asm__ volatile("sc\n\tbns+ 1f\n\tneg %1, %1\n1:"
                     : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8)
                     :
                     : "r9", "r10", "r11", "r12", "cr0", "ctr", "memory");
    return r3;
}

enum { REGISTER_RBX = -1, REGISTER_FP = 31, REGISTER_SP = 1, REGISTER_PC = -1, REGISTER_LINK = 65 };
#define CFA_ABOVE_SP 0
#define MOST_LINK 2
#define HAS_FRAME_POINTERS 0
#define ZERO_IS_START 1

/* Of the kernel's record: the general registers come first. */
enum { RECORD_PC = 32, RECORD_LINK = 36, RECORD_REGISTERS = 37 };

static inline uintptr_t context_pc(const ucontext_t *context)
{
    return context->uc_mcontext.gp_regs[RECORD_PC];
}

static inline uintptr_t context_register(const ucontext_t *context, unsigned number)
{
    if (number == REGISTER_LINK)
        number = RECORD_LINK;
    else if (number > 31)
        return 0;
    return context->uc_mcontext.gp_regs[number];
}

static inline uintptr_t return_address(uintptr_t address)
{
    return address;
}

/* addi r1,r1,128; li r0,172; sc */
#define SIGNAL_FRAMES                                                                              \
    {                                                                                              \
        {0x80, 0x00, 0x21, 0x38, 0xac, 0x00, 0x00, 0x38, 0x02, 0x00, 0x00, 0x44}, 12, 128          \
    }
#define RECORD_NEED                                                                                \
    (offsetof(ucontext_t, uc_mcontext.gp_regs) + RECORD_REGISTERS * sizeof(uint64_t))

#endif
