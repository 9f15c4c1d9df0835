/* board.h - what main.c needs of a board: cortex-m.c, riscv.c.  */
/* SPDX-License-Identifier: MIT */
#ifndef BOARD_H
#define BOARD_H

#include "regmon_board.h"

/* Symbols of the linker script.  */
extern char stext[], etext[], regmon_ram[], regmon_ram_end[];

/* Enables the interrupts: a timer's, TICKS times a second, and two that are caused below.  Returns
   the time in microseconds by another timer.  */
unsigned long board_begin(void);
/* Disables them; returns the time.  */
unsigned long board_end(void);

/* Cause an interrupt of low or high priority; the timer's is between them.  */
void board_pend_low(void);
void board_pend_high(void);

/* Prints a line on the serial line.  */
void board_say(const char *text, unsigned number);
void board_put_on_line(void *unused, const void *data, size_t size);

/* A file of the computer to which a debugger or emulator connects the board (semihosting).  */
void *board_open(const char *name);
void board_put_in_file(void *file, const void *data, size_t size);

/* In main.c: called in interrupts.  */
void tick_work(void);
void low_work(void);
void high_work(void);
int main(void);

/* In common.c.  */
void board_put_char(char c);                            /* the board's */
long board_host(long operation, const void *arguments); /* the board's: a request to semihosting */
__attribute__((noreturn)) void board_exit(void);

#endif
