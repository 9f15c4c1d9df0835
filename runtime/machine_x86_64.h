/* machine_x86_64.h - system calls, registers and signals of x86-64.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MACHINE_X86_64_H
#define REGMON_MACHINE_X86_64_H

#define SYS_SA_RESTORER 0x04000000
#define SYS_RESTORER regmon_return_from_signal
#define SYS_ACTION_MASK 3
#define SYSTEM_CALL                                                                                \
    {                                                                                              \
        0x0f, 0x05                                                                                 \
    }
#define SYSTEM_CALL_BYTES 2
#define MACHINE_PAGE 4096
#define RED_ZONE 128

void regmon_return_from_signal(void); /* entry_x86_64.S */

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

enum { REGISTER_RBX = 3, REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_PC = 16, REGISTER_LINK = 16 };
#define CFA_ABOVE_SP 0
#define MOST_LINK (-1)
#define HAS_FRAME_POINTERS 1
#define ZERO_IS_START 0

static inline uintptr_t context_pc(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

static inline uintptr_t context_register(const ucontext_t *context, unsigned number)
{
    static const signed char registers[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                            REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                            REG_R12, REG_R13, REG_R14, REG_R15};

    return number < sizeof registers ? (uintptr_t)context->uc_mcontext.gregs[(int)registers[number]]
                                     : 0;
}

static inline uintptr_t return_address(uintptr_t address)
{
    return address;
}

/* mov $15,%rax; syscall */
#define SIGNAL_FRAMES                                                                              \
    {                                                                                              \
        {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}, 9, 0                                        \
    }
#define RECORD_NEED (offsetof(ucontext_t, uc_mcontext) + sizeof(gregset_t))

#endif
