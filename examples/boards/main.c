/* main.c - a program without an operating system, in whose interrupts profiled functions run, too.
   It counts its calls itself, so that the profile can be compared.  */
/* SPDX-License-Identifier: MIT */

#include "board.h"

#define APART __attribute__((noinline, noclone))

enum { ROUNDS = 1000 };

/* Each is changed by one level of interrupts.  */
static volatile unsigned outer_calls, tick_calls, low_calls, high_calls;
static volatile unsigned sum;

APART unsigned leaf(unsigned n)
{
    __asm__ volatile("" ::: "memory");
    return n * n + 1;
}

/* Takes time in proportion to N.  */
APART void spin(unsigned n)
{
    while (n-- != 0)
        sum += n;
}

/* Called by all levels, so an interrupt may count the call that it interrupts.  */
APART void shared(unsigned n)
{
    sum += leaf(n);
    __asm__ volatile("");
}

APART void outer(unsigned n)
{
    outer_calls++;
    for (unsigned i = 0; i < 10; i++)
        shared(i);
    sum += leaf(n) + leaf(n + 1) + leaf(n + 2);
    spin(300);
    if (n % 4 == 0)
        board_pend_low();
}

APART void idle(void)
{
    for (unsigned i = 0; i < 100; i++)
        sum++;
}

/* In the interrupt of the timer.  */
APART void tick_work(void)
{
    if (++tick_calls % 2 == 0)
        board_pend_high();
    shared(1);
    leaf(tick_calls);
    if (tick_calls % 3 == 0)
        board_pend_low();
}

/* In an interrupt that the timer may interrupt.  */
APART void low_work(void)
{
    low_calls++;
    shared(1);
    sum += leaf(1) + leaf(2);
    if (low_calls % 5 == 0)
        board_pend_high();
    sum += leaf(3);
}

/* In an interrupt that may interrupt both.  */
APART void high_work(void)
{
    high_calls++;
    shared(1);
    sum += leaf(high_calls);
}

/* What a count in between must not change: arguments, and where a function inside of another one
   finds the variables around it.  */
APART unsigned five(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e)
{
    return a + 10 * b + 100 * c + 1000 * d + 10000 * e;
}

APART unsigned around(unsigned n)
{
    unsigned m = n + 1;
    APART unsigned inside(unsigned i)
    {
        return i * m++;
    }
    return inside(2) + inside(3);
}

APART __attribute__((no_instrument_function)) unsigned wrong_values(void)
{
    __asm__ volatile("" ::: "memory");
    return (five(1, 2, 3, 4, 5) != 54321) + (around(10) != 2 * 11 + 3 * 12);
}

/* Debuggers stop here.  */
APART __attribute__((no_instrument_function)) void finished(void)
{
    __asm__ volatile("");
}

static void say_counts(void)
{
    board_say("main outer", outer_calls);
    board_say("outer leaf", 3 * outer_calls);
    board_say("outer spin", outer_calls);
    board_say("outer shared", 10 * outer_calls);
    board_say("tick_work shared", tick_calls);
    board_say("low_work shared", low_calls);
    board_say("high_work shared", high_calls);
    board_say("shared leaf", 10 * outer_calls + tick_calls + low_calls + high_calls);
    board_say("main idle", outer_calls);
    board_say("tick_work leaf", tick_calls);
    board_say("board_tick tick_work", tick_calls);
    board_say("low_work leaf", 3 * low_calls);
    board_say("board_low low_work", low_calls);
    board_say("high_work leaf", high_calls);
    board_say("board_high high_work", high_calls);
    board_say("lost calls", regmon_board_lost()->calls);
    board_say("lost samples", regmon_board_lost()->samples);
    board_say("lost outside", regmon_board_lost()->outside);
}

int main(void)
{
    struct regmon_board board = {
        .text_low = (uintptr_t)stext,
        .text_high = (uintptr_t)etext,
        .ram = regmon_ram,
        .ram_size = (size_t)(regmon_ram_end - regmon_ram),
        .bin_width = BIN_WIDTH,
        .bin_bits = BIN_BITS,
        .rate = TICKS,
    };
    int status = regmon_board_start(&board);
    unsigned long begin = board_begin();
    for (unsigned i = 0; i < ROUNDS; i++) {
        outer(i);
        idle();
    }
    unsigned long microseconds = board_end() - begin;
    unsigned wrong = wrong_values() + wrong_values();
#ifdef SATURATE
    for (unsigned i = 0; i < 70000; i++)
        regmon_board_tick((uintptr_t)stext);
#endif
    regmon_board_stop();

    board_say("status", (unsigned)status);
    board_say("wrong", wrong);
    board_say("wrong_values five", 2);
    board_say("wrong_values around", 2);
    board_say("around inside", 4);
    board_say("microseconds", (unsigned)microseconds);
    say_counts();
    regmon_board_print(board_put_on_line, 0);
    void *file = board_open("gmon.out");
    regmon_board_write(board_put_in_file, file);
    finished();
    return 0;
}
