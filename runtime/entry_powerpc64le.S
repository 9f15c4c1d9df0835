/* entry_powerpc64le.S - what code compiled with -pg calls: _mcount; and with -finstrument-functions.
   SPDX-License-Identifier: MIT

   _mcount is an ordinary call: registers that calls may change are free, and the place behind the call is in the
   link register.  The function has made its frame, and its return address is in that of its caller.  Keep in
   step with own_group and struct slot in table.c. */
#include "layout.h"

	.abiversion 2

/* Begins a function that other objects call.  Sets r5 to the thread's table, or to one without arcs, if
   C has to decide, as in a child of fork. */
	.macro begin name
	.globl \name
	.type \name, @function
	.p2align 4
\name:
	.cfi_startproc
0:	addis 2, 12, .TOC. - 0b@ha
	addi 2, 2, .TOC. - 0b@l
	.localentry \name, . - \name
	addis 5, 2, regmon_process@toc@ha
	lbz 5, regmon_process@toc@l(5)
	cmpwi 5, 0
	addis 5, 2, regmon_no_table@toc@ha
	addi 5, 5, regmon_no_table@toc@l
	beq 8f
	addis 5, 2, regmon_thread@got@tprel@ha
	ld 5, regmon_thread@got@tprel@l(5)
	ldx 5, 5, regmon_thread@tls
8:
	.endm

	.text
	.globl regmon_entries, regmon_entries_end
	.hidden regmon_entries, regmon_entries_end
	.p2align 6
regmon_entries:
	begin _mcount
	ld 3, 0(1)
	ld 3, 16(3)
	mflr 4
.Lcount:
	lis 6, ((HASH_FROM >> 16) & 0xffff) - 0x10000
	ori 6, 6, HASH_FROM & 0xffff
	mulld 6, 3, 6
	lis 7, ((HASH_SELF >> 16) & 0xffff) - 0x10000
	ori 7, 7, HASH_SELF & 0xffff
	mulld 7, 4, 7
	add 6, 6, 7
	srdi 6, 6, HASH_SHIFT
	ld 7, TABLE_MASK(5)
	and 6, 6, 7
	add 5, 5, 6
	addi 5, 5, TABLE_SLOTS
	.rept GROUP_SLOTS
	ld 6, SLOT_FROM(5)
	ld 7, SLOT_SELF(5)
	cmpd 6, 3
	bne 1f
	cmpd 7, 4
	beq 2f
1:	addi 5, 5, SLOT_SIZE
	.endr
	b regmon_count
	/* Exclusive, so that a signal handler that counts here in between is not overwritten. */
2:	addi 5, 5, SLOT_COUNT
3:	ldarx 6, 0, 5
	addi 6, 6, 1
	stdcx. 6, 0, 5
	bne- 3b
	blr
	.cfi_endproc
	.size _mcount, . - _mcount

/* __cyg_profile_func_enter(SELF, FROM), of code compiled with -finstrument-functions.  SELF is the start of the
   function; it may have been inlined where the call is. */
	begin __cyg_profile_func_enter
	mr 6, 3
	mr 3, 4
	mr 4, 6
	b .Lcount
	.cfi_endproc
	.size __cyg_profile_func_enter, . - __cyg_profile_func_enter

/* Nothing is kept for the end of a call, which may never come: longjmp, exceptions. */
	.globl __cyg_profile_func_exit
	.type __cyg_profile_func_exit, @function
	.p2align 4
__cyg_profile_func_exit:
	.cfi_startproc
	blr
	.cfi_endproc
	.size __cyg_profile_func_exit, . - __cyg_profile_func_exit
regmon_entries_end:

	.globl mcount
	.type mcount, @function
	.set mcount, _mcount

	.section .note.GNU-stack, "", %progbits
