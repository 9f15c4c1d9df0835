/* tasks.c - two tasks that take turns, as those of FreeRTOS do on Cortex-M: each has a stack of its
   own, and the timer's interrupt asks for a change, which the one of lowest priority makes.  For
   ARMv7-M: `make MAIN=tasks.c run'.  */
/* SPDX-License-Identifier: MIT */

#include "board.h"

#define APART __attribute__((noinline, noclone))
#define WORD(address) (*(volatile uint32_t *)(address))

enum { ROUNDS = 2000, STACK = 128 };

static volatile unsigned done[2], tick_calls, switches, sum;
static uint32_t stacks[2][STACK] __attribute__((aligned(8)));
static uint32_t *tops[2];
static volatile unsigned running;

APART unsigned leaf(unsigned n)
{
    __asm__ volatile("" ::: "memory");
    return n + 1;
}

APART void first_work(unsigned n)
{
    for (unsigned i = 0; i < 60; i++)
        sum += i;
    sum += leaf(n);
}

APART void second_work(unsigned n)
{
    for (unsigned i = 0; i < 20; i++)
        sum += i;
    sum += leaf(n) + leaf(n + 1);
}

APART void first_task(void)
{
    while (done[0] < ROUNDS) {
        first_work(done[0]);
        done[0]++; /* afterwards: the other task may end the program now */
    }
    for (;;)
        continue;
}

APART void second_task(void)
{
    while (done[1] < ROUNDS) {
        second_work(done[1]);
        done[1]++; /* afterwards: the other task may end the program now */
    }
    for (;;)
        continue;
}

/* In the interrupt of the timer: asks for PendSV.  */
APART void tick_work(void)
{
    tick_calls++;
    WORD(0xe000ed04) = 1u << 28;
}

void low_work(void)
{
}

void high_work(void)
{
}

APART __attribute__((no_instrument_function)) void finished(void)
{
    __asm__ volatile("");
}

APART __attribute__((noreturn, no_instrument_function)) void end(void)
{
    board_end();
    regmon_board_stop();
    board_say("status", 0);
    board_say("switches", switches);
    board_say("first_task first_work", done[0]);
    board_say("first_work leaf", done[0]);
    board_say("second_task second_work", done[1]);
    board_say("second_work leaf", 2 * done[1]);
    board_say("board_tick tick_work", tick_calls);
    board_say("pendsv_handler next_task", switches);
    board_say("lost calls", regmon_board_lost()->calls);
    board_say("lost outside", regmon_board_lost()->outside);
    regmon_board_print(board_put_on_line, 0);
    regmon_board_write(board_put_in_file, board_open("gmon.out"));
    finished();
    board_exit();
}

/* The stack of the task that goes on, for that of the one that stops.  */
__attribute__((used)) uint32_t *next_task(uint32_t *stack)
{
    switches++;
    if (done[0] == ROUNDS && done[1] == ROUNDS)
        end();
    tops[running] = stack;
    running = !running;
    return tops[running];
}

__attribute__((naked, no_instrument_function)) void pendsv_handler(void)
{
    __asm__ volatile("mrs r0, psp\n\t"
                     "stmdb r0!, {r4-r11}\n\t"
                     "push {r3, lr}\n\t"
                     "bl next_task\n\t"
                     "pop {r3, lr}\n\t"
                     "ldmia r0!, {r4-r11}\n\t"
                     "msr psp, r0\n\t"
                     "bx lr");
}

__attribute__((used)) void begin(void)
{
    board_begin();
    first_task();
}

int main(void)
{
    const struct regmon_board board = {
        .text_low = (uintptr_t)stext,
        .text_high = (uintptr_t)etext,
        .ram = regmon_ram,
        .ram_size = (size_t)(regmon_ram_end - regmon_ram),
        .bin_width = BIN_WIDTH,
        .bin_bits = BIN_BITS,
        .rate = TICKS,
    };
    regmon_board_start(&board);
    WORD(0xe000ed20) |= 0xe0u << 16; /* PendSV: the lowest priority */
    uint32_t *second = &stacks[1][STACK - 16];
    second[14] = (uintptr_t)
        second_task; /* as an interrupt leaves them: r4 to r11, r0 to r3, ip, lr, pc, status */
    second[15] = 1u << 24;
    tops[1] = second;
    __asm__ volatile("msr psp, %0\n\t"
                     "msr control, %1\n\t"
                     "isb\n\t"
                     "b begin" ::"r"(&stacks[0][STACK]),
                     "r"(2)
                     : "memory");
    __builtin_unreachable();
}
