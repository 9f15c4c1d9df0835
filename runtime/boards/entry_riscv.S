/* entry_riscv.S - what code for RISC-V compiled with -pg calls: _mcount.
   SPDX-License-Identifier: MIT

   It is an ordinary call, whose argument is the caller's return address: registers that calls may change are
   free, because code keeps its arguments elsewhere. */
	.text
	.globl _mcount
	.type _mcount, %function
	.p2align 2
_mcount:
	mv a1, ra
	tail regmon_board_call
	.size _mcount, . - _mcount
