/* machine.h - what the C code has to know of a processor: system calls, registers, signals.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_MACHINE_H
#define REGMON_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/* Each file has:

   sys_call                the kernel's system call: a result, or a negative error number
   SYS_SA_RESTORER, SYS_RESTORER
                           where a signal handler returns to: a flag and a function, 0 and NULL if
                           the kernel knows a place
   SYS_ACTION_MASK         the word of the kernel's struct sigaction that has the mask
   SYSTEM_CALL             the first bytes of the instruction that calls the kernel
   SYSTEM_CALL_BYTES       all of its bytes
   MACHINE_PAGE            bytes of the largest page
   RED_ZONE                bytes below the stack pointer that functions use without moving it

   REGISTER_FP, _SP, _LINK, _RBX, _PC
                           numbers of registers in call frame information: frame pointer, stack
                           pointer, return address, a base that code which aligns the stack uses,
                           and the program counter; -1 for those that there are not
   CFA_ABOVE_SP            bytes from a caller's stack pointer to the frame's address
   MOST_LINK               words from the frame's address to the return address, at most
   HAS_FRAME_POINTERS      whether compilers keep them with -pg, where there is no information
   ZERO_IS_START           whether a return address of 0 is where a program starts
   context_pc, context_register
                           of interrupted code, by number; 0 for those that functions keep
   return_address          an address without its signature
   SIGNAL_FRAMES           the instructions that a signal handler returns to, their bytes, and the
                           bytes from the stack pointer there to the context of the interrupted code
   RECORD_NEED             bytes of the context that have the registers
   ENTRY_OF_SYSCALL        only where the compiler makes no jump of a call with six arguments: the
                           function `syscall', which jumps to what confined_target returns */
#if defined __x86_64__
#include "machine_x86_64.h"
#elif defined __aarch64__
#include "machine_aarch64.h"
#elif defined __riscv && __riscv_xlen == 64
#include "machine_riscv64.h"
#elif defined __powerpc64__ && _CALL_ELF == 2 && defined __LITTLE_ENDIAN__
#include "machine_powerpc64le.h"
#elif defined __s390x__
#include "machine_s390x.h"
#else
#error "libregmon has no entry points for this processor"
#endif

#endif
