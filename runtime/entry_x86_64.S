/* entry_x86_64.S - what code compiled with -pg calls: mcount and __fentry__; and with -finstrument-functions.
   SPDX-License-Identifier: MIT

   The compiler does not expect the calls of -pg to change a register.  r11 and the flags are free in both;
   every other register, also every vector register, keeps its value.  The stack may be off by 8.  The
   fast path keeps rcx in the red zone, so that it has no frame and needs no unwind information of its
   own; with so few instructions it is faster to read the two addresses twice than to save registers for
   them.  Keep in step with own_group and struct slot in table.c. */
#include "layout.h"

#define RED_RCX -8

/* An entry point; FROM is where the caller's address is.  A thread without a table has an empty one;
   in a child of fork, the first byte of regmon_process is 0, and C decides. */
	.macro count_from name from
	.globl \name
	.type \name, @function
	.p2align 6
\name:
	.cfi_startproc
	endbr64
	cmpb $0, regmon_process(%rip)
	je 9f
	mov %rcx, RED_RCX(%rsp)
	imul $HASH_FROM, \from, %rcx
	imul $HASH_SELF, (%rsp), %r11
	add %r11, %rcx
	mov regmon_thread@gottpoff(%rip), %r11
	mov %fs:(%r11), %r11
	shr $HASH_SHIFT, %rcx
	and TABLE_MASK(%r11), %rcx
	add %r11, %rcx
	.set slot, TABLE_SLOTS
	.rept GROUP_SLOTS
	mov (%rsp), %r11
	cmp %r11, slot + SLOT_SELF(%rcx)
	jne 1f
	mov \from, %r11
	cmp %r11, slot + SLOT_FROM(%rcx)
	jne 1f
	incq slot + SLOT_COUNT(%rcx)
	mov RED_RCX(%rsp), %rcx
	ret
1:
	.set slot, slot + SLOT_SIZE
	.endr
	mov RED_RCX(%rsp), %rcx
9:	mov \from, %r11
	jmp \name\()_slow
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text
	.globl regmon_entries, regmon_entries_end
	.hidden regmon_entries, regmon_entries_end
	.p2align 6
regmon_entries:

/* Called behind the prologue: rbp is the frame of the profiled function. */
	count_from mcount 8(%rbp)

	.globl _mcount
	.type _mcount, @function
	.set _mcount, mcount

/* Called before the prologue. */
	count_from __fentry__ 8(%rsp)

/* __cyg_profile_func_enter(SELF, FROM), of code compiled with -finstrument-functions: an ordinary call.  SELF is the
   start of the function; it may have been inlined where the call is. */
	.globl __cyg_profile_func_enter
	.type __cyg_profile_func_enter, @function
	.p2align 6
__cyg_profile_func_enter:
	.cfi_startproc
	endbr64
	cmpb $0, regmon_process(%rip)
	je 9f
	imul $HASH_FROM, %rsi, %rcx
	imul $HASH_SELF, %rdi, %rax
	add %rax, %rcx
	mov regmon_thread@gottpoff(%rip), %rax
	mov %fs:(%rax), %rax
	shr $HASH_SHIFT, %rcx
	and TABLE_MASK(%rax), %rcx
	add %rax, %rcx
	.set slot, TABLE_SLOTS
	.rept GROUP_SLOTS
	cmp %rdi, slot + SLOT_SELF(%rcx)
	jne 1f
	cmp %rsi, slot + SLOT_FROM(%rcx)
	jne 1f
	incq slot + SLOT_COUNT(%rcx)
	ret
1:
	.set slot, slot + SLOT_SIZE
	.endr
9:	xchg %rdi, %rsi
	jmp regmon_count
	.cfi_endproc
	.size __cyg_profile_func_enter, . - __cyg_profile_func_enter

/* Nothing is kept for the end of a call, which may never come: longjmp, exceptions. */
	.globl __cyg_profile_func_exit
	.type __cyg_profile_func_exit, @function
	.p2align 4
__cyg_profile_func_exit:
	.cfi_startproc
	endbr64
	ret
	.cfi_endproc
	.size __cyg_profile_func_exit, . - __cyg_profile_func_exit

regmon_entries_end:

/* A nested function of gcc pushes r10 before it calls __fentry__, and pops it behind the call, which no other
   function does: it would take its own return address away.  Such a call is never found above, because the arc
   has its true caller in the table. */
	.type __fentry___slow, @function
__fentry___slow:
	.cfi_startproc
	push %rax
	.cfi_adjust_cfa_offset 8
	mov 8(%rsp), %rax
	cmpw $0x5a41, (%rax)
	jne 1f
	mov 24(%rsp), %r11
1:	pop %rax
	.cfi_adjust_cfa_offset -8
	jmp mcount_slow
	.cfi_endproc
	.size __fentry___slow, . - __fentry___slow

/* The same by way of C, for an arc that is not in the table's group; the caller's address is in r11. */
	.type mcount_slow, @function
	.p2align 4
mcount_slow:
	.cfi_startproc
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbp, 0
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	push %rax
	push %rcx
	push %rdx
	push %rdi
	push %rsi
	push %r8
	push %r9
	push %r10
	and $-16, %rsp
	mov %r11, %rdi
	mov 8(%rbp), %rsi
	call regmon_count
	lea -64(%rbp), %rsp
	pop %r10
	pop %r9
	pop %r8
	pop %rsi
	pop %rdi
	pop %rdx
	pop %rcx
	pop %rax
	pop %rbp
	.cfi_def_cfa rsp, 8
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size mcount_slow, . - mcount_slow

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
