/* machine_s390x.h - system calls, registers and signals of s390x.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MACHINE_S390X_H
#define REGMON_MACHINE_S390X_H

#include <sys/syscall.h>

#define SYS_SA_RESTORER 0
#define SYS_RESTORER NULL
#define SYS_ACTION_MASK 3
#define SYSTEM_CALL                                                                                \
    {                                                                                              \
        0x0a                                                                                       \
    }
#define SYSTEM_CALL_BYTES 2
#define MACHINE_PAGE 4096
#define RED_ZONE 0

/* The arguments of mmap are in memory. */
static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    const long of_mmap[] = {a, b, c, d, e, f};
    register long r1 __asm__("r1") = number;
    register long r2 __asm__("r2") = number == __NR_mmap ? (long)of_mmap : a;
    register long r3 __asm__("r3") = b;
    register long r4 __asm__("r4") = c;
    register long r5 __asm__("r5") = d;
    register long r6 __asm__("r6") = e;
    register long r7 __asm__("r7") = f;

    __asm__ volatile("svc 0"
                     : "+r"(r2)
                     : "r"(r1), "r"(r3), "r"(r4), "r"(r5), "r"(r6), "r"(r7)
                     : "memory");
    return r2;
}

/* The fifth argument is in r6, which a function has to restore: gcc makes no jump of a call that
   passes it on.  The entry of `syscall' keeps the others where its caller has room for them. */
#define ENTRY_OF_SYSCALL                                                                           \
    ".text\n"                                                                                      \
    "\t.globl syscall\n"                                                                           \
    "\t.type syscall, @function\n"                                                                 \
    "\t.p2align 3\n"                                                                               \
    "syscall:\n"                                                                                   \
    "\t.cfi_startproc\n"                                                                           \
    "\tstmg %r2, %r5, 16(%r15)\n"                                                                  \
    "\tstg %r14, 112(%r15)\n"                                                                      \
    "\taghi %r15, -160\n"                                                                          \
    "\t.cfi_adjust_cfa_offset 160\n"                                                               \
    "\t.cfi_offset 14, -48\n"                                                                      \
    "\tbrasl %r14, confined_target\n"                                                              \
    "\tlgr %r1, %r2\n"                                                                             \
    "\taghi %r15, 160\n"                                                                           \
    "\t.cfi_adjust_cfa_offset -160\n"                                                              \
    "\tlg %r14, 112(%r15)\n"                                                                       \
    "\t.cfi_restore 14\n"                                                                          \
    "\tlmg %r2, %r5, 16(%r15)\n"                                                                   \
    "\tbr %r1\n"                                                                                   \
    "\t.cfi_endproc\n"                                                                             \
    "\t.size syscall, . - syscall\n"

enum {
    REGISTER_RBX = -1,
    REGISTER_FP = 11,
    REGISTER_SP = 15,
    REGISTER_PC = -1,
    REGISTER_LINK = 14
};
#define CFA_ABOVE_SP 160
#define MOST_LINK (-1)
#define HAS_FRAME_POINTERS 0
#define ZERO_IS_START 0

static inline uintptr_t context_pc(const ucontext_t *context)
{
    return context->uc_mcontext.psw.addr;
}

static inline uintptr_t context_register(const ucontext_t *context, unsigned number)
{
    return number < 16 ? context->uc_mcontext.gregs[number] : 0;
}

static inline uintptr_t return_address(uintptr_t address)
{
    return address;
}

/* svc 173, and svc 119 of handlers without SA_SIGINFO, where the context has only the registers */
#define SIGNAL_FRAMES                                                                              \
    {{0x0a, 0xad}, 2, 296},                                                                        \
    {                                                                                              \
        {0x0a, 0x77}, 2, 136                                                                       \
    }
#define RECORD_NEED offsetof(ucontext_t, uc_mcontext.aregs)

#endif
