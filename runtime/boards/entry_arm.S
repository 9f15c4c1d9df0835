/* entry_arm.S - what code for Cortex-M compiled with -pg calls: __gnu_mcount_nc.
   SPDX-License-Identifier: MIT

   Code calls it by `push {lr}; bl __gnu_mcount_nc'.  It takes that word from the stack and puts it back into
   lr, and keeps r0 to r3, which are the function's arguments, and ip, where a nested function finds the
   variables around it.  The stack may be off by 4 for C, which has no variable of 8 bytes there. */
	.syntax unified
	.thumb
	.text
	.globl __gnu_mcount_nc
	.type __gnu_mcount_nc, %function
	.p2align 2
	.thumb_func
__gnu_mcount_nc:
#if defined __ARM_ARCH_6M__ || defined __ARM_ARCH_8M_BASE__
	push {r0-r4, lr}
	mov r4, ip
	ldr r0, [sp, #24]
	mov r1, lr
	str r1, [sp, #24]
	str r0, [sp, #20]
	bl regmon_board_call
	mov ip, r4
	ldr r0, [sp, #20]
	mov lr, r0
	pop {r0-r4}
	add sp, #4
	pop {pc}
#else
	push {r0-r3, ip, lr}
	ldr r0, [sp, #24]
	mov r1, lr
	strd r0, r1, [sp, #20]
	bl regmon_board_call
	pop {r0-r3, ip, lr}
	pop {pc}
#endif
	.size __gnu_mcount_nc, . - __gnu_mcount_nc
