/* cortex-m.c - start, interrupts, timers and serial line of Cortex-M boards that qemu emulates:
   mps2-an385, mps2-an505, microbit.  */
/* SPDX-License-Identifier: MIT */

#include "board.h"

#define WORD(address) (*(volatile uint32_t *)(address))

enum { LOW_IRQ = 20, HIGH_IRQ = LOW_IRQ + 1 }; /* no device of these boards uses them */

static void set_priority(uint32_t address, unsigned byte, uint32_t priority)
{
    WORD(address) = (WORD(address) & ~(0xffu << 8 * byte)) | priority << 8 * byte;
}

/* ---- The boards ---- */

#ifdef MICROBIT
static unsigned long microseconds(void)
{
    WORD(0x40008040) = 1; /* TIMER0: capture */
    return WORD(0x40008540);
}

static void init_devices(void)
{
    WORD(0x40008508) = 3; /* 32 bits */
    WORD(0x40008510) = 4; /* 16 MHz / 16 */
    WORD(0x40008000) = 1;
    WORD(0x40002500) = 4; /* UART */
    WORD(0x40002008) = 1;
}

void board_put_char(char c)
{
    WORD(0x4000211c) = 0;
    WORD(0x4000251c) = (unsigned char)c;
    while (WORD(0x4000211c) == 0)
        continue;
}
#else
static unsigned long microseconds(void)
{
    return (UINT32_MAX - WORD(TIMER + 4)) / (TIMER_HZ / 1000000);
}

static void init_devices(void)
{
    WORD(TIMER + 8) = WORD(TIMER + 4) = UINT32_MAX;
    WORD(TIMER) = 1;
    WORD(UART + 0x10) = 16;
    WORD(UART + 8) = 1;
}

void board_put_char(char c)
{
    while (WORD(UART + 4) & 1)
        continue;
    WORD(UART) = (unsigned char)c;
}
#endif

/* ---- Interrupts ---- */

void board_pend_low(void)
{
    WORD(0xe000e200) = 1u << LOW_IRQ;
}

void board_pend_high(void)
{
    WORD(0xe000e200) = 1u << HIGH_IRQ;
}

unsigned long board_begin(void)
{
    set_priority(0xe000e400 + LOW_IRQ / 4 * 4, LOW_IRQ % 4, 0xc0);
    set_priority(0xe000e400 + HIGH_IRQ / 4 * 4, HIGH_IRQ % 4, 0x40);
    set_priority(0xe000ed20, 3, 0x80); /* SysTick */
    WORD(0xe000e100) = 1u << LOW_IRQ | 1u << HIGH_IRQ;
    WORD(0xe000e014) = CPU_HZ / TICKS - 1;
    WORD(0xe000e018) = 0;
    WORD(0xe000e010) = 7;
    return microseconds();
}

unsigned long board_end(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
    return microseconds();
}

__attribute__((used)) void board_tick(uintptr_t pc)
{
    regmon_board_tick(pc);
    tick_work();
    __asm__ volatile(""); /* the call is not the last thing */
}

/* The processor has put the interrupted address on the stack that was in use, with bit 2 of lr
 * saying which.  */
__attribute__((naked)) void systick_handler(void)
{
    __asm__ volatile(".syntax unified\n\t"
                     "mov r0, lr\n\t"
                     "lsls r0, r0, #29\n\t"
                     "mrs r0, msp\n\t"
                     "bpl 1f\n\t"
                     "mrs r0, psp\n"
                     "1:\tldr r0, [r0, #24]\n\t"
                     "ldr r1, =board_tick\n\t"
                     "bx r1\n\t"
                     ".ltorg");
}

/* tasks.c has another one.  */
__attribute__((weak)) void pendsv_handler(void)
{
    board_exit();
}

void board_low(void)
{
    low_work();
    __asm__ volatile("");
}

void board_high(void)
{
    high_work();
    __asm__ volatile("");
}

/* ---- Start ---- */

long board_host(long operation, const void *arguments)
{
    register long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

extern char sdata[], edata[], data_image[], sbss[], ebss[], stack_top[];

void reset(void)
{
    for (char *to = sdata, *from = data_image; to < edata;)
        *to++ = *from++;
    for (char *to = sbss; to < ebss;)
        *to++ = 0;
    init_devices();
    main();
    board_exit();
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16 + 32] = {
    stack_top,
    (void *)reset,
    [2 ... 13] = (void *)board_exit,
    (void *)pendsv_handler,
    (void *)systick_handler,
    [16 ... 15 + LOW_IRQ] = (void *)board_exit,
    (void *)board_low,
    (void *)board_high,
    [17 + HIGH_IRQ... 47] = (void *)board_exit,
};
