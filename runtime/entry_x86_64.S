/* entry_x86_64.S - where code compiled with -pg calls in: mcount and __fentry__.
   SPDX-License-Identifier: MIT

   The compiler does not expect these calls to change a register.  r11 and the flags are free in both;
   every other register, also every vector register, keeps its value.  The stack may be off by 8.  The
   fast path keeps registers in the red zone, so that it has no frame and needs no unwind information
   of its own.  Keep in step with hash_group and struct slot in table.c. */
#include "layout.h"

#define RED_RDX -8
#define RED_RCX -16
#define RED_RAX -24

/* Counts the call from rdx to rax; both, and rcx, are in the red zone. */
	.macro count_call
	mov regmon_thread@gottpoff(%rip), %r11
	mov %fs:(%r11), %rcx
	test %rcx, %rcx
	jz regmon_slow
	lea (%rdx, %rax, 8), %r11
	imul $HASH_FACTOR, %r11, %r11
	shr $HASH_SHIFT, %r11
	and TABLE_MASK(%rcx), %r11
	add %r11, %rcx
	.set slot, TABLE_SLOTS
	.rept GROUP_SLOTS
	cmp %rax, slot + SLOT_SELF(%rcx)
	jne 1f
	cmp %rdx, slot + SLOT_FROM(%rcx)
	jne 1f
	incq slot + SLOT_COUNT(%rcx)
	mov RED_RAX(%rsp), %rax
	mov RED_RCX(%rsp), %rcx
	mov RED_RDX(%rsp), %rdx
	ret
1:
	.set slot, slot + SLOT_SIZE
	.endr
	jmp regmon_slow
	.endm

	.macro enter name
	.globl \name
	.type \name, @function
	.p2align 6
\name:
	.cfi_startproc
	endbr64
	cmpb $0, regmon_state(%rip)
	je 9f
	mov %rax, RED_RAX(%rsp)
	mov %rcx, RED_RCX(%rsp)
	mov %rdx, RED_RDX(%rsp)
	mov (%rsp), %rax
	.endm

	.macro leave_entry name
9:	ret
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text

/* Called behind the prologue: rbp is the frame of the profiled function. */
	enter mcount
	mov 8(%rbp), %rdx
	count_call
	leave_entry mcount

	.globl _mcount
	.type _mcount, @function
	.set _mcount, mcount

/* Called before the prologue.  A nested function of gcc has pushed r10 first, which the two bytes before
   the call (of 5 bytes, or of 6 through the GOT) show. */
	enter __fentry__
	mov 8(%rsp), %rdx
	cmpw $0x5241, -7(%rax)
	je 2f
	cmpw $0x5241, -8(%rax)
	je 2f
3:
	count_call
2:	mov 16(%rsp), %rdx
	jmp 3b
	leave_entry __fentry__

/* The same by way of C, for an arc that is not in the table's group. */
	.hidden regmon_slow
	.type regmon_slow, @function
	.p2align 4
regmon_slow:
	.cfi_startproc
	sub $24, %rsp
	.cfi_adjust_cfa_offset 24
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	push %rdi
	push %rsi
	push %r8
	push %r9
	push %r10
	and $-16, %rsp
	mov %rdx, %rdi
	mov %rax, %rsi
	call regmon_count
	lea -40(%rbp), %rsp
	pop %r10
	pop %r9
	pop %r8
	pop %rsi
	pop %rdi
	pop %rbp
	.cfi_def_cfa rsp, 32
	pop %rax
	pop %rcx
	pop %rdx
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc
	.size regmon_slow, . - regmon_slow

/* Where a signal handler returns to.  Debuggers and unwinders know a signal's frame by these bytes. */
	.globl regmon_return_from_signal
	.hidden regmon_return_from_signal
	.type regmon_return_from_signal, @function
	.p2align 4
	nop
regmon_return_from_signal:
	mov $15, %rax
	syscall
	.size regmon_return_from_signal, . - regmon_return_from_signal

	.section .note.gnu.property, "a"
	.p2align 3
	.long 4, 16, 5
	.asciz "GNU"
	.long 0xc0000002, 4, 3, 0
	.section .note.GNU-stack, "", @progbits
