/* riscv.c - interrupts, timers and serial line of qemu's board `virt', RISC-V of 32 and 64 bits. */
/* SPDX-License-Identifier: MIT */

#include "board.h"

__asm__(".option arch, +zicsr");
#define READ(csr, value) __asm__ volatile("csrr %0, " #csr : "=r"(value))
#define WRITE(csr, value) __asm__ volatile("csrw " #csr ", %0" ::"r"(value) : "memory")
#define SET(csr, bits) __asm__ volatile("csrs " #csr ", %0" ::"r"(bits) : "memory")
#define CLEAR(csr, bits) __asm__ volatile("csrc " #csr ", %0" ::"r"(bits) : "memory")

enum { MIE = 1 << 3, SOFTWARE = 3, TIMER = 7 }; /* of mstatus; bits of mie, and causes */
enum { CLOCK_HZ = 10000000, PERIOD = CLOCK_HZ / TICKS };

#define MSIP (*(volatile uint32_t *)0x02000000)
#define MTIMECMP ((volatile uint32_t *)0x02004000)
#define MTIME (*(volatile uint32_t *)0x0200bff8)
#define UART ((volatile uint8_t *)0x10000000)

static uint32_t next_tick;

/* For the first 400 seconds.  */
static void set_timer(uint32_t time)
{
    MTIMECMP[1] = UINT32_MAX;
    MTIMECMP[0] = time;
    MTIMECMP[1] = 0;
}

void board_put_char(char c)
{
    while ((UART[5] & 0x20) == 0)
        continue;
    UART[0] = (uint8_t)c;
}

void board_pend_low(void)
{
    MSIP = 1;
}

/* There are only two levels.  */
void board_pend_high(void)
{
}

/* With -icount, the counter of qemu has nanoseconds.  */
static unsigned long microseconds(void)
{
    unsigned long cycles;
    READ(mcycle, cycles);
    return cycles / 1000;
}

unsigned long board_begin(void)
{
    next_tick = MTIME + PERIOD;
    set_timer(next_tick);
    SET(mie, 1 << SOFTWARE | 1 << TIMER);
    SET(mstatus, MIE);
    return microseconds();
}

unsigned long board_end(void)
{
    CLEAR(mstatus, MIE);
    return microseconds();
}

static __attribute__((noinline)) void board_tick(void)
{
    next_tick += PERIOD;
    set_timer(next_tick);
    tick_work();
    __asm__ volatile(""); /* the call is not the last thing */
}

static __attribute__((noinline)) void board_low(void)
{
    MSIP = 0;
    low_work();
    __asm__ volatile("");
}

/* mepc is the interrupted address.  The timer and the other interrupt may interrupt each other, so
   the registers of interrupts are kept meanwhile.  */
static __attribute__((interrupt("machine"), aligned(4))) void interrupt(void)
{
    unsigned long pc, status, cause;
    READ(mepc, pc);
    READ(mstatus, status);
    READ(mcause, cause);
    unsigned number = cause & 15;
    if (number != TIMER && number != SOFTWARE)
        board_exit();
    CLEAR(mie, 1 << number);
    if (number == TIMER)
        regmon_board_tick(pc);
    SET(mstatus, MIE);
    if (number == TIMER)
        board_tick();
    else
        board_low();
    WRITE(mstatus, status);
    SET(mie, 1 << number);
    WRITE(mepc, pc);
}

/* ---- Start ---- */

__attribute__((naked, section(".start"), used)) void start(void)
{
    __asm__ volatile(".option norelax\n\t"
                     "la sp, stack_top\n\t"
                     "j board_start");
}

extern char sbss[], ebss[];

__attribute__((used)) void board_start(void)
{
    for (char *to = sbss; to < ebss;)
        *to++ = 0;
    WRITE(mtvec, (uintptr_t)interrupt);
    main();
    board_exit();
}

/* The three instructions are the sign, and in one page.  */
__attribute__((noinline, aligned(16))) long board_host(long operation, const void *arguments)
{
    register long a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = arguments;
    __asm__ volatile(".option push\n\t"
                     ".option norvc\n\t"
                     ".p2align 4\n\t"
                     "slli zero, zero, 0x1f\n\t"
                     "ebreak\n\t"
                     "srai zero, zero, 7\n\t"
                     ".option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
}
