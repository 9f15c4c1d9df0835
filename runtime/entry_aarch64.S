/* entry_aarch64.S - what code compiled with -pg calls: _mcount; and with -finstrument-functions.
   SPDX-License-Identifier: MIT

   _mcount is an ordinary call: registers that calls may change are free.  gcc passes the caller's address in
   x0, clang passes nothing; both have made the frame, so it is taken from there, and the signature of
   its return address is removed (hint 7 is xpaclri, which acts on x30).  Keep in step with own_group
   and struct slot in table.c. */
#include "layout.h"

/* Sets x9 to the thread's table, or to one without arcs, if C has to decide, as in a child of fork. */
	.macro find_table
	adrp x10, regmon_process
	ldrb w10, [x10, :lo12:regmon_process]
	adrp x9, regmon_no_table
	add x9, x9, :lo12:regmon_no_table
	cbz w10, 8f
	mrs x10, tpidr_el0
	adrp x11, :gottprel:regmon_thread
	ldr x11, [x11, :gottprel_lo12:regmon_thread]
	ldr x9, [x10, x11]
8:
	.endm

	.text
	.globl regmon_entries, regmon_entries_end
	.hidden regmon_entries, regmon_entries_end
	.p2align 6
regmon_entries:
	.globl _mcount
	.type _mcount, %function
	.p2align 6
_mcount:
	.cfi_startproc
	hint 34
	find_table
	mov x1, x30
	ldr x30, [x29, 8]
	hint 7
	mov x0, x30
	mov x30, x1
.Lcount:
	movn x11, (~HASH_FROM >> 16) & 0xffff, lsl 16
	movk x11, HASH_FROM & 0xffff
	mul x10, x0, x11
	movn x11, (~HASH_SELF >> 16) & 0xffff, lsl 16
	movk x11, HASH_SELF & 0xffff
	madd x10, x1, x11, x10
	ldr x12, [x9, TABLE_MASK]
	and x10, x12, x10, lsr HASH_SHIFT
	add x9, x9, TABLE_SLOTS
	add x9, x9, x10
	.rept GROUP_SLOTS
	ldp x12, x13, [x9]
	cmp x12, x0
	ccmp x13, x1, 0, eq
	b.eq 2f
	add x9, x9, SLOT_SIZE
	.endr
	b regmon_count
	/* Exclusive, so that a signal handler that counts here in between is not overwritten. */
2:	add x9, x9, SLOT_COUNT
3:	ldxr x12, [x9]
	add x12, x12, 1
	stxr w13, x12, [x9]
	cbnz w13, 3b
	ret
	.cfi_endproc
	.size _mcount, . - _mcount

/* __cyg_profile_func_enter(SELF, FROM), of code compiled with -finstrument-functions.  SELF is the start of the
   function; it may have been inlined where the call is.  FROM may be signed. */
	.globl __cyg_profile_func_enter
	.type __cyg_profile_func_enter, %function
	.p2align 6
__cyg_profile_func_enter:
	.cfi_startproc
	hint 34
	find_table
	mov x12, x30
	mov x30, x1
	hint 7
	mov x1, x0
	mov x0, x30
	mov x30, x12
	b .Lcount
	.cfi_endproc
	.size __cyg_profile_func_enter, . - __cyg_profile_func_enter

/* Nothing is kept for the end of a call, which may never come: longjmp, exceptions. */
	.globl __cyg_profile_func_exit
	.type __cyg_profile_func_exit, %function
	.p2align 4
__cyg_profile_func_exit:
	.cfi_startproc
	hint 34
	ret
	.cfi_endproc
	.size __cyg_profile_func_exit, . - __cyg_profile_func_exit
regmon_entries_end:

	.globl mcount
	.type mcount, %function
	.set mcount, _mcount

	.section .note.gnu.property, "a"
	.p2align 3
	.word 4, 16, 5
	.asciz "GNU"
	.word 0xc0000000, 4, 1, 0
	.section .note.GNU-stack, "", %progbits
