/* entry_riscv64.S - what code compiled with -pg calls: _mcount; and with -finstrument-functions.
   SPDX-License-Identifier: MIT

   _mcount(FROM) is an ordinary call by gcc: registers that calls may change are free, and the place behind
   the call is in ra.  Keep in step with own_group and struct slot in table.c. */
#include "layout.h"

/* Sets t1 to the thread's table, or to one without arcs, if C has to decide, as in a child of fork. */
	.macro find_table
	lla t0, regmon_process
	lbu t0, (t0)
	lla t1, regmon_no_table
	beqz t0, 8f
	la.tls.ie t1, regmon_thread
	add t1, t1, tp
	ld t1, (t1)
8:
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
	find_table
	mv a1, ra
.Lcount:
	li t2, HASH_FROM
	mul t2, a0, t2
	li t3, HASH_SELF
	mul t3, a1, t3
	add t2, t2, t3
	srli t2, t2, HASH_SHIFT
	ld t3, TABLE_MASK(t1)
	and t2, t2, t3
	add t1, t1, t2
	addi t1, t1, TABLE_SLOTS
	.rept GROUP_SLOTS
	ld t2, SLOT_FROM(t1)
	ld t3, SLOT_SELF(t1)
	bne t2, a0, 1f
	beq t3, a1, 2f
1:	addi t1, t1, SLOT_SIZE
	.endr
	j regmon_count
	/* One instruction, so that a signal handler that counts here is not overwritten. */
2:	addi t1, t1, SLOT_COUNT
	li t2, 1
	amoadd.d zero, t2, (t1)
	ret
	.cfi_endproc
	.size _mcount, . - _mcount

/* __cyg_profile_func_enter(SELF, FROM), of code compiled with -finstrument-functions.  SELF is the start of the
   function; it may have been inlined where the call is. */
	.globl __cyg_profile_func_enter
	.type __cyg_profile_func_enter, @function
	.p2align 6
__cyg_profile_func_enter:
	.cfi_startproc
	find_table
	mv t2, a0
	mv a0, a1
	mv a1, t2
	j .Lcount
	.cfi_endproc
	.size __cyg_profile_func_enter, . - __cyg_profile_func_enter

/* Nothing is kept for the end of a call, which may never come: longjmp, exceptions. */
	.globl __cyg_profile_func_exit
	.type __cyg_profile_func_exit, @function
	.p2align 4
__cyg_profile_func_exit:
	.cfi_startproc
	ret
	.cfi_endproc
	.size __cyg_profile_func_exit, . - __cyg_profile_func_exit
regmon_entries_end:

	.globl mcount
	.type mcount, @function
	.set mcount, _mcount

	.section .note.GNU-stack, "", %progbits
