/* entry_s390x.S - what code compiled with -pg calls: _mcount; and with -finstrument-functions.
   SPDX-License-Identifier: MIT

   gcc calls _mcount before it makes the frame: r14 is the place behind the call, and the caller's address is in the
   word of the stack above the stack pointer.  Of the other registers only r1 is free.  The function's own area for
   registers, from 16(%r15) on, is not in use yet.  Keep in step with own_group and struct slot in table.c. */
#include "layout.h"

	.machine "z10"

/* Sets TABLE to the thread's table, or to one without arcs, if C has to decide, as in a child of fork.  Changes r1. */
	.macro find_table table
	larl %r1, regmon_process
	cli 0(%r1), 0
	larl \table, regmon_no_table
	je 8f
	ear %r1, %a0
	sllg %r1, %r1, 32
	ear %r1, %a1
	larl \table, regmon_thread@indntpoff
	lg \table, 0(\table)
	lg \table, 0(\table,%r1)
8:
	.endm

/* Jumps to 2, with r2 at the slot of the arc from r3 to SELF, if the table in r2 has it.  Changes r1 and r5. */
	.macro find_slot self
	lgfi %r5, HASH_FROM
	msgr %r5, %r3
	lgfi %r1, HASH_SELF
	msgr %r1, \self
	agr %r5, %r1
	srlg %r5, %r5, HASH_SHIFT
	ng %r5, TABLE_MASK(%r2)
	la %r2, TABLE_SLOTS(%r2,%r5)
	.rept GROUP_SLOTS
	cg \self, SLOT_SELF(%r2)
	jne 1f
	cg %r3, SLOT_FROM(%r2)
	je 2f
1:	la %r2, SLOT_SIZE(%r2)
	.endr
	.endm

	.text
	.globl regmon_entries, regmon_entries_end
	.hidden regmon_entries, regmon_entries_end
	.p2align 6
regmon_entries:
	.globl _mcount
	.type _mcount, @function
	.p2align 6
_mcount:
	.cfi_startproc
	stmg %r2, %r5, 16(%r15)
	find_table %r2
	lg %r3, 8(%r15)
	find_slot %r14
	jg mcount_slow
	/* One instruction, so that a signal handler that counts here is not overwritten. */
2:	agsi SLOT_COUNT(%r2), 1
	lmg %r2, %r5, 16(%r15)
	br %r14
	.cfi_endproc
	.size _mcount, . - _mcount

/* __cyg_profile_func_enter(SELF, FROM), of code compiled with -finstrument-functions: an ordinary call.  SELF is the
   start of the function; it may have been inlined where the call is. */
	.globl __cyg_profile_func_enter
	.type __cyg_profile_func_enter, @function
	.p2align 6
__cyg_profile_func_enter:
	.cfi_startproc
	lgr %r4, %r2
	find_table %r2
	find_slot %r4
	lgr %r2, %r3
	lgr %r3, %r4
	jg regmon_count
2:	agsi SLOT_COUNT(%r2), 1
	br %r14
	.cfi_endproc
	.size __cyg_profile_func_enter, . - __cyg_profile_func_enter

/* Nothing is kept for the end of a call, which may never come: longjmp, exceptions. */
	.globl __cyg_profile_func_exit
	.type __cyg_profile_func_exit, @function
	.p2align 4
__cyg_profile_func_exit:
	.cfi_startproc
	br %r14
	.cfi_endproc
	.size __cyg_profile_func_exit, . - __cyg_profile_func_exit
regmon_entries_end:

/* The same by way of C, for the arc from r3 that is not in the table's group.  r0 is the static chain. */
	.type mcount_slow, @function
	.p2align 4
mcount_slow:
	.cfi_startproc
	stg %r0, 48(%r15)
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	lay %r15, -160(%r15)
	.cfi_adjust_cfa_offset 160
	lgr %r2, %r3
	lgr %r3, %r14
	brasl %r14, regmon_count
	lay %r15, 160(%r15)
	.cfi_adjust_cfa_offset -160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	lg %r0, 48(%r15)
	lmg %r2, %r5, 16(%r15)
	br %r14
	.cfi_endproc
	.size mcount_slow, . - mcount_slow

	.section .note.GNU-stack, "", %progbits
